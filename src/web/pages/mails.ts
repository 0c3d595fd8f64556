/** Unsent mail, for administrators. Without a mail server they pass links on themselves. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { discardMail, handOverMail, listMails, retryMail } from '#core/mail/administer-mails.ts';
import { hasLink, type Mail } from '#core/model/mail.ts';
import { invalid } from '#core/model/problem.ts';
import type { Letter, QueuedMail } from '#core/ports/mail.ts';
import { actionsHeading, copyOnce, table } from '../components.ts';
import { errorSummary } from '../form-fields.ts';
import { formRoutes, type RefusedForm, redirectWithNotice } from '../form-routes.ts';
import { momentOf, timeAgo } from '../format.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import type { Site } from '../site.ts';

const subjects = {
  'passphrase-forgotten': 'New passphrase requested',
  invitation: 'Invitation',
  'address-confirmation': 'Confirm new address',
  'passphrase-changed': 'Passphrase changed',
  'address-changed': 'Address changed',
  'new-sign-in': 'New sign-in',
  'provider-linked': 'Account linked',
  'provider-unlinked': 'Account unlinked',
  'second-factor-added': 'Second factor added',
  'second-factor-ended': 'Second factor turned off',
  'second-factor-reset': 'Second factor reset',
  'passkey-added': 'Passkey added',
  'passkey-removed': 'Passkey removed',
  'guesses-limited': 'Wrong passphrases',
  'codes-guessed': 'Wrong codes',
  'sign-up': 'Sign-up',
  'sign-up-approved': 'Sign-up approved',
  'sign-ups-wait': 'Sign-up requests',
  'sign-up-refused': 'Sign-up refused',
  blocked: 'Block',
  'watched-now': 'Watched pages',
  'watched-daily': 'Watched pages, daily',
  'watched-weekly': 'Watched pages, weekly',
  test: 'Test',
} satisfies Record<Mail['kind'], string>;

export function mailRoutes(server: FastifyInstance, site: Site): void {
  const { store, secrets } = site.service;

  server.get('/members/mail', async (_request, reply) => sendMails(site, reply));

  const onForm = formRoutes(server, site, sendMails, {
    codes: ['invalid', 'not-found'],
    returnsTo: '/members/mail',
  });
  onForm('/members/mail', ['link-handed-over'], async (form, { visit }, reply) => {
    const { actor, now, origin, signedIn } = visit;
    const id = Number(form.text('id'));
    if (!Number.isSafeInteger(id)) throw invalid('/id', 'Choose a mail.');
    switch (form.text('what')) {
      case 'link': {
        const writer = { store, secrets, wiki: { name: site.settings.name, url: origin } };
        const by = { actor, signedInAt: signedIn?.claims.signedInAt };
        return sendMails(site, reply, { letter: await handOverMail(writer, by, id, now) });
      }
      case 'retry':
        await retryMail(store, actor, id, now);
        return redirectWithNotice(reply, '/members/mail', 'mail-due');
      case 'discard':
        await discardMail(store, actor, id);
        return redirectWithNotice(reply, '/members/mail', 'mail-discarded');
      default:
        throw invalid('/what', 'Choose an action.');
    }
  });
}

async function sendMails(
  site: Site,
  reply: FastifyReply,
  { message, status, letter }: RefusedForm & { letter?: Letter } = {},
): Promise<FastifyReply> {
  const { visit } = reply.request;
  const { store } = site.service;
  const mails = await listMails(store, visit.actor);
  const main = html`<div class="plain members">
<p class="above"><a href="/members">Members</a></p>
<h1>Mail</h1>
<p class="lede">${
    store.mails.isOn
      ? 'Mail that waits, is tried again, or is not tried again.'
      : html`This wiki has no mail server (<code>COPPICE_MAIL</code>). Links that would have been mailed are listed here, so that you can pass them on.`
  }</p>
${errorSummary(message)}
${
  letter &&
  copyOnce(
    html`Pass on this link to <strong dir="auto">${letter.to.name ?? letter.to.address}</strong> (${letter.to.address}): ${letter.subject}. It works once and is not shown again.`,
    { id: 'mail-link', label: 'Link', value: letter.link?.url ?? '' },
  )
}
${
  mails.length === 0
    ? html`<p class="empty">Nothing waits.</p>`
    : table(
        'rows member-table',
        ['About', 'To', 'Queued', 'State', actionsHeading],
        mails.map((mail) => row(mail, store.mails.isOn, visit.now)),
      )
}
</div>`;
  return sendLayout(site, reply, { title: 'Mail', kind: 'members', main, status });
}

function row({ id, mail, createdAt, dueAt, attempts, error }: QueuedMail, isOn: boolean, now: number): Html {
  const action = (what: string, words: string) =>
    html`<button type="submit" name="what" value="${what}" aria-label="${words}: ${subjects[mail.kind]}, ${mail.address}">${words}</button> `;
  const state = !isOn
    ? 'waits for you'
    : dueAt === null
      ? 'given up'
      : attempts === 0
        ? 'is being sent'
        : `tried ${attempts === 1 ? 'once' : `${attempts} times`}`;
  const detail =
    isOn &&
    error &&
    html`<p class="quiet">${error}${dueAt !== null && html` · again ${momentOf(dueAt)}`}</p>`;
  return html`<tr><th scope="row">${subjects[mail.kind]}</th><td dir="auto">${mail.address}</td><td>${timeAgo(createdAt, now)}</td>
<td>${state}</td>
<td class="row-actions">${detail}<form method="post" action="/members/mail"><input type="hidden" name="id" value="${id}">
${hasLink(mail) && (!isOn || dueAt === null) && action('link', 'Show the link')}${isOn && action('retry', 'Try again now')}${action('discard', 'Discard')}</form></td></tr>`;
}
