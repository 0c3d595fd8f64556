/**
 * Tags whose inside is read by rules of its own.
 *
 *   <nowiki>''plain''</nowiki>     <pre>as it is</pre>     <syntaxhighlight lang="js">…</syntaxhighlight>
 *   <math>x^2</math>               <ref name="a">note</ref> <references/>      <gallery>…</gallery>      <poem>…</poem>
 */
import type { Context } from './context.ts';
import { decodeEntities } from './entities.ts';
import { galleryChildren } from './gallery.ts';
import type { Inline } from './inlines/inline.ts';
import type { Attributes, ExtensionNode, Node } from './tree.ts';

/** How insides are read; `parse.ts` provides it. */
export type Reader = {
  context: Context;
  text(text: string, base: number, hasBlocks: boolean): Node[];
  range(start: number, end: number, firstElement: number): Node[];
  inline(text: string, base: number): Inline;
};

export type ExtensionPlace = { start: number; end: number; body: number };

export function extensionNode(
  reader: Reader,
  name: string,
  attributes: Attributes,
  written: string | undefined,
  at: ExtensionPlace,
): Node {
  const body = written === undefined ? undefined : showNested(written);
  const node: ExtensionNode = {
    type: 'extension',
    name: name === 'source' ? 'syntaxhighlight' : name,
    attributes,
    body,
    children: undefined,
    start: at.start,
    end: at.end,
  };
  if (body === undefined) return node;
  switch (node.name) {
    case 'pre':
      node.body = decodeEntities(withoutNowiki(body));
      break;
    case 'ref':
      node.children = reader.text(body, at.body, holdsBlocks(body));
      break;
    case 'references':
      node.children = reader.text(body, at.body, false);
      break;
    case 'gallery':
      node.children = galleryChildren(reader, attributes, body, at);
      break;
    case 'poem':
      node.children = reader.text(withLineBreaks(body), at.body, true);
      break;
  }
  return node;
}

// `expand` hides the end tags of extensions within extensions, so that the first one in sight is the outer one's.
// A hidden one is U+0001, how often it is hidden, and the slash.
const hidden = /<\/|\u0001(\d{1,3})\//g;

/** Hides end tags in `body`, to be undone once by whoever reads it. */
export function hideNested(body: string): string {
  if (!body.includes('</') && !body.includes('\u0001')) return body;
  return body.replace(
    hidden,
    (_all, level: string | undefined) => `\u0001${level === undefined ? 1 : Number(level) + 1}/`,
  );
}

function showNested(body: string): string {
  if (!body.includes('\u0001')) return body;
  return body.replace(hidden, (all, level: string | undefined) => {
    if (level === undefined) return all;
    return Number(level) > 1 ? `\u0001${Number(level) - 1}/` : '</';
  });
}

/** Lists, tables, headings and empty lines make a note a text of its own. */
function holdsBlocks(body: string): boolean {
  return body.includes('\n') && /\n[ \t]*(?:[*#:;]|\{\||=)|\S[ \t]*\n[ \t]*\n[ \t]*\S/.test(body.trim());
}

function withoutNowiki(body: string): string {
  const open = '<nowiki>';
  let out = '';
  let from = 0;
  for (let at = body.indexOf(open); at >= 0; at = body.indexOf(open, from)) {
    const close = body.indexOf('</nowiki>', at);
    if (close < 0) break;
    out += body.slice(from, at) + body.slice(at + open.length, close);
    from = close + open.length + 1;
  }
  return out + body.slice(from);
}

function withLineBreaks(body: string): string {
  return body.replace(/^\n|\n$/g, '').replaceAll('\n', '<br>\n');
}
