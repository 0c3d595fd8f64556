/**
 * The page tree, one level per URL; scripts fetch only the list and insert it (`?part=list`, or `?part=side` beside a page).
 * `title` lists the pages beneath whose titles contain a text, `hide` leaves out a type; both by a form, which scripts send while
 * somebody types.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { mayCreate } from '#core/model/may-write.ts';
import type { PageName } from '#core/model/page.ts';
import { maxTitleLength } from '#core/model/page-fields.ts';
import { editableAmong } from '#core/pages/protection.ts';
import { childList, pageByPath, rootList } from '#core/pages/reading-operations.ts';
import type { ChildPage } from '#core/ports/list-reads.ts';
import type { Reader } from '#core/ports/reader.ts';
import { getWhole, refuseMissing } from '#core/reading/find-page.ts';
import { findPages } from '#core/search/search-pages.ts';
import { urlOf } from '#http/page-paths.ts';
import { say } from '#words/say.ts';
import { breadcrumb, mostCounted, pageLink, paging, readRange, treeList } from '../components.ts';
import { checkbox } from '../form-fields.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { carryFor } from '../operation-pages.ts';
import { pathOf } from '../page-address.ts';
import { type Site, shared } from '../site.ts';
import { keepingProposal } from '../with-proposal.ts';

const shown = 500;
const mostHidden = 20;
const mostFound = 100;

export function treeRoutes(server: FastifyInstance, site: Site): void {
  const config = { ...shared, operations: [pageByPath, rootList, childList], showsProposals: true };
  server.get('/tree', { config }, async (_request, reply) => showTree(site, reply, null));
  server.get('/tree/*', { config }, async (request, reply) => showTree(site, reply, pathOf(request)));
}

async function showTree(site: Site, reply: FastifyReply, path: string | null): Promise<FastifyReply> {
  const { visit, reader } = reply.request;
  const { url, range } = readRange(visit, shown);
  const carry = carryFor(site, reply.request);
  const above = path === null ? null : await carry(pageByPath, { path });
  if (above === undefined) return refuseMissing(reader, path ?? '');
  const { pages, total } = above
    ? await carry(childList, { path: above.path, ...range })
    : await carry(rootList, range);
  const mayOrder = above
    ? (await editableAmong(reader, [above.id], visit.now)).size > 0
    : mayCreate(visit.actor);
  const orderOf = mayOrder && range.offset === 0 ? (above?.path ?? '') : undefined;
  const part = url.searchParams.get('part');
  const hidden = url.searchParams.getAll('hide').slice(0, mostHidden);
  const filter = (url.searchParams.get('title') ?? '').trim().slice(0, maxTitleLength);
  const found = filter === '' ? undefined : await filtered(reader, above, filter, hidden);
  if (part === 'list' && found) return sendPart(reply, found);
  if (part === 'list' || part === 'side') {
    const href = urlOf('/tree', above?.path ?? '');
    const isForReaders = part === 'side';
    const counts = isForReaders ? new Map<number, number>() : await countsOf(reader, pages);
    const options = { total: total - range.offset, href, isForReaders, orderOf, counts, hidden };
    return sendPart(reply, treeList(pages, options));
  }
  const whole = above && (await getWhole(reader, above.id, 'none'));
  const emptyRoot = visit.actor?.role === 'guest' ? 'home.youAreAGuest' : 'tree.thereAreNoPagesYet';
  const empty = above ? 'tree.thereAreNoPagesBelowThisOne' : emptyRoot;
  const main = html`<div class="plain">
${whole && breadcrumb(whole.lineage)}
<h1>${above ? html`${say('tree.belowPage', { page: pageLink(above) })}` : say('common.allPages')}</h1>
<p class="lede">${total === 0 ? say(empty) : say(above ? 'tree.pages' : 'tree.pagesAtTheRoot', { count: total })}${
    orderOf !== undefined &&
    total > 1 &&
    html` · <a href="${urlOf('/order', orderOf)}">${say('tree.orderThem')}</a>`
  }${
    (mayCreate(visit.actor) || (above && mayOrder)) &&
    html` · <a href="/new${above ? `?parent=${encodeURIComponent(above.path)}` : ''}">${say('tree.addOne')}</a>`
  }</p>
${total > 0 && filterForm(above, pages, filter, hidden)}
<div class="tree-page" data-tree>${found ?? treeList(pages, { orderOf, counts: await countsOf(reader, pages), hidden })}</div>
${!found && paging(url, range, total)}
</div>`;
  const title = above ? say('tree.below', { title: above.title }) : say('common.allPages');
  return sendLayout(site, reply, { title, kind: 'tree', main, scripts: ['page'], isListed: path === null });
}

function sendPart(reply: FastifyReply, list: Html): FastifyReply {
  const { visit } = reply.request;
  const markup = keepingProposal(visit, list).in(visit.language);
  return reply.header('cache-control', 'private, no-cache').type('text/html; charset=utf-8').send(markup);
}

function countsOf(reader: Reader, pages: readonly ChildPage[]): Promise<Map<number, number>> {
  const ids = pages.flatMap(({ id, hasChildren }) => (hasChildren ? [id] : []));
  return reader.lists.childCounts(ids, mostCounted);
}

/** The first 100 pages beneath whose titles contain the text, each with where it lies. */
async function filtered(
  reader: Reader,
  above: PageName | null,
  title: string,
  hidden: readonly string[],
): Promise<Html> {
  const beneath = above ? { ancestor: above.path } : {};
  const { ids, total } = await findPages(reader, { title, ...beneath, limit: mostFound, offset: 0 });
  const pages = (await reader.pages.states(ids)).filter(
    ({ type }) => type === null || !hidden.includes(type),
  );
  const byId = new Map(pages.map((page) => [page.id, page]));
  const rows = ids
    .flatMap((id) => byId.get(id) ?? [])
    .map(
      (page) =>
        html`<li class="leaf">${pageLink(page)} <span class="quiet" dir="auto">${page.path}</span></li>`,
    );
  const more =
    total > ids.length &&
    html`<li class="leaf quiet">${say('tree.andMorePage', { count: total - ids.length })}</li>`;
  return html`<ul class="tree found">${rows.length > 0 ? rows : html`<li class="leaf quiet">${say('tree.noPageHasSuchATitle')}</li>`}${more}</ul>`;
}

/** Types are those of the pages listed, and those that are hidden. */
function filterForm(
  above: PageName | null,
  pages: readonly ChildPage[],
  filter: string,
  hidden: readonly string[],
): Html {
  const types = [...new Set([...hidden, ...pages.flatMap(({ type }) => type ?? [])])]
    .slice(0, mostHidden)
    .sort();
  const hide = types.map((type) => checkbox('hide', type, hidden.includes(type), html`<bdi>${type}</bdi>`));
  return html`<form class="tree-filter" role="search" aria-label="${say('tree.filterPages')}" action="${urlOf('/tree', above?.path ?? '')}">
<label for="tree-title">${say('tree.filterByTitle')}</label> <input type="search" id="tree-title" name="title" value="${filter}" maxlength="${maxTitleLength}" dir="auto" autocomplete="off">
${types.length > 0 && html`<details${hidden.length > 0 && html` open`}><summary>${say('tree.hideTypes')}</summary>${hide}</details>`}
<button type="submit" class="quiet-button">${say('tree.filter')}</button>
</form>`;
}
