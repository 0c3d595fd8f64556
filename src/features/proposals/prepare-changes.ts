/** Checks the changes of a proposal as they are given, and finds the pages that they concern, with a fixed number of statements. */

import type { Expanding } from '#core/content/expand-whole.ts';
import { withSubstitutions } from '#core/content/substitute.ts';
import type { Format } from '#core/model/page.ts';
import { checkInput, type PageInput, slugFor } from '#core/model/page-input.ts';
import { pathsAbove, readPath } from '#core/model/path.ts';
import type { Actor } from '#core/model/permission.ts';
import { allInvalid, type FieldError, fieldError, invalid, Problem } from '#core/model/problem.ts';
import { generatedPath, newPath } from '#core/pages/create-page.ts';
import { titleInBody } from '#core/pages/page-data.ts';
import { refuseReserved } from '#core/pages/place.ts';
import { refuseOutside, refusePlaceOutside } from '#core/pages/token-limit.ts';
import type { Files } from '#core/ports/file-store.ts';
import {
  maxChanges,
  type ProposalAction,
  type ProposedChange,
  proposedFieldNames,
} from '#core/ports/proposal-store.ts';
import type { PageRow, Reader } from '#core/ports/reader.ts';
import { say } from '#words/say.ts';
import { type GivenFile, type ProposedUpload, withFiles } from './prepare-files.ts';
import { maxProposalBytes } from './proposals.ts';

export interface GivenChange extends Omit<PageInput, 'files' | 'path'> {
  files?: readonly GivenFile[];
  action: ProposalAction;
  path?: string;
  /** New path of a page. */
  to?: string;
  base?: number;
  subtree?: boolean;
}

interface Preparing {
  reader: Reader;
  renderer: Expanding;
  /** Null for a person without an account. */
  by: Actor;
  defaultFormat: Format;
  now: number;
  files: Files;
}

/**
 * `before`: changes that these replace; a page that stays in the proposal keeps its base, and files that are named again. Refuses `invalid`, with a pointer to each
 * change that is wrong, and `insufficient-scope`.
 */
export async function prepareChanges(
  { reader, renderer, by, defaultFormat, now, files }: Preparing,
  given: readonly GivenChange[],
  before: readonly (Pick<ProposedChange, 'pageId' | 'base' | 'path'> & {
    files: readonly ProposedUpload[];
  })[],
): Promise<ProposedChange[]> {
  if (given.length < 1 || given.length > maxChanges)
    throw invalid('/changes', say('problem.aProposalHas1ToChanges', { maxChanges }));
  const checked = given.map((change, n) => at(n, () => checkChange(change, defaultFormat)));
  const pages = await pagesAt(reader, checked);
  const bases = new Map(
    before.flatMap(({ pageId, base }) => (pageId === null ? [] : [[pageId, base] as const])),
  );
  const proposed: ProposedChange[] = [];
  for (const [n, { action, path, fields, base }] of checked.entries()) {
    const one = at(n, (): Omit<ProposedChange, 'files'> => {
      if (action === 'create')
        return created(path, fields, { pages, earlier: proposed, by, format: defaultFormat });
      const page = pages.byPath.get(path ?? '');
      if (!page) throw invalid('/path', say('problem.thereIsNoPageAt', { path }), 'not-found');
      if (by) refuseOutside(by, page);
      if (proposed.some(({ pageId }) => pageId === page.id))
        throw invalid('/path', say('problem.aProposalCanNameEachPageOnly'));
      const placed = withParentPath(fields, pages);
      refuseMoveOutside(by, page, placed, pages);
      return {
        action,
        path: page.path,
        pageId: page.id,
        shownWith: page.id,
        base: base ?? bases.get(page.id) ?? page.changeId,
        fields: placed,
      };
    });
    const place = action === 'create' ? { format: one.fields.format ?? defaultFormat } : { path: one.path };
    const expanded = await withSubstitutions({ reader, renderer, now }, one.fields, place);
    proposed.push({ ...one, fields: expanded, files: [] });
  }
  if (Buffer.byteLength(JSON.stringify(proposed)) > maxProposalBytes)
    throw new Problem(
      'too-large',
      say('problem.theChangesOfAProposalCanHave', { megabytes: maxProposalBytes / 1e6 }),
    );
  const asked = proposed.map((change, n) => ({ change, given: given[n]?.files }));
  return withFiles({ files, now }, asked, before, by?.memberId ?? 0);
}

interface Checked {
  action: ProposalAction;
  /** Normalised. Undefined for a new page whose path follows from parent and slug. */
  path: string | undefined;
  base: number | undefined;
  fields: ProposedChange['fields'];
}

