/** `<poem>…</poem>`: line ends are kept, and indentation is space, not a list or code. */
import { writeAttributes } from '../html.ts';
import { placeAt } from '../place-at.ts';
import { safeAttributes } from '../sanitize.ts';
import { expandInside } from './expand-inside.ts';
import type { Extension } from './extension.ts';

export const poem: Extension = {
  name: 'poem',
  isBlock: true,
  inside: 'loose wikitext',
  expand: (tag) => expandInside(tag),
  parse(reader, node, at) {
    if (node.body === undefined) return node;
    node.children = reader.text(withLineBreaks(node.body), at.body, 'block');
    // The parsed text differs from the source, so its offsets do not apply.
    placeAt(node.children, at.start, at.end);
    return node;
  },
  render(writer, { attributes, children }) {
    const safe = safeAttributes('div', attributes);
    const name = safe.class ? `poem ${safe.class}` : 'poem';
    return `<div${writeAttributes({ ...safe, class: name })}>${writer.html(children ?? [])}</div>`;
  },
};

function withLineBreaks(body: string): string {
  return body
    .replace(/^\n|\n$/g, '')
    .replace(/^ +/gm, (spaces) => '&nbsp;'.repeat(spaces.length))
    .replace(
      /^(:+)(.+)$/gm,
      (_all, colons: string, line: string) =>
        `<span class="mw-poem-indented" style="display: inline-block; margin-inline-start: ${colons.length}em;">${line}</span>`,
    )
    .replaceAll('\n', '<br>\n');
}
