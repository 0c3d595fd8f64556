/** Watches: members are notified of changes of a page, a subtree, pages with a tag, or pages that a search finds. */

import { type CriteriaInput, readCriteria } from '../model/criteria.ts';
import type { PageName } from '../model/page.ts';
import { readPath } from '../model/path.ts';
import { invalid, notSignedIn, Problem } from '../model/problem.ts';
import type { Secrets } from '../ports/credentials.ts';
import type { Range } from '../ports/list-reads.ts';
import type { Reader } from '../ports/reader.ts';
import type { Store } from '../ports/store.ts';
import type { MailFrequency, Watch, WatchTarget } from '../ports/watch-store.ts';
import { findReadable } from '../reading/find-page.ts';
import { lookupsOf } from '../search/search-pages.ts';
import { beginAtEnd } from './notify-watchers.ts';

/** Exactly one of the four fields must be given. */
export interface WatchInput {
  /** Path of a page. */
  page?: string | undefined;
  /** Path of a page whose subtree is watched; `/` for the whole wiki. */
  ancestor?: string | undefined;
  /** `key:value`, or only a name or value. */
  tag?: string | undefined;
  /** Query of a search: `text=oak&type=Place`. */
  search?: string | undefined;
}

/** A watch as its member sees it. */
export interface ListedWatch extends Watch {
  /** Watched page, if the member may read it now. Null also for other kinds and for the whole wiki. */
  page: PageName | null;
}

const maxWatches = 1000;
/** Searches are limited, because each one runs for every batch of events. */
const maxSearches = 20;
const maxTargetLength = 1000;
const kinds = ['page', 'ancestor', 'tag', 'search'] as const;

/**
 * Creates a watch, or changes the mail of an existing one. Refuses `unauthenticated`, `invalid`, and `not-found` if the page is
 * not readable.
 */
export async function watch(
  store: Store,
  secrets: Secrets,
  reader: Reader,
  input: WatchInput & { mail: MailFrequency },
  now: number,
): Promise<ListedWatch> {
  const { actor } = reader;
  if (!actor) throw notSignedIn();
  const { target, page } = await readTarget(reader, input);
  // Matching of events starts with the first watch of the wiki.
  if (!(await store.watches.isUsed())) await beginAtEnd(store);
  const saved = await store.transact(async (store) => {
    // Locks the member, so that the count is still right when the watch is written.
    await store.members.lock(actor.memberId);
    const known = await store.watches.find(actor.memberId, target.kind, targetText(target));
    const count = await store.watches.countOf(actor.memberId);
    if (!known && count.all >= maxWatches)
      throw invalid('', `You can watch ${maxWatches} things: end a watch that you do not need any more.`);
    if (!known && target.kind === 'search' && count.searches >= maxSearches)
      throw invalid(
        '/search',
        `You can watch ${maxSearches} searches: end one that you do not need any more.`,
      );
    return store.watches.save(actor.memberId, target, input.mail, now, secrets.make().secret);
  });
  return { ...saved, page };
}

/** Newest first. Refuses `unauthenticated`. */
export async function listWatches(
  store: Store,
  reader: Reader,
  range: Range,
): Promise<{ watches: ListedWatch[]; total: number }> {
  if (!reader.actor) throw notSignedIn();
  const { watches, total } = await store.watches.listOf(reader.actor.memberId, range);
  return { watches: await withPages(reader, watches), total };
}

/** Ends a watch. Refuses `unauthenticated`, and `not-found` if the actor has no such watch. */
export async function unwatch(store: Store, { actor }: Reader, id: number): Promise<void> {
  if (!actor) throw notSignedIn();
  if (!(await store.transact((store) => store.watches.remove(actor.memberId, id))))
    throw new Problem('not-found', 'You have no such watch: it may have ended already.');
}

/** The actor's own watches of this page and of its subtree. */
export async function watchesOfPage(
  store: Store,
  { actor }: Reader,
  pageId: number,
): Promise<{ page: Watch | undefined; subtree: Watch | undefined }> {
  if (!actor) return { page: undefined, subtree: undefined };
  const find = (kind: Watch['kind']) => store.watches.find(actor.memberId, kind, String(pageId));
  const [page, subtree] = await Promise.all([find('page'), find('subtree')]);
  return { page, subtree };
}

