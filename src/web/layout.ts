/** The layout of every page: head, header, tree, footer; and sending the finished page. */
import type { FastifyReply } from 'fastify';
import { mayCreate } from '#core/model/may-write.ts';
import { announcementAt, type SiteLink } from '#core/model/settings.ts';
import type { WriteTrouble } from '#core/ports/store.ts';
import { maxUnread } from '#core/ports/watch-store.ts';
import { cacheControlOf, isAnonymous } from '#http/headers.ts';
import { count, momentOf } from './format.ts';
import { type Html, type HtmlValue, html } from './html.ts';
import { prefetchRulesUrl } from './pages/prefetch-rules.ts';
import type { Site, Visit } from './site.ts';
import { keepingProposal, proposalBar } from './with-proposal.ts';

export interface PageLayout {
  /** Title without the wiki's name. */
  title: string;
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
    .header('vary', reply.request.routeOptions.config.isNegotiated ? 'accept, cookie' : 'cookie')
    .send(documentOf(site, visit, layout).text);
}

/**
 * Cache headers: pages that look the same to everybody are cached like API responses; pages for a member are not. `no-store`
 * also makes browsers drop a member's page from the back/forward cache when the session cookie changes.
 */
export function keepingOf({ actor }: Visit, { request }: FastifyReply, status: number): string {
  if (actor) return 'private, no-store';
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
  const scripts = ['site', ...(layout.scripts ?? [])]
    .map((name) => `${name}.js`)
    .filter((name) => assets.has(name));
  // Styles for elements that a script fills are loaded before it runs, to avoid layout shifts.
  const styles = (layout.scripts ?? []).map((name) => `${name}.css`).filter((name) => assets.has(name));
  const look = site.look();
  // The way back from a style sheet that makes the site unusable.
  const ownStyles = isSafe(visit) ? [] : [...look.styles.keys()];
  const title = layout.title === settings.name ? layout.title : `${layout.title} · ${settings.name}`;
  return html`<!doctype html>
<html lang="en" data-theme="${visit.theme}">
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
<link rel="alternate" type="application/atom+xml" title="${settings.name}: latest changes" href="/atom">
${layout.head}
${scripts.map((name) => html`<script type="module" src="${assets.url(name)}"></script>`)}
</head>
<body class="kind-${layout.kind}${layout.tree ? ' has-tree' : ''}" data-assets="/assets/${assets.version}/" data-member="${visit.actor?.memberId ?? ''}" data-tiles="${settings.tiles ?? ''}">
<a class="skip" href="#main">Skip to the text</a>
${keepingProposal(visit, header(site, visit, layout))}
${proposalBar(visit)}
${announcement(site, visit)}
${writeTroubleNotice(site)}
${blockNotice(visit)}
${visit.actor?.needsSecondFactor && html`<div class="banner" role="note"><p>This wiki requires administrators to have a second factor. <a href="/account/second-factor">Add one</a>, or sign in with a passkey. Until then you have the rights of a writer.</p></div>`}
<p class="notice" role="status" id="notice"${visit.notice ? '' : html` hidden`}>${visit.notice}</p>
<div class="shell">
${layout.tree && html`<nav class="tree-side" aria-label="Pages nearby in the tree" data-tree>${keepingProposal(visit, layout.tree)}</nav>`}
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
  return html`<!doctype html>
<html lang="en" data-theme="${visit.theme}">
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
</body>
</html>
`;
}

const writeTroubles: Record<WriteTrouble | 'paused', string> = {
  full: 'The disk of this wiki is full. You can read everything, but nothing can be saved until there is free space again.',
  'read-only':
    'The data of this wiki is read-only at the moment. You can read everything, but nothing can be saved.',
  gone: 'The data folder of this wiki is missing. Nothing can be saved until it is restored.',
  failed: 'Nothing can be saved in this wiki at the moment. Please try again later.',
  paused: 'This wiki is read-only at the moment. You can read everything, but nothing can be saved.',
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
<nav class="site-nav" aria-label="Site">
${mayCreate(actor) && html`<a href="/new" class="site-new">New<span class="roomy"> page</span></a>`}
${actor && bell(visit.unread + visit.waiting)}
${
  actor
    ? html`<a href="/account" title="Signed in as ${actor.name}"><span class="account-name">${actor.name}</span></a>`
    : html`<a href="/login?next=${encodeURIComponent(visit.url.startsWith('/login') ? '/' : visit.url)}">Sign in</a>`
}
</nav>
${menu.length > 0 && !isShutOut(visit) && html`<nav class="site-menu" aria-label="Menu">${menu.map(siteLink)}</nav>`}
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
function siteLink({ label, to }: SiteLink): Html {
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
function isShutOut({ actor, isPrivate }: Visit): boolean {
  return isPrivate && actor === null;
}

/** Shown on every page, so that nobody writes a text that cannot be saved. */
function blockNotice({ actor }: Visit): Html | undefined {
  if (!actor?.block) return undefined;
  const { reason, until } = actor.block;
  const end = until === null ? 'until a moderator lifts it' : html`until ${momentOf(until)}`;
  return html`<div class="banner" role="note"><p>You are blocked ${end}. You can read but not write. Reason: <bdi>${reason}</bdi></p></div>`;
}

/** Buttons for tree and contents at the bottom of narrow screens. */
function thumbBar({ tree, contents }: PageLayout): Html {
  return html`<div class="thumbs">
${tree && html`<details name="thumbs" data-sheet><summary>Pages</summary><nav class="sheet" aria-label="Pages nearby in the tree">${tree}</nav></details>`}
${contents && html`<details name="thumbs" data-sheet><summary>Contents</summary><nav class="sheet" aria-label="Contents">${contents}</nav></details>`}
</div>`;
}

function footer(site: Site, visit: Visit): Html {
  const { footer, imprint, privacy, licence } = site.look().settings;
  const choice = (theme: string, words: string) =>
    html`<button type="submit" name="theme" value="${theme}"${visit.theme === theme ? html` aria-pressed="true"` : html` aria-pressed="false"`}>${words}</button>`;
  return html`<footer class="site-footer">
<nav aria-label="The whole wiki">
${
  !isShutOut(visit) &&
  html`<a href="/tree">All pages</a>
<a href="/updates">Latest changes</a>
${visit.actor && html`<a href="/proposals">Proposals</a>`}
<a href="/wanted">Wanted pages</a>
<a href="/map">Map</a>
<a href="/files">Files</a>
<a href="/export">Export</a>`
}
${visit.actor && html`<a href="/account/favourites">Favourites</a> <a href="/trash">Trash</a>`}
${
  visit.actor?.isAdmin &&
  html`<a href="/members">Members</a>
<a href="/settings">Settings</a>
<a href="/import">Import</a>`
}
${visit.actor?.role === 'moderator' && html`<a href="/members/blocked">Blocked members</a>`}
<a href="/v1/docs">API</a>
${footer.map(siteLink)}
${imprint !== null && siteLink({ label: 'Imprint', to: imprint })}
${privacy !== null && siteLink({ label: 'Privacy', to: privacy })}
</nav>
<form class="theme" method="post" action="/theme" aria-label="Colours">
<input type="hidden" name="next" value="${visit.proposal?.url ?? visit.url}">
${choice('system', 'Auto')}${choice('light', 'Light')}${choice('dark', 'Dark')}
</form>
${licence && !isShutOut(visit) && html`<p class="site-licence">Contents: <a href="${licence.url}" rel="license">${licence.name}</a></p>`}
</footer>`;
}

function bell(unread: number): Html {
  const words = unread === 0 ? 'Notifications' : count(unread, 'unread notification');
  return html`<a href="/account/notifications" class="site-bell" title="${words}" aria-label="${words}"><svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true"><path d="M10 3a5 5 0 0 0-5 5c0 4-1.500 5.500-1.500 5.500h13S15 12 15 8a5 5 0 0 0-5-5Zm-1.700 13a1.800 1.800 0 0 0 3.400 0" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round"/></svg>${unread > 0 && html`<span class="count" aria-hidden="true">${unread >= maxUnread ? `${maxUnread - 1}+` : unread}</span>`}</a>`;
}

/** The logo: a coppice stool with its shoots. */
const mark = html`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d="M12 21V8M12 21c0-5-1-9-5-12M12 21c0-5 1-9 5-12M12 8c0-2 0-3.5 0-5M8.6 12.5C7 12 5.400 12 4 12.600M15.400 12.500c1.600-.5 3.200-.5 4.600.1" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round"/><path d="M7 21h10" stroke="currentColor" stroke-width="1.8" stroke-linecap="round"/></svg>`;

const magnifier = html`<svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true"><circle cx="8.5" cy="8.500" r="5.500" fill="none" stroke="currentColor" stroke-width="1.7"/><path d="m12.800 12.800 4.200 4.200" stroke="currentColor" stroke-width="1.700" stroke-linecap="round"/></svg>`;

const siteSearch = html`<form class="site-search" action="/search" role="search" data-complete="/search/titles">
<label class="unseen" for="site-search">Search this wiki</label>
<input id="site-search" type="search" name="text" placeholder="Search" autocomplete="off" spellcheck="false">
<button type="submit" aria-label="Search">${magnifier}</button>
</form>`;
