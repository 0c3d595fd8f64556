/**
 * Hides end tags of extensions nested in extensions. `expand` hides the inner ones, so that the first visible end tag belongs
 * to the outer extension. A hidden `</` becomes U+0001, the number of times it is hidden, and the slash.
 */
import type { ExtensionNode } from './tree.ts';

const hidden = /<\/|\u0001(\d{1,3})\//g;

/** Hides end tags in `body`. Whoever parses it undoes this once. */
export function hideNested(body: string): string {
  if (!body.includes('</') && !body.includes('\u0001')) return body;
  return body.replace(
    hidden,
    (_all, level: string | undefined) => `\u0001${level === undefined ? 1 : Number(level) + 1}/`,
  );
}

/**
 * Restores the end tags that functions hid in a body for the parser of its content; deeper ones stay hidden by one level less.
 */
export function showNested(body: string): string {
  if (!body.includes('\u0001')) return body;
  return body.replace(hidden, (all, level: string | undefined) => {
    if (level === undefined) return all;
    return Number(level) > 1 ? `\u0001${Number(level) - 1}/` : '</';
  });
}

/**
 * Placeholder before the text of a note, or of a list of notes, in which calls have produced other notes: see `notesWithin`.
 */
const notesMarks = { earlier: '\u0001e', later: '\u0001l' } as const;

/** Marks a body in which calls may have produced notes of its own; one without notes stays as it is. */
export function markNotes(body: string, within: 'earlier' | 'later'): string {
  return /<ref/i.test(body) ? notesMarks[within] + body : body;
}

/** Moves the mark of `markNotes` from the body of a node to `notesWithin`. */
export function takeNotesMark(node: ExtensionNode): void {
  const { body } = node;
  for (const within of ['earlier', 'later'] as const) {
    if (!body?.startsWith(notesMarks[within])) continue;
    node.notesWithin = within;
    node.body = body.slice(notesMarks[within].length);
  }
}