function checkChange(
  { action, path, to, base, subtree, files = [], ...given }: GivenChange,
  format: Format,
): Checked {
  if (files.length > 0 && (action === 'move' || action === 'delete'))
    throw invalid('/files', say('problem.onlyACreationOrAnEditCanHaveFiles'));
  const isNew = action === 'create';
  const read = path === undefined && isNew ? undefined : readPath(path ?? '');
  if (read && 'problem' in read) throw invalid('/path', read.problem);
  const kept = Object.fromEntries(
    proposedFieldNames.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  ) as PageInput;
  const target = isNew ? path : to;
  const input = { ...kept, ...(target === undefined ? {} : { path: target }) };
  checkInput({
    ...input,
    ...(isNew ? { title: input.title ?? titleInBody({ format, ...input }) ?? '' } : {}),
  });
  if (action === 'move' && ['path', 'slug', 'parent'].every((name) => !(name in input)))
    throw invalid('/to', say('problem.aMoveNeedsANewPathAs'));
  if (action === 'edit' && files.length === 0 && Object.keys(input).every((name) => name === 'msg'))
    throw invalid('/body', say('problem.anEditNeedsAFieldToChange'));
  const others = action === 'delete' ? { ...(input.msg ? { msg: input.msg } : {}) } : input;
  return {
    action,
    base,
    path: read?.path,
    fields: { ...others, ...(action === 'delete' && subtree ? { subtree } : {}) },
  };
}

interface Pages {
  byPath: ReadonlyMap<string, PageRow>;
  byId: ReadonlyMap<number, PageRow>;
}

/** The pages that the changes name, and those above new pages, as far as the reader may read them. */
async function pagesAt(reader: Reader, checked: readonly Checked[]): Promise<Pages> {
  const parents = checked.map(({ fields }) => fields.parent);
  const named = [...checked.map(({ path }) => path), ...parents].flatMap((path) => {
    const read = typeof path === 'string' ? readPath(path) : { problem: '' };
    return 'path' in read ? [read.path] : [];
  });
  const paths = [...new Set([...named, ...named.flatMap(pathsAbove)])];
  const found = await reader.links.resolve(paths);
  const ids = parents.filter((parent) => typeof parent === 'number' && parent > 0) as number[];
  const rows = await reader.pages.states([...new Set([...[...found.values()].map(({ id }) => id), ...ids])]);
  const byId = new Map(rows.map((page) => [page.id, page]));
  const byPath = new Map(
    [...found].flatMap(([path, { id }]) => {
      const page = byId.get(id);
      return page ? [[path, page] as const] : [];
    }),
  );
  return { byPath, byId };
}

/** Parents are kept by path, because an ID says nothing to those who review. */
function withParentPath<F extends PageInput>(fields: F, { byId, byPath }: Pages): F {
  const { parent } = fields;
  if (parent === undefined || parent === null || parent === 0) return fields;
  if (typeof parent === 'string' && ['', '/'].includes(parent.trim())) return { ...fields, parent: null };
  const read = readPath(String(parent));
  const page =
    typeof parent === 'number' ? byId.get(parent) : 'path' in read ? byPath.get(read.path) : undefined;
  if (page) return { ...fields, parent: page.path };
  if (typeof parent === 'string' && 'path' in read) return { ...fields, parent: read.path };
  throw invalid('/parent', say('problem.thereIsNoPageWithTheId2', { parent: String(parent) }), 'not-found');
}

/** Refuses `insufficient-scope` for another place outside of the subtree that a token is limited to. */
function refuseMoveOutside(
  by: Actor,
  page: PageRow,
  { path, parent, slug }: ProposedChange['fields'],
  { byId, byPath }: Pages,
): void {
  if (!by || [path, parent, slug].every((one) => one === undefined)) return;
  const above = parent === undefined ? byId.get(page.parentId ?? 0) : byPath.get(String(parent));
  const target = path === undefined ? `${above?.path}/${slug ?? page.slug}` : newPath(path);
  refusePlaceOutside(by, above ?? null, target);
}

function created(
  path: string | undefined,
  given: ProposedChange['fields'],
  {
    pages,
    earlier,
    by,
    format,
  }: { pages: Pages; earlier: readonly ProposedChange[]; by: Actor; format: Format },
): Omit<ProposedChange, 'files'> {
  const fields = withParentPath(given, pages);
  const parentPath = (fields.parent as string | null | undefined) ?? null;
  const parent = parentPath === null ? undefined : pages.byPath.get(parentPath);
  const made = earlier.find(({ action, path }) => action === 'create' && path === parentPath);
  if (parentPath !== null && !parent && !made)
    throw invalid('/parent', say('problem.thereIsNoPageAtToBe', { parentPath }), 'not-found');
  const title = fields.title ?? titleInBody({ format, ...fields }) ?? '';
  const own =
    path === undefined
      ? generatedPath(parentPath === null ? null : { path: parentPath }, fields.slug ?? slugFor(title))
      : newPath(path);
  refuseReserved(own);
  if (by) refusePlaceOutside(by, parent ?? null, own);
  if (earlier.some((one) => one.action === 'create' && one.path === own))
    throw invalid('/path', say('problem.aProposalCanMakeOnlyOnePage'));
  const nearest = pathsAbove(own).flatMap((one) => pages.byPath.get(one) ?? [])[0];
  const shownWith = parent?.id ?? made?.shownWith ?? nearest?.id ?? null;
  return {
    action: 'create',
    path: own,
    pageId: null,
    shownWith,
    base: null,
    fields: { ...fields, path: own, title },
  };
}

/** Adds the position of the change to what is refused about it. */
function at<T>(n: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'invalid') throw error;
    const errors = (error.errors ?? [fieldError('', error.words)]).map(
      ({ pointer, ...rest }): FieldError => ({ pointer: `/changes/${n}${pointer}`, ...rest }),
    );
    throw allInvalid(errors);
  }
}
