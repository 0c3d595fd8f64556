/** Reviews about one change, and words of its proposed text: only those who may see the change may see them. */
import { locateGiven, squeeze } from '#core/content/quotes.ts';
import { invalid } from '#core/model/problem.ts';
import type { Review, ReviewedChange, Verdict } from '#core/ports/proposal-store.ts';
import type { Reader } from '#core/ports/reader.ts';
import { say } from '#words/say.ts';
import type { JudgedChange } from './judge-changes.ts';
import { seesRoot } from './proposals.ts';

export const maxQuoteLength = 2000;

/** `changes`: those that the reviewer sees. Refuses `invalid`. */
export function reviewedChange(
  changes: readonly JudgedChange[],
  { path, quote = '' }: { path: string; quote?: string | undefined },
  verdict: Verdict,
): ReviewedChange {
  if (verdict !== 'comment') throw invalid('/on', say('problem.onlyACommentIsAboutOneChange'));
  const change = changes.find((one) => one.path === path || one.page?.path === path);
  if (!change) throw invalid('/on/path', say('problem.theProposalDoesNotChange', { path }), 'not-found');
  const { shownWith } = change;
  if (quote.trim() === '') return { path: change.path, shownWith, quote: null };
  const text = change.fields?.body ?? '';
  const range = locateGiven(squeeze(text), { text: quote, before: '', after: '' });
  if (!range) throw invalid('/on/quote', say('problem.theProposedTextDoesNotHaveTheseWords'));
  return { path: change.path, shownWith, quote: text.slice(range.start, range.end) };
}

/** A filter of reviews by the pages that the reader may read. At most one statement. */
export async function visibleReviews(
  reader: Reader,
  reviews: readonly Review[],
): Promise<(review: Review) => boolean> {
  const ids = [...new Set(reviews.flatMap(({ on }) => on?.shownWith ?? []))];
  const pages = new Set(ids.length === 0 ? [] : (await reader.pages.states(ids)).map(({ id }) => id));
  return ({ on }) =>
    on === null || (on.shownWith === null ? seesRoot(reader.actor) : pages.has(on.shownWith));
}
