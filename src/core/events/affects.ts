/**
 * Responses that an event made stale: pages by ID and path, and lists by name (docs/changes.md explains which URLs each one
 * means). Affected pages are found through the links at the time the event is read.
 */

import type { WikiEvent } from '../model/event.ts';
import { type Actor, visibilityOf } from '../model/permission.ts';
import type { Affects, EventDetails } from '../ports/event-store.ts';
import type { Store } from '../ports/store.ts';

/** Parts of the store that reading events needs. */
export type EventReads = Pick<Store, 'events' | 'readAs'>;

/** Maximum number of pages named for one event; `more` says that there are others. */
const maxAffected = 1000;
/** Maximum number of pages named in one response. */
const maxAffectedTogether = 20_000;

/** Finds the affected responses of each event. `spend` receives the CPU time of each part of the work. */
export async function findAffects(
  store: EventReads,
  actor: Actor,
  events: readonly (WikiEvent & EventDetails)[],
  spend?: (cpuMs: number) => void,
): Promise<Affects[]> {
  if (events.length === 0) return [];
  const limit = Math.min(maxAffected, Math.ceil(maxAffectedTogether / events.length));
  const visibility = visibilityOf(actor, store.readAs(actor));
  const [found, parents] = await Promise.all([
    store.events.affected(
      events.map(({ kind, page, from, fromTitle, changesFacts, originalId }) => ({
        pageId: page.id,
        originalId,
        names: [page.path, page.title, from, fromTitle].filter((name) => name !== null),
        isNamed: kind !== 'edited' || fromTitle !== null,
        changesFacts,
      })),
      visibility,
      limit,
      spend,
    ),
    pathsAbove(store, actor, events),
  ]);
  return events.map((event, i) => {
    const { pages, oldAddresses, more } = found[i] as (typeof found)[number];
    // The page's own URLs are stale as well: the new one, the old ones, and that of a page its reader can no longer see.
    const named = new Set([...addressesOf(event), ...oldAddresses]);
    for (const { path } of pages) named.delete(path);
    return {
      pages: [...[...named].map((path) => ({ id: event.page.id, path })), ...pages],
      lists: listsOf(event, parents),
      ...(more ? { more: true as const } : {}),
    };
  });
}

function addressesOf({ page, from }: WikiEvent): string[] {
  return from === null || from === page.path ? [page.path] : [page.path, from];
}

/** Lists that every event changes; if the page's place or name changes, lists of children as well. */
function listsOf(event: WikiEvent & EventDetails, paths: Map<number, string>): string[] {
  const lists = ['backlinks', 'listings', 'near', 'requested', 'search', 'updates'];
  if (event.kind === 'edited' && !event.changesFacts) return lists;
  const above = [event.trail, event.fromTrail ?? []].flatMap((trail) => {
    // The list that contains the page, and its parent's list, which says whether each page has children.
    const parents = [trail.at(-1), ...(trail.length > 0 ? [trail.at(-2)] : [])];
    return parents.flatMap((id) => (id === undefined ? ['/'] : (paths.get(id) ?? [])));
  });
  return [...new Set([...above, ...addressesOf(event)].map((path) => `children:${path}`)), ...lists];
}

/** Paths of the parents and their ancestors that the reader may read. */
async function pathsAbove(
  store: EventReads,
  actor: Actor,
  events: readonly EventDetails[],
): Promise<Map<number, string>> {
  const ids = new Set(
    events.flatMap(({ trail, fromTrail }) => [...trail.slice(-2), ...(fromTrail ?? []).slice(-2)]),
  );
  const pages = await store.readAs(actor).pages.ancestors([...ids]);
  return new Map(pages.filter(({ isHidden }) => !isHidden).map(({ id, path }) => [id, path]));
}
