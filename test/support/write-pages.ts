/** Writes pages directly to a store, as the domain's operations do, for tests of the store alone. */
import type { Derived } from '#core/model/derived.ts';
import { titleKey } from '#core/model/fold.ts';
import type { Content, Location, Page, PageState } from '#core/model/page.ts';
import { type Actor, audienceOf, type Wiki } from '#core/model/permission.ts';
import { Problem } from '#core/model/problem.ts';
import { joinedStemsOf } from '#core/model/stems.ts';
import { termsOf } from '#core/model/terms.ts';
import type { SearchCriteria } from '#core/ports/list-reads.ts';
import type { ChangedPage } from '#core/ports/reader.ts';
import type { NewPage, Store } from '#core/ports/store.ts';

export const anyone: Actor = null;
export const administrator: Actor = { memberId: 99, name: '', isAdmin: true };
export const all = { limit: 1000, offset: 0 };
export const asked: SearchCriteria = { ...all, logic: 'and', order: 'alphabetical' };

export function memberWith(memberId: number): NonNullable<Actor> {
  return { memberId, name: '', isAdmin: false };
}

/** Minimal page with this ID, for reading its changes as an administrator. */
export function pageWith(id: number): ChangedPage {
  return { id, trail: [], historyFrom: 0, owner: { id: 0, name: '' } };
}

export interface Draft {
  title?: string;
  path?: string;
  parentId?: number | null;
  body?: string;
  type?: string | null;
  location?: Location | null;
  permissions?: number;
  groupId?: number;
  ownerId?: number;
  links?: string[];
  templates?: string[];
  tags?: [key: string, value: string][];
  at?: number;
}

export async function addMember(store: Store, name: string, isAdmin = false): Promise<number> {
  const email = `${name}@example.org`;
  return (await store.members.insert({ email, name, isAdmin, passphraseHash: null, createdAt: 1 })).id;
}

/** Adds the members Ann (1, the default owner) and Bob (2). */
export async function withMembers(store: Store): Promise<void> {
  await addMember(store, 'Ann', true);
  await addMember(store, 'Bob');
}

let clock = 1_000_000;

/** Adds a root page at `/<title>`, owned by member 1, unless the draft says otherwise. */
export function addPage(store: Store, draft: Draft): Promise<number> {
  return store.transact(async (store) => {
    const parent = draft.parentId ? await store.pages.lockById(draft.parentId, 'share') : undefined;
    const title = draft.title ?? 'Untitled';
    const path = draft.path ?? `${parent?.path ?? ''}/${titleKey(title).replaceAll(' ', '-')}`;
    const content = contentOf({ ...draft, title, path }, parent?.path ?? null);
    const state = stateOf(content, draft, parent, store);
    const at = draft.at ?? clock++;
    const [id = 0] = await store.pages.reserveIds(1);
    const changes = [{ at, editorId: state.ownerId, content }];
    await store.pages.insertMany([{ id, state, changes, derived: derivedOf(content, draft) }]);
    return id;
  });
}

/**
 * Adds many pages at once, with the same result as `addPage` for the first draft of each and `editPage` for the others.
 * `parent` is an index into `pages`.
 */
export function addPages(store: Store, pages: { parent: number | null; drafts: Draft[] }[]): Promise<void> {
  return store.transact(async (store) => {
    const ids = await store.pages.reserveIds(pages.length);
    const states: PageState[] = [];
    const rows = pages.map(({ parent, drafts }, i): NewPage => {
      const above = parent === null ? undefined : states[parent];
      const contents = drafts.map((draft) => contentOf(draft, above?.path ?? null));
      const last = drafts.at(-1) as Draft;
      const content = contents.at(-1) as Content;
      const place = above && {
        parentId: ids[parent as number] as number,
        depth: above.depth + 1,
        trail: [...above.trail, ids[parent as number] as number],
      };
      states.push({ ...stateOf(content, last, undefined, store), ...place });
      return {
        id: ids[i] as number,
        state: states[i] as PageState,
        changes: contents.map((content, version) => ({
          at: drafts[version]?.at ?? 0,
          editorId: last.ownerId ?? 1,
          content,
        })),
        derived: derivedOf(content, last),
      };
    });
    await store.pages.insertMany(rows);
  });
}

