/** `<pre>as it is</pre>`: text without markup, with its line ends and spaces kept. */
import { decodeEntities } from '../entities.ts';
import { escapeText, writeAttributes } from '../html.ts';
import { safeAttributes } from '../sanitize.ts';
import type { Extension } from './extension.ts';

export const pre: Extension = {
  name: 'pre',
  isBlock: true,
  bringsLinks: false,
  parse(_reader, node) {
    if (node.body !== undefined) node.body = decodeEntities(withoutNowiki(node.body));
    return node;
  },
  render: (_writer, { attributes, body }) =>
    `<pre${writeAttributes(safeAttributes('pre', attributes))}>${escapeText(body ?? '')}</pre>`,
};

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
