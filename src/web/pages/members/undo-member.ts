/** Undoes all changes of a member since a time, for administrators: first a preview, then the result. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { parseId } from '#core/model/id.ts';
import { isoTime } from '#core/model/iso-time.ts';
import { invalid } from '#core/model/problem.ts';
import type { Undone, UndonePage } from '#core/pages/undo-changes.ts';
import { undoOfMember } from '#core/pages/undo-operations.ts';
import { say } from '#words/say.ts';
import { pageLink } from '../../components.ts';
import { choices, selectField } from '../../form-fields.ts';
import { type ById, formRoutes, idOf } from '../../form-routes.ts';
import { momentOf } from '../../format.ts';
import { type Html, html, type Words } from '../../html.ts';
import { sendLayout } from '../../layout.ts';
import { carryFor } from '../../operation-pages.ts';
import type { Site } from '../../site.ts';

const hourMs = 3_600_000;
const spans: [hours: number, words: Words][] = [
  [1, say('undoMember.theLastHour')],
  [24, say('undoMember.theLastHours', { count: 24 })],
  [24 * 7, say('undoMember.theLastDays', { count: 7 })],
  [24 * 30, say('undoMember.theLastDays', { count: 30 })],
];

export function undoMemberRoutes(server: FastifyInstance, site: Site): void {
  const onForm = formRoutes<ById>(server, site);
  onForm('/members/:id/undo', [undoOfMember], async (form, request, reply) => {
    const { now } = request.visit;
    const isDry = !form.has('since');
    const since = isDry ? now - readNumber(form.text('hours')) * hourMs : readNumber(form.text('since'));
    const done = await carryFor(site, request)(undoOfMember, {
      id: idOf(request),
      since: isoTime(Math.min(since, now + 1)),
      dryRun: isDry,
    });
    return sendUndone({ site, reply }, done, { since, isDry });
  });
}

function readNumber(text: string): number {
  const number = parseId(text);
  if (number === undefined) throw invalid('/since', say('undoMember.chooseFromWhenOnChangesAre'));
  return number;
}

/** Leads to the preview. */
export function undoForm(memberId: number): Html {
  return html`<details><summary>${say('undoMember.undoTheirChanges')}</summary><p>${say('undoMember.pagesGetTheirEarlierText')}</p>
<form method="post" action="/members/${memberId}/undo">${selectField('hours', say('undoMember.changesOf'), choices(spans), { id: 'undo-hours' })}
<div class="buttons"><button type="submit" class="button">${say('undoMember.previewTheChanges')}</button></div></form></details>`;
}

function sendUndone(
  { site, reply }: { site: Site; reply: FastifyReply },
  { member, pages, more }: Undone,
  { since, isDry }: { since: number; isDry: boolean },
): FastifyReply {
  const changing = pages.filter(({ outcome }) => outcome !== 'left' && outcome !== 'conflict').length;
  const title = isDry ? say('undoMember.undoChanges') : say('undoMember.changesUndone');
  const main = html`<div class="plain">
<p class="above"><a href="/members/${member.id}" dir="auto">${member.name}</a></p>
<h1>${title}</h1>
<p class="lede">${say(isDry ? 'undoMember.wouldChange' : 'undoMember.changed', { changing, count: pages.length, time: momentOf(since) })}</p>
${more > 0 && html`<p>${say('undoMember.pageWithOlderChangesAreLeft', { more: more })}</p>`}
<ul class="updates">${pages.map((page) => item(page, isDry))}</ul>
${
  isDry &&
  changing > 0 &&
  html`<form method="post" action="/members/${member.id}/undo"><input type="hidden" name="since" value="${since}">
<div class="buttons"><button type="submit" class="button">${say('undoMember.undo')}</button> <a href="/members/${member.id}">${say('undoMember.cancel')}</a></div></form>`
}
</div>`;
  return sendLayout(site, reply, { title, kind: 'members', main });
}

const outcomes: Record<UndonePage['outcome'], [before: Words, after: Words]> = {
  undone: [say('undoMember.goesBack'), say('undoMember.wentBack')],
  merged: [say('undoMember.isRestored'), say('undoMember.hasBeenRestored')],
  conflict: [say('undoMember.staysBecauseOfOthers'), say('undoMember.staysBecauseOfOthers')],
  deleted: [say('undoMember.isMoved'), say('undoMember.hasBeenMoved')],
  left: [say('undoMember.staysAsThereIsNothing'), say('undoMember.stays')],
};

function item({ path, title, changes, outcome }: UndonePage, isDry: boolean): Html {
  const words = outcomes[outcome][isDry ? 0 : 1];
  return html`<li><span class="updates-page">${pageLink({ path, title })}</span> <span class="quiet">${say('count.changes', { count: changes })} · ${words}</span></li>`;
}
