/** Deletes a page, alone or with its subtree, by moving it to the trash, from which it can be restored. */

import { say } from '#words/say.ts';
import { refuseUnlessWriter } from '../model/may-write.ts';
import type { Page, PagePlace } from '../model/page.ts';
import { mayModeratePage, mayRead } from '../model/page-access.ts';
import { readPath } from '../model/path.ts';
import { type Actor, audienceOf, canSee, mayModerate, visibilityOf, type Wiki } from '../model/permission.ts';
import { Problem } from '../model/problem.ts';
import type { Store, Transaction } from '../ports/store.ts';
import { refuseMissing } from '../reading/find-page.ts';
import { refuseUnlessAt } from './merge-edit.ts';
import { refuseBeneathProtected, refuseProtected, refuseProtectedBeneath } from './protection.ts';
import { refuseOutside } from './token-limit.ts';

export interface Deleted {
  id: number;
  path: string;
  title: string;
  /** Number of deleted pages, including this one. */
  pages: number;
}

/**
 * Requires permission to edit or moderate the page and, for a subtree, every page in it. Refuses `unauthenticated`; `not-found`
 * and `gone` as a read does; `not-permitted` (with the number of `pages` beneath that the actor may not edit); `edit-conflict`
 * if the page's current change is not in `matches`; and `pages-beneath` if the page has descendants and `subtree` is not set.
 * The number of pages that may not be edited includes hidden ones, because the actor has to know why the deletion is refused.
 */
export async function deletePage(
  { store, actor, now }: { store: Store; actor: Actor; now: number },
  path: string,
  { subtree = false, matches }: { subtree?: boolean | undefined; matches?: number[] | undefined },
): Promise<Deleted> {
  if (!actor) throw new Problem('unauthenticated', say('problem.signInToDeleteAPage'));
  return store.transact(async (store) => {
    const page = await lockDeletable(store, actor, path);
    await refuseProtected({ store, actor, now }, page);
    await refuseProtectedBeneath(store, actor, page, now);
    if (matches) await refuseUnlessAt({ store, actor }, page, matches, 'deletion');
    const pages = await store.trash.lockSubtree(page.id);
    refuseBeneath({ actor, wiki: store }, page, pages.slice(1), subtree);
    await refuseBeneathProtected(store, actor, { ids: [], paths: pages.map(({ path }) => path) }, now);
    const ids = pages.map(({ id }) => id);
    const id = await store.trash.put(page.id, ids, { at: now, by: actor.memberId });
    const subject = { kind: 'page', id: page.id, name: page.path } as const;
    await store.audit.record({ kind: 'page-deleted', subject, note: withBeneath(pages.length) });
    return { id, path: page.path, title: page.title, pages: pages.length };
  });
}

/** Note for the audit log: the number of pages, if there were several. */
export function withBeneath(pages: number): string {
  return pages === 1 ? '' : `${pages} pages with those beneath`;
}

async function lockDeletable(store: Transaction, actor: NonNullable<Actor>, path: string): Promise<Page> {
  const read = readPath(path);
  const page = 'path' in read ? await store.pages.lockByPath(read.path, 'update') : undefined;
  if (!page || !mayRead(actor, page, store)) return refuseMissing(store.readAs(actor), path);
  if (mayModeratePage(actor, page, store)) return page;
  refuseOutside(actor, page);
  refuseUnlessWriter(actor);
  throw new Problem('not-permitted', say('problem.youDoNotHavePermissionToDelete'));
}

function refuseBeneath(
  { actor, wiki }: { actor: NonNullable<Actor>; wiki: Wiki },
  page: Page,
  beneath: readonly PagePlace[],
  subtree: boolean,
): void {
  const visibility = visibilityOf(actor, wiki);
  const sees = (page: PagePlace) => canSee(visibility, { ...page, audience: audienceOf(page, wiki) });
  const seen = beneath.filter(sees).length;
  if (!subtree && seen > 0)
    throw new Problem('pages-beneath', say('problem.pagesLieBeneath', { count: seen, path: page.path }), {
      details: { pages: seen },
    });
  const pages = beneath.filter((one) => !mayModerate(actor, one, wiki)).length;
  if (pages > 0)
    throw new Problem(
      'not-permitted',
      say('problem.pagesBeneathCannotBeDeleted', { count: pages, path: page.path }),
      { details: { pages } },
    );
}
