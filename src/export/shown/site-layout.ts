/** Layout of a static site's pages: the frame of the web application without anything that needs a server. */

import { encodePath } from '#core/model/path.ts';
import { type Html, type HtmlValue, html } from '#html/html.ts';
import type { ShownPage } from './plan.ts';

export interface SitePage {
  /** Relative path to the top of the site. */
  up: string;
  title: string;
  kind: string;
  main: Html;
  head?: HtmlValue;
  isSearch?: boolean;
}

export function siteDocument(wiki: { name: string; language: string }, page: SitePage): string {
  const { up, title, kind, main } = page;
  return html`<!doctype html>
<html lang="en" data-theme="system">
<head>
<meta charset="utf-8">
<title>${title === wiki.name ? title : `${title} · ${wiki.name}`}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${up}assets/style.css">
<meta name="coppice-kind" content="${kind}">
${page.head}
</head>
<body class="kind-${kind}">
<a class="skip" href="#main">Skip to the text</a>
<header class="site-header">
<a class="site-name" href="${up}index.html"><span>${wiki.name}</span></a>
<form class="site-search" action="${up}search/index.html" role="search">
<label class="unseen" for="site-search">Search</label>
<input id="site-search" type="search" name="q" placeholder="Search" autocomplete="off" spellcheck="false">
</form>
<nav class="site-nav" aria-label="Site"><a href="${up}tree/index.html">All pages</a></nav>
</header>
<div class="shell">
<main id="main" tabindex="-1">
${kind === 'plain' ? html`<div class="plain">${main}</div>` : main}
</main>
</div>
<footer class="site-footer"><nav aria-label="Whole wiki"><a href="${up}tree/index.html">All pages</a> <a href="${up}map/index.html">Map</a></nav></footer>
${page.isSearch && html`<script src="${up}assets/search.js"></script>`}
</body>
</html>
`.text;
}

/** Document at an old address that redirects without a server. */
export function redirectDocument(title: string, address: string): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="coppice-kind" content="plain">
<meta http-equiv="refresh" content="0; url=${address}">
<link rel="canonical" href="${address}">
</head>
<body><p>This page is at <a href="${address}">${title}</a>.</p></body>
</html>
`.text;
}

export function breadcrumb(page: ShownPage, up: string): Html {
  const lineage: ShownPage[] = [];
  for (let above = page.parent; above; above = above.parent) lineage.unshift(above);
  return html`<nav class="breadcrumb" aria-label="Breadcrumb"><ol>
<li><a href="${up}tree/index.html">All pages</a></li>
${lineage.map((one) => html`<li>${pageLink(one, up)}</li>`)}
</ol></nav>`;
}

export function pageLink(page: ShownPage, up: string): Html {
  return html`<a href="${up}${encodePath(page.folder)}/index.html" dir="auto">${page.title}</a>`;
}
