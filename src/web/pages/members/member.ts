/** A member's page: name, time of joining, and contributions that the reader may see. */

import type { FastifyInstance } from 'fastify';
import { contributionList } from '#core/members/profile-operations.ts';
import { blockAt } from '#core/model/member.ts';
import type { Contribution } from '#core/ports/list-reads.ts';
import { urlOf } from '#http/page-paths.ts';
import { say } from '#words/say.ts';
import { pageLink, pageUrl, pagingLinks, readOffset, urlOfVisit } from '../../components.ts';
import { reasonAndButton } from '../../erase-form.ts';
import { type ById, idOf } from '../../form-routes.ts';
import { dayOf, timeAgo } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { sendLayout } from '../../layout.ts';
import { carryFor } from '../../operation-pages.ts';
import type { Site } from '../../site.ts';
import { blockForm, blockWords, unblockForm } from './blocks.ts';
import { roleNames } from './members.ts';
import { undoForm } from './undo-member.ts';

const shown = 50;

export function memberRoutes(server: FastifyInstance, site: Site): void {
  const { store } = site.service;

  const config = { operations: [contributionList], strangersMs: 2 };
  server.get<{ Params: ById }>('/members/:id', { config }, async (request, reply) => {
    const { visit } = request;
    const id = idOf(request);
    const before = readOffset(urlOfVisit(visit), 'before') || undefined;
    const range = { limit: shown, ...(before === undefined ? {} : { before }) };
    const { member, contributions, next } = await carryFor(site, request)(contributionList, { id, ...range });
    const isModerator = visit.actor?.isAdmin || visit.actor?.role === 'moderator';
    const account = isModerator ? await store.members.findById(id) : undefined;
    const block = account ? blockAt(account, visit.now) : null;
    const main = html`<div class="plain">
<h1 dir="auto">${member.name}</h1>
<p class="lede">${say('member.memberSince', { role: member.role === 'writer' ? say('member.member') : roleNames[member.role], time: dayOf(member.since, visit.now) })}</p>
<section><h2>${say('member.changes')}</h2>
${contributions.length === 0 ? html`<p class="empty">${say('member.noneThatYouMaySee')}</p>` : html`<ul class="updates">${contributions.map((one) => item(one, visit.now))}</ul>`}
${pagingLinks(
  before !== undefined && html`<a href="/members/${id}">${say('common.latest')}</a>`,
  next !== null && html`<a rel="next" href="/members/${id}?before=${next}">${say('common.older')}</a>`,
)}</section>
${
  visit.actor &&
  isModerator &&
  html`<section><h2>${say('member.moderation')}</h2>${block && html`<p>${say('member.blockedBlock', { block: blockWords(block, visit.now) })}</p>${unblockForm(member)}`}${
    visit.actor.isAdmin &&
    html`<p><a href="/members/audit?member=${id}">${say('member.auditLogOfThisMember')}</a></p>`
  }
${undoForm(id)}
${visit.actor.memberId !== id && !block && blockForm(id)}
${
  visit.actor.isAdmin &&
  html`<details><summary>${say('member.eraseThisMembersIdentity')}</summary><p>${say('member.nameAddressAndAllCredentials')}</p>
<form method="post" action="/members/${id}/erase">${reasonAndButton('')}</form></details>`
}</section>`
}
</div>`;
    return sendLayout(site, reply, { title: member.name, kind: 'members', main });
  });
}

function item({ id, at, msg, page, isErased }: Contribution, now: number): Html {
  const what = isErased
    ? say('member.erased')
    : html`<a href="${urlOf('/diff', page.path)}?to=${id}">${say('member.whatChanged')}</a>`;
  return html`<li><span class="updates-page">${pageLink(page)}</span> <span class="quiet"><a href="${pageUrl(page.path)}?version=${id}">${timeAgo(at, now)}</a> · ${what}${
    msg !== '' && html`: <bdi>${msg}</bdi>`
  }</span></li>`;
}
