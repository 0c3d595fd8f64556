/**
 * Edits of lists: items that were put in or taken out are lines of the source, tags, or a meaning behind its term.
 *
 *   * one        with `three` behind `one` becomes        * one
 *   * two                                                 * three
 *                                                         * two
 */
import { align, type Step } from './aligned-parts.ts';
import type { Editing } from './editing.ts';
import { type HtmlElement, isElement } from './html-tree.ts';
import { list } from './list.ts';
import { callsAtEnd, firstChildren, ownWords, type Range, rangeOf } from './source-blocks.ts';
import type { Change } from './text-edits.ts';

const tagged = /^<(?:li|d[dt])\b/i;

/** `level`: the number of marks before the items. Returns undefined if the place of an item in the source is uncertain. */
export function editItems(
  edits: Editing,
  { old, now }: { old: HtmlElement; now: HtmlElement },
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
  const steps = align(edits, before, after);
  for (const step of steps) {
    if (step.kind === 'insert') {
      const neighbour = step.after ?? before[0];
      const marks = marksOf(neighbour);
      const place = rangeOf(neighbour);
      if (place && tagged.test(source.slice(place.start, place.end))) {
        const line = tagText(edits, step.now);
        const end = place.start + source.slice(place.start, Math.min(place.end, within.end)).trimEnd().length;
        const at = step.after ? end : place.start;
        const space = source[place.start - 1] === '\n' ? '\n' : '';
        changes.push({ start: at, end: at, text: step.after ? space + line : line + space });
        continue;
      }
      if (!marks || !place || marks.length < level) return undefined;
      const at = step.after ? lastLineEnd(source, place.start, Math.min(place.end, within.end)) : place.start;
      const isLine = at === 0 || source[at - 1] === '\n';
      const line = itemText(edits, now, step.now, {
        above: marks.slice(0, level - 1),
        sample: source.slice(place.start, place.end),
      });
      if (!isLine && at !== source.length && source[at] !== '\n') return undefined;
      changes.push({ start: at, end: at, text: isLine ? `${line}\n` : `\n${line}` });
      continue;
    }
    const whole = rangeOf(step.old);
    if (!whole || whole.start < within.start) return undefined;
    // White space after a list is not part of it.
    const range = { start: whole.start, end: Math.min(whole.end, within.end) };
    if (step.kind === 'change') {
      const found =
        edits.edit(step.old, step.now, range, level) ??
        (marksOf(step.old)?.length === level
          ? belowChanges(edits, { parent: now, ...step }, range, marksOf(step.old) ?? '')
          : undefined);
      if (found) changes.push(...found);
      else {
        const marks = marksOf(step.old);
        const line = source.slice(range.start, range.end);
        const isTag = tagged.test(line);
        if (!isTag && (!marks || marks.length < level)) return undefined;
        const text = isTag
          ? tagText(edits, step.now)
          : itemText(edits, now, step.now, { above: marks?.slice(0, level - 1) ?? '', sample: line });
        changes.push({ ...range, text: text + (/(?<!\n)\n+$/.exec(line)?.[0] ?? '') });
      }
    } else {
      const cut = cutOf(source, { name: step.old.name, marks: marksOf(step.old), range }, steps);
      if (!cut) return undefined;
      changes.push({ start: Math.max(cut.start, within.start), end: cut.end, text: '' });
    }
  }
  return changes;
}

/**
 * Returns the changes of an item in which lists or other blocks below its own words were put in, changed or taken out. The
 * source of its words stays, with its calls and comments. `marks`: of the item, if it is a line.
 */
function belowChanges(
  edits: Editing,
  { parent, old, now }: { parent: HtmlElement; old: HtmlElement; now: HtmlElement },
  { start, end }: Range,
  marks: string,
): Change[] | undefined {
  const { writer, text } = edits;
  const ownCount = ({ children }: HtmlElement) => {
    const first = children.findIndex((node) => writer.blocks.has(node));
    return first < 0 ? children.length : first;
  };
  const [before, after] = [ownCount(old), ownCount(now)];
  const below = rangeOf(old.children[before]);
  if (before < old.children.length && !below) return undefined;
  const lineEnd = below ? below.start - 1 : lastLineEnd(text.source, start, end);
  if (below && text.source[lineEnd] !== '\n') return undefined;
  const [own, ownNow] = [firstChildren(old, before), firstChildren(now, after)];
  const isSame = edits.keyBefore(own) === edits.keyAfter(ownNow);
  const found = isSame ? [] : edits.edit(own, ownNow, { start, end: lineEnd }, marks.length);
  if (!found) return undefined;
  const item = {
    ...now,
    children: [{ type: 'text', value: ownWords } as const, ...now.children.slice(after)],
  };
  const written = itemText(edits, parent, item, { above: marks.slice(0, -1), sample: '' });
  const [, tail] = written.split(ownWords);
  if (tail === undefined) return undefined;
  const stop = below ? text.source.slice(0, end).trimEnd().length : lineEnd;
  return [...found, { start: lineEnd, end: Math.max(stop, lineEnd), text: tail.trimEnd() }];
}

/** Returns the part of the source that goes with an item. `marks`: of the item, if it is a line. */
function cutOf(
  source: string,
  { name, marks, range }: { name: string; marks: string | undefined; range: Range },
  steps: readonly Step[],
): Range | undefined {
  const { start, end } = range;
  const isTag = tagged.test(source.slice(start, end));
  const endsLine = source[end - 1] === '\n';
  const isLine =
    (marks !== undefined || isTag) && (endsLine || end === source.length || source[end] === '\n');
  if (isLine) return { start: endsLine || source[start - 1] !== '\n' ? start : start - 1, end };
  if (isTag) return { start, end };
  // `; term : meaning`
  const goes = (at: 'start' | 'end', offset: number) =>
    steps.some(({ kind, old }) => kind === 'remove' && rangeOf(old)?.[at] === offset);
  if (name === 'dd' && marks === undefined && source[start] === ':')
    return goes('end', start)
      ? { start, end }
      : { start: source.slice(0, start).trimEnd().length, end: endsLine ? end - 1 : end };
  if (name === 'dt' && marks && source[end] === ':')
    return { start: goes('start', end) ? start : start + marks.length - 1, end };
  return undefined;
}

/** Returns an item with its tags. */
function tagText({ writer }: Editing, item: HtmlElement): string {
  const attributes = { ...item.attributes, 'data-parsoid': '{"stx":"html"}' };
  return writer.lines(() => writer.write([{ ...item, attributes }], 'box')).trim();
}

/** Returns the lines of an item behind the marks `above`, with white space after its own if `sample` has it. */
function itemText(
  { writer }: Editing,
  parent: HtmlElement,
  item: HtmlElement,
  { above, sample }: { above: string; sample: string },
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
