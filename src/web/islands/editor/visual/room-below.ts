/**
 * An empty paragraph at the end of every text, so that one can write on below a table, a picture or a box. Empty paragraphs have
 * no source, so nothing is saved of it.
 */
import type { Node } from 'prosemirror-model';
import { Plugin } from 'prosemirror-state';
import { nodeType } from './commands.ts';

/** A document of the server with that room. */
export function withRoom(document: Node): Node {
  const content = document.content.addToEnd(nodeType('paragraph').create());
  return hasRoom(document) ? document : document.copy(content);
}

export function roomBelow(): Plugin {
  return new Plugin({
    appendTransaction: (_transactions, _before, { doc, tr }) =>
      hasRoom(doc) ? null : tr.insert(doc.content.size, nodeType('paragraph').create()),
  });
}

function hasRoom({ lastChild }: Node): boolean {
  return lastChild?.type.name === 'paragraph';
}
