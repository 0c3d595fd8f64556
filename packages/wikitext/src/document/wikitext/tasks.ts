/**
 * Tasks in wikitext, which has no markup for them: items of a list that begin with the character of a box, `* ☐ water`, ticked
 * `* ☑ water`. Every wiki shows them, and people who write the source type them.
 */
import { type Block, keyOfBlock, normalised, type SourceBlock } from '../nodes.ts';

const box = /^([\u2610\u2611])[ \t]*/;
const boxAtEnd = /[\u2610\u2611][ \t]*$/;

/** The box at the start of an item's text, if it has one. */
export function boxIn(text: string): { length: number; checked: boolean } | undefined {
  const found = box.exec(text);
  return found ? { length: found[0].length, checked: found[1] === '\u2611' } : undefined;
}

/** The box of an item, for its start; empty for an item that is no task. */
export function boxOf({ type, attrs }: Block): string {
  if (type !== 'taskItem') return '';
  return attrs.checked === true ? '\u2611 ' : '\u2610 ';
}

/** The start of an item's line with the box of the edited item. */
export function openWithBox(open: string, old: SourceBlock, now: Block): string {
  if (old.type === now.type && old.attrs.checked === now.attrs.checked) return open;
  if (old.type === now.type) return open.replace(/[\u2610\u2611]/, boxOf(now).trim());
  return open.replace(boxAtEnd, '') + boxOf(now);
}

/** Makes an item a task whose text begins with a box, as it will be read. */
export function completeTask(block: Omit<Block, 'key'>): void {
  const first = block.children?.[0];
  const sign = first?.units?.[0];
  const found = sign && !sign.node && boxIn(sign.value);
  if (block.type !== 'listItem' || first?.type !== 'paragraph' || !found) return;
  const line = { ...first, units: normalised(first.units?.slice(1) ?? []) };
  block.type = 'taskItem';
  block.attrs = { checked: found.checked };
  const rest = block.children?.slice(1) ?? [];
  block.children = line.units.length > 0 ? [{ ...line, key: keyOfBlock(line) }, ...rest] : rest;
}
