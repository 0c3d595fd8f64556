/** A page for readers: the text in the middle, details and contents beside it, related pages at the bottom. */

import type { Dialect } from '@coppice/wikitext/dialect';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Language } from '#core/content/language.ts';
import { sectionsOf } from '#core/content/page-sections.ts';
import { parseId } from '#core/model/id.ts';
import type { PageName, WholePage } from '#core/model/page.ts';
import { isReserved, readPath } from '#core/model/path.ts';
import { defaultPermissionsIn, isPublicPage, mayModerate } from '#core/model/permission.ts';
import { Problem } from '#core/model/problem.ts';
import type { MarkdownView } from '#core/pages/markdown-page.ts';
import { namedPageReading } from '#core/pages/named-page-operations.ts';
import type { PageView } from '#core/pages/page-view.ts';
import { protectionAt } from '#core/pages/protection.ts';
import { pageReading } from '#core/pages/reading-operations.ts';
import { type Translation, translationsOf } from '#core/pages/translations.ts';
import { nearOutlines } from '#core/places/near-places.ts';
import type { Neighbours } from '#core/ports/list-reads.ts';
import { sentenceFor } from '#core/reading/access-sentence.ts';
import { findDeleted, findReadable } from '#core/reading/find-page.ts';
import { prefersMarkdown, sendMarkdown } from '#http/markdown.ts';
import { tailOf, urlOf } from '#http/page-paths.ts';
import { say } from '#words/say.ts';
import {
  breadcrumb,
  joined,
  languageOfText,
  pageLink,
  pageUrl,
  paging,
  readOffset,
  type TreePage,
  treeList,
  urlOfVisit,
} from '../../components.ts';
import { coordinates, distance, plainNumber, sameWordsForMs, timeAgo } from '../../format.ts';
import { pageHead } from '../../head.ts';
import { type Html, type HtmlValue, html, trusted, type Words } from '../../html.ts';
import { keepingOf, sendLayout } from '../../layout.ts';
import { readable, timesIn } from '../../markup.ts';
import { carryFor } from '../../operation-pages.ts';
import { queryOf } from '../../page-address.ts';
import { type Site, shared, type Visit } from '../../site.ts';
import { neighbourLinks, treeBeside } from '../../tree-beside.ts';
import { byline } from './byline.ts';
import { sendGone } from './gone.ts';
import { inLanguages, languageLinks } from './in-languages.ts';
import { sendNamedPage } from './named-page.ts';
import { sendNotFound } from './not-found.ts';
import { oldBanner } from './old-banner.ts';
import { pageActions } from './page-actions.ts';
import { pageFiles } from './page-files.ts';
import { protectionBanner } from './protection-banner.ts';
import { reviewBanner, reviewBeginsIn } from './review-banner.ts';

const listed = 60;
/** CPU time for anonymous callers of loading and parsing an older version. */
const versionMs = 2;
const nearbyMetres = 50_000;
/** Longer lists at the bottom of a page are collapsed at first. */
const openUpTo = 12;

export function viewRoutes(server: FastifyInstance, site: Site): void {
  server.get(
    '/*',
    {
      config: {
        ...shared,
        operations: [pageReading, namedPageReading],
        isNegotiated: true,
        showsProposals: true,
      },
    },
    async (request, reply) => {
      const tail = tailOf(request.url, '/*');
      const read = readPath(tail);
      if ('problem' in read || isReserved(read.path))
        throw new Problem('not-found', say('view.thereIsNothingAtThisAddress'));
      // Other spellings redirect to the canonical URL.
      if (read.path !== `/${tail}`) return reply.redirect(pageUrl(read.path) + queryOf(request), 308);
      return showPage(site, reply, read.path);
    },
  );
}

/** Differences of the wiki's front page from the same page at its own address. */
interface FrontPage {
  title: string;
  /** Content below the text. */
  foot(markup: string): Promise<Html>;
}

