/**
 * End tags of extensions within extensions. `expand` hides inner ones, so that the first one in sight is the outer one's.
 * A hidden one is U+0001, how often it is hidden, and the slash.
 */
import type { ExtensionNode } from './tree.ts';

const hidden = /<\/|\u0001(\d{1,3})\//g;

/** Hides end tags in `body`, to be undone once by whoever reads it. */
export function hideNested(body: string): string {
  if (!body.includes('</') && !body.includes('\u0001')) return body;
  return body.replace(
    hidden,
    (_all, level: string | undefined) => `\u0001${level === undefined ? 1 : Number(level) + 1}/`,
  );
}

export function showNested(body: string): string {
  if (!body.includes('\u0001')) return body;
  return body.replace(hidden, (all, level: string | undefined) => {
    if (level === undefined) return all;
    return Number(level) > 1 ? `\u0001${Number(level) - 1}/` : '</';
  });
}

/** Mark before the text of a note, or of a list of notes, into which calls have brought others: see `notesWithin`. */
const notesMarks = { earlier: '\u0001e', later: '\u0001l' } as const;

export function markNotes(body: string, within: 'earlier' | 'later'): string {
  return /<ref/i.test(body) ? notesMarks[within] + body : body;
}

export function takeNotesMark(node: ExtensionNode): void {
  const { body } = node;
  for (const within of ['earlier', 'later'] as const) {
    if (!body?.startsWith(notesMarks[within])) continue;
    node.notesWithin = within;
    node.body = body.slice(notesMarks[within].length);
  }
}
