/** Rules of secret links. */
import { invalid, Problem } from '#core/model/problem.ts';

/** Links of one page. */
export const maxLinks = 100;
/** Links in one answer. */
export const maxListed = 1000;

export const noLink = () =>
  new Problem('not-found', 'There is no such link. It may have been revoked already.');

/** Milliseconds since 1970; null for a link without end. */
export function checkEnd(expiresAt: string | null | undefined, now: number): number | null {
  if (expiresAt === null || expiresAt === undefined) return null;
  const end = Date.parse(expiresAt);
  if (!(end > now))
    throw invalid(
      '/expiresAt',
      'The end of a link must be a time in the future, such as 2027-01-01T00:00:00Z.',
    );
  return end;
}
