/** Protection of a page, for moderators: level, with or without subtree, and end. */

import type { FastifyInstance } from 'fastify';
import { invalid } from '#core/model/problem.ts';
import { protectPage } from '#core/pages/protect-page.ts';
import { isInForce } from '#core/pages/protection.ts';
import { getReadable } from '#core/reading/find-page.ts';
import { urlOf } from '#http/page-paths.ts';
import { pageLink, pageUrl } from '../components.ts';
import { checkbox, choices, field, selectField } from '../form-fields.ts';
import { formRoutes, redirectWithNotice } from '../form-routes.ts';
import { exactTime } from '../format.ts';
import { html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { followMove, pathOf } from '../page-address.ts';
import type { Site } from '../site.ts';

const levels = [
  ['', 'as its permissions say'],
  ['moderators', 'moderators and administrators'],
  ['administrators', 'administrators'],
] as const;
const hourMs = 3_600_000;
const spans: [hours: number, words: string][] = [
  [0, 'until somebody lifts it'],
  [24, 'for a day'],
  [24 * 7, 'for a week'],
  [24 * 30, 'for 30 days'],
];

export function protectRoutes(server: FastifyInstance, site: Site): void {
  const { store } = site.service;

  server.get('/protect/*', { preHandler: followMove }, async (request, reply) => {
    const page = await getReadable(request.reader, pathOf(request));
    const { protection } = page;
    const isOn = protection !== undefined && isInForce(protection, request.visit.now);
    const until = isOn ? (protection.until ?? undefined) : undefined;
    const kept = until !== undefined && html`<option value="@${until}">until ${exactTime(until)}</option>`;
    const main = html`<div class="plain">
<p class="above">${pageLink(page)}</p>
<h1>Protect this page</h1>
<p class="lede">Whatever its permissions say, nobody else edits, moves or deletes it, until the protection ends.</p>
<form method="post" action="${urlOf('/protect', page.path)}" class="narrow-form">
${selectField('level', 'Who may change it', choices(levels, protection?.level ?? ''), { id: 'protect-level' })}
${checkbox('subtree', 'yes', protection?.subtree ?? false, 'with all pages beneath it')}
${field('reason', 'Reason', html`maxlength="500" value="${protection?.reason ?? ''}"`, { id: 'protect-reason' })}
${selectField('hours', 'How long', [kept, choices(spans)], { id: 'protect-hours' })}
<div class="buttons"><button type="submit" class="button">Save</button> <a href="${pageUrl(page.path)}">Cancel</a></div></form>
</div>`;
    return sendLayout(site, reply, { title: `Protect ${page.title}`, kind: 'delete', main });
  });

  const onForm = formRoutes(server, site);
  onForm('/protect/*', ['protection-changed'], async (form, request, reply) => {
    const { actor, now } = request.visit;
    const level = levels.find(([one]) => one === form.text('level'))?.[0];
    const span = form.text('hours');
    const hours = spans.find(([one]) => String(one) === span)?.[0];
    // End of protection as the form showed it.
    const kept = /^@(\d{1,15})$/.exec(span)?.[1];
    if (level === undefined || (hours === undefined && kept === undefined))
      throw invalid('/level', 'Choose one of the list.');
    const change = {
      level: level === '' ? null : level,
      subtree: form.text('subtree') === 'yes',
      reason: form.text('reason'),
      until: hours === 0 ? null : hours === undefined ? Number(kept) : now + hours * hourMs,
    };
    const { path } = await protectPage(store, actor, pathOf(request), change, now);
    return redirectWithNotice(reply, pageUrl(path), 'protection-saved');
  });
}
