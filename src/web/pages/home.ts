/** The way in: the page that the wiki is entered by, or, before it is written, a welcome that says what to do first. */
import type { FastifyInstance } from 'fastify';
import { findReadable } from '#domain/find-page.ts';
import { listChildren } from '#domain/list-children.ts';
import { recentUpdates } from '#domain/recent-updates.ts';
import { html } from '../html.ts';
import { sendFrame } from '../layout.ts';
import { treeList } from '../parts.ts';
import { type Site, shared } from '../site.ts';
import { updatesList } from './updates.ts';
import { showPage } from './view.ts';

export function homeRoutes(server: FastifyInstance, site: Site): void {
  const { store } = site.service;
  const { name, home } = site.settings;

  server.get('/', { config: shared }, async (request, reply) => {
    const { visit } = request;
    if (await findReadable(store, visit.actor, home)) return showPage(site, request, reply, home);
    const [roots, updates] = await Promise.all([
      listChildren(store, visit.actor, null, { limit: 100, offset: 0 }),
      recentUpdates(store, visit.actor, 8),
    ]);
    const create = `/new?title=Home&path=${encodeURIComponent(home)}`;
    const isEmpty = roots.total === 0;
    const main = html`<div class="plain welcome">
<h1>${isEmpty ? html`Welcome to ${name}` : name}</h1>
${isEmpty && html`<p class="lede">This wiki is planted and waits for its first page.</p>`}
${
  visit.actor
    ? html`<ol class="steps">
<li><p><a class="button" href="${create}">Write the home page</a> It appears at <code>${home}</code> and greets everyone who comes here.</p></li>
<li><p>Name other pages in double brackets, <code>[[Like this]]</code>. Each becomes a link, and <a href="/wanted">wanted pages</a> lists those that nobody has written yet.</p></li>
${visit.actor.isAdmin && html`<li><p><a href="/members">Invite the others</a> with a link that works once.</p></li>`}
</ol>`
    : html`<p>${isEmpty ? 'There is nothing to read yet.' : 'The home page is not written yet.'} <a href="/login?next=${encodeURIComponent(create)}">Sign in to write it.</a></p>`
}
${isEmpty && !visit.actor && html`<p class="quiet">Do you run this wiki? Its log shows a link for the first administrator.</p>`}
${!isEmpty && html`<section><h2>Pages</h2><div data-tree>${treeList(roots.pages, { total: roots.total, href: '/tree' })}</div></section>`}
${updates.length > 0 && html`<section><h2>Latest changes</h2>${updatesList(updates, visit.now)}<p><a href="/updates">All changes</a></p></section>`}
</div>`;
    return sendFrame(site, visit, reply, { title: name, kind: 'welcome', main, isListed: true });
  });
}
