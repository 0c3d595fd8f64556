/**
 * Order of pages among their siblings. Until somebody arranges them, siblings are in order of their titles; afterwards those that
 * were never placed follow the others by title.
 *
 * Children that the caller cannot see keep their places: the visible ones are dealt to the places that are left.
 */

import { invalid } from '#core/model/problem.ts';
import type { Sibling } from '#core/ports/order-store.ts';
import { say } from '#words/say.ts';

/** Maximum number of children that one call places. */
export const maxPlaced = 500;

/**
 * The placed children after the visible ones are put in this order. `siblings`: children with a place or a wanted path, in their
 * order. Refuses `invalid` for a path that is given twice or is that of no visible child.
 */
export function arranged(
  siblings: readonly Sibling[],
  visible: ReadonlySet<number>,
  paths: readonly string[],
): Sibling[] {
  const byPath = new Map(siblings.filter(({ id }) => visible.has(id)).map((one) => [one.path, one]));
  const wanted = paths.map((path, index) => {
    const found = byPath.get(path);
    if (!found) throw invalid(`/children/${index}`, say('problem.isNotOneOfThesePagesOr', { path }));
    byPath.delete(path);
    return found;
  });
  const waiting = wanted.values();
  const dealt = placed(siblings).flatMap((one) => (visible.has(one.id) ? (waiting.next().value ?? []) : one));
  return [...dealt, ...waiting];
}

export function placed(siblings: readonly Sibling[]): Sibling[] {
  return siblings.filter(({ rank }) => rank !== null);
}

/** Ranks that differ from the present ones when these siblings are placed in this order, and no others. */
export function changedRanks(
  siblings: readonly Sibling[],
  order: readonly Sibling[],
): Pick<Sibling, 'id' | 'rank'>[] {
  const ranks = new Map(order.map(({ id }, rank) => [id, rank]));
  return siblings.flatMap(({ id, rank: before }) => {
    const rank = ranks.get(id) ?? null;
    return rank === before ? [] : [{ id, rank }];
  });
}

/**
 * A page whose readers see that the order changed, as publicly readable as possible. Whoever reads none of the pages that moved
 * among each other must not learn of it.
 */
export function pageThatShowsOrder<P extends { id: number; audience: number }>(
  pages: readonly P[],
  before: readonly Sibling[],
  after: readonly Sibling[],
): P | undefined {
  const audiences = new Map(pages.map(({ id, audience }) => [id, audience]));
  const seenBy = (audience: number, some: readonly Sibling[]) =>
    some.filter(({ id }) => (audiences.get(id) ?? Infinity) <= audience).map(({ id }) => id);
  return pages
    .toSorted((a, b) => a.audience - b.audience)
    .find(({ audience }) => String(seenBy(audience, before)) !== String(seenBy(audience, after)));
}

/**
 * Pages by the numbers that they were given. Of pages with the same number the one comes first that was moved up to it; a page that
 * was moved down to it comes last.
 */
export function numbered<P extends { id: number }>(
  pages: readonly P[],
  numberOf: (id: number) => string,
): P[] {
  const placed = pages.map((page, index) => {
    const given = Number.parseFloat(numberOf(page.id));
    const number = Number.isFinite(given) ? given : index + 1;
    return { page, number, moved: Math.sign(number - (index + 1)) };
  });
  return placed.sort((a, b) => a.number - b.number || a.moved - b.moved).map(({ page }) => page);
}

/** Moves the page of this ID by one place, unless it stands at that end. */
export function movedBy<P extends { id: number }>(pages: readonly P[], id: number, step: -1 | 1): P[] {
  const moved = [...pages];
  const at = moved.findIndex((page) => page.id === id);
  const [page, other] = [moved[at], moved[at + step]];
  if (page && other) [moved[at], moved[at + step]] = [other, page];
  return moved;
}
