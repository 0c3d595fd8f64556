/** Writes a new content of a page that is not moved, with all derived data. */
import type { Content, Page } from '#core/model/page.ts';
import { accessFacts, giverOf, passGrants, stateOf } from '#core/pages/page-state.ts';
import type { Transaction } from '#core/ports/store.ts';

/** `shown`: the state of the page, if it differs from the content of the change. */
export async function saveContent(
  store: Transaction,
  held: Page,
  change: { at: number; editorId: number; content: Content },
  shown = change.content,
): Promise<void> {
  const { state, derived } = stateOf(
    shown,
    { parent: null, ownerId: held.owner.id },
    await store.derive(shown),
    await accessFacts(store, shown, await giverOf(store, held)),
  );
  const { parentId, depth, trail } = held;
  const whole = { ...state, parentId, depth, trail };
  await store.pages.update(held, whole, change);
  const { at, editorId, content } = change;
  await passGrants(store, held, whole, { at, editorId, msg: content.msg });
  const titles = shown.title === held.title ? [] : [held.title, shown.title];
  await store.links.saveDerived({ id: held.id, ...whole }, derived, { titles, paths: [] });
}
