/** Pages beneath a page in the order of the tree. */
import type { Visibility } from '#core/model/permission.ts';
import type { Position, SearchCriteria } from '#core/ports/list-reads.ts';
import { walkTree } from '../pages/tree-walk.ts';
import type { Session } from '../statements.ts';
import { type CachedTotals, knownTotal, totalOf } from './cached-totals.ts';
import type { Predicates } from './criteria.ts';

/** The criteria have an ancestor and nothing else: see `core/search/search-pages.ts`. */
export async function searchTree(
  { session, totals, visibility }: { session: Session; totals: CachedTotals; visibility: Visibility },
  criteria: SearchCriteria & { ancestorId: number },
  predicates: Predicates,
): Promise<{ ids: number[]; total: number; last?: Position }> {
  const { ancestorId, limit, offset, after } = criteria;
  const { found, keep } = await knownTotal(session, totals, criteria, visibility);
  const { total } = found ?? keep(await totalOf({ session, totals, visibility }, criteria, predicates));
  const skipped = after ? 0 : offset;
  const walked = await walkTree({ session, visibility }, ancestorId, after?.from?.id, skipped + limit + 1);
  const ids = walked.slice(skipped, skipped + limit);
  const id = ids.at(-1);
  const hasMore = after !== undefined && walked.length > limit && id !== undefined;
  return { ids, total, ...(hasMore && { last: { key: '', id } }) };
}
