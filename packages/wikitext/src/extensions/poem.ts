/** `<poem>…</poem>`: line ends are kept, and indentation is space, not a list or code. */
import { writeAttributes } from '../html.ts';
import { moveTo } from '../place-at.ts';
import { safeAttributes } from '../sanitize.ts';
import type { Origin } from '../tree.ts';
import { expandInside } from './expand-inside.ts';
import type { Extension } from './extension.ts';

export const poem: Extension = {
  name: 'poem',
  isBlock: true,
  inside: 'loose wikitext',
  expand: (tag) => expandInside(tag),
  parse(reader, node, at) {
    if (node.body === undefined) return node;
    const { text, origins } = withLineBreaks(node.body, at.body);
    node.children = reader.text(text, at.body, 'block');
    moveTo(node.children, origins);
    return node;
  },
  render(writer, { attributes, children }) {
    const safe = safeAttributes('div', attributes);
    const name = safe.class ? `poem ${safe.class}` : 'poem';
    return `<div${writeAttributes({ ...safe, class: name })}>${writer.html(children ?? [])}</div>`;
  },
};

/** Returns the text that is parsed, and where each of its parts comes from in the body, which begins at `base`. */
function withLineBreaks(body: string, base: number): { text: string; origins: Origin[] } {
  const origins: Origin[] = [];
  let text = '';
  let from = 0;
  const copy = (end: number) => {
    if (end > from)
      origins.push({ at: base + text.length, start: base + from, end: base + end, isCall: false });
    text += body.slice(from, end);
    from = end;
  };
  const replace = (end: number, by: string) => {
    if (by !== '')
      origins.push({ at: base + text.length, start: base + from, end: base + end, isCall: true });
    text += by;
    from = end;
  };
  const last = body.length > 1 && body.endsWith('\n') ? body.length - 1 : body.length;
  if (body.startsWith('\n')) from = 1;
  for (;;) {
    const newline = body.indexOf('\n', from);
    const end = newline < 0 || newline > last ? last : newline;
    const colons = /^:*/.exec(body.slice(from, end))?.[0].length ?? 0;
    while (body[from] === ' ' && from < end) replace(from + 1, '&nbsp;');
    const depth = from + colons === end ? colons - 1 : colons;
    if (depth > 0)
      replace(
        from + depth,
        `<span class="mw-poem-indented" style="display: inline-block; margin-inline-start: ${depth}em;">`,
      );
    copy(end);
    if (depth > 0) replace(end, '</span>');
    if (end >= last) return { text, origins };
    replace(end, '<br>');
    copy(end + 1);
  }
}
