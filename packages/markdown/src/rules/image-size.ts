/**
 * Sizes behind the address of a picture, as Wiki.js and HackMD write them: `![mill](mill.png =200x)`, `=x100`, `=200x100`, with a
 * title before them if there is one. Shares of the page's width are left out.
 */
import type { MarkdownIt, StateInline } from 'markdown-it';
import type { AttributeMeta } from './attributes.ts';

const target =
  /\([ \t]*(<[^<>\n]*>|[^\s()<>]+)(?:[ \t]+(?:"([^"\n]*)"|'([^'\n]*)'))?[ \t]+=(\d{1,5}%?)?(?:x(\d{1,5}%?)?)?[ \t]*\)/y;

export function imageSize(parser: MarkdownIt): void {
  parser.inline.ruler.before('image', 'image_size', sized);
}

function sized(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax, md } = state;
  if (src[pos] !== '!' || src[pos + 1] !== '[') return false;
  const labelEnd = md.helpers.parseLinkLabel(state, pos + 1, false);
  if (labelEnd < 0) return false;
  target.lastIndex = labelEnd + 1;
  const [whole, address = '', quoted, single, width, height] = target.exec(src) ?? [];
  if (whole === undefined || target.lastIndex > posMax || !(width || height)) return false;
  const end = target.lastIndex;
  if (!silent) {
    const token = state.push('image', 'img', 0);
    token.content = src.slice(pos + 2, labelEnd);
    token.children = [];
    md.inline.parse(token.content, md, state.env, token.children);
    const title = quoted ?? single;
    token.attrs = [
      ['src', md.utils.unescapeAll(address.replace(/^<|>$/g, ''))],
      ['alt', ''],
    ];
    if (title) token.attrs.push(['title', md.utils.unescapeAll(title)]);
    const sizes = Object.entries({ width, height }).filter(([, size]) => size && !size.endsWith('%'));
    const attributes = sizes.map(([name, size]) => `${name}="${size}"`).join(' ');
    token.meta = { attributes } satisfies AttributeMeta;
  }
  state.pos = end;
  return true;
}
