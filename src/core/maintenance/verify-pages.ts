/** Checks whether the derived data of pages matches their contents, for `coppice check`; `coppice rebuild` repairs it. */
import { derive } from '../content/derive.ts';
import { stateOf } from '../pages/page-state.ts';
import type { Store } from '../ports/store.ts';

/** Yields a sentence for every page whose derived data differs from its content. */
export function verifyPages(store: Store): AsyncIterable<string> {
  // The path comes from the tree and not from the content, because an ancestor may have moved since.
  return store.maintenance.verify((page) => {
    const content = { ...page.content, path: page.path };
    return stateOf(content, { parent: null, ownerId: page.owner.id }, derive(content, store.dialect), {
      isPrivate: store.isPrivate,
      granted: page.granted,
      beneath: page.beneath,
    });
  });
}