async function withPages(reader: Reader, watches: Watch[]): Promise<ListedWatch[]> {
  const ids = watches.flatMap(({ kind, target }) =>
    (kind === 'page' || kind === 'subtree') && target !== '0' ? Number(target) : [],
  );
  const pages = ids.length === 0 ? [] : await reader.pages.outlines([...new Set(ids)]);
  const byId = new Map(pages.map(({ id, title, path }) => [String(id), { id, title, path }]));
  return watches.map((watch) => {
    const isPage = watch.kind === 'page' || watch.kind === 'subtree';
    return { ...watch, page: (isPage && byId.get(watch.target)) || null };
  });
}

function targetText(target: WatchTarget): string {
  switch (target.kind) {
    case 'page':
    case 'subtree':
      return String(target.pageId);
    case 'tag':
      return target.key === undefined ? target.value : `${target.key}:${target.value}`;
    case 'search':
      return target.query;
  }
}

async function readTarget(
  reader: Reader,
  input: WatchInput,
): Promise<{ target: WatchTarget; page: PageName | null }> {
  const given = kinds.filter((kind) => input[kind] !== undefined);
  const [kind] = given;
  if (kind === undefined || given.length > 1)
    throw invalid('', 'Name one thing to watch: page, ancestor, tag or search.');
  const text = (input[kind] ?? '').normalize('NFC').trim();
  if (text === '') throw invalid(`/${kind}`, 'This is empty.');
  if (text.length > maxTargetLength || !text.isWellFormed() || text.includes('\0'))
    throw invalid(
      `/${kind}`,
      `This is longer than ${maxTargetLength} characters, or holds characters that no text has.`,
    );
  if (kind === 'tag') return { target: readTag(text), page: null };
  if (kind === 'search') return { target: await readSearch(reader, text), page: null };
  if (kind === 'ancestor' && text === '/') return { target: { kind: 'subtree', pageId: 0 }, page: null };
  const read = readPath(text);
  if ('problem' in read) throw invalid(`/${kind}`, read.problem);
  const page = await findReadable(reader, read.path);
  if (!page) throw invalid(`/${kind}`, `No page exists at ${read.path}.`, 'not-found');
  const { id, title, path } = page;
  return { target: { kind: kind === 'page' ? 'page' : 'subtree', pageId: id }, page: { id, title, path } };
}

function readTag(text: string): WatchTarget {
  const colon = text.indexOf(':');
  const key = text.slice(0, Math.max(colon, 0)).trim().toLowerCase();
  const value = text.slice(colon + 1).trim();
  if (value === '') throw invalid('/tag', 'A tag is key:value, or a name or value alone.');
  return key === '' ? { kind: 'tag', value } : { kind: 'tag', key, value };
}

/** Parameters of a search that select pages, without those that order or limit the list. */
const searchParameters = ['path', 'title', 'type', 'tag', 'text', 'ancestor', 'logic'];

async function readSearch(reader: Reader, text: string): Promise<WatchTarget> {
  const query = new URLSearchParams(text.replace(/^\?/, ''));
  const chosen = new URLSearchParams(
    [...query].filter(([name, value]) => searchParameters.includes(name) && value !== ''),
  );
  chosen.sort();
  const one = (name: string) => chosen.get(name) ?? undefined;
  const input: CriteriaInput = {
    path: one('path'),
    title: one('title'),
    type: one('type'),
    tags: chosen.getAll('tag'),
    text: one('text'),
    ancestor: one('ancestor'),
    logic: one('logic'),
  };
  const criteria = await readCriteria(input, lookupsOf(reader));
  if (!criteria)
    throw invalid(
      '/search',
      'This search finds nothing: give the query of one, such as text=oak&type=Place, beneath a page that you may read.',
    );
  return { kind: 'search', query: chosen.toString(), criteria };
}