export async function showPage(
  site: Site,
  reply: FastifyReply,
  path: string,
  front?: FrontPage,
): Promise<FastifyReply> {
  const { visit, reader } = reply.request;
  const version = readVersion(reply.request);
  const renderer = site.costs.rendererFor(reply.request, visit.actor, version !== undefined);
  let view: PageView | MarkdownView | { movedTo: string };
  try {
    const isMarkdown = wantsMarkdown(reply.request);
    const wanted = { history: 'latest' as const, isMarkdown, ...(version === undefined ? {} : { version }) };
    if (version !== undefined) site.costs.admit(reply.request, visit.actor, versionMs);
    view = await carryFor(site, reply.request, renderer)(pageReading, { path, wanted });
  } catch (error) {
    if (!(error instanceof Problem && (error.code === 'not-found' || error.code === 'gone'))) throw error;
    if (await sendNamedPage(site, reply, path)) return reply;
    const deleted = error.code === 'gone' ? await findDeleted(reader, path) : undefined;
    if (!deleted && version !== undefined && (await findReadable(reader, path)))
      throw new Problem('not-found', say('view.thePageHasNoSuchVersionIts'));
    if (!deleted) return sendNotFound(site, reply.request, reply, path);
    return sendGone({ site, visit, reply }, path, deleted, mayModerate(visit.actor, deleted, visit));
  }
  if ('movedTo' in view) return reply.redirect(pageUrl(view.movedTo) + queryOf(reply.request), 308);
  if ('markdown' in view) {
    reply.headers({ vary: 'accept, cookie', 'cache-control': keepingOf(visit, reply, 200) });
    return sendMarkdown(reply, view);
  }
  if (front) view = { ...view, page: { ...view.page, title: front.title } };
  const { permissions, group, granted } = view.page;
  const isUsual = permissions === defaultPermissionsIn(visit) && group === null && !granted;
  const [around, frontFoot, isWatched, isStarred, access, openComments] = await Promise.all([
    surroundings(reply.request, renderer.language, view.page),
    front?.foot(view.markup),
    visit.actor !== null && site.service.store.watches.isWatching(visit.actor.memberId, view.page.id),
    visit.actor !== null && site.service.store.favourites.has(visit.actor.memberId, view.page.id),
    !(front && isUsual) && sentenceFor(site.service.store, visit.actor, view.page),
    front || version !== undefined ? undefined : site.service.store.comments.countOpen(view.page.id),
  ]);
  const until = protectionAt(view.page, visit.now)?.until ?? null;
  if (until !== null) reader.trace.expireIn(until - visit.now);
  const review = reviewBeginsIn(view.page.reviewBy, visit.now);
  if (review !== undefined) reader.trace.expireIn(review);
  const times = [view.page.updatedAt, ...timesIn(view.markup)];
  // Other pages contain relative times, which limit caching.
  if (!front) reader.trace.expireIn(Math.min(...times.map((at) => sameWordsForMs(at, visit.now))));
  return sendLayout(site, reply, {
    title: front ? site.settings.name : view.page.title,
    kind: front ? 'front' : 'page',
    main: article(visit, view, around, {
      version,
      frontFoot,
      isWatched,
      isStarred,
      access,
      openComments,
      dialect: reader.dialect,
    }),
    head: version === undefined && [
      pageHead(site, visit, view.page),
      languageLinks(visit, view.page, around.set, reader.dialect.language),
    ],
    tree: treeBeside(view.page, around),
    contents: view.outline.length > 2 ? contents(view) : undefined,
    scripts: view.page.location ? ['page', 'map'] : ['page'],
    isListed: isPublicPage(view.page, visit) && version === undefined && !around.isFurtherOn,
  });
}

interface Around {
  children: { pages: TreePage[]; total: number };
  siblings: { pages: TreePage[]; total: number };
  neighbours: Neighbours;
  backlinks: { pages: PageName[]; total: number };
  near: (PageName & { distanceMetres: number })[];
  /** The page in other languages. */
  set: Translation[];
  /** Paging of backlinks; beyond the first part, they are what the reader came for. */
  linksPaging: Html;
  isFurtherOn: boolean;
}

const nothing = { pages: [], total: 0 };

async function surroundings({ visit, reader }: FastifyRequest, language: Language, page: WholePage) {
  const url = urlOfVisit(visit);
  const links = { limit: listed, offset: readOffset(url, 'links') };
  const range = { limit: listed, offset: 0 };
  const parent = page.lineage.at(-1);
  const [children, siblings, neighbours, backlinks, near, set] = await Promise.all([
    reader.lists.children(page.id, range),
    // Siblings below a hidden parent are not listed.
    parent?.isHidden ? nothing : reader.lists.children(page.parentId, range),
    reader.lists.neighbours(page),
    reader.links.backlinks(page, links),
    page.location
      ? nearOutlines(reader, { ...page.location, radiusMetres: nearbyMetres, limit: 13, offset: 0 })
      : nothing,
    translationsOf(reader, language, page, 'page'),
  ]);
  return {
    set,
    children,
    siblings,
    neighbours,
    backlinks,
    near: near.pages.filter(({ id }) => id !== page.id).slice(0, 12),
    linksPaging: paging(url, links, backlinks.total, 'links'),
    isFurtherOn: links.offset > 0,
  };
}

