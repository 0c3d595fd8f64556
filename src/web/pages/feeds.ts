/** Feeds, sitemaps and robots.txt, with what anonymous readers may see. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Problem } from '#core/model/problem.ts';
import type { Carry } from '#core/operations/carry-out.ts';
import { pageHistory, publicPageList, updateList, wholePageByPath } from '#core/pages/reading-operations.ts';
import { urlOf } from '#http/page-paths.ts';
import { say } from '#words/say.ts';
import { type FeedEntry, robotsTxt, sendFeed, sitemapIndex, urlSet } from '../feeds.ts';
import { carryForAnybody, reads } from '../operation-pages.ts';
import { pathOf } from '../page-address.ts';
import type { Site } from '../site.ts';

const entriesInFeed = 50;
/** sitemaps.org: at most 50,000 URLs in a file. */
const urlsInSitemap = 50_000;
/** Languages that a page names, and links of all pages together: a file has at most 50 MB. Pages name them in their heads, too. */
const languagesOfPage = 40;
const linksInSitemap = 250_000;

export function feedRoutes(server: FastifyInstance, site: Site): void {
  server.get('/atom', reads(updateList), async (_request, reply) => updatesFeed(site, reply));
  server.get('/atom/updates/*', reads(wholePageByPath, updateList), async (request, reply) =>
    updatesFeed(site, reply, pathOf(request)),
  );

  server.get('/atom/history/*', reads(pageHistory), async (request, reply) => {
    const { origin, now } = request.visit;
    const given = { path: pathOf(request), limit: entriesInFeed };
    const { page, changes } = await carryForAnybody(site)(pageHistory, given);
    const url = origin + urlOf('', page.path);
    const entries = changes.map(
      ({ id, at, editor, content }): FeedEntry => ({
        id: `${url}?version=${id}`,
        title: content.msg || say('feeds.changeOf', { title: content.title }),
        url: `${origin}${urlOf('/diff', page.path)}?to=${id}`,
        at,
        author: editor.name,
        summary: content.msg || say('feeds.changedWithoutAMessage'),
      }),
    );
    const self = origin + urlOf('/atom/history', page.path);
    const title = say('feeds.historyOf', { title: page.title });
    return sendFeed(reply, { id: self, title, self, url, entries, at: changes[0]?.at ?? now });
  });

  const sitemaps = rememberBriefly(
    () => sitemapStarts(carryForAnybody(site), urlsInSitemap),
    site.service.clock,
  );

  server.get('/sitemap.xml', reads(publicPageList), async (request, reply) => {
    const { origin } = request.visit;
    const starts = await sitemaps();
    const body =
      starts.length <= 1
        ? await sitemapAfter(site, origin, 0)
        : sitemapIndex(starts.map((start) => `${origin}/sitemaps/${start}.xml`));
    return sendForAnHour(reply, 'application/xml', body);
  });

  server.get<{ Params: { name: string } }>(
    '/sitemaps/:name',
    reads(publicPageList),
    async (request, reply) => {
      const start = /^(\d{1,15})\.xml$/.exec(request.params.name)?.[1];
      const known = await sitemaps();
      if (start === undefined || !known.includes(Number(start)))
        throw new Problem('not-found', say('feeds.thereIsNothingAtThisAddress'));
      const body = await sitemapAfter(site, request.visit.origin, Number(start));
      return sendForAnHour(reply, 'application/xml', body);
    },
  );

  server.get('/robots.txt', async (request, reply) =>
    sendForAnHour(reply, 'text/plain', robotsTxt(request.visit.origin, request.visit)),
  );
}

function sendForAnHour(reply: FastifyReply, type: string, body: string): FastifyReply {
  return reply.header('cache-control', 'public, max-age=3600').type(`${type}; charset=utf-8`).send(body);
}

async function updatesFeed(site: Site, reply: FastifyReply, below?: string): Promise<FastifyReply> {
  const carry = carryForAnybody(site);
  const { origin, now } = reply.request.visit;
  const above = below === undefined ? undefined : await carry(wholePageByPath, { path: below });
  const updates = await carry(updateList, { num: entriesInFeed, ...(above ? { below: above.path } : {}) });
  const entries = updates.map(
    ({ title, path, at, editor }): FeedEntry => ({
      id: `${origin}${urlOf('', path)}#${at}`,
      title,
      url: origin + urlOf('', path),
      at,
      author: editor.name,
      summary: say('feeds.nameChanged', { name: editor.name, title }),
    }),
  );
  const self = origin + (above ? urlOf('/atom/updates', above.path) : '/atom');
  const title = above
    ? say('feeds.changesBelow', { wiki: site.settings.name, title: above.title })
    : say('feeds.latestChanges', { wiki: site.settings.name });
  const url = above ? `${origin}/updates?below=${encodeURIComponent(above.path)}` : `${origin}/updates`;
  return sendFeed(reply, { id: self, title, self, url, entries, at: updates[0]?.at ?? now });
}

/** The ID after which each part of the sitemap begins: 0, and another one after every `urlsInEach` pages if more follow. */
export async function sitemapStarts(carry: Carry, urlsInEach: number): Promise<number[]> {
  const starts = [0];
  for (;;) {
    // One extra page tells whether another part begins.
    const pages = await carry(publicPageList, { after: starts.at(-1) ?? 0, limit: urlsInEach + 1 });
    const last = pages[urlsInEach - 1];
    if (pages.length <= urlsInEach || !last) return starts;
    starts.push(last.id);
  }
}

async function sitemapAfter(site: Site, origin: string, start: number): Promise<string> {
  const pages = await carryForAnybody(site)(publicPageList, { after: start, limit: urlsInSitemap });
  const languagesOf = languagesIn(pages);
  const urlTo = ({ path }: { path: string }) => origin + urlOf('', path);
  return urlSet(
    pages.map((page) => ({
      url: urlTo(page),
      updatedAt: page.updatedAt,
      inLanguages: languagesOf(page).map((one) => ({ language: one.language, url: urlTo(one) })),
    })),
  );
}

interface InSet {
  id: number;
  originalId: number | null;
  language: string;
}

/** The page and its translations among these pages, one for each language. Empty if there are none, or the page is not one of them. */
function languagesIn<P extends InSet>(pages: readonly P[]): (page: P) => P[] {
  const sets = Map.groupBy(
    pages.filter(({ originalId }) => originalId !== null),
    ({ originalId }) => originalId,
  );
  for (const page of pages) if (page.originalId === null) sets.get(page.id)?.unshift(page);
  const named = new Map(
    [...sets].map(([id, set]) => {
      const byLanguage = new Map<string, P>();
      for (const page of set) if (!byLanguage.has(page.language)) byLanguage.set(page.language, page);
      return [id, [...byLanguage.values()].slice(0, languagesOfPage)];
    }),
  );
  let left = linksInSitemap;
  return (page) => {
    const set = named.get(page.originalId ?? page.id) ?? [];
    if (set.length < 2 || !set.includes(page) || set.length > left) return [];
    left -= set.length;
    return set;
  };
}

/** Caches the result briefly, because crawlers must not be able to trigger a walk through all pages repeatedly. */
function rememberBriefly<T>(make: () => Promise<T>, clock: () => number): () => Promise<T> {
  let made: { value: Promise<T>; at: number } | undefined;
  return () => {
    if (made && Math.abs(clock() - made.at) < 10 * 60 * 1000) return made.value;
    made = { value: make(), at: clock() };
    made.value.catch(() => {
      made = undefined;
    });
    return made.value;
  };
}
