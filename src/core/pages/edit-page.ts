/** Edits a page: fields that are not given are kept, and every edit appends a change with the complete new state. */

import { say } from '#words/say.ts';
import { deriveAhead, refuseExcess } from '../content/derive-ahead.ts';
import type { Renderer } from '../content/render.ts';
import { withSubstitutions } from '../content/substitute.ts';
import {
  contentWith,
  type PreparedFile,
  prepareFiles,
  withoutRemoved,
  withUploads,
} from '../files/attach-files.ts';
import type { Derive, ReadText } from '../model/derived.ts';
import { grantsWords, sameGrants } from '../model/grant.ts';
import { withoutInvisible } from '../model/invisible.ts';
import { refuseUnlessWriter } from '../model/may-write.ts';
import type { Content, Page, PagePlace, WholePage } from '../model/page.ts';
import { mayWrite, type PageAccess } from '../model/page-access.ts';
import { same } from '../model/page-fields.ts';
import { accessWords, changesAccess, defaultsWords } from '../model/page-group.ts';
import { type CheckedInput, checkInput, type HistoryShown, type PageInput } from '../model/page-input.ts';
import { readPath } from '../model/path.ts';
import { type Actor, editorOf, type Wiki } from '../model/permission.ts';
import { fieldError, Problem } from '../model/problem.ts';
import type { Files } from '../ports/file-store.ts';
import type { HistoryWanted, Reader } from '../ports/reader.ts';
import type { EditSurroundings, LockedForEdit, Store, Transaction } from '../ports/store.ts';
import { findReadable, getSaved, refuseMissing } from '../reading/find-page.ts';
import { generatedPath, newPath } from './create-page.ts';
import { saveDeclaredAliases } from './declared-aliases.ts';
import { offeringFreePath } from './free-path.ts';
import { mergeOnto, refuseUnlessAt, withoutMergeNote } from './merge-edit.ts';
import { accessNamed } from './name-group.ts';
import { accessFacts, lockParent, lockPlace, passGrants, placeBeneath, stateOf } from './page-state.ts';
import { type SavedView, viewSaved } from './page-view.ts';
import { refusePlace, refuseReserved, refuseSharing } from './place.ts';
import { refuseBeneathProtected, refuseProtected, refuseProtectedBeneath } from './protection.ts';
import { relinkMoved } from './relink-moved.ts';
import { refuseOutside } from './token-limit.ts';
import { originalAfter } from './translation-set.ts';

export interface EditInput extends PageInput {
  /** The change on which the caller's edit is based; later changes are merged, or cause a conflict. */
  base?: number;
  /** Compare and set: the page's current change must be one of these, or nothing is done. Takes precedence over `base`. */
  matches?: number[] | undefined;
  /**
   * For the owner and administrators: `from now` hides all earlier changes from other readers, and deletes the page's former
   * addresses; `all` makes them visible again. Not part of a change's content, so a rollback never reveals history.
   */
  history?: HistoryShown;
  /**
   * Files to remove from the page, by `name` or `filename`; the page must have them. They remain as files of earlier changes.
   * Uploads of the same edit are added afterwards.
   */
  removeFiles?: readonly string[] | undefined;
}

export interface SavedPage {
  page: WholePage;
  /** `unchanged`: the edit would have changed nothing, so no change was added. */
  outcome: 'saved' | 'merged' | 'unchanged';
  /** Body as parsed for saving, so that rendering need not parse it again. */
  read?: ReadText;
}

/**
 * Saves an edit; `history` selects how much history the result includes. `proposed`: files of a proposal, whose bytes are stored. An edit that changes nothing, and has no message or
 * that of the latest change, adds no change, so a request repeated after a lost response is saved once.
 *
 * Refuses `unauthenticated`, `not-found` (naming the new path of a moved page), `not-permitted`, `invalid`, `path-taken`
 * (naming the next free path), `path-reserved`, `path-loop`, `edit-conflict`. A move includes the whole subtree.
 */
