/** Compares texts by paragraphs: the lines between blank lines, in either format. */
import { diffItems } from './diff.ts';

/** Beyond them, all between the first and the last one counts as replaced; so many take some 20 ms. */
const maxEdits = 400;

/**
 * Number of paragraphs that are new, gone or different. Paragraphs that stand in the place of others count once, even if there
 * are fewer or more of them.
 */
export function changedParagraphs(from: string, to: string): number {
  let [removed, added, total] = [0, 0, 0];
  for (const { kind, items } of diffItems(paragraphsOf(from), paragraphsOf(to), maxEdits)) {
    if (kind === 'removed') removed += items.length;
    else if (kind === 'added') added += items.length;
    else {
      total += Math.max(removed, added);
      [removed, added] = [0, 0];
    }
  }
  return total + Math.max(removed, added);
}

/** Parts of a plain text between empty lines, without white space at the ends of lines. */
export function paragraphsOf(text: string): string[] {
  const paragraphs: string[] = [];
  let lines: string[] = [];
  for (const line of [...text.split('\n'), '']) {
    if (line.trim() !== '') lines.push(line.trimEnd());
    else if (lines.length > 0) {
      paragraphs.push(lines.join('\n'));
      lines = [];
    }
  }
  return paragraphs;
}
