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
    const words = plain(text ?? title ?? '') || '…';
    const address = htmlUrl ?? url ?? xmlUrl;
    const tick = complete === undefined ? '' : complete === 'true' ? '[x] ' : '[ ] ';
    lines.push(
      `${indent}- ${tick}${address ? `[${words}](<${address.replace(/[<>\s]/g, encodeURIComponent)}>)` : words}`,
    );
    for (const line of (note ?? '').split('\n'))
      if (line.trim() !== '') lines.push('', `${indent}  ${plain(line)}`, '');
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
    throw new Problem('invalid', `The outline is damaged: ${(error as Error).message}.`, { cause: error });
  }
  const shown = title.trim() || name;
  await to.addPage(to.free('', shown, '.md'), { title: shown }, lines.join('\n'));
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
