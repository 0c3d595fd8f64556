/** The layout of every page: head, header, tree, footer; and sending the finished page. */
import type { FastifyReply } from 'fastify';
import { mayCreate } from '#core/model/may-write.ts';
import { announcementAt, type Settings, type SiteLink } from '#core/model/settings.ts';
import type { WriteFailure } from '#core/ports/store.ts';
import { maxUnread } from '#core/ports/watch-store.ts';
import type { Language } from '#html/html.ts';
import { cacheControlOf, isAnonymous } from '#http/headers.ts';
import { siteLanguage, siteLanguages } from '#words/languages.ts';
import { say } from '#words/say.ts';
import { momentOf } from './format.ts';
import { type Html, type HtmlValue, html, madeOnce, type Words } from './html.ts';
import { prefetchRulesUrl } from './pages/prefetch-rules.ts';
import { wordsOfEditor, wordsOfSite } from './script-words.ts';
import type { Site, Theme, Visit } from './site.ts';
import { keepingProposal, proposalBar } from './with-proposal.ts';

export interface PageLayout {
  /** Title without the wiki's name. */
  title: Words;
  /** Kind of page, as a class for style sheet and scripts. */
  kind: string;
  main: Html;
  /** Metadata, feeds and data blocks. */
  head?: HtmlValue;
  /** The tree: beside the page on wide screens, behind a button on narrow ones. */
  tree?: Html;
  /** A jump to the page's contents on narrow screens. */
  contents?: Html;
  /** Names of scripts for this kind of page; each is loaded if it exists. */
  scripts?: string[];
  /** Whether search engines may index this page. */
  isListed?: boolean;
  /** Whether a script of this page creates style sheets, as the editor does. */
  makesStyles?: boolean;
  /** Whether it is for holders of a secret address: nothing of the rest of the wiki is shown, and nobody else learns of it. */
  isSecret?: boolean;
  /** Defaults to 200. */
  status?: number;
}

