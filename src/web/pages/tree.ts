/**
 * The page tree, one level per URL; scripts fetch only the list and insert it (`?part=list`, or `?part=side` beside a page).
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { mayCreate } from '#core/model/may-write.ts';
import { editableAmong } from '#core/pages/protection.ts';
import { getReadable, getWhole } from '#core/reading/find-page.ts';
import { urlOf } from '#http/page-paths.ts';
import { breadcrumb, pageLink, paging, readRange, treeList } from '../components.ts';
import { count } from '../format.ts';
import { html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { pathOf } from '../page-address.ts';
import { type Site, shared } from '../site.ts';

const shown = 500;

export function treeRoutes(server: FastifyInstance, site: Site): void {
  server.get('/tree', { config: shared }, async (_request, reply) => showTree(site, reply, null));
  server.get('/tree/*', { config: shared }, async (request, reply) => showTree(site, reply, pathOf(request)));
}

async function showTree(site: Site, reply: FastifyReply, path: string | null): Promise<FastifyReply> {
  const { visit, reader } = reply.request;
  const { url, range } = readRange(visit, shown);
  const above = path === null ? null : await getReadable(reader, path);
  const { pages, total } = await reader.lists.children(above?.id ?? null, range);
  const mayOrder = above
    ? (await editableAmong(reader, [above.id], visit.now)).size > 0
    : mayCreate(visit.actor);
  const orderOf = mayOrder && range.offset === 0 ? (above?.path ?? '') : undefined;
  const part = url.searchParams.get('part');
  if (part === 'list' || part === 'side') {
    const href = urlOf('/tree', above?.path ?? '');
    const options = { total: total - range.offset, href, isForReaders: part === 'side', orderOf };
    return reply
      .header('cache-control', 'private, no-cache')
      .type('text/html; charset=utf-8')
      .send(treeList(pages, options).text);
  }
  const whole = above && (await getWhole(reader, above.id, 'none'));
  const main = html`<div class="plain">
${whole && breadcrumb(whole.lineage)}
<h1>${above ? html`Below ${pageLink(above)}` : 'All pages'}</h1>
<p class="lede">${total === 0 ? (above ? 'There are no pages below this one.' : 'There are no pages yet.') : `${count(total, 'page')}${above ? '' : ' at the root of the tree'}.`}${
    orderOf !== undefined && total > 1 && html` <a href="${urlOf('/order', orderOf)}">Order them</a>`
  }${
    visit.actor &&
    html` <a href="/new${above ? `?parent=${encodeURIComponent(above.path)}` : ''}">Add one</a>`
  }</p>
<div class="tree-page" data-tree>${treeList(pages, { orderOf })}</div>
${paging(url, range, total)}
</div>`;
  const title = above ? `Below ${above.title}` : 'All pages';
  return sendLayout(site, reply, { title, kind: 'tree', main, scripts: ['page'], isListed: path === null });
}