interface Shown {
  version: number | undefined;
  /** The front page shows neither breadcrumbs nor an author, because it is the title page of the wiki. */
  frontFoot: Html | undefined;
  isWatched: boolean;
  isStarred: boolean;
  access: Words | false;
  /** Number of open threads; undefined if comments are not shown here. */
  openComments: number | undefined;
  dialect: Dialect;
}

function article(
  visit: Visit,
  view: PageView,
  around: Around,
  { version, frontFoot, isWatched, isStarred, access, openComments, dialect }: Shown,
): Html {
  const { page } = view;
  const isOld = version !== undefined && page.history.at(-1)?.id !== version;
  const description = page.content.description;
  const inLanguage = languageOfText(page.language, dialect.language);
  return html`<article class="page${view.outline.length > 2 && ' has-contents'}" data-page-id="${page.id}" data-path="${page.path}" data-change="${page.changeId}">
<header class="page-head">
${!frontFoot && breadcrumb(page.lineage)}
<div class="title-row">
<h1${inLanguage}${page.title.length > 40 && html` class="is-long"`}>${(!frontFoot && view.displayTitle !== undefined && trusted(view.displayTitle)) || page.title}</h1>
${pageActions(visit, view, { isWatched, isStarred })}
</div>
${description !== null && html`<p class="lede"${inLanguage}>${description}</p>`}
${byline(visit, view, { isOld, isFront: frontFoot !== undefined, access, openComments })}
${isOld && oldBanner(view, version)}
${inLanguages(view, around.set, dialect.language, isOld)}
${protectionBanner(view.page, visit.now)}
${!isOld && reviewBanner(view, visit.now)}
</header>
${side(visit, view, around, frontFoot !== undefined)}
${
  view.markup.trim() === ''
    ? emptyText(view)
    : html`<div class="markup"${inLanguage}>
${finishedMarkup(view, isOld, visit.now, dialect)}
</div>`
}
${view.mayWrite && view.notices.length > 0 && writersNotices(view.notices)}
${frontFoot ?? [neighbourLinks(around.neighbours), foot(view, around)]}
</article>`;
}

function side(visit: Visit, view: PageView, around: Around, isFront: boolean): Html {
  const { page, outline } = view;
  const tags = Object.entries(page.tags);
  const hasFacts = page.type !== null || tags.length > 0 || page.location !== null || page.likes.length > 0;
  return html`<aside class="page-side${hasFacts && ' has-facts'}" aria-label="${say('view.aboutThisPage')}">
${outline.length > 2 && html`<nav class="contents" aria-label="${say('view.contents')}" data-contents><p class="side-head">${say('view.contents')}</p>${contents(view)}</nav>`}
<details class="about"><summary><span class="side-head">${say('view.about')}</span> <span>${aboutWords(page)}</span></summary>
<dl class="facts">
${page.location && place(page, page.location, around)}
${page.type !== null && html`<div><dt>${say('common.type')}</dt><dd><a href="/search?type=${encodeURIComponent(page.type)}" dir="auto">${page.type}</a></dd></div>`}
${tags.map(
  ([key, values]) =>
    html`<div><dt dir="auto">${key}</dt><dd>${values.map((value) => html`<a class="tag" href="/search?tag=${encodeURIComponent(`${key}:${value}`)}" dir="auto">${value}</a> `)}</dd></div>`,
)}
${
  !isFront &&
  html`<div class="fact-wide"><dt>${say('view.begunBy')}</dt><dd dir="auto">${page.owner.name}</dd></div>
<div class="fact-wide"><dt>${say('view.lastChange')}</dt><dd>${timeAgo(page.updatedAt, visit.now)}${page.content.msg !== '' && html`<br><q dir="auto">${page.content.msg}</q>`}</dd></div>`
}
${page.likes.length > 0 && html`<div><dt>${say('view.likes')}</dt><dd>${page.likes.length}</dd></div>`}
</dl>
</details>
</aside>`;
}

