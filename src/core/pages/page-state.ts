/** Converts a page's content to the columns it is stored in, and finds its parent; shared by create, edit and rebuild. */

import { say } from '#words/say.ts';
import { DamagedChange, damageInContent } from '../model/damage.ts';
import type { Derived, DerivedContent } from '../model/derived.ts';
import { audienceKey, effectiveEntries, entriesIn, type Granted, noReaders } from '../model/grant.ts';
import type { Content, Page, PagePlace, PageState } from '../model/page.ts';
import { maxDepth, readPath } from '../model/path.ts';
import {
  type Actor,
  audienceByDigits,
  audienceOf,
  dependsOnPrivacy,
  may,
  namerOf,
  type Wiki,
} from '../model/permission.ts';
import { invalid } from '../model/problem.ts';
import type { Transaction } from '../ports/store.ts';

export type ParentPage = Pick<Page, 'id' | 'path' | 'depth' | 'trail' | 'beneath'> | null;

/** Facts besides a page's content that decide about its readers. */
interface AccessFacts extends Wiki {
  granted?: Granted | undefined;
  beneath?: Granted | undefined;
}

/** Columns and derived rows of a page with this content beneath this parent. Computes only. */
export function stateOf(
  content: Content,
  { parent, ownerId }: { parent: ParentPage; ownerId: number },
  { shown, derived, followsPath }: DerivedContent,
  { granted, beneath, ...wiki }: AccessFacts,
): { state: PageState; derived: Derived } {
  const { path, slug, title, language = null, permissions, group = null, defaults = null, grants } = content;
  const state: PageState = {
    path,
    slug,
    title,
    language,
    reviewBy: content.reviewBy ?? null,
    permissions,
    followsPath,
    ...shown,
    ...placeBeneath(parent),
    group,
    defaults,
    audience: audienceOf({ permissions, group, ...(granted ? { granted } : {}) }, wiki),
    ownerId,
    ...(grants ? { grants } : {}),
    ...(granted ? { granted } : {}),
    ...(beneath ? { beneath } : {}),
  };
  return { state, derived };
}

/**
 * Facts that decide about the readers of a page with this content beneath this parent; they stay so until the end of the
 * transaction. No statement without grants in a public wiki.
 */
export async function accessFacts(
  store: Transaction,
  content: Pick<Content, 'permissions' | 'group' | 'grants'>,
  parent: Pick<PagePlace, 'beneath'> | null,
): Promise<AccessFacts> {
  const { permissions, group = null, grants = [] } = content;
  const { here, beneath } = effectiveEntries(grants, parent?.beneath ? entriesIn(parent.beneath) : '');
  const isHeld = dependsOnPrivacy({ permissions, group }, here !== '');
  const wiki = { isPrivate: isHeld ? await store.settings.holdPrivate() : store.isPrivate };
  if (here === '') return wiki;
  const [keyHere, keyBeneath] = [
    audienceKey(audienceByDigits({ permissions, group }, wiki), here),
    audienceKey(noReaders, beneath),
  ];
  const rows = await store.pages.audiences(beneath === '' ? [keyHere] : [keyHere, keyBeneath]);
  return { ...wiki, granted: rows.get(keyHere), beneath: rows.get(keyBeneath) };
}

/** Depth and trail of a page beneath the parent. Refuses `invalid` at `/parent` beyond the maximum depth. */
export function placeBeneath(parent: ParentPage): {
  parentId: number | null;
  depth: number;
  trail: number[];
} {
  if (!parent) return { parentId: null, depth: 0, trail: [] };
  if (parent.depth + 1 > maxDepth)
    throw invalid('/parent', say('problem.pagesCanBeNestedAtMostLevels', { maxDepth }));
  return { parentId: parent.id, depth: parent.depth + 1, trail: [...parent.trail, parent.id] };
}

/**
 * Finds and locks the parent named by the caller until the end of the transaction, so that it cannot move meanwhile; null for
 * the root. An unreadable page is treated as missing.
 */
export function lockParent(
  store: Transaction,
  actor: Actor,
  named: string | number | null,
): Promise<PagePlace | null> {
  return lockNamed(store, actor, named, 'parent');
}

/** Like `lockParent`, for the page that the caller named in `field`, where it refuses `invalid`. */
export async function lockNamed(
  store: Transaction,
  actor: Actor,
  named: string | number | null,
  field: 'parent' | 'translationOf',
): Promise<PagePlace | null> {
  if (named === null || named === 0 || named === '') return null;
  const namer = namerOf(actor);
  const page = await findNamed(store, namer, named);
  if (page === null) return null;
  if (!page || !may(namer, 'read', page, store)) {
    throw invalid(
      `/${field}`,
      say('problem.noPageToBe', {
        by: typeof named === 'number' ? 'id' : 'path',
        field,
        named: String(named),
      }),
      'not-found',
    );
  }
  return page;
}

async function findNamed(
  store: Transaction,
  actor: Actor,
  named: string | number,
): Promise<PagePlace | null | undefined> {
  if (typeof named === 'number') {
    return Number.isSafeInteger(named) && named > 0 ? lockPlace(store, named) : undefined;
  }
  if (named.trim() === '' || named.trim() === '/') return null;
  const read = readPath(named);
  if ('problem' in read) return undefined;
  const [place] = await store.pages.lockByPaths([read.path], 'share');
  if (place && may(actor, 'read', place, store)) return place;
  const moved = await store.readAs(actor).pages.findByAlias(read.path);
  return moved && lockPlace(store, moved.id);
}

/** Locked, so that a concurrent move cannot leave a change beneath it with an outdated path. */
export async function lockPlace(store: Transaction, id: number): Promise<PagePlace | undefined> {
  return (await store.pages.lockByIds([id], 'share'))[0];
}

/** After a page was written: pages beneath it follow, if the grants that it passes on have changed. */
export async function passGrants(
  store: Transaction,
  { id, beneath }: Pick<Page, 'id' | 'beneath'>,
  state: Pick<PageState, 'beneath'>,
  change: { at: number; editorId: number; msg: string },
): Promise<void> {
  if (state.beneath?.id === beneath?.id) return;
  await store.pages.passGrants(id, change, { isPrivate: await store.settings.holdPrivate() });
}

/** The parent of a page, if it inherits grants from it. */
export async function giverOf(
  store: Transaction,
  { parentId, granted }: Pick<Page, 'parentId' | 'granted'>,
): Promise<PagePlace | null> {
  if (parentId === null || !granted) return null;
  return (await lockPlace(store, parentId)) ?? null;
}

/** A page locked for rewriting, with the columns and rows derived from its content. */
export async function lockedState(
  store: Transaction,
  id: number,
): Promise<{ page: Page; state: PageState; derived: Derived } | undefined> {
  const page = await store.pages.lockById(id, 'update');
  if (!page) return undefined;
  const damage = damageInContent(JSON.stringify(page.content));
  if (damage) throw new DamagedChange({ pageId: id, id: page.changeId }, damage);
  // The path comes from the tree and not from the content, because an ancestor may have moved since.
  const content = { ...page.content, path: page.path };
  const { parentId, depth, trail } = page;
  const { state, derived } = stateOf(
    content,
    { parent: null, ownerId: page.owner.id },
    await store.derive(content),
    await accessFacts(store, content, await giverOf(store, page)),
  );
  return { page, state: { ...state, parentId, depth, trail }, derived };
}
