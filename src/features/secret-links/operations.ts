/**
 * Secret links: anyone who has the URL reads a page, and the pages beneath if the link says so, without an account. For those who may
 * change the access of the page.
 */

import { Type } from 'typebox';
import { renderBody } from '#core/content/cached-rendering.ts';
import { isoTime } from '#core/model/iso-time.ts';
import type { Page, PageName, WholePage } from '#core/model/page.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import {
  component,
  count,
  flag,
  idField,
  option,
  optionalText,
  text,
  time,
  timeOrNull,
} from '#core/operations/fields.ts';
import { converted, nothing, operation } from '#core/operations/operation.ts';
import { renderInputOf } from '#core/pages/page-view.ts';
import { refuseOutside } from '#core/pages/token-limit.ts';
import type { SecretLink } from '#core/ports/secret-link-store.ts';
import { mayChangeAccess } from '#core/reading/access-sentence.ts';
import { getReadable } from '#core/reading/find-page.ts';
import { digitsAudience, type LinkedWiki } from '#core/reading/secret-links.ts';
import { findPages } from '#core/search/search-pages.ts';
import { say } from '#words/say.ts';
import { checkEnd, maxLinks, maxListed, noLink } from './secret-links.ts';

const exampleEnd = '2027-01-01T00:00:00.000Z';

const listed = {
  id: idField('ID of the link, for revoking it.', 7),
  page: text('Path of the page that the link shows.', '/board/minutes'),
  beneath: flag('Whether the link also shows the pages beneath.', true),
  createdAt: time('When the link was made'),
  expiresAt: timeOrNull(
    'When the link ends, ISO 8601 in UTC. Null if it is valid until it is revoked.',
    exampleEnd,
  ),
  lastUsedAt: timeOrNull('When a page was last read by the link. Null if it was never used.', null),
  uses: count('Number of pages that were read by the link.', 12),
};

const Link = component('SecretLink', 'A secret link, without its URL.', {
  ...listed,
  madeBy: text('Name of the member who made the link.', 'Ann'),
});

const MadeLink = component('MadeSecretLink', 'A secret link that was just made.', {
  ...listed,
  url: text(
    'The URL, which is shown only once. Anyone who has it can read the page.',
    'https://wiki.example.org/by-link/pXc3n2gq0l6Zc8m4Jb1r7uKd5tQy9wEaHfVsLoNi2xM',
  ),
});

type Shown = Pick<SecretLink, 'id' | 'beneath' | 'createdAt' | 'expiresAt' | 'lastUsedAt' | 'uses'> & {
  page: Pick<PageName, 'path'>;
};

const linkJson = ({ id, page, beneath, createdAt, expiresAt, lastUsedAt, uses }: Shown) => ({
  id,
  page: page.path,
  beneath,
  uses,
  createdAt: isoTime(createdAt),
  expiresAt: isoTime(expiresAt),
  lastUsedAt: isoTime(lastUsedAt),
});

interface MadeLinkAnswer extends Shown {
  secret: string;
}

/** The API completes the URL by the address of the wiki. */
export const madeLink = {
  schema: MadeLink,
  toJson: ({ secret, ...link }: MadeLinkAnswer, { baseUrl }: { baseUrl: string }) => ({
    ...linkJson(link),
    url: `${baseUrl}/by-link/${secret}`,
  }),
};

