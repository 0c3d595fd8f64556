/** Edits a page: what is not given stays as it is, and every edit appends a change with the whole new state. */
import { attachFiles, type Files, type PreparedFile, prepareFiles } from './attach-files.ts';
import { generatedPath, refuseReserved } from './create-page.ts';
import { deriveFrom, readContent } from './derive.ts';
import { getWhole, refuseMissing } from './find-page.ts';
import type { ReadText } from './language.ts';
import { mergeOnto } from './merge-edit.ts';
import type { Content, Page, WholePage } from './page.ts';
import { type CheckedInput, checkInput, type PageInput } from './page-input.ts';
import { lockParent, lockPlace, placeBeneath, stateOf } from './page-state.ts';
import { mayWrite, type PageView, viewOf } from './page-view.ts';
import { readPath } from './path.ts';
import { type Actor, audienceOf, sightOf } from './permission.ts';
import { Problem } from './problem.ts';
import { relinkMoved } from './relink-moved.ts';
import type { Renderer } from './render.ts';
import type { PagePlace, Store } from './store.ts';

export interface EditInput extends PageInput {
  /** The change that the caller's edit started from, or all that it may have: a later one is merged with or refused. */
  base?: number | number[];
}

/**
 * Refuses `unauthenticated`, `not-found` (naming the new path of a moved page), `not-permitted`, `invalid`,
 * `path-taken`, `path-reserved`, `path-loop`, `edit-conflict`. A move takes the whole subtree along.
 */
export async function editPage(
  store: Store,
  files: Files,
  renderer: Renderer,
  actor: Actor,
  path: string,
  input: EditInput,
  now: number,
): Promise<PageView> {
  if (!actor) throw new Problem('unauthenticated', 'Editing a page needs a signed-in member.');
  const checked = await checkFor(store, actor, path, input);
  const prepared = await prepareFiles(files, checked.files, actor.memberId, now);
  const { edited, read } = await store.transact(async (store) => {
    const page = await lockWritable(store, actor, path);
    const merged =
      input.base === undefined ? checked : await mergeOnto(store, page, [input.base].flat(), checked);
    return applyEdit(store, actor, page, merged, prepared, now);
  });
  return viewOf(store, renderer, actor, edited, now, read);
}

/** Who may not write the page learns that before all else, and makes nobody work on files. */
async function checkFor(
  store: Store,
  actor: NonNullable<Actor>,
  path: string,
  input: EditInput,
): Promise<CheckedInput> {
  if (input.files !== undefined) await getWritable(store, actor, path);
  try {
    return checkInput(input);
  } catch (error) {
    await getWritable(store, actor, path);
    throw error;
  }
}

/** Within a transaction that holds the page. Also how a rollback writes. What was read is what the page says now. */
export async function applyEdit(
  store: Store,
  actor: NonNullable<Actor>,
  page: Page,
  checked: CheckedInput,
  prepared: PreparedFile[],
  now: number,
): Promise<{ edited: WholePage; read: ReadText }> {
  const { given } = checked;
  refuseForeignPermissions(actor, page, given.permissions);
  const parent = await parentAfter(store, actor, page, checked.parent);
  refuseLoop(page, parent);
  const slug = given.slug ?? page.slug;
  const isReplaced = slug !== page.slug || (parent?.id ?? null) !== page.parentId;
  const newPath = given.path ?? (isReplaced ? generatedPath(parent, slug) : page.path);
  if (newPath !== page.path) refuseReserved(newPath);

  const content: Content = {
    ...page.content,
    ...given,
    slug,
    path: newPath,
    parent: parent?.path ?? null,
    msg: given.msg ?? '',
  };
  let paths: string[] = [];
  if (newPath !== page.path || (parent?.id ?? null) !== page.parentId) {
    const moved = await store.pages.move(page.id, { path: newPath, ...placeBeneath(parent) });
    const others = moved.filter(({ id }) => id !== page.id);
    // What they left leads to them still, as aliases: as much is wanted there as before.
    paths = [...moved.map(({ to }) => to), ...(await relinkMoved(store, others))];
  }
  const read = readContent(content);
  const { state, derived } = stateOf(content, parent, page.owner.id, deriveFrom(content, read));
  await store.pages.update(page, state, { at: now, editorId: actor.memberId, content });
  await attachFiles(store, page.id, prepared);
  const audienceChanged = audienceOf(content.permissions) !== page.audience;
  await store.links.saveDerived({ id: page.id, ...state }, derived, {
    titles: content.title !== page.title || audienceChanged ? [page.title, content.title] : [],
    paths: audienceChanged ? [...paths, newPath] : paths,
  });
  // Most of it is still in the memory of who writes.
  return { edited: await getWhole(store, sightOf(actor), page.id), read };
}

/** Refuses `path-loop` where the parent is the page itself or lies below it. */
export function refuseLoop(page: Pick<Page, 'id' | 'path'>, parent: Pick<Page, 'id' | 'trail'> | null): void {
  if (!parent || (parent.id !== page.id && !parent.trail.includes(page.id))) return;
  throw new Problem('path-loop', `${page.path} cannot be placed beneath itself.`, {
    errors: [{ pointer: '/parent', detail: 'A page cannot become its own ancestor.' }],
  });
}

/** The page, if this member may write it. Refuses without holding anything. */
export async function getWritable(store: Store, actor: NonNullable<Actor>, path: string): Promise<Page> {
  const read = readPath(path);
  const page = 'path' in read ? await store.pages.findByPath(read.path) : undefined;
  if (!page) return refuseMissing(store, actor, path);
  return refuseUnlessWritable(actor, page);
}

export async function lockWritable(store: Store, actor: NonNullable<Actor>, path: string): Promise<Page> {
  const read = readPath(path);
  const page = 'path' in read ? await store.pages.lockByPath(read.path, 'update') : undefined;
  if (!page) return refuseMissing(store, actor, path);
  return refuseUnlessWritable(actor, page);
}

function refuseUnlessWritable(actor: Actor, page: Page): Page {
  if (mayWrite(actor, page)) return page;
  throw new Problem('not-permitted', 'You do not have permission to edit this page.');
}

function refuseForeignPermissions(
  actor: NonNullable<Actor>,
  page: Page,
  permissions: number | undefined,
): void {
  if (permissions === undefined || permissions === page.permissions) return;
  if (actor.isAdmin || actor.memberId === page.owner.id) return;
  throw new Problem(
    'not-permitted',
    'Only the owner of a page and administrators may change its permissions.',
    {
      errors: [{ pointer: '/permissions', detail: 'Leave permissions out, or ask the owner.' }],
    },
  );
}

/** One that is named as it already is need not be readable to whoever edits: the page itself tells them of it. */
async function parentAfter(
  store: Store,
  actor: Actor,
  page: Page,
  named: CheckedInput['parent'],
): Promise<PagePlace | null> {
  const parent = page.parentId === null ? undefined : await lockPlace(store, page.parentId);
  const isKept = named === undefined || (parent && isNamed(parent, named));
  return isKept ? (parent ?? null) : lockParent(store, actor, named);
}

function isNamed({ id, path }: PagePlace, named: string | number | null): boolean {
  if (typeof named === 'number') return named === id;
  const read = readPath(named ?? '');
  return 'path' in read && read.path === path;
}