export function sendLayout(site: Site, reply: FastifyReply, layout: PageLayout): FastifyReply {
  const { visit, reader } = reply.request;
  const { status = 200 } = layout;
  const { until } = announcementAt(site.look().settings, visit.now) ?? {};
  if (until && reader) {
    const { sharedForSeconds = Number.POSITIVE_INFINITY } = reply.request.routeOptions.config;
    const usual = reader.trace.maxAgeMs ?? sharedForSeconds * 1000;
    reader.trace.expireIn(Math.min(usual, Date.parse(until) - visit.now));
  }
  // RFC 9110 §10.1.3: otherwise other sites would learn the address from links.
  if (layout.isSecret) reply.headers({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' });
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', policyOf(site, visit, layout))
    .header('cache-control', layout.isSecret ? 'private, no-store' : keepingOf(visit, reply, status))
    .headers(layout.isSecret ? {} : { 'speculation-rules': `"${prefetchRulesUrl}"` })
    .header(
      'vary',
      reply.request.routeOptions.config.isNegotiated
        ? 'accept, accept-language, cookie'
        : 'accept-language, cookie',
    )
    .send(documentOf(site, visit, layout).in(visit.language));
}

/**
 * Cache headers: pages that look the same to everybody are cached like API responses; pages for a member are not. `no-store`
 * also makes browsers drop a member's page from the back/forward cache when the session cookie changes.
 */
export function keepingOf({ actor, isPrivate }: Visit, { request }: FastifyReply, status: number): string {
  if (actor) return 'private, no-store';
  if (isPrivate) return 'private, no-cache';
  const isEverybodys = request.routeOptions.config.isShared && isAnonymous(request.headers);
  return isEverybodys && status === 200 ? cacheControlOf(request.headers) : 'private, no-cache';
}

/** Content security policy: only our own scripts, and nothing external except map tiles if configured. */
function policyOf({ settings }: Site, visit: Visit, { makesStyles }: PageLayout): string {
  const tiles =
    settings.tiles && !settings.tiles.startsWith('/')
      ? ` ${new URL(settings.tiles.replace(/[{}]/g, '')).origin}`
      : '';
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${makesStyles ? ` 'nonce-${visit.nonce}'` : ''}`,
    // Wikitext may contain style attributes, sanitised by the renderer, but no style elements.
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' data: blob:${tiles}`,
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "media-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function documentOf(site: Site, visit: Visit, layout: PageLayout): Html {
  const { settings, assets } = site;
  if (layout.isSecret) return secretDocument(site, visit, layout);
  const named = ['site', ...(layout.scripts ?? [])];
  const words = [wordsOfSite(visit.language), named.includes('editor') && wordsOfEditor(visit.language)];
  const scripts = [...words.filter((name) => name !== false), ...named.map((name) => `${name}.js`)].filter(
    (name) => assets.has(name),
  );
  // Otherwise the browser learns of the many parts of the editor once it has read the first.
  const needed = new Set(named.includes('editor') ? scripts.flatMap((name) => assets.neededBy(name)) : []);
  // Styles for elements that a script fills are loaded before it runs, to avoid layout shifts.
  const styles = (layout.scripts ?? []).map((name) => `${name}.css`).filter((name) => assets.has(name));
  const look = site.look();
  // The way back from a style sheet that makes the site unusable.
  const ownStyles = isSafe(visit) ? [] : [...look.styles.keys()];
  const title = layout.title === settings.name ? layout.title : html`${layout.title} · ${settings.name}`;
  return html`<!doctype html>
<html lang="${visit.language}" dir="${siteLanguage(visit.language).direction}" data-theme="${visit.theme}">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${visit.theme === 'system' ? 'light dark' : visit.theme}">
${(!layout.isListed || visit.proposal) && html`<meta name="robots" content="noindex">`}
${look.settings.font === 'serif' && html`<link rel="preload" as="font" type="font/woff2" crossorigin href="${assets.url('source-serif-4-latin-wght-normal.woff2')}">`}
<link rel="stylesheet" href="${assets.url('style.css')}">
${styles.map((name) => html`<link rel="stylesheet" href="${assets.url(name)}">`)}
${ownStyles.map((name) => html`<link rel="stylesheet" href="${look.url(name)}">`)}
${iconLink(site)}
<link rel="search" type="application/opensearchdescription+xml" title="${settings.name}" href="/search/description.xml">
<link rel="alternate" type="application/atom+xml" title="${say('layout.nameLatestChanges', { name: settings.name })}" href="/atom">
${layout.head}
${scripts.map((name) => html`<script type="module" src="${assets.url(name)}"></script>`)}
${[...needed].map((name) => html`<link rel="modulepreload" href="${assets.url(name)}">`)}
</head>
<body class="kind-${layout.kind}${layout.tree ? ' has-tree' : ''}" data-assets="/assets/${assets.version}/" data-member="${visit.actor?.memberId ?? ''}" data-tiles="${settings.tiles ?? ''}">
<a class="skip" href="#main">${say('layout.skipToTheText')}</a>
${keepingProposal(visit, header(site, visit, layout))}
${proposalBar(visit)}
${announcement(site, visit)}
${writeTroubleNotice(site)}
${blockNotice(visit)}
${visit.actor?.needsSecondFactor && html`<div class="banner" role="note"><p>${say('layout.thisWikiRequires', { link: (words) => html`<a href="/account/second-factor">${words}</a>` })}</p></div>`}
<p class="notice" role="status" id="notice"${visit.notice ? '' : html` hidden`}>${visit.notice}</p>
<div class="shell">
${layout.tree && html`<nav class="tree-side" aria-label="${say('layout.pagesNearbyInTheTree')}" data-tree>${keepingProposal(visit, layout.tree)}</nav>`}
<main id="main" tabindex="-1">
${keepingProposal(visit, layout.main)}
</main>
</div>
${(layout.tree || layout.contents) && keepingProposal(visit, thumbBar(layout))}
${keepingProposal(visit, footer(site, visit))}
</body>
</html>
`;
}

function secretDocument({ settings, assets, look }: Site, visit: Visit, layout: PageLayout): Html {
  const legal = legalLinks(look().settings);
  return html`<!doctype html>
<html lang="${visit.language}" dir="${siteLanguage(visit.language).direction}" data-theme="${visit.theme}">
<head>
<meta charset="utf-8">
<title>${layout.title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${visit.theme === 'system' ? 'light dark' : visit.theme}">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<link rel="stylesheet" href="${assets.url('style.css')}">
${!isSafe(visit) && [...look().styles.keys()].map((name) => html`<link rel="stylesheet" href="${look().url(name)}">`)}
</head>
<body class="kind-${layout.kind}">
<header class="site-header"><span class="site-name">${settings.name}</span></header>
<div class="shell">
<main id="main">
${layout.main}
</main>
</div>
${legal.length > 0 && html`<footer class="site-footer"><nav aria-label="${say('layout.site')}">${legal}</nav></footer>`}
</body>
</html>
`;
}

const writeTroubles: Record<WriteFailure | 'paused', Words> = {
  full: say('layout.theDiskOfThisWikiIsFullYou'),
  'read-only': say('layout.theDataOfThisWikiIsReadOnly'),
  gone: say('layout.theDataFolderOfThisWikiIs'),
  failed: say('layout.nothingCanBeSavedInThisWiki'),
  paused: say('layout.thisWikiIsReadOnlyAtThe'),
};

/** Shown on every page while nothing can be saved. */
function writeTroubleNotice({ service }: Site): HtmlValue {
  const trouble = service.store.writeTrouble();
  return trouble && html`<div class="banner" role="status"><p>${writeTroubles[trouble]}</p></div>`;
}

function header(site: Site, visit: Visit, layout: PageLayout): Html {
  const { actor } = visit;
  const { settings } = site;
  const { menu } = site.look().settings;
  return html`<header class="site-header" data-header>
<a class="site-name" href="/">${logo(site, visit)}<span>${settings.name}</span></a>
${layout.kind === 'search' || isShutOut(visit) ? html`<span class="site-search"></span>` : siteSearch}
<nav class="site-nav" aria-label="${say('layout.site')}">
${mayCreate(actor) && html`<a href="/new" class="site-new">${say('layout.newPage', { span: (words) => html`<span class="roomy">${words}</span>` })}</a>`}
${actor && bell(visit.unread + visit.waiting + visit.submitted)}
${
  actor
    ? html`<a href="/account" title="${say('layout.signedInAsName', { name: actor.name })}"><span class="account-name" dir="auto">${actor.name}</span></a>`
    : html`<a href="/login?next=${encodeURIComponent(visit.url.startsWith('/login') ? '/' : visit.url)}">${say('common.signIn')}</a>`
}
</nav>
${menu.length > 0 && !isShutOut(visit) && html`<nav class="site-menu" aria-label="${say('layout.menu')}">${menu.map(siteLink)}</nav>`}
</header>`;
}

/** The logo of the settings for the visitor's theme, or ours. */
function logo(site: Site, { theme }: Visit): Html {
  const look = site.look();
  const { logo, logoDark } = look.settings;
  if (logo === null) return mark;
  const dark = logoDark === null ? 'logo' : 'logoDark';
  const source =
    theme === 'system' && html`<source media="(prefers-color-scheme: dark)" srcset="${look.url(dark)}">`;
  return html`<picture>${source}<img class="logo" src="${look.url(theme === 'dark' ? dark : 'logo')}" alt=""></picture>`;
}

function iconLink({ assets, look }: Site): Html {
  const { settings, url } = look();
  if (settings.icon === null)
    return html`<link rel="icon" href="${assets.url('mark.svg')}" type="image/svg+xml">`;
  return html`<link rel="icon" href="${url('icon')}" type="${settings.icon.type}">`;
}

/** Links of the settings: to pages, and elsewhere. */
function siteLink({ label, to }: Omit<SiteLink, 'label'> & { label: Words }): Html {
  return html`<a href="${to}" dir="auto">${label}</a>`;
}

function announcement(site: Site, visit: Visit): HtmlValue {
  if (isShutOut(visit)) return undefined;
  const { text } = announcementAt(site.look().settings, visit.now) ?? {};
  return (
    text !== undefined && html`<div class="banner announcement" role="note"><p dir="auto">${text}</p></div>`
  );
}

/** Whether the visitor asks for the site without its own style sheets. */
export function isSafe({ url }: Visit): boolean {
  return /[?&]safe=1(?:&|$)/.test(url);
}

/** Whether every link into the wiki would lead to the form to sign in. */
export function isShutOut({ actor, isPrivate }: Visit): boolean {
  return isPrivate && actor === null;
}

/** Shown on every page, so that nobody writes a text that cannot be saved. */
function blockNotice({ actor }: Visit): Html | undefined {
  if (!actor?.block) return undefined;
  const { reason, until } = actor.block;
  const words = { reason: html`<bdi>${reason}</bdi>` };
  const blocked =
    until === null
      ? say('layout.youAreBlocked', words)
      : say('layout.youAreBlockedUntil', { ...words, time: momentOf(until) });
  return html`<div class="banner" role="note"><p>${blocked}</p></div>`;
}

/** Buttons for tree and contents at the bottom of narrow screens. */
function thumbBar({ tree, contents }: PageLayout): Html {
  return html`<div class="thumbs">
${tree && html`<details name="thumbs" data-sheet><summary>${say('layout.pages')}</summary><nav class="sheet" aria-label="${say('layout.pagesNearbyInTheTree')}">${tree}</nav></details>`}
${contents && html`<details name="thumbs" data-sheet><summary>${say('layout.contents')}</summary><nav class="sheet" aria-label="${say('layout.contents')}">${contents}</nav></details>`}
</div>`;
}

const firstForEverybody = madeOnce(html`<a href="/tree">${say('common.allPages')}</a>
<a href="/updates">${say('common.latestChanges')}</a>`);

const moreForEverybody = madeOnce(html`<a href="/wanted">${say('common.wantedPages')}</a>
<a href="/map">${say('layout.map')}</a>
<a href="/files">${say('layout.files')}</a>
<a href="/export">${say('layout.export')}</a>`);

const themeChoices: Record<Theme, Html> = {
  system: themeChoice('system'),
  light: themeChoice('light'),
  dark: themeChoice('dark'),
};

function themeChoice(chosen: Theme): Html {
  const choice = (theme: Theme, words: Words) =>
    html`<button type="submit" name="theme" value="${theme}" aria-pressed="${theme === chosen ? 'true' : 'false'}">${words}</button>`;
  return madeOnce(
    html`${choice('system', say('layout.auto'))}${choice('light', say('layout.light'))}${choice('dark', say('layout.dark'))}`,
  );
}

function footer(site: Site, visit: Visit): Html {
  const { settings: look } = site.look();
  const { footer, licence } = look;
  return html`<footer class="site-footer">
<nav aria-label="${say('common.theWholeWiki')}">
${
  !isShutOut(visit) &&
  html`${firstForEverybody}
${visit.actor && html`<a href="/proposals">${say('layout.proposals')}</a>`}
${moreForEverybody}`
}
${visit.actor && html`<a href="/account/favourites">${say('layout.favourites')}</a> <a href="/trash">${say('layout.trash')}</a>`}
${
  visit.actor?.isAdmin &&
  html`<a href="/members">${say('layout.members')}</a>
<a href="/settings">${say('layout.settings')}</a>
<a href="/settings/reports">${say('layout.reports')}</a>
<a href="/import">${say('layout.import')}</a>`
}
${visit.actor?.role === 'moderator' && html`<a href="/members/blocked">${say('common.blockedMembers')}</a>`}
<a href="/v1/docs">${say('layout.api')}</a>
${footer.map(siteLink)}
${legalLinks(look)}
</nav>
<form class="theme" method="post" action="/theme" aria-label="${say('layout.colours')}">
<input type="hidden" name="next" value="${visit.proposal?.url ?? visit.url}">
${themeChoices[visit.theme]}
</form>
${languageChoice(visit)}
${licence && !isShutOut(visit) && html`<p class="site-licence">${say('layout.contentsName', { name: html`<a href="${licence.url}" rel="license">${licence.name}</a>` })}</p>`}
</footer>`;
}

/** Links that everybody sees, who are shown the pages that they lead to. */
function legalLinks({ imprint, privacy }: Pick<Settings, 'imprint' | 'privacy'>): Html[] {
  const links = [
    { label: say('layout.imprint'), to: imprint },
    { label: say('layout.privacy'), to: privacy },
  ];
  return links.flatMap(({ label, to }) => (to === null ? [] : siteLink({ label, to })));
}

/** A form that works without scripts; the choice is kept in a cookie. */
function languageChoice({ language, url, proposal }: Visit): Html {
  return html`<form class="language" method="post" action="/theme">
<input type="hidden" name="next" value="${proposal?.url ?? url}">
<label class="unseen" for="site-language">${say('layout.language')}</label>
<select id="site-language" name="language" data-submits>${languageOptions(language)}</select>
<noscript><button type="submit">${say('layout.chooseLanguage')}</button></noscript>
</form>`;
}

const madeOptions = new Map<Language, Html>();

function languageOptions(chosen: Language): Html {
  return madeOptions.getOrInsertComputed(
    chosen,
    () =>
      html`${siteLanguages.map(
        ({ tag, name }) =>
          html`<option value="${tag}" lang="${tag}"${tag === chosen && html` selected`}>${name}</option>`,
      )}`,
  );
}

function bell(unread: number): Html {
  const words =
    unread === 0 ? say('layout.notifications') : say('count.unreadNotifications', { count: unread });
  return html`<a href="/account/notifications" class="site-bell" title="${words}" aria-label="${words}"><svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true"><path
d="M10 3a5 5 0 0 0-5 5c0 4-1.500 5.500-1.500 5.500h13S15 12 15 8a5 5 0 0 0-5-5Zm-1.700 13a1.800 1.800 0 0 0 3.400 0"
fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round"/></svg>${
    unread > 0 &&
    html`<span class="count" aria-hidden="true">${unread >= maxUnread ? `${maxUnread - 1}+` : unread}</span>`
  }</a>`;
}

/** The logo: a coppice stool with its shoots. */
const mark = html`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path
d="M12 21V8M12 21c0-5-1-9-5-12M12 21c0-5 1-9 5-12M12 8c0-2 0-3.5 0-5M8.6 12.5C7 12 5.400 12 4 12.600M15.400 12.500c1.600-.5 3.200-.5 4.600.1"
fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round"/><path d="M7 21h10" stroke="currentColor" stroke-width="1.8" stroke-linecap="round"/></svg>`;

const magnifier = html`<svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true"><circle cx="8.5" cy="8.500" r="5.500" fill="none" stroke="currentColor"
stroke-width="1.7"/><path d="m12.800 12.800 4.200 4.200" stroke="currentColor" stroke-width="1.700" stroke-linecap="round"/></svg>`;

const siteSearch =
  madeOnce(html`<form class="site-search" action="/search" role="search" data-complete="/search/titles">
<label class="unseen" for="site-search">${say('layout.searchThisWiki')}</label>
<input id="site-search" type="search" name="text" placeholder="${say('layout.search')}" autocomplete="off" spellcheck="false">
<button type="submit" aria-label="${say('layout.search')}">${magnifier}</button>
</form>`);