export async function saveEdit(
  { store, files, actor, now }: { store: Store; files: Files; actor: Actor; now: number },
  path: string,
  { base, matches, history: shown, removeFiles = [], ...input }: EditInput,
  {
    history = 'none',
    proposed = [],
  }: { history?: HistoryWanted | undefined; proposed?: PreparedFile[] | undefined } = {},
): Promise<SavedPage> {
  if (!actor) throw new Problem('unauthenticated', say('problem.signInToEditAPage'));
  const checked = await checkFor(store, actor, path, input);
  const prepared = [...proposed, ...(await prepareFiles(files, checked.files, actor.memberId, now))];
  const derive = await deriveAhead(store, checked.given.body, async () => {
    const page = await findReadable(store.readAs(actor), path);
    return page && { ...page.content, path: page.path, ...checked.given };
  });
  const save = async (store: Transaction) => {
    const { page, around } = await lockForEdit(store, actor, path);
    if (matches) await refuseUnlessAt({ store, actor }, page, matches, checked.given);
    const merged = base === undefined ? checked : await mergeOnto({ store, actor }, page, base, checked);
    const asked = { ...merged, removeFiles, ...(shown ? { history: shown } : {}) };
    const saved = await applyEdit({ store, actor, now }, page, asked, { prepared, history, derive, around });
    return saved.outcome === 'saved' && merged !== checked ? { ...saved, outcome: 'merged' as const } : saved;
  };
  return offeringFreePath(store, actor, () => store.transact(save), { withSubtree: true });
}

/** Like `saveEdit`, but first expands `{{subst:…}}`, and renders the page for the caller. */
export async function editPage(
  {
    store,
    files,
    renderer,
    actor,
    now,
  }: { store: Store; files: Files; renderer: Renderer; actor: Actor; now: number },
  path: string,
  input: EditInput,
  history: HistoryWanted = 'all',
): Promise<SavedView> {
  const reader = store.readAs(actor);
  const edit = await withSubstitutions({ reader, renderer, now }, input, { path });
  const saved = await saveEdit({ store, files, actor, now }, path, edit, { history });
  return viewSaved(reader, renderer, saved, now);
}

/** Checked before anything else, so that no files are processed for callers who may not write the page. */
async function checkFor(
  store: Store,
  actor: NonNullable<Actor>,
  path: string,
  input: EditInput,
): Promise<CheckedInput> {
  if (input.files !== undefined) await refuseUnwritable(store.readAs(actor), path);
  try {
    return checkInput(input);
  } catch (error) {
    await refuseUnwritable(store.readAs(actor), path);
    throw error;
  }
}

