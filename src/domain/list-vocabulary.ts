/** The types and tags in use, as far as the caller can see: what a writer is offered to choose from. */
import type { Facets } from './find-facets.ts';
import { type Actor, sightOf } from './permission.ts';
import type { Store } from './store.ts';

/** At most 50 of each, those of most pages first. */
export async function listVocabulary(store: Store, actor: Actor): Promise<Facets> {
  // Every path begins with a slash: all pages match.
  const all = { pathPrefix: '/', logic: 'and', order: 'alphabetical', limit: 1, offset: 0 } as const;
  return store.lists.facets(all, sightOf(actor));
}
