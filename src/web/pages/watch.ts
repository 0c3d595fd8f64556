/** Watching a page from its action row: one click starts it; scope and mail are chosen afterwards. */

import type { FastifyInstance } from 'fastify';
import { type MailFrequency, mailFrequencies, type Watch } from '#core/ports/watch-store.ts';
import { getReadable } from '#core/reading/find-page.ts';
import { unwatch, watch, watchesOfPage } from '#core/watches/watch.ts';
import { urlOf } from '#http/page-paths.ts';
import { pageLink, pageUrl } from '../components.ts';
import { choices, selectField } from '../form-fields.ts';
import { formRoutes, redirectWithNotice } from '../form-routes.ts';
import type { Form } from '../forms.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { pathOf } from '../page-address.ts';
import type { Site } from '../site.ts';

export const mailWords: Record<MailFrequency, string> = {
  off: 'No mail',
  now: 'Mail at once',
  daily: 'Mail once a day',
  weekly: 'Mail on Mondays',
};

export function watchRoutes(server: FastifyInstance, site: Site): void {
  const { store, secrets } = site.service;

  server.get('/watch/*', async (request, reply) => {
    const { visit, reader } = request;
    const page = await getReadable(reader, pathOf(request));
    if (!visit.actor) return reply.redirect(`/login?next=${encodeURIComponent(visit.url)}`, 303);
    const watches = await watchesOfPage(store, reader, page.id);
    const main = html`<div class="plain">
<h1>Watch this page</h1>
<p class="lede">${pageLink(page)}: you are notified of what others do to it.</p>
<form method="post" action="${urlOf('/watch', page.path)}" class="narrow-form">
${row('page', 'This page', watches.page)}
${row('subtree', 'This page and all beneath it', watches.subtree)}
<div class="buttons"><button type="submit" class="button" name="what" value="choose">Save</button> <a href="${pageUrl(page.path)}">Cancel</a></div>
${!store.mails.isOn && html`<p class="hint">This wiki sends no mail yet: your choice counts as soon as it does.</p>`}
</form>
<p><a href="/account/watches">Everything that you watch</a></p>
</div>`;
    return sendLayout(site, reply, { title: `Watch ${page.title}`, kind: 'watch', main });
  });

  const onForm = formRoutes(server, site);
  onForm('/watch/*', [], async (form, request, reply) => {
    const { reader, visit } = request;
    const page = await getReadable(reader, pathOf(request));
    if (form.text('what') !== 'choose') {
      const mail = store.mails.isOn ? 'now' : 'off';
      await watch(store, secrets, reader, { page: page.path, mail }, visit.now);
      return redirectWithNotice(reply, pageUrl(page.path), 'watch-saved');
    }
    const watches = await watchesOfPage(store, reader, page.id);
    for (const kind of ['page', 'subtree'] as const) {
      const mail = chosen(form, kind);
      const known = watches[kind];
      const target = kind === 'page' ? { page: page.path } : { ancestor: page.path };
      if (mail !== undefined) await watch(store, secrets, reader, { ...target, mail }, visit.now);
      else if (known) await unwatch(store, reader, known.id);
    }
    return redirectWithNotice(reply, pageUrl(page.path), 'watch-saved');
  });
}

/** Undefined to stop watching. */
function chosen(form: Form, kind: string): MailFrequency | undefined {
  return mailFrequencies.find((one) => one === form.text(kind));
}

function row(name: string, label: string, known: Watch | undefined): Html {
  const offered = [
    ['', 'Do not watch'] as const,
    ...mailFrequencies.map((one) => [one, `Watch · ${mailWords[one]}`] as const),
  ];
  return selectField(name, label, choices(offered, known?.mail ?? ''), { id: `watch-${name}` });
}