/** Facts in one line for narrow screens, where they are collapsed. */
function aboutWords({ type, tags, location }: WholePage): HtmlValue {
  const words = [type, ...Object.values(tags).flat().slice(0, 3), location && coordinates(location)];
  const known = words.flatMap((one) => (one ? [html`<bdi>${one}</bdi>`] : []));
  return known.length > 0 ? joined(known, ' · ') : say('view.thisPage');
}

function place(page: WholePage, location: { lat: number; lon: number }, { near }: Around): Html {
  const { lat, lon } = location;
  // Near enough to show neighbours, or far enough to show the position on earth.
  const zoom = near.length > 0 ? 6 : 4;
  return html`<div class="fact-place"><dt>${say('common.place')}</dt><dd>
<div class="page-map" data-map="page" data-zoom="${zoom}" data-lat="${lat}" data-lon="${lon}" data-title="${page.title}" data-places="/map/places"></div>
<a href="/map?lat=${lat}&amp;lon=${lon}"><bdi>${coordinates(location)}</bdi></a></dd></div>`;
}

/** Headings of the text, indented by level; the style sheet marks the visible one. */
function contents({ outline }: PageView): Html {
  const top = Math.min(...outline.map(({ level }) => level));
  return html`<ol class="contents-list">${outline.map(
    ({ level, title, id }) =>
      html`<li style="--depth: ${Math.min(level - top, 3)}"><a href="#${encodeURIComponent(id)}" dir="auto">${title}</a></li>`,
  )}</ol>`;
}

function finishedMarkup(
  { markup, mayWrite, page }: PageView,
  isOld: boolean,
  now: number,
  dialect: Dialect,
): Html {
  if (!mayWrite || isOld) return readable(markup, now);
  return readable(markup, now, {
    path: page.path,
    sections: sectionsOf({ ...page.content, path: page.path }, dialect),
  });
}

function emptyText({ mayWrite, page }: PageView): Html {
  return html`<p class="empty">${say('view.nothingIsWrittenHereYet')}${mayWrite && html` <a href="${urlOf('/edit', page.path)}">${say('view.writeTheFirstLines')}</a>`}</p>`;
}

function writersNotices(notices: string[]): Html {
  return html`<details class="writers-notices"><summary>${say('view.noteForWriters', { count: notices.length })}</summary><ul>${notices.map((notice) => html`<li>${notice}</li>`)}</ul></details>`;
}

function foot(
  { page, mayWrite }: PageView,
  { children, backlinks, near, linksPaging, isFurtherOn }: Around,
): Html {
  return html`<footer class="page-foot">
${
  children.total > 0 &&
  section(
    say('view.pagesBelowThisOne'),
    children.total,
    html`<div data-tree>${treeList(children.pages, { total: children.total, href: urlOf('/tree', page.path), orderOf: mayWrite ? page.path : undefined })}</div>${
      mayWrite &&
      children.total > 1 &&
      html`<p class="section-more"><a href="${urlOf('/order', page.path)}">${say('view.orderThesePages')}</a></p>`
    }`,
  )
}
${
  near.length > 0 &&
  section(
    say('view.nearbyPlaces'),
    near.length,
    html`<ul class="near">${near.map((one) => html`<li>${pageLink(one)} <span class="quiet">${distance(one.distanceMetres)}</span></li>`)}</ul>`,
  )
}
${page.files.length > 0 && section(say('view.files'), page.files.length, pageFiles(page.files))}
${
  backlinks.total > 0 &&
  section(
    say('view.whatLinksHere'),
    backlinks.total,
    html`<ul class="links">${backlinks.pages.map((one) => html`<li>${pageLink(one)}</li>`)}</ul>${linksPaging}`,
    { id: 'links', isOpen: isFurtherOn },
  )
}
</footer>`;
}

/** Collapsed at first if it is long, unless `isOpen` is set. */
function section(
  title: Words,
  total: number,
  inside: Html,
  { id, isOpen }: { id?: string; isOpen?: boolean } = {},
): Html {
  return html`<section${id && html` id="${id}"`}><details${
    (isOpen || total <= openUpTo) && html` open`
  }><summary><h2>${title} <span class="count">${plainNumber(total)}</span></h2></summary>${inside}</details></section>`;
}

function readVersion(request: FastifyRequest): number | undefined {
  return parseId((request.query as Record<string, unknown>).version);
}

function wantsMarkdown({ query, headers }: FastifyRequest): boolean {
  const { format } = query as Record<string, unknown>;
  return format === undefined ? prefersMarkdown(headers.accept, 'text/html') : format === 'md';
}
