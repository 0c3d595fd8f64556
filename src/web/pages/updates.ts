/** Latest changes in the whole wiki or a subtree, also as an Atom feed. */
import type { FastifyInstance } from 'fastify';
import type { MemberName, PageName } from '#core/model/page.ts';
import { Problem } from '#core/model/problem.ts';
import { pageByPath, updateList } from '#core/pages/reading-operations.ts';
import { urlOf } from '#http/page-paths.ts';
import { say } from '#words/say.ts';
import { changedAddress, pageLink, pagingLinks, readOffset, urlOfVisit } from '../components.ts';
import { timeAgo } from '../format.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { carryFor } from '../operation-pages.ts';
import { type Site, shared } from '../site.ts';

type Update = PageName & { at: number; editor: MemberName };

const shown = 50;

export function updateRoutes(server: FastifyInstance, site: Site): void {
  const config = { ...shared, operations: [pageByPath, updateList] };
  server.get('/updates', { config }, async (request, reply) => {
    const { visit } = request;
    const url = urlOfVisit(visit);
    const carry = carryFor(site, request);
    const below = url.searchParams.get('below') ?? undefined;
    const above = below === undefined ? undefined : await carry(pageByPath, { path: below });
    if (below !== undefined && !above)
      throw new Problem('not-found', say('updates.noPageAt', { path: below.slice(0, 200) }));
    const offset = readOffset(url);
    // One extra change tells whether there are more.
    const updates = await carry(updateList, {
      num: shown + 1,
      offset,
      ...(below === undefined ? {} : { below }),
    });
    const at = (start: number) => changedAddress(url, { offset: start > 0 ? String(start) : undefined });
    const main = html`<div class="plain">
<h1>${say('common.latestChanges')}</h1>
${
  above
    ? html`<p class="lede">${say('updates.belowPageShowTheWholeWiki', { page: pageLink(above), link: (words) => html`<a href="/updates">${words}</a>` })}</p>`
    : html`<p class="lede">${say('updates.pagesMostRecentlyChanged')}</p>`
}
${updates.length === 0 ? html`<p class="empty">${say('updates.nothingHasChangedHereYet')}</p>` : updatesList(updates.slice(0, shown), visit.now)}
${pagingLinks(
  offset > 0 && html`<a rel="prev" href="${at(Math.max(0, offset - shown))}">${say('updates.newer')}</a>`,
  updates.length > shown && html`<a rel="next" href="${at(offset + shown)}">${say('common.older')}</a>`,
)}
<p class="quiet"><a href="/updates/changes${above && `?${new URLSearchParams({ below: above.path })}`}">${say(
      'updates.allChangesWithFilters',
    )}</a> · <a href="${above ? urlOf('/atom/updates', above.path) : '/atom'}">${say('updates.followByFeedAtom')}</a></p>
</div>`;
    const isListed = offset === 0 && !below;
    return sendLayout(site, reply, { title: say('common.latestChanges'), kind: 'updates', main, isListed });
  });
}

export function updatesList(updates: Update[], now: number): Html {
  return html`<ul class="updates">${updates.map(
    (update) =>
      html`<li><span class="updates-page">${pageLink(update)}</span> <span class="quiet">${say(
        'updates.timeByNameWhatChanged',
        {
          time: timeAgo(update.at, now),
          name: html`<span dir="auto">${update.editor.name}</span>`,
          link: (words) => html`<a href="${urlOf('/diff', update.path)}">${words}</a>`,
        },
      )}</span></li>`,
  )}</ul>`;
}
