/**
 * Edits of the marks around contents that stay: the level of a heading, the attributes of a table.
 *
 *   == one ==        with another level becomes        === one ===
 */
import { attributesOf, headings } from './elements.ts';
import type { HtmlElement } from './html-tree.ts';
import type { Range } from './source-blocks.ts';
import type { Change } from './text-edits.ts';

/** Returns the changes of the marks; undefined if the element is written in another way or became another one. */
export function marksChanges(
  source: string,
  old: HtmlElement,
  now: HtmlElement,
  { start, end }: Range,
): Change[] | undefined {
  if (old.name === 'table' && now.name === 'table') {
    const [line = ''] = source.slice(start, end).split('\n', 1);
    // Calls in the line may have given any attributes.
    if (!line.startsWith('{|') || /\{\{|<!--/.test(line)) return undefined;
    return [{ start: start + 2, end: start + line.length, text: attributesOf(now) }];
  }
  if (!headings.has(old.name) || !headings.has(now.name) || old.name === now.name) return undefined;
  if (JSON.stringify(old.attributes) !== JSON.stringify(now.attributes)) return undefined;
  const level = Number(old.name[1]);
  const written = source.slice(start, end).trimEnd();
  const isMarked =
    /^=+/.exec(written)?.[0].length === level && /(?<!=)=+$/.exec(written)?.[0].length === level;
  if (!isMarked) return undefined;
  const close = start + written.length;
  const text = '='.repeat(Number(now.name[1]));
  return [
    { start, end: start + level, text },
    { start: close - level, end: close, text },
  ];
}
