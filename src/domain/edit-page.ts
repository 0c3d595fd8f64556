/** Edits a page: what is not given stays as it is, and every edit appends a change with the whole new state. */
import { attachFiles, type Files, newFiles, type PreparedFile, prepareFiles } from './attach-files.ts';
import { type Convert, converting } from './converted.ts';
import { generatedPath, refuseReserved } from './create-page.ts';
import { deriveFrom, readContent } from './derive.ts';
import { getWhole, refuseMissing } from './find-page.ts';
import type { Language, ReadText } from './language.ts';
import { mergeOnto, refuseUnlessAt, same } from './merge-edit.ts';
import type { Content, Page, WholePage } from './page.ts';
import { type CheckedInput, checkInput, type PageInput } from './page-input.ts';
import { lockParent, lockPlace, placeBeneath, stateOf } from './page-state.ts';
import { mayWrite, type SavedView, viewSaved } from './page-view.ts';
import { readPath } from './path.ts';
import { type Actor, audienceOf, sightOf } from './permission.ts';
import { Problem } from './problem.ts';
import { relinkMoved } from './relink-moved.ts';
import type { Renderer } from './render.ts';
import type { HistoryWanted, PagePlace, Store } from './store.ts';

export interface EditInput extends PageInput {
  /** The change that the caller's edit started from: later ones are merged with it, or refuse it. */
  base?: number;
  /** The page must be at one of these changes, or nothing is done: compare and set. Decides before `base`. */
  matches?: number[] | undefined;
}

export interface SavedPage {
  page: WholePage;
  /** `unchanged`: the page said all of it already, so no change was added. */
  outcome: 'saved' | 'merged' | 'unchanged';
  /** What was read of its body for saving, which rendering need not read again. */
  read?: ReadText;
}

/**
 * Saves an edit; with `history`, the answer has as much of it. An edit after which the page would say what it says
 * already adds no change, so one that is sent again because its answer was lost is saved once. `language`: where long Markdown
 * is converted, if not here.
 *
 * Refuses `unauthenticated`, `not-found` (naming the new path of a moved page), `not-permitted`, `invalid`,
 * `path-taken`, `path-reserved`, `path-loop`, `edit-conflict`. A move takes the whole subtree along.
 */
export async function saveEdit(
  store: Store,
  files: Files,
  actor: Actor,
  path: string,
  { base, matches, ...input }: EditInput,
  now: number,
  history: HistoryWanted = 'none',
  language?: Language,
): Promise<SavedPage> {
  if (!actor) throw new Problem('unauthenticated', 'Editing a page needs a signed-in member.');
  const checked = await checkFor(store, actor, path, input);
  const prepared = await prepareFiles(files, checked.files, actor.memberId, now);
  const edit = (convert: Convert): Promise<SavedPage> =>
    store.transact(async (store) => {
      const page = await lockWritable(store, actor, path);
      if (matches) await refuseUnlessAt(store, page, matches, checked.given);
      const merged = base === undefined ? checked : await mergeOnto(store, page, base, checked);
      const saved = await applyEdit(store, actor, page, merged, prepared, now, history, convert);
      return saved.outcome === 'saved' && merged !== checked ? { ...saved, outcome: 'merged' } : saved;
    });
  return converting(language, edit, checked.given);
}

/** As `saveEdit`, and renders the page for the caller. */
export async function editPage(
  store: Store,
  files: Files,
  renderer: Renderer,
  actor: Actor,
  path: string,
  input: EditInput,
  now: number,
  history: HistoryWanted = 'all',
): Promise<SavedView> {
  const saved = await saveEdit(store, files, actor, path, input, now, history, renderer.language);
  return viewSaved(store, renderer, actor, saved, now);
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

/** Within a transaction that holds the page. Also how a rollback writes. */
export async function applyEdit(
  store: Store,
  actor: NonNullable<Actor>,
  page: Page,
  checked: CheckedInput,
  prepared: PreparedFile[],
  now: number,
  history: HistoryWanted,
  convert: Convert,
): Promise<SavedPage> {
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
  const isMoved = newPath !== page.path || (parent?.id ?? null) !== page.parentId;
  const attached = await newFiles(store, page.id, prepared);
  if (!isMoved && attached.length === 0 && saysTheSame(content, page.content)) {
    store.pages.keep();
    return { page: await getWhole(store, sightOf(actor), page.id, history), outcome: 'unchanged' };
  }
  let paths: string[] = [];
  if (isMoved) {
    const moved = await store.pages.move(page.id, { path: newPath, ...placeBeneath(parent) });
    const others = moved.filter(({ id }) => id !== page.id);
    // What they left leads to them still, as aliases: as much is wanted there as before.
    paths = [...moved.map(({ to }) => to), ...(await relinkMoved(store, others, convert))];
  }
  const read = readContent(content, convert);
  const { state, derived } = stateOf(content, parent, page.owner.id, deriveFrom(content, read));
  await store.pages.update(page, state, { at: now, editorId: actor.memberId, content });
  await attachFiles(store, page.id, attached);
  const audienceChanged = audienceOf(content.permissions) !== page.audience;
  await store.links.saveDerived({ id: page.id, ...state }, derived, {
    titles: content.title !== page.title || audienceChanged ? [page.title, content.title] : [],
    paths: audienceChanged ? [...paths, newPath] : paths,
  });
  // Most of it is still in the memory of who writes.
  return { page: await getWhole(store, sightOf(actor), page.id, history), outcome: 'saved', read };
}

/** Place and message aside: a page above may have moved since the change, and a message says nothing of the page. */
function saysTheSame(content: Content, { path, parent, msg, ...before }: Content): boolean {
  return Object.entries(before).every(([field, value]) => same(content[field as keyof Content], value));
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
