/**
 * Copies of pages. A copy takes what its maker can read, and nobody reads more through it than before. Files come along without their
 * bytes being stored again, links within the copy lead to the copy, and each history begins anew.
 */

import { type Copied, keyOf } from '#core/content/copied-links.ts';
import type { Language } from '#core/content/language.ts';
import { contentWith, withUploads } from '#core/files/attach-files.ts';
import type { Content, GroupName, PagePlace, WholePage } from '#core/model/page.ts';
import { defaultsBeneath } from '#core/model/page-group.ts';
import { checkInput } from '#core/model/page-input.ts';
import { madeSlugOf, pathsAbove, readNewPath } from '#core/model/path.ts';
import { pathTaken } from '#core/model/path-taken.ts';
import {
  type Actor,
  audienceOf,
  defaultPermissionsIn,
  includesAudience,
  may,
  type Wiki,
} from '#core/model/permission.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import { accessFacts, placeBeneath, stateOf } from '#core/pages/page-state.ts';
import { refusePlace } from '#core/pages/place.ts';
import { refuseBeneathProtected } from '#core/pages/protection.ts';
import type { Reader } from '#core/ports/reader.ts';
import type { NewPage, Store, Transaction } from '#core/ports/store.ts';
import { say } from '#words/say.ts';

export const maxCopied = 500;
/** Maximum length of all texts of a copy together. */
const maxBytes = 16_000_000;
const atOnce = 50;

export interface CopyInput {
  to: string;
  title?: string | undefined;
  subtree?: boolean | undefined;
  dryRun?: boolean | undefined;
}

interface Draft {
  source: WholePage;
  path: string;
  title: string;
  /** ID of the copied page above it; undefined for the first one. */
  above: number | undefined;
}

/** The pages that the reader would copy, each before those beneath it. Refuses `too-large`. */
export async function pagesToCopy(reader: Reader, page: { id: number }, subtree: boolean): Promise<number[]> {
  if (!subtree) return [page.id];
  const range = { limit: maxCopied, offset: 0 };
  const beneath = { ancestorId: page.id, order: 'tree', logic: 'and', ...range } as const;
  const { ids, total } = await reader.lists.search(beneath);
  if (total >= maxCopied)
    throw new Problem('too-large', say('problem.atMostPagesCanBeCopiedAt', { maxCopied }));
  return [page.id, ...ids];
}

/** Returns the ID of the copy, or undefined after a dry run. */
export async function copyPages(
  { store, language, by, now }: { store: Store; language: Language; by: NonNullable<Actor>; now: number },
  page: WholePage,
  { to, title, subtree = false, dryRun = false }: CopyInput,
): Promise<{ id: number | undefined; pages: number }> {
  const read = readNewPath(to);
  if ('problem' in read) throw invalid('/to', read.problem);
  const { given } = checkInput(title === undefined ? {} : { title });
  const reader = store.readAs(by);
  const sources = await load(reader, await pagesToCopy(reader, page, subtree));
  const drafts = plan(sources, read.path, given.title ?? page.title);
  const copied = await targetsOf(reader, store, drafts);
  const contents: Content[] = [];
  const made: Awaited<ReturnType<Store['derive']>>[] = [];
  for (const draft of drafts) {
    const content = contentOf(draft, await language.copyLinks(sourceOf(draft), copied, store.dialect));
    contents.push(content);
    made.push(await store.derive(content));
  }
  return store.transact(async (store) => {
    const parent = await parentAt(store, by, read.path);
    const paths = drafts.map(({ path }) => path);
    await refusePlace(store, by, { parent, path: read.path }, now);
    await refuseBeneathProtected(store, by, { ids: [], paths }, now);
    const [taken] = await store.pages.lockByPaths(paths, 'share');
    if (taken) throw pathTaken(taken.path, read.path);
    if (dryRun) {
      store.pages.keep();
      return { id: undefined, pages: drafts.length };
    }
    const ids = await store.pages.reserveIds(drafts.length);
    const access = await accessBeneath(store, parent);
    const places = new Map<number, PagePlace>();
    const files: Parameters<Transaction['files']['keep']>[] = [];
    const pages: NewPage[] = [];
    for (const [i, { source, above }] of drafts.entries()) {
      const id = ids[i] as number;
      const place = above === undefined ? parent : (places.get(above) ?? parent);
      const { names, added } = withUploads({ id, changeId: 0 }, [], source.files);
      const narrowed = narrower(source, access, by, store);
      const content = contentWith(
        {
          ...(contents[i] as Content),
          ...narrowed,
          parent: place?.path ?? null,
          msg: `Copied from ${source.path}`,
        },
        names,
      );
      const { state, derived } = stateOf(
        content,
        { parent: place, ownerId: by.memberId },
        made[i] as (typeof made)[number],
        await accessFacts(store, content, place),
      );
      places.set(source.id, { ...state, ...placeBeneath(place), id });
      pages.push({ id, state, derived, changes: [{ at: now, editorId: by.memberId, content }] });
      if (added.length > 0) files.push([id, names, added]);
    }
    for (let i = 0; i < pages.length; i += atOnce) await store.pages.insertMany(pages.slice(i, i + atOnce));
    for (const one of files) await store.files.keep(...one);
    await keepOrder(store, drafts, places);
    return { id: ids[0], pages: drafts.length };
  });
}

