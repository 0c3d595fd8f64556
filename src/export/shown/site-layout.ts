/** Layout of a static site's pages: the frame of the web application without anything that needs a server. */

import { encodePath } from '#core/model/path.ts';
import { type Html, type HtmlValue, html, type Words } from '#html/html.ts';
import { siteLanguage, siteLanguageOf } from '#words/languages.ts';
import { say } from '#words/say.ts';
import type { ShownPage } from './plan.ts';
import { type SiteFrame, siteLogo } from './site-frame.ts';

interface SitePage {
  /** Relative path to the top of the site. */
  up: string;
  title: Words;
  kind: string;
  main: Html;
  head?: HtmlValue;
  isSearch?: boolean;
}

export function siteDocument(wiki: SiteFrame, page: SitePage): string {
  const { up, title, kind, main } = page;
  const { licence } = wiki;
  const icon = wiki.pictures.get('icon');
  const menu = wiki.menu(up);
  const language = siteLanguageOf(wiki.language);
  return html`<!doctype html>
<html lang="${language}" dir="${siteLanguage(language).direction}" data-theme="system">
<head>
<meta charset="utf-8">
<title>${title === wiki.name ? title : html`${title} · ${wiki.name}`}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${up}assets/style.css">
${icon && html`<link rel="icon" href="${up}${icon.path}">`}
<meta name="coppice-kind" content="${kind}">
${page.head}
</head>
<body class="kind-${kind}">
<a class="skip" href="#main">${say('layout.skipToTheText')}</a>
<header class="site-header">
<a class="site-name" href="${up}index.html">${siteLogo(wiki, up)}<span>${wiki.name}</span></a>
<form class="site-search" action="${up}search/index.html" role="search">
<label class="unseen" for="site-search">${say('search.search')}</label>
<input id="site-search" type="search" name="q" placeholder="${say('search.search')}" autocomplete="off" spellcheck="false">
</form>
<nav class="site-nav" aria-label="${say('layout.site')}"><a href="${up}tree/index.html">${say('common.allPages')}</a></nav>
${menu.length > 0 && html`<nav class="site-menu" aria-label="${say('layout.menu')}">${menu}</nav>`}
</header>
<div class="shell">
<main id="main" tabindex="-1">
${kind === 'plain' ? html`<div class="plain">${main}</div>` : main}
</main>
</div>
<footer class="site-footer"><nav aria-label="${say('exported.wholeWiki')}"><a href="${up}tree/index.html">${say(
    'common.allPages',
  )}</a> <a href="${up}map/index.html">${say('layout.map')}</a> ${wiki.footer(up)}</nav>
${licence && html`<p class="site-licence">${say('layout.contentsName', { name: licence })}</p>`}</footer>
${page.isSearch && html`<script src="${up}assets/search.js"></script>`}
</body>
</html>
`.in(language);
}

/** Document at an old address that redirects without a server. */
export function redirectDocument(title: string, address: string, wikiLanguage: string): string {
  const language = siteLanguageOf(wikiLanguage);
  return html`<!doctype html>
<html lang="${language}" dir="${siteLanguage(language).direction}">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="coppice-kind" content="plain">
<meta http-equiv="refresh" content="0; url=${address}">
<link rel="canonical" href="${address}">
</head>
<body><p>${say('exported.movedTo', { address: html`<a href="${address}" dir="auto">${title}</a>` })}</p></body>
</html>
`.in(language);
}

export function breadcrumb(page: ShownPage, up: string): Html {
  const lineage: ShownPage[] = [];
  for (let above = page.parent; above; above = above.parent) lineage.unshift(above);
  return html`<nav class="breadcrumb" aria-label="${say('components.breadcrumb')}"><ol>
<li><a href="${up}tree/index.html">${say('common.allPages')}</a></li>
${lineage.map((one) => html`<li>${pageLink(one, up)}</li>`)}
</ol></nav>`;
}

export function pageLink(page: ShownPage, up: string): Html {
  return html`<a href="${up}${encodePath(page.folder)}/index.html" dir="auto">${page.title}</a>`;
}
