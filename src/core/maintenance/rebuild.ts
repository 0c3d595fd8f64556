/**
 * Derives all data again from the pages' current contents, after a change of the rules or a suspected error. Runs while the
 * wiki is served, in one transaction per page, so that others wait only briefly.
 */

import { Damage } from '../model/damage.ts';
import { lockedState } from '../pages/page-state.ts';
import type { Store } from '../ports/store.ts';

const batchSize = 1000;

/**
 * Calls `onPage` after each page with the number done. Returns the number of pages. Damaged pages are left as they are and
 * reported to `onDamage` as a sentence; without it, damage ends the run.
 */
export async function rebuild(
  store: Store,
  onPage: (done: number) => void = () => {},
  onDamage?: (sentence: string) => void,
): Promise<number> {
  const unlessDamaged = async (what: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (!onDamage || !(error instanceof Damage)) throw error;
      onDamage(`${what}: ${error.message}`);
    }
  };
  await unlessDamaged('Not repaired', () => store.maintenance.repair());
  let done = 0;
  let afterId = 0;
  for (;;) {
    const pages = await store.maintenance.namesAfter(afterId, batchSize, onDamage);
    for (const { id, path } of pages) {
      await unlessDamaged(`Page ${id} at ${path} is left unchanged`, () =>
        store.transact(async (store) => {
          const locked = await lockedState(store, id);
          if (!locked) return;
          const { page, state, derived } = locked;
          await store.maintenance.rewriteDerivedColumns(id, state);
          await store.files.keep(id, page.content.files ?? [], []);
          await store.links.saveDerived({ id, ...state }, derived, {
            titles: [page.title],
            paths: [page.path],
          });
        }),
      );
      onPage(++done);
    }
    const last = pages.at(-1);
    if (!last) break;
    afterId = last.id;
  }
  await unlessDamaged('Not counted', () => store.maintenance.recount());
  await unlessDamaged('Not sorted', () => store.maintenance.renewSortKeys());
  await store.maintenance.saveSearchRenewal('done');
  return done;
}
