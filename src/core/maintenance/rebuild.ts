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
 * reported to `onDamage` as a sentence; without it, damage ends the run. `atOnce`: pages whose transactions run side by side, so that
 * they share commits; 1 where others use the wiki.
 */
export async function rebuild(
  store: Store,
  onPage: (done: number) => void = () => {},
  onDamage?: (sentence: string) => void,
  atOnce = 1,
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
    for (let from = 0; from < pages.length; from += atOnce)
      await Promise.all(
        pages.slice(from, from + atOnce).map(async ({ id, path }) => {
          await unlessDamaged(`Page ${id} at ${path} is left unchanged`, () => rebuildPage(store, id));
          onPage(++done);
        }),
      );
    const last = pages.at(-1);
    if (!last) break;
    afterId = last.id;
  }
  await unlessDamaged('Not counted', () => store.maintenance.recount());
  await unlessDamaged('Not sorted', () => store.maintenance.renewSortKeys());
  await store.maintenance.saveSearchRenewal('done');
  return done;
}

function rebuildPage(store: Store, id: number): Promise<void> {
  return store.transact(async (store) => {
    const locked = await lockedState(store, id);
    if (!locked) return;
    const { page, state, derived } = locked;
    await store.maintenance.rewriteDerivedColumns(id, state);
    await store.files.keep(id, page.content.files ?? [], []);
    await store.links.saveDerived({ id, ...state }, derived, {
      titles: [page.title],
      paths: [page.path],
    });
  });
}
