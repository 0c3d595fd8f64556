/**
 * Sets of translations: every translation names the one original. A translation of a translation joins the set of its original,
 * and the translations of a page that becomes one itself come along.
 */
import { say } from '#words/say.ts';
import type { Page } from '../model/page.ts';
import type { Actor } from '../model/permission.ts';
import { may } from '../model/permission.ts';
import { invalid } from '../model/problem.ts';
import type { Transaction } from '../ports/store.ts';
import { lockNamed, lockPlace } from './page-state.ts';
import { refuseOutside } from './token-limit.ts';

/** Path or ID of the page of which another is a translation; `''`, `'/'`, `0` or `null` for none. */
type GivenOriginal = string | number | null;

/** Maximum number of pages in a set. */
export const maxInSet = 1000;

/**
 * The original that the page has from now on, locked; null for none, and undefined if nothing changes. Refuses `invalid` if
 * no such page exists, as the actor sees it, and if the page would be its own translation, and `insufficient-scope` for an original
 * outside of the subtree that a token is limited to.
 */
export async function originalAfter(
  store: Transaction,
  actor: Actor,
  page: Pick<Page, 'id' | 'originalId'>,
  given: GivenOriginal | undefined,
): Promise<number | null | undefined> {
  if (given === undefined) return undefined;
  const named = await lockNamed(store, actor, given, 'translationOf');
  if (!named) return (await isHidden(store, actor, page.originalId)) ? undefined : unlessSame(page, null);
  const [row] = await store.readAsSystem().pages.states([named.id]);
  const originalId = row?.originalId ?? named.id;
  if (originalId === page.id) throw invalid('/translationOf', say('problem.aPageCannotBeATranslationOf'));
  // So that it becomes no translation of another page meanwhile.
  const original = originalId === named.id ? named : await lockPlace(store, originalId);
  if (originalId !== page.originalId) {
    // Links to the original lead to its translations.
    if (actor && original) refuseOutside(actor, original);
    await refuseBeyondLimit(store, page, originalId);
  }
  return unlessSame(page, originalId);
}

/** Reads a page that names a hidden original as one that names none, so whoever sends it back changes nothing. */
async function isHidden(store: Transaction, actor: Actor, originalId: number | null): Promise<boolean> {
  const original = originalId === null ? undefined : await lockPlace(store, originalId);
  return original !== undefined && !may(actor, 'read', original, store);
}

function unlessSame(
  { originalId }: Pick<Page, 'originalId'>,
  after: number | null,
): number | null | undefined {
  return originalId === after ? undefined : after;
}

async function refuseBeyondLimit(
  store: Transaction,
  { id }: Pick<Page, 'id'>,
  originalId: number,
): Promise<void> {
  const { pages } = store.readAsSystem();
  const [joining, present] = [await pages.inSet(id), await pages.inSet(originalId)];
  if (joining.length + present.length > maxInSet)
    throw invalid('/translationOf', say('problem.aPageCanHaveAtMostTranslations', { maxInSet }));
}
