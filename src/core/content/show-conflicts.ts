/**
 * Both sides of conflicts as readers would see them. A side is shown with the blocks around it, because half a table or list
 * means nothing alone. All sides are rendered as one text, with a paragraph between them that none of them contains: one rendering
 * however many conflicts there are. A side that leaves something open would swallow the next one, so it is shown as its source.
 */
import type { Format } from '../model/page.ts';
import { Problem } from '../model/problem.ts';
import type { Reader } from '../ports/reader.ts';
import {
  chosenText,
  conflictKey,
  type MarkedConflict,
  markedConflicts,
  solveConflicts,
} from './conflict-marks.ts';
import { previewPage } from './preview-page.ts';
import type { Renderer } from './render.ts';

/** Further conflicts are solved in the text, or after these. */
const mostConflictsShown = 30;
/** Characters of all sides together that are rendered. */
const maxRendered = 300_000;

/** A side as HTML of the renderer, with words that the other side lacks in `<ins>`, or as its source. Empty: nothing is there. */
export type ShownSide = { markup: string } | { source: string };

interface ShownConflict {
  key: string;
  yours: ShownSide;
  theirs: ShownSide;
}

interface TextOfConflicts {
  body: string;
  format: Format;
  path: string;
  title: string;
}

/** The first conflicts in the text. Those with the same two sides are one. */
export async function showConflicts(
  reader: Reader,
  renderer: Renderer,
  text: TextOfConflicts,
  now: number,
): Promise<ShownConflict[]> {
  const { text: body, places } = solveConflicts(text.body, () => 'yours');
  const blocks = await blocksOf(reader, renderer, { ...text, body });
  const pieces = new Map<string, { conflict: MarkedConflict; yours: string; theirs: string }>();
  let left = maxRendered;
  for (const [index, conflict] of markedConflicts(text.body).entries()) {
    const place = places[index];
    if (!place || pieces.size === mostConflictsShown) break;
    const around = blocks.filter(({ from, to }) => from <= place.to && to >= place.from);
    const before = body.slice(Math.min(place.from, ...around.map(({ from }) => from)), place.from);
    const after = body.slice(place.to, Math.max(place.to, ...around.map(({ to }) => to)));
    const sides = (['yours', 'theirs'] as const).map((side) => before + chosenText(conflict, side) + after);
    const [yours = '', theirs = ''] = sides;
    left -= yours.length + theirs.length;
    if (left >= 0) pieces.set(conflictKey(conflict), { conflict, yours, theirs });
    else pieces.set(conflictKey(conflict), { conflict, yours: '', theirs: '' });
  }
  const list = [...pieces];
  const rendered = await renderApart(
    { reader, renderer, now },
    text,
    list.flatMap(([, { yours, theirs }]) => [yours, theirs]),
  );
  return Promise.all(
    list.map(async ([key, { conflict, yours, theirs }], index) => {
      const [mine, other] = [rendered?.[2 * index], rendered?.[2 * index + 1]];
      const isCut = yours === '' && theirs === '';
      if (isCut || mine === undefined || other === undefined)
        return { key, yours: { source: conflict.yours }, theirs: { source: conflict.theirs } };
      const { language } = renderer;
      const [shown, otherShown] = await Promise.all([
        language.compareShown(other, mine),
        language.compareShown(mine, other),
      ]);
      return { key, yours: { markup: shown }, theirs: { markup: otherShown } };
    }),
  );
}

/** Ranges of the blocks of a body; none if it takes too long to read. */
async function blocksOf(
  reader: Reader,
  { language }: Renderer,
  source: TextOfConflicts,
): Promise<{ from: number; to: number }[]> {
  try {
    const document = JSON.parse(await language.document(source, reader.dialect)) as {
      content?: { attrs?: { origin?: [number, number] | null } }[];
    };
    return (document.content ?? []).flatMap(({ attrs }) =>
      attrs?.origin ? [{ from: attrs.origin[0], to: attrs.origin[1] }] : [],
    );
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
}

/** The text without line ends at both ends. A run of them within the text is read once. */
export function withoutOuterLines(text: string): string {
  return text.replace(/^\n+|(?<!\n)\n+$/g, '');
}

/** HTML of each text; undefined for those that cannot be rendered apart from the others. */
async function renderApart(
  { reader, renderer, now }: { reader: Reader; renderer: Renderer; now: number },
  { path, title, format }: TextOfConflicts,
  texts: string[],
): Promise<(string | undefined)[] | undefined> {
  let line = 'Next place';
  while (texts.some((text) => text.includes(line))) line += ' and next';
  // Further blank lines would become a part of the paragraph.
  const body = [...texts, ''].map((text) => `${withoutOuterLines(text)}\n\n${line}\n\n`).join('');
  try {
    const { markup } = await previewPage(reader, renderer, { body, path, title, format }, now);
    const parts = markup.split(new RegExp(`<p>${line}\\s*</p>`));
    if (parts.length !== texts.length + 2) return undefined;
    return texts.map((_, index) => {
      const part = (parts[index] ?? '').trim();
      return isWhole(part) ? part.replace(/(<[a-z][^<>]*?) id="[^"]*"/g, '$1') : undefined;
    });
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

const voidElements = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

/** Whether every element that is opened is closed. The renderer writes each in one form. */
function isWhole(markup: string): boolean {
  const open: string[] = [];
  for (const [, end, name = '', close] of markup.matchAll(/<(\/?)([a-z][\w-]*)(?:"[^"]*"|[^">])*?(\/?)>/gi)) {
    if (end) {
      if (open.pop() !== name) return false;
    } else if (!close && !voidElements.has(name)) open.push(name);
  }
  return open.length === 0;
}
