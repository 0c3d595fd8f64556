/** Blocked members, for moderators, with reason and end; and the form for blocking on a member's page. */

import type { FastifyInstance } from 'fastify';
import { type BlockedMember, blockMember, listBlocks, unblockMember } from '#core/members/block-member.ts';
import type { Block } from '#core/model/member.ts';
import { invalid } from '#core/model/problem.ts';
import { paging, readRange } from '../components.ts';
import { choices, field, selectField } from '../form-fields.ts';
import { type ById, formRoutes, idOf, redirectWithNotice } from '../form-routes.ts';
import { count, dayOf, momentOf } from '../format.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import type { Site } from '../site.ts';

const shown = 100;
const hourMs = 3_600_000;
const spans: [hours: number, words: string][] = [
  [24, 'a day'],
  [24 * 7, 'a week'],
  [24 * 30, '30 days'],
  [24 * 365, 'a year'],
  [0, 'until somebody lifts the block'],
];

export function blockRoutes(server: FastifyInstance, site: Site): void {
  const { store } = site.service;

  server.get('/members/blocked', async ({ visit }, reply) => {
    const { url, range } = readRange(visit, shown);
    const { blocked, total } = await listBlocks(store, visit.actor, range, visit.now);
    const main = html`<div class="plain members">
${visit.actor?.isAdmin && html`<p class="above"><a href="/members">Members</a></p>`}
<h1>Blocked members</h1>
<p class="lede">${count(total, 'member')} can read but not write. To block a member, open the member’s page.</p>
<ul class="updates">${blocked.map((one) => item(one, visit.now))}</ul>
${paging(url, range, total)}
</div>`;
    return sendLayout(site, reply, { title: 'Blocked members', kind: 'members', main });
  });

  const onForm = formRoutes<ById>(server, site);
  onForm('/members/:id/block', ['member-blocked', 'member-unblocked'], async (form, request, reply) => {
    const { actor, now } = request.visit;
    const id = idOf(request);
    if (form.text('what') === 'unblock') {
      await unblockMember(store, actor, id, now);
      return redirectWithNotice(reply, '/members/blocked', 'member-unblocked');
    }
    const span = spans.find(([hours]) => String(hours) === form.text('hours'));
    if (!span) throw invalid('/hours', 'Choose a duration.');
    const until = span[0] === 0 ? null : now + span[0] * hourMs;
    await blockMember(store, actor, id, { reason: form.text('reason'), until }, now);
    return redirectWithNotice(reply, '/members/blocked', 'member-blocked');
  });
}

function item({ member, block }: BlockedMember, now: number): Html {
  return html`<li><span class="updates-page"><a href="/members/${member.id}" dir="auto">${member.name}</a></span> <span class="quiet">${blockWords(block, now)}</span>
${unblockForm(member)}</li>`;
}

export function unblockForm({ id, name }: { id: number; name: string }): Html {
  return html`<form method="post" action="/members/${id}/block"><button type="submit" name="what" value="unblock" aria-label="Lift the block of ${name}">Lift the block</button></form>`;
}

export function blockWords(block: Block, now: number): Html {
  const end = block.until === null ? 'until somebody lifts the block' : html`until ${momentOf(block.until)}`;
  return html`since ${dayOf(block.at, now)}, ${end}: <bdi>${block.reason}</bdi>`;
}

/** Shown on a member's page. */
export function blockForm(memberId: number): Html {
  return html`<details><summary>Block this member</summary><p>They can read but not write until the block ends. They see the reason.</p>
<form method="post" action="/members/${memberId}/block" class="narrow-form">${field('reason', 'Reason', html`required maxlength="500"`, { id: 'block-reason' })}
${selectField('hours', 'For', choices(spans), { id: 'block-hours' })}
<div class="buttons"><button type="submit" name="what" value="block" class="button grave">Block</button></div></form></details>`;
}
