/** Restores a deleted page with everything that was deleted with it: subtree, history, files, likes and old paths. */

import type { PagePlace, WholePage } from '#core/model/page.ts';
import { isBeneath, readNewPath, readPath } from '#core/model/path.ts';
import { pathTaken } from '#core/model/path-taken.ts';
import { type Actor, may, mayModerate } from '#core/model/permission.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import { withBeneath } from '#core/pages/delete-page.ts';
import { offeringFreePath } from '#core/pages/free-path.ts';
import { accessFacts, type ParentPage, stateOf } from '#core/pages/page-state.ts';
import { refusePlace, refuseReserved, refuseSharing } from '#core/pages/place.ts';
import { refuseBeneathProtected, refuseByRule, refuseProtectedHere } from '#core/pages/protection.ts';
import type { Store, Transaction } from '#core/ports/store.ts';
import type { Deletion, ReturningPage, TrashedPage } from '#core/ports/trash-store.ts';
import { getSaved } from '#core/reading/find-page.ts';
import { say } from '#words/say.ts';

/** Number of pages restored in one batch: larger batches would delay other requests, smaller ones cost more round trips. */
const batchSize = 50;

/**
 * For actors who may edit or moderate every page of it. Restores to the old path or to `path`, beneath the nearest former
 * ancestor that still exists, or, with `path`, beneath the page directly above that path if the actor may read it. The paths of
 * descendants follow, as in a move. Refuses `not-found`, `not-permitted`, `protected`, `invalid` and `path-reserved` for an
 * impossible path, and `path-taken`, naming the path; nothing is changed then.
 */
export async function restorePage(
  store: Store,
  actor: NonNullable<Actor>,
  { id, path }: { id: number; path?: string | undefined },
  now: number,
): Promise<WholePage> {
  const restore = async (store: Transaction) => {
    const deletion = await lockDeletion(store, actor, id);
    await refuseUnlessPermitted(store, actor, deletion);
    const to = path === undefined ? deletion.path : readTarget(path, deletion.path);
    const parent = await findParent(store, actor, deletion, to);
    await refusePlace(store, actor, { parent: parent ?? null, path: to }, now);
    if (parent && !deletion.trail.includes(parent.id))
      refuseSharing(actor, { owner: { id: deletion.ownerId } }, parent);
    const places = new Map<number, NonNullable<ParentPage>>();
    let after = { depth: -1, id: 0 };
    for (;;) {
      const pages = await store.trash.pagesOf(id, after, batchSize);
      const last = pages.at(-1);
      if (!last) break;
      const returning: ReturningPage[] = [];
      for (const page of pages) {
        refuseProtectedHere(actor, { ...page, lineage: [] }, now);
        await refuseByRule(store, actor, page.rule);
        const above = page.id === deletion.pageId ? parent : places.get(page.parentId ?? 0);
        const one = await placed(page, pathOf(page, deletion, to), above, store);
        places.set(page.id, { id: page.id, ...one.state });
        returning.push(one);
      }
      const paths = returning.map(({ state }) => state.path);
      await refuseBeneathProtected(store, actor, { ids: [], paths }, now);
      await refuseTaken(store, returning, to);
      await store.trash.takeBack(returning);
      const restored = { kind: 'restored', at: now, editorId: actor.memberId, msg: '' } as const;
      await store.events.record(returning.map(({ id: pageId }) => ({ ...restored, pageId })));
      after = last;
    }
    await store.trash.close(id);
    await store.audit.record({
      kind: 'page-restored',
      subject: { kind: 'page', id: deletion.pageId, name: to },
      note: withBeneath(deletion.pages),
    });
    return getSaved(store, actor, deletion.pageId);
  };
  return offeringFreePath(store, actor, () => store.transact(restore), { withSubtree: true });
}

/** Locks a deletion that the actor may see. Refuses `not-found` alike for missing and hidden ones. */
async function lockDeletion(store: Transaction, actor: NonNullable<Actor>, id: number): Promise<Deletion> {
  const deletion = (await store.trash.lock(id)) && (await store.readAs(actor).trash.find(id));
  if (!deletion) throw noDeletion(id);
  return deletion;
}

export function noDeletion(id: number): Problem {
  return new Problem('not-found', say('problem.theTrashHoldsNothingWithTheId', { id: String(id) }));
}

async function refuseUnlessPermitted(
  store: Store,
  actor: NonNullable<Actor>,
  { id }: Deletion,
): Promise<void> {
  const foreign = (await store.trash.access(id)).filter((page) => !mayModerate(actor, page, store));
  const pages = foreign.reduce((sum, group) => sum + group.pages, 0);
  if (pages === 0) return;
  throw new Problem('not-permitted', say('problem.youCannotRestoreThisDeletion', { count: pages }), {
    details: { pages },
  });
}

function readTarget(path: string, current: string): string {
  const read = readNewPath(path, current);
  if ('problem' in read) throw invalid('/path', read.problem);
  refuseReserved(read.path);
  return read.path;
}

/** Locks the new parent, so that it is not moved or deleted meanwhile. */
async function findParent(
  store: Transaction,
  actor: NonNullable<Actor>,
  deletion: Deletion,
  to: string,
): Promise<PagePlace | undefined> {
  if (to !== deletion.path) {
    const [above] = await store.pages.lockByPaths([to.slice(0, to.lastIndexOf('/'))], 'share');
    if (above && may(actor, 'read', above, store)) return above;
  }
  const left = await store.pages.lockByIds(deletion.trail, 'share');
  return left.toSorted((a, b) => deletion.trail.indexOf(a.id) - deletion.trail.indexOf(b.id)).at(-1);
}

function pathOf(page: TrashedPage, deletion: Deletion, to: string): string {
  const comesAlong = page.id === deletion.pageId || isBeneath(page.path, deletion.path);
  return comesAlong ? to + page.path.slice(deletion.path.length) : page.path;
}

async function placed(
  page: TrashedPage,
  path: string,
  parent: ParentPage | undefined,
  store: Transaction,
): Promise<ReturningPage> {
  if (path !== page.path) {
    const read = readPath(path);
    if ('problem' in read)
      throw invalid('/path', say('problem.aPageBeneathCouldNotBeRestored', { problem: read.problem }));
  }
  const content = { ...page.content, path };
  const { state, derived } = stateOf(
    content,
    { parent: parent ?? null, ownerId: page.ownerId },
    await store.derive(content),
    await accessFacts(store, content, parent ?? null),
  );
  return { id: page.id, state, derived, ...(path === page.path ? {} : { from: page.path }) };
}

async function refuseTaken(store: Transaction, pages: ReturningPage[], to: string): Promise<void> {
  const [taken] = await store.pages.lockByPaths(
    pages.map(({ state }) => state.path),
    'share',
  );
  if (!taken) return;
  const isWithin = taken.path === to || isBeneath(taken.path, to);
  throw pathTaken(taken.path, isWithin ? to : undefined, say('problem.restoreToAnotherPath'));
}
