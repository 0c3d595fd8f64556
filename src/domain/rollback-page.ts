/**
 * Brings back what a page said after an older change, as a new change: title, description, type, location, body,
 * format, data and image. Where the page lies and who may read and write it stay as they are now: going back in the
 * text must not move a page, and must never open it to readers whom a later change shut out. `bases`, if given, must name the
 * page's latest change, or nothing is done (`edit-conflict`).
 */
import { applyEdit, lockWritable } from './edit-page.ts';
import { getReadable } from './find-page.ts';
import { checkInput } from './page-input.ts';
import { type PageView, viewOf } from './page-view.ts';
import type { Actor } from './permission.ts';
import { invalid, Problem } from './problem.ts';
import type { Renderer } from './render.ts';
import type { Store } from './store.ts';

export async function rollbackPage(
  store: Store,
  renderer: Renderer,
  actor: Actor,
  path: string,
  wanted: { to: number; msg?: string; bases?: number[] | undefined },
  now: number,
): Promise<PageView> {
  if (!actor) throw new Problem('unauthenticated', 'Restoring an older version needs a signed-in member.');
  // The interface lets an edit alone tell a hidden page from a missing one.
  await getReadable(store, actor, path);
  const { given } = checkInput({ msg: wanted.msg || `Restored change ${wanted.to}` });
  const { edited, read } = await store.transact(async (store) => {
    const page = await lockWritable(store, actor, path);
    if (wanted.bases && !wanted.bases.includes(page.changeId))
      throw new Problem(
        'edit-conflict',
        `The page has changed meanwhile: its latest change is ${page.changeId}.`,
      );
    const change = await store.changes.find(page.id, wanted.to);
    if (!change) throw invalid('/to', `${wanted.to} is not a change of this page: its history lists them.`);
    const { title, description, type, location, body, format, data, image } = change.content;
    const restored = { title, description, type, location, body, format, data, image };
    return applyEdit(store, actor, page, { given: { ...given, ...restored }, files: [] }, [], now);
  });
  return viewOf(store, renderer, actor, edited, now, read);
}