export const createLink = operation({
  name: 'createLink',
  summary: 'Make a secret link to a page',
  description:
    'For the owner of the page and administrators. Anyone who has the URL can read the page without an account, also in a private wiki. The rest of the wiki stays hidden: links to other pages are plain text. With `beneath` the link also shows the pages beneath that everybody who may read the page may read. A link ends when it is revoked, at `expiresAt`, when the page is deleted or hidden from somebody who could read it before, and when its maker may no longer change the access of the page.',
  access: 'self',
  scope: 'write',
  subtree: 'within',
  writesPages: true,
  input: component('NewSecretLink', 'A secret link to be made.', {
    page: text('Path of the page.', '/board/minutes'),
    beneath: option('Whether the link also shows the pages beneath, also those that come there later.'),
    expiresAt: Type.Optional(
      timeOrNull('When the link ends, ISO 8601. Null if it is valid until it is revoked.', exampleEnd),
    ),
  }),
  output: converted(Link, ({ secret: _, ...link }: MadeLinkAnswer) => ({ ...linkJson(link), madeBy: '' })),
  answersSecret: true,
  problems: ['not-found', 'gone', 'not-permitted', 'blocked'],
  writes: 'itself',
  audit: ['secret-link-made'],
  ports: ['store', 'secrets'],
  run: ({ store, secrets }, { input, by, now }): Promise<MadeLinkAnswer> =>
    store.transact(async (store) => {
      const expiresAt = checkEnd(input.expiresAt, now);
      const seen = await getReadable(store.readAs(by), input.page);
      refuseOutside(by, seen);
      // Locked, so that the limit holds, and its audience is the present one.
      const page = await store.pages.lockByPath(seen.path, 'update');
      if (!page) throw new Problem('not-found', say('problem.thePageNoLongerExists'));
      if (!mayChangeAccess(by, page))
        throw new Problem('not-permitted', say('problem.onlyTheOwnerOfAPageAnd5'));
      await store.secretLinks.removeExpired(page.id, now);
      if ((await store.secretLinks.countOf(page.id)) >= maxLinks)
        throw invalid('/page', say('problem.aPageCanHaveLinksRevokeOne', { maxLinks }));
      const { secret, hash } = secrets.make();
      const link = await store.secretLinks.insert({
        pageId: page.id,
        beneath: input.beneath ?? false,
        madeBy: by.memberId,
        expiresAt,
        audience: digitsAudience(page),
        createdAt: now,
        secretHash: hash,
      });
      await store.audit.record({ kind: 'secret-link-made', ...noted(page, link) });
      return { ...link, page, secret };
    }),
});

export const listLinks = operation({
  name: 'listLinks',
  summary: 'List secret links',
  description:
    'Links of the pages that the caller owns, and for administrators of all pages, newest first and without their URLs; at most 1,000. With `page` only those of that page. Links that have ended are listed until they are revoked or another one is made for their page.',
  access: 'self',
  scope: 'read',
  subtree: 'refused',
  input: Type.Object({ page: Type.Optional(text('Path of a page.', '/board/minutes')) }),
  output: converted(
    Type.Array(Link, { description: 'The links.' }),
    ({ links }: { links: (Shown & { maker: string })[]; page: Page | null }) =>
      links.map((link) => ({ ...linkJson(link), madeBy: link.maker })),
  ),
  problems: ['not-found', 'gone', 'not-permitted'],
  ports: ['store', 'secretLinks'],
  async run({ store, secretLinks }, { input, by }) {
    const page = input.page === undefined ? null : await getReadable(store.readAs(by), input.page);
    if (page && !mayChangeAccess(by, page))
      throw new Problem('not-permitted', say('problem.onlyTheOwnerOfAPageAnd6'));
    await secretLinks.storeUses();
    const of = page ? { pageId: page.id } : by.isAdmin ? 'all' : { ownerId: by.memberId };
    return { links: await store.secretLinks.list(of, maxListed), page };
  },
});

export const revokeLink = operation({
  name: 'revokeLink',
  summary: 'Revoke a secret link',
  description: 'The link ends at once.',
  access: 'self',
  scope: 'write',
  subtree: 'within',
  input: Type.Object({ id: idField('ID of the link.', 7) }),
  output: nothing('The link has been revoked.'),
  problems: ['not-found'],
  writes: true,
  audit: ['secret-link-revoked'],
  ports: ['store'],
  async run({ store }, { input: { id }, by, record }) {
    const link = await store.secretLinks.findById(id);
    const page = link && (await store.readAs(by).pages.findById(link.pageId));
    if (!page || !mayChangeAccess(by, page) || !(await store.secretLinks.remove(id))) throw noLink();
    await record({ kind: 'secret-link-revoked', ...noted(page, link) });
  },
});

