/** Outlines in OPML: one page, whose items are a nested list with their notes and links. */
import { SaxesParser } from 'saxes';
import { Problem } from '#core/model/problem.ts';
import type { Unpacking } from './unpacked-tree.ts';

/** Deeper items stand at this depth. */
const maxDepth = 60;

export async function unpackOpml(xml: string, name: string, to: Unpacking): Promise<void> {
  const lines: string[] = [];
  let depth = -1;
  let title = '';
  let isTitle = false;
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    isTitle = name === 'title';
    if (name !== 'outline') return;
    depth++;
    const indent = '  '.repeat(Math.min(depth, maxDepth));
    const {
      text,
      title,
      _note: note,
      htmlUrl,
      xmlUrl,
      url,
      _complete: complete,
    } = attributes as Record<string, string>;
    const words = formatted(text?.trim() || (title ?? '')) || '…';
    const address = htmlUrl ?? url ?? xmlUrl;
    const tick = complete === undefined ? '' : complete === 'true' ? '[x] ' : '[ ] ';
    // A subscription has the address of its feed besides that of its site.
    const feed =
      xmlUrl !== undefined && xmlUrl !== address && /^https?:/.test(xmlUrl)
        ? ` (<${plainAddress(xmlUrl)}>)`
        : '';
    lines.push(`${indent}- ${tick}${address ? `[${words}](<${plainAddress(address)}>)` : words}${feed}`);
    for (const line of (note ?? '').split('\n'))
      if (line.trim() !== '') lines.push('', `${indent}  ${formatted(line)}`, '');
  });
  parser.on('text', (text) => {
    if (isTitle) title += text;
  });
  parser.on('closetag', ({ name }) => {
    isTitle = false;
    if (name === 'outline') depth--;
  });
  try {
    parser.write(xml).close();
  } catch (error) {
    throw new Problem('invalid', `The outline is damaged: ${(error as Error).message.replace(/\.$/, '')}.`, {
      cause: error,
    });
  }
  const shown = title.trim() || name;
  await to.addPage(to.free('', shown, '.md'), { title: shown }, lines.join('\n'));
}

function plainAddress(address: string): string {
  return address.replace(/[<>\s]/g, encodeURIComponent);
}

/** Text of an item. Items of some programs hold HTML: emphasis and links of it stay. */
function formatted(text: string): string {
  const marks: Readonly<Record<string, string>> = { b: '**', strong: '**', i: '*', em: '*' };
  const tags =
    /<(b|strong|i|em)>([^<>\n]{1,2000})<\/\1>|<a\s[^<>]{0,500}?href="([^"<>\n]{1,1000})"[^<>]{0,500}>([^<>\n]{1,2000})<\/a>/gi;
  let out = '';
  let at = 0;
  for (const { index, 0: whole, 1: name = '', 2: inner = '', 3: href, 4: label = '' } of text.matchAll(
    tags,
  )) {
    const mark = marks[name.toLowerCase()] ?? '';
    out += spaced(text.slice(at, index));
    out +=
      href === undefined
        ? `${mark}${plain(inner)}${mark}`
        : `[${plain(label)}](<${href.replace(/\s/g, encodeURIComponent)}>)`;
    at = index + whole.length;
  }
  return (at === 0 ? plain(text) : out + spaced(text.slice(at))).trim();
}

/** The text with the spaces at its ends. */
function spaced(text: string): string {
  return `${/^\s/.test(text) ? ' ' : ''}${plain(text)}${/\S\s+$/.test(text) ? ' ' : ''}`;
}

/** Text of an item, with what Markdown would read as markup escaped. Items of some programs hold HTML. */
function plain(text: string): string {
  return text
    .replace(/<\/?[a-z][^<>]{0,500}>/gi, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<{|]/g, '\\$&')
    .replace(/^(#|\+|-|>|\d+[.)])/, '\\$1');
}
