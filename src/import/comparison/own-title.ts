/** Titles of boxes that count as words of the text. */
import { wordsIn } from './shown.ts';

/** Programs name a box without a title after its kind; so does the wiki, and neither is counted. */
export function ownTitle(title: string, kind: string): string {
  return wordsIn(title).join('-') === kind.toLowerCase() ? '' : title;
}
