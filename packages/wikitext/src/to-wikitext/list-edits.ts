/**
 * Edits of lists: items that were put in or taken out are lines of the source.
 *
 *   * one        with `three` behind `one` becomes        * one
 *   * two                                                 * three
 *                                                         * two
 */
import { align } from './aligned-parts.ts';
import type { Editing } from './editing.ts';
import { type HtmlElement, isElement } from './html-tree.ts';
import { list } from './list.ts';
import { callsAtEnd, type Range, rangeOf } from './source-blocks.ts';
import type { Change } from './text-edits.ts';

/** `level`: the number of marks before the items. Returns undefined if an item is not a line of the source. */
export function editItems(
  edits: Editing,
  old: HtmlElement,
  now: HtmlElement,
  within: Range,
  level: number,
): Change[] | undefined {
  const { source } = edits.text;
  const before = old.children.filter((child) => isElement(child));
  const after = now.children.filter((child) => isElement(child));
  const marksOf = (item: HtmlElement | undefined) => {
    const start = rangeOf(item)?.start ?? -1;
    const isLine = start === 0 || source[start - 1] === '\n';
    return isLine ? /^[*#:;]+/.exec(source.slice(start, start + 60))?.[0] : undefined;
  };
  const changes: Change[] = [];
  for (const step of align(edits, before, after)) {
    if (step.kind === 'insert') {
      const neighbour = step.after ?? before[0];
      const marks = marksOf(neighbour);
      const place = rangeOf(neighbour);
      if (!marks || !place || marks.length < level) return undefined;
      const at = step.after ? lastLineEnd(source, place.start, Math.min(place.end, within.end)) : place.start;
      const isLine = at === 0 || source[at - 1] === '\n';
      const line = itemText(
        edits,
        now,
        step.now,
        marks.slice(0, level - 1),
        source.slice(place.start, place.end),
      );
      if (!isLine && at !== source.length && source[at] !== '\n') return undefined;
      changes.push({ start: at, end: at, text: isLine ? `${line}\n` : `\n${line}` });
      continue;
    }
    const whole = rangeOf(step.old);
    if (!whole || whole.start < within.start) return undefined;
    // White space after a list is not part of it.
    const range = { start: whole.start, end: Math.min(whole.end, within.end) };
    if (step.kind === 'change') {
      const found = edits.edit(step.old, step.now, range, level);
      if (found) changes.push(...found);
      else {
        const marks = marksOf(step.old);
        const line = source.slice(range.start, range.end);
        if (!marks || marks.length < level) return undefined;
        const text = itemText(edits, now, step.now, marks.slice(0, level - 1), line);
        changes.push({ ...range, text: text + (/(?<!\n)\n+$/.exec(line)?.[0] ?? '') });
      }
    } else {
      const endsLine = source[range.end - 1] === '\n';
      if (!marksOf(step.old) || !(endsLine || range.end === source.length || source[range.end] === '\n'))
        return undefined;
      const start = endsLine || range.start === within.start ? range.start : range.start - 1;
      changes.push({ start, end: range.end, text: '' });
    }
  }
  return changes;
}

/** Returns the lines of an item, with white space after the marks if `sample` has it. */
function itemText(
  { writer }: Editing,
  parent: HtmlElement,
  item: HtmlElement,
  above: string,
  sample: string,
): string {
  const text = writer.lines(() => list(writer, { ...parent, attributes: {}, children: [item] }, above));
  return /^[*#:;]+[^\s*#:;]/.test(sample) ? text.replace(/^([*#:;]+) (?![*#:;])/, '$1') : text;
}

/** Returns the end of an item without lines of nothing but calls, which show nothing and may end a box around the list. */
function lastLineEnd(source: string, start: number, end: number): number {
  const text = source.slice(start, callsAtEnd(source, start, end)).trimEnd();
  const at = source.indexOf('\n', start + text.length);
  return at < 0 || at > end ? end : at;
}
