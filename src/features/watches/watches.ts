/** Rules of watches: a page, a subtree, pages with a tag, or pages that a search finds. Their port is in `core/ports/watch-store.ts`. */

import { type CriteriaInput, readCriteria } from '#core/model/criteria.ts';
import type { PageName } from '#core/model/page.ts';
import { readPath } from '#core/model/path.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import type { Reader } from '#core/ports/reader.ts';
import {
  type MailFrequency,
  mailFrequencies,
  type Watch,
  type WatchStore,
  type WatchTarget,
} from '#core/ports/watch-store.ts';
import { findReadable } from '#core/reading/find-page.ts';
import { lookupsOf } from '#core/search/search-pages.ts';
import { say } from '#words/say.ts';

/** Exactly one of the fields must be given. */
export interface WatchInput {
  /** Path of a page. */
  page?: string | undefined;
  /** Path of a page whose subtree is watched; `/` for the whole wiki. */
  ancestor?: string | undefined;
  /** `key:value`, or only a name or value. */
  tag?: string | undefined;
  /** Query of a search: `text=oak&type=Place`. */
  search?: string | undefined;
  /** `mentions` or `threads`. */
  comments?: string | undefined;
  /** `mine`. */
  proposals?: string | undefined;
  reviews?: string | undefined;
}

const maxWatches = 1000;
/** Searches are limited, because each one runs for every batch of events. */
const maxSearches = 20;
const maxTargetLength = 1000;
const kinds = ['page', 'ancestor', 'tag', 'search', 'comments', 'proposals', 'reviews'] as const;

/** Refuses `invalid` if the member has as many watches, or watches of searches, as they may have. */
export async function refuseBeyondLimit(
  watches: WatchStore,
  memberId: number,
  kind: Watch['kind'],
): Promise<void> {
  const count = await watches.countOf(memberId);
  if (count.all >= maxWatches) throw invalid('', say('problem.youCanWatchThingsEndAWatch', { maxWatches }));
  if (kind === 'search' && count.searches >= maxSearches)
    throw invalid('/search', say('problem.youCanWatchSearchesEndOneThat', { maxSearches }));
}

/** The member's own watches of this page and of its subtree. */
export async function watchesOfPage(
  watches: WatchStore,
  memberId: number,
  pageId: number,
): Promise<{ page: Watch | undefined; subtree: Watch | undefined }> {
  const find = (kind: Watch['kind']) => watches.find(memberId, kind, String(pageId));
  const [page, subtree] = await Promise.all([find('page'), find('subtree')]);
  return { page, subtree };
}

/** Mail that an unsubscribe link ends: that of one watch, or all mail of one frequency. */
export interface Subscription {
  memberId: number;
  of: number | MailFrequency;
}

/** Refuses `not-found` if no mail has this link. */
export async function getSubscription(watches: WatchStore, key: string, of: string): Promise<Subscription> {
  const member = key.length > 100 ? undefined : await watches.findByUnsubscribeKey(key);
  const frequency = mailFrequencies.find((one) => one === of && one !== 'off');
  const watchId = /^\d{1,15}$/.test(of) ? Number(of) : undefined;
  if (!member || (frequency ?? watchId) === undefined)
    throw new Problem('not-found', say('problem.thisLinkDoesNotBelongToAny'));
  return { memberId: member.id, of: frequency ?? watchId ?? 0 };
}

export function watchNotFound(): Problem {
  return new Problem('not-found', say('problem.youHaveNoSuchWatchItMay'));
}

export function targetText(target: WatchTarget): string {
  switch (target.kind) {
    case 'page':
    case 'subtree':
      return String(target.pageId);
    case 'tag':
      return target.key === undefined ? target.value : `${target.key}:${target.value}`;
    case 'search':
      return target.query;
    case 'mentions':
    case 'threads':
    case 'proposals':
    case 'reviews':
      return '';
  }
}

/** Refuses `invalid`, and `not-found` for a page that is not readable. */
export async function readTarget(
  reader: Reader,
  input: WatchInput,
): Promise<{ target: WatchTarget; page: PageName | null }> {
  const given = kinds.filter((kind) => input[kind] !== undefined);
  const [kind] = given;
  if (kind === undefined || given.length > 1)
    throw invalid('', say('problem.nameOneThingToWatchPageAncestor'));
  const text = (input[kind] ?? '').normalize('NFC').trim();
  if (text === '') throw invalid(`/${kind}`, say('problem.thisFieldIsEmpty'));
  if (text.length > maxTargetLength || !text.isWellFormed() || text.includes('\0'))
    throw invalid(`/${kind}`, say('problem.thisIsLongerThanCharactersOrContains', { maxTargetLength }));
  if (kind === 'comments') {
    if (text === 'mentions' || text === 'threads') return { target: { kind: text }, page: null };
    throw invalid('/comments', say('problem.writeMentionsOrThreads'));
  }
  if (kind === 'proposals' || kind === 'reviews') {
    if (text === 'mine') return { target: { kind }, page: null };
    throw invalid(`/${kind}`, say('problem.writeMine'));
  }
  if (kind === 'tag') return { target: readTag(text), page: null };
  if (kind === 'search') return { target: await readSearch(reader, text), page: null };
  if (kind === 'ancestor' && text === '/') return { target: { kind: 'subtree', pageId: 0 }, page: null };
  const read = readPath(text);
  if ('problem' in read) throw invalid(`/${kind}`, read.problem);
  const page = await findReadable(reader, read.path);
  if (!page) throw invalid(`/${kind}`, say('problem.noPageExistsAt2', { path: read.path }), 'not-found');
  const { id, title, path } = page;
  return { target: { kind: kind === 'page' ? 'page' : 'subtree', pageId: id }, page: { id, title, path } };
}

function readTag(text: string): WatchTarget {
  const colon = text.indexOf(':');
  const key = text.slice(0, Math.max(colon, 0)).trim().toLowerCase();
  const value = text.slice(colon + 1).trim();
  if (value === '') throw invalid('/tag', say('problem.writeATagAsKeyValueOr'));
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
  if (!criteria) throw invalid('/search', say('problem.thisSearchFindsNothingGiveTheQuery'));
  return { kind: 'search', query: chosen.toString(), criteria };
}
