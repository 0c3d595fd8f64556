/** Rules of secret links. */

import { invalid, Problem } from '#core/model/problem.ts';
import { say } from '#words/say.ts';

/** Links of one page. */
export const maxLinks = 100;
/** Links in one answer. */
export const maxListed = 1000;

export const noLink = () => new Problem('not-found', say('problem.thereIsNoSuchLinkItMay'));

/** Milliseconds since 1970; null for a link without end. */
export function checkEnd(expiresAt: string | null | undefined, now: number): number | null {
  if (expiresAt === null || expiresAt === undefined) return null;
  const end = Date.parse(expiresAt);
  if (!(end > now)) throw invalid('/expiresAt', say('problem.theEndOfALinkMustBe'));
  return end;
}