/** Pages beneath that are listed. */
const maxBeneath = 500;
/** Pages with a text that are looked at; those that the link does not show are left out. */
const maxFound = 200;

/** The link's pages that a text finds. Spelling is not corrected, as the words of hidden pages would be offered. */
async function findLinked({ maker, page, isShown, shown }: LinkedWiki, words: string): Promise<PageName[]> {
  const search = { text: words, ancestor: page.path, order: 'relevance', limit: maxFound, offset: 0 };
  const { ids } = await findPages(maker, { ...search, isStrict: true });
  const rows = new Map((await maker.pages.states(ids)).map((row) => [row.id, row]));
  const found = ids.flatMap((id) => rows.get(id) ?? []).filter(isShown);
  for (const { id, path } of found) shown.set(path, id);
  return found;
}

export interface LinkedPage {
  page: WholePage;
  /** Language of texts that have none of their own. */
  wikiLanguage: string;
  /** The page of the link. */
  topId: number;
  markup: string;
  displayTitle: string | undefined;
  /** The page above, if the link shows it. */
  above: PageName | undefined;
  beneath: PageName[];
  /** Pages of the link that a text finds, best first; undefined without a text, or if the link shows one page only. */
  found: PageName[] | undefined;
  /** Whether the link shows pages beneath, among which a text is searched. */
  hasSearch: boolean;
  /** IDs of the pages that the link shows, by path. */
  shown: ReadonlyMap<string, number>;
}

export const readLinked = operation({
  name: 'readLinked',
  summary: 'Read a page by a secret link',
  description: 'For anyone who has the link. Without an ID, the page of the link; otherwise a page beneath.',
  access: 'anyone',
  scope: 'read',
  subtree: 'refused',
  input: Type.Object({
    secret: text('Secret of the link.', 'pXc3n2gq0l6Zc8m4Jb1r7uKd5tQy9wEaHfVsLoNi2xM'),
    id: Type.Optional(idField('ID of a page beneath.', 12)),
    text: optionalText('Words to look for in the pages beneath the page of the link.', 'roses'),
  }),
  output: Type.Unsafe<LinkedPage>({ title: 'LinkedPage' }),
  problems: ['not-found'],
  ports: ['secretLinks', 'renderer'],
  async run({ secretLinks, renderer }, { input: { secret, id, text = '' }, now }) {
    const linked = await secretLinks.open(secret, now);
    const { link, page: top, reader, isShown, shown } = linked;
    const [page] = await reader.pages.load([id ?? top.id], 'none');
    if (!page || !isShown(page)) throw new Problem('not-found', say('problem.theLinkDoesNotShowThisPage'));
    const { page: own, ...input } = renderInputOf(page);
    const parent =
      page.parentId !== null && page.id !== top.id ? await reader.pages.findById(page.parentId) : undefined;
    const above = parent && isShown(parent) ? parent : undefined;
    const { parent: _, ...facts } = own;
    const rendered = await renderBody(
      reader,
      renderer,
      {
        ...input,
        page: above ? { ...facts, parent: { title: above.title, path: above.path } } : facts,
        cacheKey: `link ${link.id} ${page.id} ${page.changeId}`,
      },
      now,
    );
    const { pages: beneath } = link.beneath
      ? await reader.lists.children(page.id, { limit: maxBeneath, offset: 0 })
      : { pages: [] };
    const found = link.beneath && text !== '' ? await findLinked(linked, text) : undefined;
    await secretLinks.countUse(link, now);
    return {
      hasSearch: link.beneath,
      found,
      page,
      wikiLanguage: reader.dialect.language,
      markup: rendered.html,
      displayTitle: rendered.displayTitle,
      above,
      topId: top.id,
      beneath,
      shown: new Map([...shown, [top.path, top.id], ...(above ? [[above.path, above.id] as const] : [])]),
    };
  },
});

function noted({ id, path: name }: Pick<Page, 'id' | 'path'>, { id: linkId, beneath }: SecretLink) {
  return {
    subject: { kind: 'page', id, name } as const,
    note: `${linkId}${beneath ? ', with the pages beneath' : ''}`,
  };
}