async function load(reader: Reader, ids: number[]): Promise<WholePage[]> {
  const found: WholePage[] = [];
  let bytes = 0;
  await reader.pages.loadInParts(ids, 'none', async (pages) => {
    for (const page of pages) bytes += Buffer.byteLength(page.content.body);
    if (bytes > maxBytes) throw new Problem('too-large', say('problem.thesePagesAreTooLongToBe'));
    found.push(...pages);
  });
  return found;
}

/** Pages keep their places beneath the copy; those whose parent was not copied stand beneath the nearest page that was. */
function plan(sources: readonly WholePage[], to: string, title: string): Draft[] {
  const [top] = sources as [WholePage];
  const paths = new Map<number, string>();
  const taken = new Set<string>();
  return sources.map((source) => {
    const above = source === top ? undefined : source.trail.findLast((id) => paths.has(id));
    const isBeneath = source.path.startsWith(`${top.path}/`);
    const beside = `${paths.get(above ?? 0) ?? to}/${source.slug || madeSlugOf(source.title)}`;
    let path = source === top ? to : isBeneath ? to + source.path.slice(top.path.length) : beside;
    for (let n = 2; taken.has(path); n++) path = `${beside}-${n}`;
    const read = readNewPath(path);
    if ('problem' in read)
      throw invalid(
        '/to',
        say('problem.theCopyOfWouldBeAt', { path: source.path, path2: path, problem: read.problem }),
      );
    taken.add(read.path);
    paths.set(source.id, read.path);
    return { source, path: read.path, title: source === top ? title : source.title, above };
  });
}

/** Addresses of the copies by paths, old paths and titles of the copied pages. */
async function targetsOf(reader: Reader, store: Store, drafts: readonly Draft[]): Promise<Copied> {
  const byId = new Map(drafts.map(({ source, path }) => [source.id, path]));
  const names = { page: new Set<string>(), template: new Set<string>() };
  for (const { source } of drafts) {
    const { derived } = await store.derive({ ...source.content, path: source.path });
    for (const { kind, target } of derived.links) if (kind !== 'file') names[kind].add(target);
  }
  const leading = (found: ReadonlyMap<string, { id: number }>) =>
    [...found].flatMap(([target, { id }]) => {
      const path = byId.get(id);
      return path === undefined ? [] : [[keyOf(target), path] as const];
    });
  return {
    links: new Map([
      ...drafts.map(({ source, path }) => [source.path, path] as const),
      ...leading(await reader.links.resolve([...names.page])),
    ]),
    templates: new Map(leading(await reader.links.templates([...names.template]))),
  };
}

function sourceOf({ source: { content, path } }: Draft): Pick<Content, 'body' | 'format' | 'path'> {
  return { body: content.body, format: content.format, path };
}

function contentOf({ source, path, title }: Draft, body: string): Content {
  const { group: _, defaults: __, files: ___, grants: ____, ...content } = source.content;
  return {
    ...content,
    body,
    path,
    title,
    slug: path.slice(path.lastIndexOf('/') + 1),
    permissions: source.permissions,
  };
}

/** The nearest page above the address that the actor may read; null for the root. */
async function parentAt(store: Transaction, by: Actor, path: string): Promise<PagePlace | null> {
  const above = await store.pages.lockByPaths(pathsAbove(path), 'share');
  const readable = above.filter((place) => may(by, 'read', place, store));
  return readable.toSorted((a, b) => b.path.length - a.path.length)[0] ?? null;
}

interface Access {
  permissions: number;
  group?: GroupName;
}

/** Access of a page that is created there without permissions of its own. */
async function accessBeneath(store: Transaction, parent: PagePlace | null): Promise<Access> {
  const own = { permissions: defaultPermissionsIn(store) };
  if (!parent || !(await store.pages.haveDefaults())) return own;
  const defaults = await store.pages.defaultsOf([...parent.trail, parent.id]);
  return defaultsBeneath(parent, defaults) ?? own;
}

/** Access as of a new page, or that of the source where this lets fewer people read; its owner alone where neither includes the other. */
function narrower(source: WholePage, created: Access, by: NonNullable<Actor>, wiki: Wiki): Access {
  const audience = ({ permissions, group }: Access) =>
    audienceOf({ permissions, group: group ?? null }, wiki);
  const kept: Access = { permissions: source.permissions, ...(source.group ? { group: source.group } : {}) };
  if (includesAudience(audience(kept), audience(created))) return created;
  const mayName = !kept.group || by.isAdmin || by.groupIds?.includes(kept.group.id);
  return mayName && includesAudience(audience(created), audience(kept)) ? kept : { permissions: 700 };
}

/** Copies stand in the order of their sources. */
async function keepOrder(
  store: Transaction,
  drafts: readonly Draft[],
  places: ReadonlyMap<number, PagePlace>,
): Promise<void> {
  const byParent = Map.groupBy(
    drafts.filter(({ source, above }) => above === source.parentId && source.rank !== null),
    ({ above }) => above,
  );
  for (const siblings of byParent.values()) {
    const ordered = siblings.toSorted((a, b) => (a.source.rank ?? 0) - (b.source.rank ?? 0));
    const placed = ordered.flatMap(({ source }) => places.get(source.id) ?? []);
    const [first] = placed;
    if (first)
      await store.order.rank(
        first.trail,
        placed.map(({ id }, rank) => ({ id, rank })),
      );
  }
}