/** Applies an edit within a transaction that has locked the page. Also used by rollbacks. */
export async function applyEdit(
  { store, actor, now }: { store: Transaction; actor: NonNullable<Actor>; now: number },
  page: Page,
  checked: CheckedInput,
  {
    prepared,
    history,
    derive = store.derive,
    around,
  }: {
    prepared: PreparedFile[];
    history: HistoryWanted;
    derive?: Derive | undefined;
    around?: EditSurroundings | undefined;
  },
): Promise<SavedPage> {
  const { given, history: shown, removeFiles = [], defaultMessage = '' } = checked;
  const { id: editorId } = editorOf(actor);
  refuseForeignPermissions(actor, page, checked);
  const access = await accessNamed(store, actor, checked, page.content);
  const [parent] = await Promise.all([
    parentAfter({ store, actor }, page, checked.parent, around),
    refuseProtected({ store, actor, now }, page, around?.protectedAbove),
  ]);
  refuseLoop(page, parent);
  const slug =
    given.slug === undefined || given.slug === page.slug ? page.slug : withoutInvisible(given.slug);
  const isReplaced = slug !== page.slug || (parent?.id ?? null) !== page.parentId;
  const generated = isReplaced ? generatedPath(parent, slug) : page.path;
  const path = given.path === undefined ? generated : newPath(given.path, page.path);
  if (path !== page.path) refuseReserved(path);

  const files = given.files ?? page.content.files ?? [];
  const changesFiles = prepared.length > 0 || removeFiles.length > 0;
  const had = changesFiles
    ? withoutRemoved(page, await store.readAs(actor).files.named(files), removeFiles)
    : [];
  const { names, added } = changesFiles ? withUploads(page, had, prepared) : { names: files, added: [] };
  const stated = { ...page.content, ...given, ...access, slug, path, parent: parent?.path ?? null };
  const content: Content = contentWith({ ...stated, msg: given.msg ?? defaultMessage }, names);
  const isMoved = path !== page.path || (parent?.id ?? null) !== page.parentId;
  if (isMoved) {
    await refusePlace(store, actor, { parent, path }, now);
    refuseSharing(actor, page, parent);
    await refuseProtectedBeneath(store, actor, page, now);
  }
  const original = await originalAfter(store, actor, page, checked.translationOf);
  const isSame = !isMoved && !shown && original === undefined;
  if (isSame && saysTheSame(content, page.content) && saysNothingNew(given.msg, page)) {
    store.pages.keep();
    return { page: await getSaved(store, actor, page.id, history), outcome: 'unchanged' };
  }
  let paths: string[] = [];
  if (isMoved) {
    const change = { at: now, editorId, msg: content.msg };
    const moved = await store.pages.move(page.id, { path, ...placeBeneath(parent) }, change);
    const others = moved.filter(({ id }) => id !== page.id);
    const along = others.flatMap(({ from, to }) => [from, to]);
    await refuseBeneathProtected(store, actor, { ids: [], paths: along }, now);
    // The old paths remain as aliases, so links to them are not wanted anew.
    paths = [...moved.map(({ to }) => to), ...(await relinkMoved(store, others))];
  }
  const made = await derive(content);
  if (content.body !== page.content.body) refuseExcess(made);
  const facts = await accessFacts(store, content, parent);
  const { state, derived } = stateOf(content, { parent, ownerId: page.owner.id }, made, facts);
  await store.pages.update(page, state, { at: now, editorId, content });
  if (original !== undefined) await store.pages.translate(page, original);
  await passGrants(store, page, state, { at: now, editorId, msg: content.msg });
  if (given.files || changesFiles) await store.files.keep(page.id, names, added);
  if (shown)
    paths.push(
      ...(await store.pages.showHistory(page.id, shown === 'all' ? 'first change' : 'latest change')),
    );
  paths.push(
    ...(await saveDeclaredAliases({ store, actor, now }, page.id, { content, before: page.content })),
  );
  const audienceChanged = state.audience !== page.audience;
  const changed = {
    titles: content.title !== page.title || audienceChanged ? [page.title, content.title] : [],
    paths: audienceChanged ? [...paths, path] : paths,
  };
  const stored = around && { ...around.stored, hasSameText: hasSameText(content, page.content) };
  await store.links.saveDerived({ id: page.id, ...state }, derived, changed, stored);
  await recordAccess(store, page, content, shown);
  // Most of the data is still in memory.
  return {
    page: await getSaved(store, actor, page.id, history),
    outcome: 'saved',
    ...(made.read ? { read: made.read } : {}),
  };
}

/** Records in the audit log that access to the page or its history has changed. */
async function recordAccess(
  store: Transaction,
  { id, path, content: before }: Page,
  after: Content,
  shown: HistoryShown | undefined,
): Promise<void> {
  const notes = [
    ...changedWords(accessWords(before), accessWords(after)),
    ...(sameGrants(before.grants ?? [], after.grants ?? [])
      ? []
      : [`grants: ${grantsWords(after.grants ?? [])}`]),
    ...changedWords(defaultsWords(before), defaultsWords(after)).map((words) => `beneath: ${words}`),
    ...(shown ? [shown === 'all' ? 'all history shown' : 'history shown from now on'] : []),
  ];
  if (notes.length === 0) return;
  const subject = { kind: 'page', id, name: path } as const;
  await store.audit.record({ kind: 'permissions-changed', subject, note: notes.join(', ') });
}

function changedWords(before: string, after: string): string[] {
  return before === after ? [] : [`${before} → ${after}`];
}

/** Ignores the path, because an ancestor may have moved since the change, and the message. */
function saysTheSame(content: Content, before: Content): boolean {
  const fields = Object.keys({ ...before, ...content }) as (keyof Content)[];
  return fields.every(
    (field) =>
      field === 'path' || field === 'parent' || field === 'msg' || same(content[field], before[field]),
  );
}

/** Whether both have the same terms and stems: see `derive`. */
function hasSameText(content: Content, before: Content): boolean {
  const fields = ['title', 'body', 'format', 'language', 'type'] as const;
  return fields.every((field) => content[field] === before[field]);
}

/**
 * True without a message, or with that of the latest change, to which merging may have added a note: then the request is
 * probably a repetition.
 */
function saysNothingNew(msg: string | undefined, { content }: Page): boolean {
  const own = withoutMergeNote(msg ?? '');
  return own === '' || own === withoutMergeNote(content.msg);
}

