/** Protecting a page, for moderators: who alone may change it, with what lies beneath it or not, and until when. */
import type { FastifyInstance } from 'fastify';
import { getReadable } from '#domain/pages/find-page.ts';
import { protectPage } from '#domain/pages/protect-page.ts';
import { protectionAt } from '#domain/pages/protection.ts';
import { invalid } from '#domain/problem.ts';
import { tailOf, urlOf } from '#http/page-paths.ts';
import { pageLink, pageUrl } from '../components.ts';
import { exactTime } from '../format.ts';
import { readForm } from '../forms.ts';
import { html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import type { Site } from '../site.ts';
import { leaveNotice } from '../visitor.ts';
import { movedUrl } from './view.ts';

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

  server.get('/protect/*', async (request, reply) => {
    const path = `/${tailOf(request.url, '/protect/*')}`;
    const moved = await movedUrl(request.reader, '/protect', path);
    if (moved) return reply.redirect(moved, 308);
    const page = await getReadable(request.reader, path);
    const { protection } = page;
    const until = protectionAt(page, request.visit.now) && (protection?.until ?? undefined);
    const main = html`<div class="plain">
<p class="above">${pageLink(page)}</p>
<h1>Protect this page</h1>
<p class="lede">Whatever its permissions say, nobody else edits, moves or deletes it, until the protection ends.</p>
<form method="post" action="${urlOf('/protect', page.path)}" class="narrow-form">
<div class="field"><label for="protect-level">Who may change it</label><select id="protect-level" name="level">${levels.map(([level, words]) => html`<option value="${level}"${level === (protection?.level ?? '') && html` selected`}>${words}</option>`)}</select></div>
<label class="choice"><input type="checkbox" name="subtree" value="yes"${protection?.subtree && html` checked`}> with all pages beneath it</label>
<div class="field"><label for="protect-reason">Reason</label><input id="protect-reason" name="reason" maxlength="500" value="${protection?.reason ?? ''}"></div>
<div class="field"><label for="protect-hours">How long</label><select id="protect-hours" name="hours">${until !== undefined && html`<option value="@${until}">until ${exactTime(until)}</option>`}${spans.map(([hours, words]) => html`<option value="${hours}">${words}</option>`)}</select></div>
<div class="buttons"><button type="submit" class="button">Save</button> <a href="${pageUrl(page.path)}">Cancel</a></div></form>
</div>`;
    return sendLayout(site, reply, { title: `Protect ${page.title}`, kind: 'delete', main });
  });

  server.post('/protect/*', { config: { audit: ['protection-changed'] } }, async (request, reply) => {
    const { actor, now } = request.visit;
    const form = await readForm(site, request);
    const level = levels.find(([one]) => one === form.text('level'))?.[0];
    const span = form.text('hours');
    const hours = spans.find(([one]) => String(one) === span)?.[0];
    // The end that the form was shown with.
    const kept = /^@(\d{1,15})$/.exec(span)?.[1];
    if (level === undefined || (hours === undefined && kept === undefined))
      throw invalid('/level', 'Choose one of the list.');
    const { path } = await protectPage(
      store,
      actor,
      `/${tailOf(request.url, '/protect/*')}`,
      {
        level: level === '' ? null : level,
        subtree: form.text('subtree') === 'yes',
        reason: form.text('reason'),
        until: hours === 0 ? null : hours === undefined ? Number(kept) : now + hours * hourMs,
      },
      now,
    );
    leaveNotice(request, reply, 'protection-saved');
    return reply.redirect(pageUrl(path), 303);
  });
}
