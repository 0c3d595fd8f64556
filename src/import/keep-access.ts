/** Writes the access that a source states: to new pages, and to pages of an earlier import. */
import type { Page, Protection } from '#core/model/page.ts';
import type { Actor } from '#core/model/permission.ts';
import type { Store, Transaction } from '#core/ports/store.ts';
import { isOwner, narrowedPermissions, type PageAccess } from './access-here.ts';
import { noteOf, withNote } from './note.ts';
import { statedIn } from './noted-content.ts';
import type { PlannedPage } from './planned-page.ts';
import { saveContent } from './save-content.ts';
import { narrowedMessage } from './steps.ts';

/** Hides all changes of a page. */
const noChange = 2 ** 53 - 1;

/** Protects a page unless it is protected as strictly, and hides all its changes until `showLatest`. */
export async function restrict(
  store: Transaction,
  id: number,
  { protection, hidesHistory }: Pick<PageAccess, 'protection' | 'hidesHistory'>,
): Promise<void> {
  const held = protection && (await store.pages.lockById(id, 'update'));
  if (held && protection) await protectMore(store, held, protection);
  if (hidesHistory) await store.pages.showHistoryFrom(id, noChange);
}

/** Protects a page as strictly as both protections do together. */
async function protectMore(store: Transaction, held: Page, stated: Protection): Promise<void> {
  const { level, subtree, until, reason } = held.protection ?? stated;
  const both: Protection = {
    level: stated.level === 'administrators' ? stated.level : level,
    subtree: subtree || stated.subtree,
    until: until === null || stated.until === null ? null : Math.max(until, stated.until),
    reason: reason || stated.reason,
  };
  const isStricter = both.level !== level || both.subtree !== subtree || both.until !== until;
  if (!held.protection || isStricter) await store.pages.protect(held, both);
}

/** Hides the changes before the latest. A page that was here before and hides some already stays as it is. */
export async function showLatest(store: Store, path: string, isNew: boolean): Promise<void> {
  await store.transact(async (store) => {
    const held = await store.pages.lockByPath(path, 'update');
    if (held && (isNew || held.historyFrom === 0)) await store.pages.showHistoryFrom(held.id, held.changeId);
    else store.pages.keep();
  });
}

/**
 * Narrows the access of an existing page to what the source states now, unless an earlier import has done so: what people have
 * opened since stays open to its readers. Protection is taken over each time.
 */
export async function narrowAccess(
  store: Store,
  { path, outline }: PlannedPage,
  access: PageAccess,
  { actor, now }: { actor: NonNullable<Actor>; now: number },
): Promise<void> {
  await store.transact(async (store) => {
    const held = await store.pages.lockByPath(path, 'update');
    const note = held && noteOf(held.content.data);
    if (!held || !note) return store.pages.keep();
    if (access.protection) await protectMore(store, held, access.protection);
    const { owner } = held;
    // Pages whose owner was unknown belong to the importer.
    const stated = owner.id === actor.memberId ? { ...access, ownerId: owner.id } : access;
    const permissions = narrowedPermissions(
      { ...held.content, permissions: held.permissions, owner },
      stated,
    );
    const isAsBefore = note.access === statedIn(outline) && isOwner(owner, stated);
    if (permissions === undefined || isAsBefore) return access.protection ? undefined : store.pages.keep();
    const data = withNote(held.content.data, { ...note, access: statedIn(outline) });
    const content = { ...held.content, path: held.path, permissions, data, msg: narrowedMessage };
    await saveContent(store, held, { at: now, editorId: actor.memberId, content });
  });
}
