/** Whether what is stored of pages still follows from their contents: what `coppice check` asks and `coppice rebuild` mends. */
import { derive } from '../content/derive.ts';
import { stateOf } from '../pages/page-state.ts';
import type { Store } from '../ports/store.ts';

/** A sentence for every page with anything derived that its content does not give. */
export function verifyPages(store: Store): AsyncIterable<string> {
  // The path of a page is the tree's word, not the content's: an ancestor may have moved since.
  return store.maintenance.verify((page) => {
    const content = { ...page.content, path: page.path };
    return stateOf(content, null, page.owner.id, derive(content, store.dialect));
  });
}
