/** The home page, or a welcome page with first steps before it exists. */
import type { FastifyInstance } from 'fastify';
import { listChildren } from '#core/pages/list-children.ts';
import { recentUpdates } from '#core/pages/recent-updates.ts';
import { wantedLinks } from '#core/pages/wanted-links.ts';
import type { Reader } from '#core/ports/reader.ts';
import { findReadable } from '#core/reading/find-page.ts';
import { pageLink, treeList } from '../components.ts';
import { count, timeAgo } from '../format.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { type Site, shared, type Visit } from '../site.ts';
import { updatesList } from './updates.ts';
import { showPage } from './view.ts';
import { wantedLink } from './wanted.ts';

/** Suggested title of the home page; the wiki's name is shown instead of it. */
const usualTitle = 'Home';
const shownUpdates = 6;
const shownWanted = 6;

export function homeRoutes(server: FastifyInstance, site: Site): void {
  server.get(
    '/',
    { config: { ...shared, isNegotiated: true, showsProposals: true } },
    async (request, reply) => {
      const { visit, reader } = request;
      const { name, home } = site.settings;
      const found = await findReadable(reader, home);
      if (found) {
        return showPage(site, reply, home, {
          title: found.title === usualTitle ? name : found.title,
          foot: (markup) => frontFoot(reader, visit, markup),
        });
      }
      const [roots, updates] = await Promise.all([
        listChildren(reader, null, { limit: 100, offset: 0 }),
        recentUpdates(reader, shownUpdates),
      ]);
      const create = `/new?title=${usualTitle}&path=${encodeURIComponent(home)}`;
      const isEmpty = roots.total === 0;
      const main = html`<div class="plain welcome">
<h1>${isEmpty ? html`Welcome to ${name}` : name}</h1>
${isEmpty && html`<p class="lede">This wiki has no pages yet.</p>`}
${
  visit.actor
    ? html`<ol class="steps">
<li><p><a class="button" href="${create}">Write the home page</a> It appears at <code>${home}</code> and greets everyone who comes here.</p></li>
<li><p>To link to other pages, put their names in double brackets, <code>[[Like this]]</code>. Each becomes a link, and <a href="/wanted">wanted pages</a> lists those that do not exist yet.</p></li>
${visit.actor.isAdmin && html`<li><p><a href="/members">Invite others</a> with a link that works once.</p></li>`}
</ol>`
    : html`<p>${isEmpty ? 'There is nothing to read yet.' : 'The home page is not written yet.'} <a href="/login?next=${encodeURIComponent(create)}">Sign in to write it.</a></p>`
}
${isEmpty && !visit.actor && firstSteps}
${!isEmpty && html`<section><h2>Pages</h2><div data-tree>${treeList(roots.pages, { total: roots.total, href: '/tree', isForReaders: true })}</div></section>`}
${updates.length > 0 && html`<section><h2>Latest changes</h2>${updatesList(updates, visit.now)}<p><a href="/updates">All changes</a></p></section>`}
</div>`;
      return sendLayout(site, reply, { title: name, kind: 'welcome', main, isListed: true });
    },
  );
}

/** Latest changes and wanted pages, unless the text lists them itself. */
async function frontFoot(reader: Reader, { now }: Visit, markup: string): Promise<Html> {
  const listsItself = (name: string) => markup.includes(`<ul class="listing listing-${name}">`);
  const [updates, wanted] = await Promise.all([
    listsItself('recent') ? [] : recentUpdates(reader, shownUpdates),
    listsItself('wanted') ? [] : wantedLinks(reader, shownWanted, 1),
  ]);
  return html`<footer class="front-foot">
${updates.length > 0 && html`<section><h2>Latest changes</h2><ul class="updates">${updates.map((page) => html`<li><span class="updates-page">${pageLink(page)}</span> <span class="quiet">${timeAgo(page.at, now)} by <span dir="auto">${page.editor.name}</span></span></li>`)}</ul><p class="quiet"><a href="/updates">All changes</a></p></section>`}
${wanted.length > 0 && html`<section><h2>Wanted pages</h2><ul class="updates">${wanted.map((one) => html`<li><span class="updates-page">${wantedLink(one.title)}</span> <span class="quiet">${count(one.count, 'link')}</span></li>`)}</ul><p class="quiet"><a href="/wanted">All wanted pages</a></p></section>`}
</footer>`;
}

const firstSteps = html`<section class="first-steps">
<h2>Do you run this wiki?</h2>
<p>While the wiki has no members, each start prints a link that creates the account of the first administrator:</p>
<dl>
<div><dt>Started manually</dt><dd>in the terminal where <code>npm start</code> runs</dd></div>
<div><dt>As a service</dt><dd><code>journalctl -u coppice</code></dd></div>
<div><dt>In a container</dt><dd><code>docker logs CONTAINER</code></dd></div>
</dl>
<p>Or add yourself as a member on that machine, in the folder of Coppice and with its settings:</p>
<pre class="source" tabindex="0">npm run -s coppice -- member add you@example.org --name "Your Name" --admin</pre>
</section>`;
