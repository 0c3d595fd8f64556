/** Creates a page with its first change. */

import { say } from '#words/say.ts';
import { groupTags } from '../content/derive.ts';
import { deriveAhead, refuseExcess } from '../content/derive-ahead.ts';
import { contentWith, type PreparedFile, prepareFiles, withUploads } from '../files/attach-files.ts';
import type { Derived } from '../model/derived.ts';
import { withoutInvisible } from '../model/invisible.ts';
import { refuseUnlessWriter } from '../model/may-write.ts';
import type { Ancestor, Change, Content, PagePlace, PageState, WholePage } from '../model/page.ts';
import { initialContent } from '../model/page-fields.ts';
import { defaultsBeneath } from '../model/page-group.ts';
import { type CheckedInput, checkInput, type PageInput, slugFor } from '../model/page-input.ts';
import { childPath, readNewPath, readPath } from '../model/path.ts';
import { type Actor, editorOf, type Wiki } from '../model/permission.ts';
import { invalid, Problem } from '../model/problem.ts';
import type { Files } from '../ports/file-store.ts';
import type { Store, Transaction } from '../ports/store.ts';
import { getSaved } from '../reading/find-page.ts';
import { saveDeclaredAliases } from './declared-aliases.ts';
import { offeringFreePath } from './free-path.ts';
import { accessNamed } from './name-group.ts';
import { titleInBody } from './page-data.ts';
import { accessFacts, lockParent, stateOf } from './page-state.ts';
import { refusePlace, refuseReserved } from './place.ts';
import { originalAfter } from './translation-set.ts';

/**
 * Refuses `unauthenticated` without a member, `invalid` for invalid fields, `path-reserved`, and `path-taken`, naming the
 * next free path. The page, its change, links, tags, search text and files are written together or not at all. `place.files`: files of
 * another page or a proposal, whose bytes are not stored again.
 */
export async function createPage(
  { store, files, actor, now }: { store: Store; files: Files; actor: Actor; now: number },
  input: PageInput,
  { format, files: copied = [] }: { format: Content['format']; files?: PreparedFile[] } = {
    format: 'wikitext',
  },
): Promise<WholePage> {
  if (!actor) throw new Problem('unauthenticated', say('problem.signInToCreateAPage'));
  refuseUnlessWriter(actor);
  const editor = editorOf(actor);
  const checked = checkInput({ ...input, title: input.title ?? titleInBody({ format, ...input }) });
  const { title } = checked.given;
  if (title === undefined) throw invalid('/title', say('problem.aPageNeedsATitle'), 'required');
  const prepared = [...copied, ...(await prepareFiles(files, checked.files, editor.id, now))];
  const derive = await deriveAhead(store, checked.given.body, async () => {
    const parent = typeof checked.parent === 'string' ? readPath(checked.parent) : undefined;
    return firstContent({ title, format, wiki: store }, checked, parent && 'path' in parent ? parent : null);
  });
  const insert = async (store: Transaction) => {
    const [parent, [id = 0], haveDefaults] = await Promise.all([
      lockParent(store, actor, checked.parent ?? null),
      store.pages.reserveIds(1),
      store.pages.haveDefaults(),
    ]);
    const { names, added } = withUploads({ id, changeId: 0 }, [], prepared);
    const first = firstContent({ title, format, wiki: store }, checked, parent);
    const [access] = await Promise.all([
      accessOfNew(store, actor, checked, haveDefaults ? parent : null),
      refusePlace(store, actor, { parent, path: first.path }, now),
    ]);
    const content = contentWith({ ...first, ...access }, names);
    const made = await derive(content);
    refuseExcess(made);
    const facts = await accessFacts(store, content, parent);
    const { state, derived } = stateOf(content, { parent, ownerId: editor.id }, made, facts);
    const changes = [{ at: now, editorId: editor.id, content }];
    const [[changeId = 0], lineage] = await Promise.all([
      store.pages.insertMany([{ id, state, changes, derived }]),
      store.readAs(actor).pages.ancestors(state.trail),
    ]);
    await saveDeclaredAliases({ store, actor, now }, id, { content });
    const original = await originalAfter(store, actor, { id, originalId: null }, checked.translationOf);
    if (original) await store.pages.translate({ id, originalId: null }, original);
    if (added.length > 0) await store.files.keep(id, names, added);
    if (original || added.length > 0) {
      // Complete data of files and originals is only in the store.
      return getSaved(store, actor, id);
    }
    return wholeOf(state, derived, { id: changeId, pageId: id, at: now, editor, content }, lineage);
  };
  return offeringFreePath(store, actor, () => store.transact(insert));
}

/** Guests create pages only beneath pages that they may edit. */
/** The given access, or else the defaults of the nearest ancestor that has any. `parent` is null also if no page has any. */
async function accessOfNew(
  store: Transaction,
  actor: NonNullable<Actor>,
  checked: CheckedInput,
  parent: PagePlace | null,
): Promise<Partial<Content>> {
  const named = await accessNamed(store, actor, checked);
  const { permissions } = checked.given;
  if (parent === null || (permissions !== undefined && checked.group !== undefined)) return named;
  const defaults = defaultsBeneath(parent, await store.pages.defaultsOf([...parent.trail, parent.id]));
  if (!defaults) return named;
  return {
    permissions: permissions ?? defaults.permissions,
    ...(defaults.group ? { group: defaults.group } : {}),
    ...named,
  };
}

/** A page that was just created, in the form in which it would be loaded. */
function wholeOf(state: PageState, derived: Derived, change: Change, lineage: Ancestor[]): WholePage {
  const { ownerId: _, followsPath: __, grants: ___, ...shown } = state;
  const { pageId: id, id: changeId, at, editor: owner, content } = change;
  return {
    ...shown,
    id,
    owner,
    changeId,
    historyFrom: 0,
    rank: null,
    originalId: null,
    renderedId: null,
    renderedParagraphs: [],
    createdAt: at,
    updatedAt: at,
    content,
    tags: groupTags(derived.tags),
    likes: [],
    files: [],
    lineage,
    history: [change],
  };
}

/** State of a page that is about to be made: given values over first values. Refuses `path-reserved` and malformed paths. */
export function firstContent(
  { title, format, wiki }: { title: string; format: Content['format']; wiki: Wiki },
  checked: CheckedInput,
  parent: { path: string; language?: string | null } | null,
): Omit<Content, 'files' | 'group' | 'defaults'> {
  const { given } = checked;
  const givenPath = given.path && newPath(given.path);
  const slug = withoutInvisible(given.slug ?? slugFor(title, givenPath));
  const path = givenPath ?? generatedPath(parent, slug);
  refuseReserved(path);
  return {
    ...initialContent(wiki),
    format,
    language: parent?.language ?? null,
    ...given,
    title,
    slug,
    path,
    parent: parent?.path ?? null,
  };
}

/** The interface's rule for paths of new pages: the parent's path, `/`, the slug. */
export function generatedPath(parent: { path: string } | null, slug: string): string {
  const read = readPath(childPath(parent?.path ?? null, slug));
  if ('problem' in read) throw invalid('/path', read.problem);
  return read.path;
}

/** A given address, without invisible characters unless it is the current one. */
export function newPath(given: string, current?: string): string {
  const read = readNewPath(given, current);
  if ('problem' in read) throw invalid('/path', read.problem);
  return read.path;
}
