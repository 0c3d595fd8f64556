/** Undoes all changes of a member since a time, for administrators: first a preview, then the result. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { parseId } from '#core/model/id.ts';
import { invalid } from '#core/model/problem.ts';
import { type Undone, type UndonePage, undoChanges } from '#core/pages/undo-changes.ts';
import { pageLink } from '../components.ts';
import { choices, selectField } from '../form-fields.ts';
import { type ById, formRoutes, idOf } from '../form-routes.ts';
import { count, momentOf } from '../format.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import type { Site } from '../site.ts';

const hourMs = 3_600_000;
const spans: [hours: number, words: string][] = [
  [1, 'the last hour'],
  [24, 'the last 24 hours'],
  [24 * 7, 'the last 7 days'],
  [24 * 30, 'the last 30 days'],
];

export function undoMemberRoutes(server: FastifyInstance, site: Site): void {
  const onForm = formRoutes<ById>(server, site);
  onForm('/members/:id/undo', ['changes-undone'], async (form, request, reply) => {
    const { actor, now } = request.visit;
    const isDry = !form.has('since');
    const since = isDry ? now - readNumber(form.text('hours')) * hourMs : readNumber(form.text('since'));
    const done = await undoChanges(site.service.store, actor, idOf(request), { since, isDry }, now);
    return sendUndone(site, reply, done, since, isDry);
  });
}

function readNumber(text: string): number {
  const number = parseId(text);
  if (number === undefined) throw invalid('/since', 'Choose from when on changes are undone.');
  return number;
}

/** Leads to the preview. */
export function undoForm(memberId: number): Html {
  return html`<details><summary>Undo their changes</summary><p>Pages get their earlier text again; later edits of others are kept. You see a preview first.</p>
<form method="post" action="/members/${memberId}/undo">${selectField('hours', 'Changes of', choices(spans), { id: 'undo-hours' })}
<div class="buttons"><button type="submit" class="button">Preview the changes</button></div></form></details>`;
}

function sendUndone(
  site: Site,
  reply: FastifyReply,
  { member, pages, more }: Undone,
  since: number,
  isDry: boolean,
): FastifyReply {
  const changing = pages.filter(({ outcome }) => outcome !== 'left' && outcome !== 'conflict').length;
  const title = isDry ? 'Undo changes' : 'Changes undone';
  const main = html`<div class="plain">
<p class="above"><a href="/members/${member.id}" dir="auto">${member.name}</a></p>
<h1>${title}</h1>
<p class="lede">${count(changing, 'page')} ${isDry ? 'would change' : 'changed'}, of ${count(pages.length, 'page')} with changes since ${momentOf(since)}.</p>
${more > 0 && html`<p>${count(more, 'page')} with older changes are left. Undo again for these.</p>`}
<ul class="updates">${pages.map((page) => item(page, isDry))}</ul>
${
  isDry &&
  changing > 0 &&
  html`<form method="post" action="/members/${member.id}/undo"><input type="hidden" name="since" value="${since}">
<div class="buttons"><button type="submit" class="button">Undo</button> <a href="/members/${member.id}">Cancel</a></div></form>`
}
</div>`;
  return sendLayout(site, reply, { title, kind: 'members', main });
}

const outcomes: Record<UndonePage['outcome'], [before: string, after: string]> = {
  undone: ['goes back', 'went back'],
  merged: ['is restored, with later edits of others', 'has been restored, with later edits of others'],
  conflict: [
    'stays, because others changed the same text since; see its history',
    'stays, because others changed the same text since; see its history',
  ],
  deleted: [
    'is moved to the trash, because nobody else edited it',
    'has been moved to the trash, because nobody else edited it',
  ],
  left: ['stays, because there is nothing to undo, or others have edited it since', 'stays'],
};

function item({ path, title, changes, outcome }: UndonePage, isDry: boolean): Html {
  const words = outcomes[outcome][isDry ? 0 : 1];
  return html`<li><span class="updates-page">${pageLink({ path, title })}</span> <span class="quiet">${count(changes, 'change')} · ${words}</span></li>`;
}
