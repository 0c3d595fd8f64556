/** Words in an empty text that say how to begin. They are no part of it. */
import { Plugin } from 'prosemirror-state';
import { Decoration, DecorationSet } from 'prosemirror-view';
import { say } from '../../words.ts';

export function emptyHint(): Plugin {
  return new Plugin({
    props: {
      decorations({ doc }) {
        const only = doc.childCount === 1 ? doc.firstChild : undefined;
        if (only?.type.name !== 'paragraph' || only.content.size > 0) return null;
        const attributes = { class: 'is-empty', 'data-hint': say('visualEmptyHint.writeHere') };
        return DecorationSet.create(doc, [Decoration.node(0, only.nodeSize, attributes)]);
      },
    },
  });
}