/** Refuses `path-loop` if the parent is the page itself or one of its descendants. */
export function refuseLoop(page: Pick<Page, 'id' | 'path'>, parent: Pick<Page, 'id' | 'trail'> | null): void {
  if (!parent || (parent.id !== page.id && !parent.trail.includes(page.id))) return;
  throw new Problem('path-loop', say('problem.cannotBePlacedBeneathItself', { path: page.path }), {
    errors: [fieldError('/parent', say('problem.aPageCannotBecomeItsOwnAncestor'))],
  });
}

/** Refuses unless this member may write the page, without locking anything. */
async function refuseUnwritable(reader: Reader, path: string): Promise<void> {
  const read = readPath(path);
  const page = 'path' in read ? await reader.pages.findAccess(read.path) : undefined;
  if (!page) return refuseMissing(reader, path, { isEdit: true });
  refuseUnlessWritable(reader.actor, page, reader);
}

/** Locks the page for writing. Refuses `not-found`, `gone`, and `not-permitted` as `refuseUnlessWritable` does. */
export async function lockWritable(
  store: Transaction,
  actor: NonNullable<Actor>,
  path: string,
): Promise<Page> {
  const read = readPath(path);
  const page = 'path' in read ? await store.pages.lockByPath(read.path, 'update') : undefined;
  if (!page) return refuseMissing(store.readAs(actor), path, { isEdit: true });
  refuseUnlessWritable(actor, page, store);
  return page;
}

/** Like `lockWritable`, and reads what the edit compares with. */
async function lockForEdit(
  store: Transaction,
  actor: NonNullable<Actor>,
  path: string,
): Promise<LockedForEdit> {
  const read = readPath(path);
  const readsProtection = !actor.isAdmin;
  const locked = 'path' in read ? await store.pages.lockForEdit(read.path, { readsProtection }) : undefined;
  if (!locked) return refuseMissing(store.readAs(actor), path, { isEdit: true });
  refuseUnlessWritable(actor, locked.page, store);
  return locked;
}

/** Refuses `not-permitted` and says why: the limit of the token, a block, the role, or the permissions of the page. */
export function refuseUnlessWritable(actor: Actor, page: PageAccess, wiki: Wiki): void {
  if (mayWrite(actor, page, wiki)) return;
  if (actor) refuseOutside(actor, page);
  refuseUnlessWriter(actor);
  throw new Problem('not-permitted', say('problem.youDoNotHavePermissionToEdit'));
}

function refuseForeignPermissions(
  actor: NonNullable<Actor>,
  page: Page,
  { given: { permissions = page.permissions }, history, group, defaults }: CheckedInput,
): void {
  if (actor.isAdmin || actor.memberId === page.owner.id) return;
  if (history !== undefined)
    throw new Problem('not-permitted', say('problem.onlyTheOwnerOfAPageAnd2'), {
      errors: [fieldError('/history', say('problem.leaveHistoryOutOrAskTheOwner'))],
    });
  const changed = {
    permissions: permissions !== page.permissions,
    group: changesAccess({ group }, page),
    defaults: changesAccess({ defaults }, page),
  };
  const field = (['permissions', 'group', 'defaults'] as const).find((name) => changed[name]);
  if (!field) return;
  throw new Problem('not-permitted', say('problem.onlyTheOwnerOfAPageAnd3', { field }), {
    errors: [fieldError(`/${field}`, say('problem.leaveOutOrAskTheOwner', { field }))],
  });
}

/** A parent that is not changed need not be readable to the editor, because the page itself names it. */
async function parentAfter(
  { store, actor }: { store: Transaction; actor: Actor },
  page: Page,
  named: CheckedInput['parent'],
  around: EditSurroundings | undefined,
): Promise<PagePlace | null> {
  const locked = () => (page.parentId === null ? undefined : lockPlace(store, page.parentId));
  const parent = around ? around.parent : await locked();
  const isKept = named === undefined || (parent && isNamed(parent, named));
  return isKept ? (parent ?? null) : lockParent(store, actor, named);
}

function isNamed({ id, path }: PagePlace, named: string | number | null): boolean {
  if (typeof named === 'number') return named === id;
  const read = readPath(named ?? '');
  return 'path' in read && read.path === path;
}
