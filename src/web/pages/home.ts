/** The home page, or a welcome page with first steps before it exists. */
import type { FastifyInstance } from 'fastify';
import { mayCreate } from '#core/model/may-write.ts';
import type { Carry } from '#core/operations/carry-out.ts';
import { namedPageReading } from '#core/pages/named-page-operations.ts';
import { pageByPath, pageReading, rootList, updateList, wantedList } from '#core/pages/reading-operations.ts';
import { say } from '#words/say.ts';
import { pageLink, treeList } from '../components.ts';
import { timeAgo } from '../format.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { carryFor } from '../operation-pages.ts';
import { type Site, shared, type Visit } from '../site.ts';
import { updatesList } from './updates.ts';
import { showPage } from './view/view.ts';
import { wantedLink } from './wanted.ts';

/** Suggested title of the home page; the wiki's name is shown instead of it. */
const usualTitle = 'Home';
const shownUpdates = 6;
const shownWanted = 6;

export function homeRoutes(server: FastifyInstance, site: Site): void {
  const operations = [pageByPath, namedPageReading, pageReading, rootList, updateList, wantedList];
  server.get(
    '/',
    { config: { ...shared, operations, isNegotiated: true, showsProposals: true } },
    async (request, reply) => {
      const { visit } = request;
      const carry = carryFor(site, request);
      const { name, home } = site.settings;
      const found = await carry(pageByPath, { path: home });
      if (found) {
        return showPage(site, reply, home, {
          title: found.title === usualTitle ? name : found.title,
          foot: (markup) => frontFoot(carry, visit, markup),
        });
      }
      const [roots, updates] = await Promise.all([
        carry(rootList, { limit: 100 }),
        carry(updateList, { num: shownUpdates }),
      ]);
      const create = `/new?title=${usualTitle}&path=${encodeURIComponent(home)}`;
      const isEmpty = roots.total === 0;
      const main = html`<div class="plain welcome">
<h1>${isEmpty ? html`${say('home.welcomeToName', { name })}` : name}</h1>
${isEmpty && html`<p class="lede">${visit.actor?.role === 'guest' ? say('home.youAreAGuest') : say('home.thisWikiHasNoPagesYet')}</p>`}
${
  mayCreate(visit.actor)
    ? html`<ol class="steps">
<li><p>${say('home.writeTheHomePageItAppearsAt', { link: (words) => html`<a class="button" href="${create}">${words}</a>`, home: html`<code>${home}</code>` })}</p></li>
<li><p>${say('home.toLinkToOtherPagesPutTheir', { code: html`<code>[[Like this]]</code>`, link: (words) => html`<a href="/wanted">${words}</a>` })}</p></li>
${
  visit.actor?.isAdmin &&
  html`<li><p>${say('home.inviteOthersWithALinkThat', { link: (words) => html`<a href="/members">${words}</a>`, groups: (words) => html`<a href="/members/groups">${words}</a>` })}</p></li>
<li><p>${say(visit.isPrivate ? 'home.membersRead' : 'home.everybodyReads', { link: (words) => html`<a href="/settings">${words}</a>` })}</p></li>`
}
</ol>`
    : !visit.actor &&
      html`<p>${isEmpty ? say('home.thereIsNothingToReadYet') : say('home.theHomePageIsNotWrittenYet')} <a href="/login?next=${encodeURIComponent(create)}">${say('home.signInToWriteIt')}</a></p>`
}
${isEmpty && !visit.actor && firstSteps}
${!isEmpty && html`<section><h2>${say('home.pages')}</h2><div data-tree>${treeList(roots.pages, { total: roots.total, href: '/tree', isForReaders: true })}</div></section>`}
${updates.length > 0 && html`<section><h2>${say('common.latestChanges')}</h2>${updatesList(updates, visit.now)}<p><a href="/updates">${say('home.allChanges')}</a></p></section>`}
</div>`;
      return sendLayout(site, reply, { title: name, kind: 'welcome', main, isListed: true });
    },
  );
}

/** Latest changes and wanted pages, unless the text lists them itself. */
async function frontFoot(carry: Carry, { now }: Visit, markup: string): Promise<Html> {
  const listsItself = (name: string) => markup.includes(`<ul class="listing listing-${name}">`);
  const [updates, wanted] = await Promise.all([
    listsItself('recent') ? [] : carry(updateList, { num: shownUpdates }),
    listsItself('wanted') ? [] : carry(wantedList, { num: shownWanted, linking: 1 }),
  ]);
  return html`<footer class="front-foot">
${
  updates.length > 0 &&
  html`<section><h2>${say('common.latestChanges')}</h2><ul class="updates">${updates.map(
    (page) =>
      html`<li><span class="updates-page">${pageLink(page)}</span> <span class="quiet">${say(
        'home.timeByName',
        { time: timeAgo(page.at, now), name: html`<span dir="auto">${page.editor.name}</span>` },
      )}</span></li>`,
  )}</ul><p class="quiet"><a href="/updates">${say('home.allChanges')}</a></p></section>`
}
${
  wanted.length > 0 &&
  html`<section><h2>${say('common.wantedPages')}</h2><ul class="updates">${wanted.map(
    (one) =>
      html`<li><span class="updates-page">${wantedLink(one.title)}</span> <span class="quiet">${say('count.links', { count: one.count })}</span></li>`,
  )}</ul><p class="quiet"><a href="/wanted">${say('home.allWantedPages')}</a></p></section>`
}
</footer>`;
}

const firstSteps = html`<section class="first-steps">
<h2>${say('home.doYouRunThisWiki')}</h2>
<p>${say('home.whileTheWikiHasNoMembersEach')}</p>
<dl>
<div><dt>${say('home.startedManually')}</dt><dd>${say('home.inTheTerminalWhereCodeRuns', { code: html`<code>npm start</code>` })}</dd></div>
<div><dt>${say('home.asAService')}</dt><dd><code>journalctl -u coppice</code></dd></div>
<div><dt>${say('home.inAContainer')}</dt><dd><code>docker logs CONTAINER</code></dd></div>
</dl>
<p>${say('home.orAddYourselfAsAMemberOnThat')}</p>
<pre class="source" tabindex="0">npm run -s coppice -- member add you@example.org --name "Your Name" --admin</pre>
</section>`;
