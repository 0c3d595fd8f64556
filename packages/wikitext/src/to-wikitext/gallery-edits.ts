/**
 * Edits of galleries: each picture is a line of the source. Edited captions, and pictures put in or taken out, leave the tag and
 * all other lines alone.
 */
import { align } from './aligned-parts.ts';
import type { Editing } from './editing.ts';
import { findElement, type HtmlElement, hasClass, isElement } from './html-tree.ts';
import { galleryLines } from './media.ts';
import { type Range, rangeOf } from './source-blocks.ts';
import type { Change } from './text-edits.ts';

/** Returns undefined if lines and pictures do not correspond. */
export function editGallery(
  edits: Editing,
  old: HtmlElement,
  now: HtmlElement,
  within: Range,
): Change[] | undefined {
  const [before, after] = [old, now].map(({ children }) =>
    children.filter(
      (child): child is HtmlElement => isElement(child, 'li') && !hasClass(child, 'gallerycaption'),
    ),
  ) as [HtmlElement[], HtmlElement[]];
  const lines = linesOf(edits.text.source, within);
  if (lines.length !== before.length) return undefined;
  const changes: Change[] = [];
  for (const step of align(edits, before, after)) {
    const place = step.old ?? step.after;
    const line = lines[place ? before.indexOf(place) : 0];
    if (!line) return undefined;
    const text = step.now && lineOf(edits, { ...now, children: [step.now] });
    if (text === '') return undefined;
    if (step.kind === 'change')
      changes.push(...(editCaption(edits, step.old, step.now) ?? [{ ...line, text: text ?? '' }]));
    else if (step.kind === 'remove') changes.push({ ...line, text: '' });
    else {
      const at = place ? line.end : line.start;
      changes.push({ start: at, end: at, text: text ?? '' });
    }
  }
  return changes;
}

function lineOf({ writer }: Editing, gallery: HtmlElement): string {
  return writer.lines(() => writer.out.put(galleryLines(writer, gallery)?.slice(1) ?? ''));
}

/** Returns the ranges of the lines that are pictures, each with its line end. */
function linesOf(source: string, { start, end }: Range): Range[] {
  const [open = ''] = /^<gallery\b[^>]*>[^\n]*\n/i.exec(source.slice(start, end)) ?? [];
  const lines: Range[] = [];
  if (open === '') return lines;
  for (let at = start + open.length; at < end; ) {
    const next = source.indexOf('\n', at) + 1;
    if (next === 0 || next > end) break;
    if (/^[^\n]*\w/.test(source.slice(at, next)) && !/^\s*(?:<!--|<\/gallery)/i.test(source.slice(at, next)))
      lines.push({ start: at, end: next });
    at = next;
  }
  return lines;
}

/** Returns the changes of a caption, if nothing else of the picture differs. */
function editCaption(edits: Editing, old: HtmlElement, now: HtmlElement): Change[] | undefined {
  const [caption, edited] = [old, now].map((item) => findElement([item], ({ name }) => name === 'p'));
  const range = rangeOf(caption);
  if (!caption || !edited || !range) return undefined;
  const rest = edits.keyBefore(old).replace(edits.keyBefore(caption), () => '');
  if (rest !== edits.keyAfter(now).replace(edits.keyAfter(edited), () => '')) return undefined;
  return edits.edit(caption, edited, range, 1);
}
