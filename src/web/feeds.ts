/** Atom (RFC 4287), sitemaps and robots.txt. Made with the rights of anonymous readers, so they contain no private pages. */

import type { FastifyReply } from 'fastify';
import type { Wiki } from '#core/model/permission.ts';
import type { Language } from '#html/html.ts';
import { textOf } from '#words/say.ts';
import { escapeXml, type Words } from './html.ts';

export interface FeedEntry {
  /** Unique and permanent. */
  id: string;
  title: Words;
  url: string;
  at: number;
  author: string;
  summary: Words;
}

export interface Feed {
  id: string;
  title: Words;
  self: string;
  url: string;
  entries: FeedEntry[];
  at: number;
}

export function sendFeed(reply: FastifyReply, feed: Feed, keeping = 'public, max-age=300'): FastifyReply {
  return reply
    .header('cache-control', keeping)
    .type('application/atom+xml; charset=utf-8')
    .header('vary', 'accept-language')
    .send(atomFeed(feed, reply.request.visit.language));
}

function atomFeed(feed: Feed, language: Language): string {
  const xml = (words: Words) => escapeXml(textOf(words, language));
  const entries = feed.entries.map(
    (entry) => `<entry>
<id>${escapeXml(entry.id)}</id>
<title>${xml(entry.title)}</title>
<link rel="alternate" type="text/html" href="${escapeXml(entry.url)}"/>
<updated>${new Date(entry.at).toISOString()}</updated>
<author><name>${escapeXml(entry.author)}</name></author>
<summary>${xml(entry.summary)}</summary>
</entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${escapeXml(feed.id)}</id>
<title>${xml(feed.title)}</title>
<link rel="self" type="application/atom+xml" href="${escapeXml(feed.self)}"/>
<link rel="alternate" type="text/html" href="${escapeXml(feed.url)}"/>
<updated>${new Date(feed.at).toISOString()}</updated>
${entries.join('\n')}
</feed>
`;
}

/** A page in a sitemap. `inLanguages`: it and its translations, if there are any. */
export interface SitemapPage {
  url: string;
  updatedAt: number;
  inLanguages?: readonly { language: string; url: string }[];
}

/** https://developers.google.com/search/docs/specialty/international/localized-versions#sitemap */
export function urlSet(pages: SitemapPage[]): string {
  const urls = pages.map(({ url, updatedAt, inLanguages = [] }) => {
    const links = inLanguages.map(
      ({ language, url }) =>
        `<xhtml:link rel="alternate" hreflang="${escapeXml(language)}" href="${escapeXml(url)}"/>`,
    );
    return `<url><loc>${escapeXml(url)}</loc><lastmod>${new Date(updatedAt).toISOString()}</lastmod>${links.join('')}</url>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${urls.join('\n')}
</urlset>
`;
}

export function sitemapIndex(urls: string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.map((url) => `<sitemap><loc>${escapeXml(url)}</loc></sitemap>`).join('\n')}
</sitemapindex>
`;
}

/** Excludes crawlers from histories, comparisons and forms, which are endless and add nothing, and from all of a private wiki. */
export function robotsTxt(origin: string, { isPrivate }: Wiki): string {
  if (isPrivate) return 'User-agent: *\nDisallow: /\n';
  const beneath = [
    'atom',
    'delete',
    'diff',
    'edit',
    'history',
    'invite',
    'like',
    'move',
    'preview',
    'setup',
    'trash',
    'v1',
    'watch',
  ].map((name) => `/${name}/`);
  // Rules match by prefix (RFC 9309 §2.2.2), so names need an end: a page may be called /newts.
  const alone = ['account', 'login', 'members', 'new', 'search'].flatMap((name) => [
    `/${name}$`,
    `/${name}?`,
  ]);
  return `User-agent: *\n${[...beneath, ...alone].map((path) => `Disallow: ${path}`).join('\n')}\nSitemap: ${origin}/sitemap.xml\n`;
}
