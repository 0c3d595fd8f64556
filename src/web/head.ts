/** Metadata of public pages for search engines, social media and bots. */

import type { WholePage } from '#core/model/page.ts';
import { isPublicPage } from '#core/model/permission.ts';
import { fileUrl } from '#core/ports/file-store.ts';
import { urlOf } from '#http/page-paths.ts';
import { say } from '#words/say.ts';
import { type Html, html, jsonBlock } from './html.ts';
import type { Site, Visit } from './site.ts';

export function pageHead(site: Site, visit: Visit, page: WholePage): Html {
  if (!isPublicPage(page, visit)) return html``;
  const url = visit.origin + urlOf('', page.path);
  const image = imageOf(page);
  const imageUrl = image && new URL(image, visit.origin).href;
  return html`<link rel="canonical" href="${url}">
<meta name="description" content="${page.description}">
<meta property="og:type" content="article">
<meta property="og:site_name" content="${site.settings.name}">
<meta property="og:title" content="${page.title}">
<meta property="og:description" content="${page.description}">
<meta property="og:url" content="${url}">
${imageUrl && html`<meta property="og:image" content="${imageUrl}">`}
${publishedAt(page) && html`<meta property="article:published_time" content="${publishedAt(page)}">`}
<meta property="article:modified_time" content="${new Date(page.updatedAt).toISOString()}">
<meta name="twitter:card" content="${imageUrl ? 'summary_large_image' : 'summary'}">
<link rel="alternate" type="text/markdown" title="Markdown" href="${urlOf('', page.path)}?format=md">
<link rel="alternate" type="application/atom+xml" title="${say('history.historyOfThisPage')}" href="${urlOf('/atom/history', page.path)}">
<link rel="alternate" type="application/atom+xml" title="${say('feeds.changesBelowThisOne')}" href="${urlOf('/atom/updates', page.path)}">
${jsonBlock('application/ld+json', linkedData({ site, visit }, page, url, imageUrl))}`;
}

/** The page's own picture, or its first picture file. Only URLs of this site and https are used. */
function imageOf(page: WholePage): string | undefined {
  const { image } = page.content;
  if (image !== null) {
    const named = page.files.find((file) => file.filename === image);
    if (named) return fileUrl(named.name);
    const isAddress =
      /^(https:\/\/[^\s]+|\/(?![/\\])\S*)$/.test(image) && URL.canParse(image, 'https://here.invalid');
    if (isAddress) return image;
  }
  const file = page.files.find(({ width }) => width !== null);
  return file && fileUrl(file.name);
}

/** Undefined if the date belongs to a hidden part of the history. */
function publishedAt({ createdAt, historyFrom }: WholePage): string | undefined {
  return historyFrom > 0 ? undefined : new Date(createdAt).toISOString();
}

/** schema.org data: an Article, or a Place with coordinates. */
function linkedData(
  { site, visit }: { site: Site; visit: Visit },
  page: WholePage,
  url: string,
  image: string | undefined,
): unknown {
  const common = {
    '@context': 'https://schema.org',
    name: page.title,
    description: page.description,
    url,
    image,
    license: site.look().settings.licence?.url,
  };
  if (page.location) {
    const { lat, lon } = page.location;
    return { ...common, '@type': 'Place', geo: { '@type': 'GeoCoordinates', latitude: lat, longitude: lon } };
  }
  return {
    ...common,
    '@type': 'Article',
    headline: page.title,
    datePublished: publishedAt(page),
    dateModified: new Date(page.updatedAt).toISOString(),
    author: { '@type': 'Person', name: page.owner.name },
    publisher: { '@type': 'Organization', name: site.settings.name, url: `${visit.origin}/` },
    keywords: Object.values(page.tags).flat(),
  };
}
