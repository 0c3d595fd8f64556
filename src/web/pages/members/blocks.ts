/** Blocked members, for moderators, with reason and end; and the form for blocking on a member's page. */

import type { FastifyInstance } from 'fastify';
import type { BlockedMember } from '#core/members/block-member.ts';
import { blockList, memberBlocking, memberUnblocking } from '#core/members/block-operations.ts';
import { isoTime } from '#core/model/iso-time.ts';
import type { Block } from '#core/model/member.ts';
import { invalid } from '#core/model/problem.ts';
import { say } from '#words/say.ts';
import { paging, readRange } from '../../components.ts';
import { choices, field, selectField } from '../../form-fields.ts';
import { type ById, formRoutes, idOf, redirectWithNotice } from '../../form-routes.ts';
import { dayOf, momentOf } from '../../format.ts';
import { type Html, html, type Words } from '../../html.ts';
import { sendLayout } from '../../layout.ts';
import { carryFor, reads } from '../../operation-pages.ts';
import type { Site } from '../../site.ts';

const shown = 100;
const hourMs = 3_600_000;
const spans: [hours: number, words: Words][] = [
  ...[1, 7, 30, 365].map((days) => [days * 24, say('common.forDays', { days })] as [number, Words]),
  [0, say('blocks.untilSomebodyLiftsTheBlock')],
];

export function blockRoutes(server: FastifyInstance, site: Site): void {
  server.get('/members/blocked', reads(blockList), async (request, reply) => {
    const { visit } = request;
    const { url, range } = readRange(visit, shown);
    const { items: blocked, total } = await carryFor(site, request)(blockList, range);
    const main = html`<div class="plain members">
${visit.actor?.isAdmin && html`<p class="above"><a href="/members">${say('blocks.members')}</a></p>`}
<h1>${say('common.blockedMembers')}</h1>
<p class="lede">${say('blocks.memberCanReadButNotWriteTo', { count: total })}</p>
<ul class="updates">${blocked.map((one) => item(one, visit.now))}</ul>
${paging(url, range, total)}
</div>`;
    return sendLayout(site, reply, { title: say('common.blockedMembers'), kind: 'members', main });
  });

  const onForm = formRoutes<ById>(server, site);
  onForm('/members/:id/block', [memberBlocking, memberUnblocking], async (form, request, reply) => {
    const carry = carryFor(site, request);
    const id = idOf(request);
    if (form.text('what') === 'unblock') {
      await carry(memberUnblocking, { id });
      return redirectWithNotice(reply, '/members/blocked', 'member-unblocked');
    }
    const span = spans.find(([hours]) => String(hours) === form.text('hours'));
    if (!span) throw invalid('/hours', say('blocks.chooseADuration'));
    const until = span[0] === 0 ? null : isoTime(request.visit.now + span[0] * hourMs);
    await carry(memberBlocking, { id, reason: form.text('reason'), until });
    return redirectWithNotice(reply, '/members/blocked', 'member-blocked');
  });
}

function item({ member, block }: BlockedMember, now: number): Html {
  return html`<li><span class="updates-page"><a href="/members/${member.id}" dir="auto">${member.name}</a></span> <span class="quiet">${blockWords(block, now)}</span>
${unblockForm(member)}</li>`;
}

export function unblockForm({ id, name }: { id: number; name: string }): Html {
  return html`<form method="post" action="/members/${id}/block"><button type="submit" name="what" value="unblock" aria-label="${say('blocks.liftTheBlock')}: ${name}">${say(
    'blocks.liftTheBlock',
  )}</button></form>`;
}

export function blockWords(block: Block, now: number): Html {
  const end =
    block.until === null
      ? say('blocks.untilSomebodyLiftsTheBlock')
      : say('blocks.until', { time: momentOf(block.until) });
  return html`${say('blocks.since', { time: dayOf(block.at, now), end })} <bdi>${block.reason}</bdi>`;
}

/** Shown on a member's page. */
export function blockForm(memberId: number): Html {
  return html`<details><summary>${say('blocks.blockThisMember')}</summary><p>${say('blocks.theyCanReadButNotWriteUntil')}</p>
<form method="post" action="/members/${memberId}/block" class="narrow-form">${field('reason', say('blocks.reason'), html`required maxlength="500"`, { id: 'block-reason' })}
${selectField('hours', say('links.howLong'), choices(spans), { id: 'block-hours' })}
<div class="buttons"><button type="submit" name="what" value="block" class="button grave">${say('blocks.block')}</button></div></form></details>`;
}