/** Changes the fields given in the draft, keeps all others, and tells the store what changed. */
export function editPage(store: Store, id: number, draft: Draft & { editorId?: number }): Promise<number> {
  return store.transact(async (store) => {
    const page = await store.pages.lockById(id, 'update');
    if (!page) throw new Error(`No page ${id}.`);
    const whole = { ...draftOf(page), ...draft };
    const content = contentOf(whole, page.content.parent);
    const state = { ...stateOf(content, whole, undefined, store), ...placeOf(page) };
    await store.pages.update(page, state, {
      at: draft.at ?? clock++,
      editorId: draft.editorId ?? page.owner.id,
      content,
    });
    const isSeenByOthers = state.audience !== page.audience;
    const isNamed = state.title !== page.title || isSeenByOthers;
    await store.links.saveDerived({ id, ...state }, derivedOf(content, whole), {
      titles: isNamed ? [page.title, state.title] : [],
      paths: isSeenByOthers ? [page.path] : [],
    });
    return (await store.readAsSystem().pages.findById(id))?.changeId as number;
  });
}

export function movePage(store: Store, id: number, path: string, parentId: number | null) {
  return store.transact(async (store) => {
    const page = await store.pages.lockById(id, 'update');
    const parent = parentId === null ? undefined : await store.pages.lockById(parentId, 'share');
    if (!page) throw new Error(`No page ${id}.`);
    const place = {
      path,
      parentId,
      depth: parent ? parent.depth + 1 : 0,
      trail: parent ? [...parent.trail, parent.id] : [],
    };
    const moved = await store.pages.move(id, place, { at: page.updatedAt, editorId: page.owner.id, msg: '' });
    await store.links.saveDerived(page, derivedOf(page.content, draftOf(page)), {
      titles: [],
      paths: moved.map(({ to }) => to),
    });
    return moved;
  });
}

/** Code of the problem that `work` throws, or any other error as text; `undefined` if it succeeds. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  return error instanceof Problem ? error.code : String(error);
}

function contentOf(draft: Draft, parent: string | null): Content {
  return {
    title: draft.title ?? '',
    slug: 'slug',
    path: draft.path ?? '',
    parent,
    description: null,
    type: draft.type ?? null,
    permissions: draft.permissions ?? 774,
    ...(draft.groupId === undefined ? {} : { group: { id: draft.groupId, name: '' } }),
    location: draft.location ?? null,
    body: draft.body ?? '',
    format: 'wikitext',
    // Rows that the real wiki derives from the links and tags of a body.
    data: { links: draft.links ?? [], tags: draft.tags ?? [] },
    image: null,
    msg: '',
  };
}

function draftOf(page: Page): Draft {
  const { title, body, type, location, permissions, data } = page.content;
  return {
    title,
    body,
    type,
    permissions,
    path: page.path,
    ownerId: page.owner.id,
    ...(page.group ? { groupId: page.group.id } : {}),
    location: location || null,
    links: data.links as string[],
    tags: data.tags as [string, string][],
  };
}

function placeOf(page: Page) {
  return { path: page.path, parentId: page.parentId, depth: page.depth, trail: page.trail };
}

function stateOf(content: Content, draft: Draft, parent: Page | undefined, wiki: Wiki) {
  return {
    path: content.path,
    slug: content.slug,
    title: content.title,
    description: '',
    type: content.type,
    location: content.location || null,
    parentId: parent?.id ?? null,
    depth: parent ? parent.depth + 1 : 0,
    trail: parent ? [...parent.trail, parent.id] : [],
    language: null,
    reviewBy: null,
    permissions: content.permissions,
    group: content.group ?? null,
    defaults: null,
    audience: audienceOf({ permissions: content.permissions, group: content.group ?? null }, wiki),
    followsPath: false,
    ownerId: draft.ownerId ?? 1,
  };
}

function derivedOf(content: Content, { links = [], templates = [], tags = [] }: Draft): Derived {
  const counted = new Map<string, number>();
  for (const target of links) counted.set(target, (counted.get(target) ?? 0) + 1);
  return {
    links: [
      ...[...counted].map(([target, count]) => ({ kind: 'page' as const, target, count })),
      ...templates.map((target) => ({ kind: 'template' as const, target, count: 1 })),
    ],
    tags: tags.map(([key, value]) => ({ key, value })),
    terms: termsOf(`${content.title}\n${content.body}`).join(' '),
    stems: { title: joinedStemsOf(content.title, 'en'), body: joinedStemsOf(content.body, 'en') },
  };
}
