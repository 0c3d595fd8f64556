/**
 * Derives everything anew from the pages' current contents: what a change of the rules, or a doubt, asks for.
 * Runs while the wiki serves: one transaction per page, so nobody waits long.
 */
import { lockedState } from './page-state.ts';
import type { Store } from './store.ts';

/** Pages are read with what they say, and each may say 4 MB. */
const batchSize = 25;

/** `onPage` is told after each page how many are done. Returns the number of pages. */
export async function rebuild(store: Store, onPage: (done: number) => void = () => {}): Promise<number> {
  await store.upkeep.repair();
  let done = 0;
  let afterId = 0;
  for (;;) {
    const pages = await store.upkeep.pagesAfter(afterId, batchSize);
    for (const { id } of pages) {
      await store.transact(async (store) => {
        const locked = await lockedState(store, id);
        if (!locked) return;
        const { page, state, derived } = locked;
        await store.upkeep.rewriteDerivedColumns(id, state);
        await store.links.saveDerived({ id, ...state }, derived, {
          titles: [page.title],
          paths: [page.path],
        });
      });
      onPage(++done);
    }
    const last = pages.at(-1);
    if (!last) break;
    afterId = last.id;
  }
  await store.upkeep.recount();
  return done;
}
