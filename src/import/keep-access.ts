/** Writes the access that a source states: to new pages, and to pages of an earlier import. */
import type { Actor } from '#core/model/permission.ts';
import type { Store, Transaction } from '#core/ports/store.ts';
import { narrowedPermissions, type PageAccess } from './access-here.ts';
import { noteOf, withNote } from './note.ts';
import { statedIn } from './noted-content.ts';
import type { PlannedPage } from './planned-page.ts';
import { saveContent } from './save-content.ts';
import { narrowedMessage } from './steps.ts';

/** Hides all changes of a page. */
const noChange = 2 ** 53 - 1;

/** Protects a new page, and hides its changes until `showLatest`. */
export async function restrict(
  store: Transaction,
  id: number,
  { protection, hidesHistory }: Pick<PageAccess, 'protection' | 'hidesHistory'>,
): Promise<void> {
  const held = protection && (await store.pages.lockById(id, 'update'));
  if (held && protection) await store.pages.protect(held, protection);
  if (hidesHistory) await store.pages.showHistoryFrom(id, noChange);
}

export async function showLatest(store: Store, path: string): Promise<void> {
  await store.transact(async (store) => {
    const held = await store.pages.lockByPath(path, 'update');
    if (held) await store.pages.showHistoryFrom(held.id, held.changeId);
  });
}

/**
 * Narrows the access of an existing page to what the source states now, unless an earlier import has done so: what people have
 * opened since stays open.
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
    const permissions =
      held && narrowedPermissions({ ...held.content, permissions: held.permissions }, access);
    if (!held || !note || permissions === undefined || note.access === statedIn(outline))
      return store.pages.keep();
    const data = withNote(held.content.data, { ...note, access: statedIn(outline) });
    const content = { ...held.content, path: held.path, permissions, data, msg: narrowedMessage };
    await saveContent(store, held, { at: now, editorId: actor.memberId, content });
  });
}
