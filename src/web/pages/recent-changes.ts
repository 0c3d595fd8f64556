/** All changes, latest first, filtered by author, role, tag, type and subtree; moderators mark reviewed ones. */

import type { FastifyInstance } from 'fastify';
import type { FeedQuery } from '#core/events/list-events.ts';
import { changeFeed, changeReview } from '#core/events/operations.ts';
import type { WikiEvent } from '#core/model/event.ts';
import { roles } from '#core/model/member.ts';
import { isModerator } from '#core/model/permission.ts';
import { invalid } from '#core/model/problem.ts';
import { urlOf } from '#http/page-paths.ts';
import { say } from '#words/say.ts';
import { changedAddress, pageLink, pagingLinks, urlOfVisit } from '../components.ts';
import { checkbox, choices, field, selectField } from '../form-fields.ts';
import { formRoutes, redirectWithNotice } from '../form-routes.ts';
import { timeAgo } from '../format.ts';
import { type Html, html, type Words } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { carryFor, reads } from '../operation-pages.ts';
import type { Site } from '../site.ts';
import { returnAddress } from '../visitor.ts';

const address = '/updates/changes';
const shown = 50;

export function recentChangeRoutes(server: FastifyInstance, site: Site): void {
  const { store } = site.service;

  server.get(address, reads(changeFeed), async (request, reply) => {
    const { actor, now } = request.visit;
    const url = urlOfVisit(request.visit);
    const { searchParams } = url;
    const text = (name: string) => searchParams.get(name)?.trim() || undefined;
    const editor = Number(text('editor') ?? 0);
    const query: FeedQuery = {
      ancestor: text('below'),
      type: text('type'),
      tag: text('tag'),
      editor: Number.isSafeInteger(editor) && editor > 0 ? editor : undefined,
      role: roles.find((one) => one === text('role')),
      reviewed: text('review') === 'waiting' ? false : undefined,
    };
    const before = text('before');
    const wanted = { ...query, before: before ?? 'latest', limit: shown };
    const spend = (cpuMs: number) => site.costs.spend(request, actor, cpuMs);
    const { events, next, hasMore } = await carryFor(site, request)(changeFeed, { wanted, spend });
    const reviews = isModerator(actor);
    const waiting = reviews ? events.filter(({ isReviewed }) => !isReviewed) : [];
    const named = query.editor === undefined ? undefined : await store.members.findById(query.editor);
    const at = (changed: Record<string, string | undefined>) =>
      changedAddress(url, { before: undefined, ...changed });
    const criterion = (name: string, label: Words, hint: Words) =>
      field(name, label, html`value="${text(name) ?? ''}" placeholder="${hint}" dir="auto"`);
    const main = html`<div class="plain">
<p class="above"><a href="/updates">${say('common.latestChanges')}</a></p>
<h1>${say('recentChanges.allChanges')}</h1>
<p class="lede">${say('recentChanges.latestFirst')}${
      query.editor !== undefined &&
      html` ${say('recentChanges.onlyBy', {
        name: html`<strong dir="auto">${
          named?.name ?? say('recentChanges.memberNumber', { id: String(query.editor) })
        }</strong>`,
      })} <a href="${at({ editor: undefined })}">${say('recentChanges.byEverybody')}</a>`
    }</p>
<details class="criteria"${searchParams.size > 0 && html` open`}><summary>${say('recentChanges.filter')}</summary><form method="get" action="${address}" class="narrow-form">
${query.editor !== undefined && html`<input type="hidden" name="editor" value="${query.editor}">`}
${criterion('below', say('recentChanges.beneathThePage'), '/garden')}${criterion('tag', say('recentChanges.tag'), 'kind:tree')}${criterion('type', say('common.type'), say('common.place'))}
${selectField('role', say('recentChanges.roleOfTheAuthor'), choices([['', say('common.anyRole')], ...roles.map((role) => [role, say(`members.${role}`)] as const)], query.role ?? ''))}
${reviews && checkbox('review', 'waiting', query.reviewed === false, say('recentChanges.onlyChangesThatNobodyHas'))}
<div class="buttons"><button type="submit" class="button">${say('recentChanges.show')}</button></div></form></details>
${
  events.length === 0
    ? html`<p class="empty">${hasMore ? say('recentChanges.noMatchingChangesHereThere') : say('recentChanges.noMatchingChanges')}</p>`
    : html`<ul class="updates">${events.map((event) => row(event, now, at, reviews ? request.url : undefined))}</ul>`
}
${
  waiting.length > 1 &&
  html`<form method="post" action="${address}">${waiting.map(({ id }) => html`<input type="hidden" name="id-${id}" value="${id}">`)}<input type="hidden" name="next" value="${request.url}">
<button type="submit" class="button quiet-button">${say('recentChanges.markAllLengthChangesHereAs', { length: waiting.length })}</button></form>`
}
${pagingLinks(
  before !== undefined && html`<a href="${at({})}">${say('common.latest')}</a>`,
  hasMore && next !== null && html`<a rel="next" href="${at({ before: next })}">${say('common.older')}</a>`,
)}
</div>`;
    return sendLayout(site, reply, { title: say('recentChanges.allChanges'), kind: 'updates', main });
  });

  const onForm = formRoutes(server, site);
  onForm(address, [changeReview], async (form, request, reply) => {
    const ids = form.entries().flatMap(([name, value]) => (name.startsWith('id-') ? [Number(value)] : []));
    if (!ids.every((id) => Number.isSafeInteger(id) && id > 0))
      throw invalid('/id', say('recentChanges.theseChangesDoNotExist'));
    await carryFor(site, request)(changeReview, { ids, reviewed: form.text('what') !== 'unmark' });
    return redirectWithNotice(reply, returnAddress(form.text('next'), address), 'reviewed');
  });
}

function row(
  { id, kind, at, page, editor, msg, isReviewed }: WikiEvent,
  now: number,
  address_: (changed: Record<string, string>) => string,
  markFrom: string | undefined,
): Html {
  const name = { id: page.id, path: page.path, title: page.title ?? page.path };
  return html`<li><span class="updates-page">${pageLink(name)}</span> <span class="quiet">${
    editor
      ? html`${say('recentChanges.whatWhenAndWho', {
          kind,
          time: timeAgo(at, now),
          name: html`<a href="/members/${editor.id}" dir="auto">${editor.name}</a>`,
        })} (<a href="${address_({ editor: String(editor.id) })}" aria-label="${say('recentChanges.onlyThese')}: ${editor.name}">${say('recentChanges.onlyThese')}</a>)`
      : say('recentChanges.whatAndWhen', { kind, time: timeAgo(at, now) })
  } · <a href="${urlOf('/history', page.path)}">${say('recentChanges.history')}</a></span>${msg !== '' && html` <q dir="auto">${msg}</q>`}
${
  markFrom !== undefined &&
  !isReviewed &&
  html`<form method="post" action="${address}"><input type="hidden" name="id-${id}" value="${id}"><input type="hidden" name="next" value="${markFrom}"><button type="submit"
class="quiet-button" aria-label="${say('recentChanges.markAsReviewedTitleKind', {
    title: name.title,
    kind,
  })}">${say('recentChanges.markAsReviewed')}</button></form>`
}</li>`;
}
