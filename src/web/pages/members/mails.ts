/** Unsent mail, for administrators. Without a mail server they pass links on themselves. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { mailDiscarding, mailHandover, mailList, mailRetry } from '#core/mail/operations.ts';
import { hasLink, type Mail } from '#core/model/mail.ts';
import { invalid } from '#core/model/problem.ts';
import type { Letter, QueuedMail } from '#core/ports/mail.ts';
import { siteLanguageOf } from '#words/languages.ts';
import { say, textOf } from '#words/say.ts';
import { actionsHeading, copyOnce, table } from '../../components.ts';
import { errorSummary } from '../../form-fields.ts';
import { formRoutes, type RefusedForm, redirectWithNotice } from '../../form-routes.ts';
import { momentOf, timeAgo } from '../../format.ts';
import { type Html, html, type Words } from '../../html.ts';
import { sendLayout } from '../../layout.ts';
import { carryFor, reads } from '../../operation-pages.ts';
import type { Site } from '../../site.ts';

const subjects = {
  'passphrase-forgotten': say('mails.newPassphraseRequested'),
  invitation: say('mails.invitation'),
  'address-confirmation': say('mails.confirmNewAddress'),
  'passphrase-changed': say('mails.passphraseChanged'),
  'address-changed': say('mails.addressChanged'),
  'new-sign-in': say('mails.newSignIn'),
  'provider-linked': say('mails.accountLinked'),
  'provider-unlinked': say('mails.accountUnlinked'),
  'second-factor-added': say('mails.secondFactorAdded'),
  'second-factor-ended': say('mails.secondFactorTurnedOff'),
  'second-factor-reset': say('mails.secondFactorReset'),
  'passkey-added': say('mails.passkeyAdded'),
  'passkey-removed': say('mails.passkeyRemoved'),
  'guesses-limited': say('mails.wrongPassphrases'),
  'codes-guessed': say('mails.wrongCodes'),
  'sign-up': say('mails.signUp'),
  'sign-up-approved': say('mails.signUpApproved'),
  'sign-ups-wait': say('common.signUpRequests'),
  'submissions-wait': say('strangers.submissions'),
  'sign-up-refused': say('mails.signUpRefused'),
  blocked: say('mails.block'),
  'watched-now': say('mails.watchedPages'),
  'watched-daily': say('mails.watchedPagesDaily'),
  'watched-weekly': say('mails.watchedPagesWeekly'),
  test: say('mails.test'),
} satisfies Record<Mail['kind'], Words>;

export function mailRoutes(server: FastifyInstance, site: Site): void {
  server.get('/members/mail', reads(mailList), async (_request, reply) => sendMails(site, reply));

  const onForm = formRoutes(server, site, sendMails, {
    codes: ['invalid', 'not-found'],
    returnsTo: '/members/mail',
  });
  onForm('/members/mail', [mailHandover, mailRetry, mailDiscarding], async (form, request, reply) => {
    const carry = carryFor(site, request);
    const id = Number(form.text('id'));
    if (!Number.isSafeInteger(id)) throw invalid('/id', say('mails.chooseAMail'));
    switch (form.text('what')) {
      case 'link': {
        const wiki = {
          name: site.settings.name,
          language: siteLanguageOf(site.look().settings.language),
          url: request.visit.origin,
        };
        return sendMails(site, reply, { letter: await carry(mailHandover, { id, wiki }) });
      }
      case 'retry':
        await carry(mailRetry, { id });
        return redirectWithNotice(reply, '/members/mail', 'mail-due');
      case 'discard':
        await carry(mailDiscarding, { id });
        return redirectWithNotice(reply, '/members/mail', 'mail-discarded');
      default:
        throw invalid('/what', say('common.chooseAnAction'));
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
  const mails = await carryFor(site, reply.request)(mailList, {});
  const main = html`<div class="plain members">
<p class="above"><a href="/members">${say('mails.members')}</a></p>
<h1>${say('mails.mail')}</h1>
<p class="lede">${
    store.mails.isOn
      ? say('mails.mailThatWaitsIsTriedAgainOr')
      : html`${say('mails.thisWikiHasNoMailServerCode', { code: html`<code>COPPICE_MAIL</code>` })}`
  }</p>
${errorSummary(message)}
${
  letter &&
  copyOnce(
    say('mails.passOnThisLink', {
      name: html`<strong dir="auto">${letter.to.name ?? letter.to.address}</strong>`,
      address: letter.to.address,
      subject: textOf(letter.subject, letter.language),
    }),
    { id: 'mail-link', label: say('common.link'), value: letter.link?.url ?? '' },
  )
}
${
  mails.length === 0
    ? html`<p class="empty">${say('mails.nothingWaits')}</p>`
    : table(
        'rows member-table',
        [say('mails.about'), say('mails.to'), say('mails.queued'), say('mails.state'), actionsHeading],
        mails.map((mail) => row(mail, store.mails.isOn, visit.now)),
      )
}
</div>`;
  return sendLayout(site, reply, { title: say('mails.mail'), kind: 'members', main, status });
}

function row({ id, mail, createdAt, dueAt, attempts, error }: QueuedMail, isOn: boolean, now: number): Html {
  const action = (what: string, words: Words) =>
    html`<button type="submit" name="what" value="${what}" aria-label="${words}: ${subjects[mail.kind]}, ${mail.address}">${words}</button> `;
  const state = !isOn
    ? say('mails.waitsForYou')
    : dueAt === null
      ? say('mails.givenUp')
      : attempts === 0
        ? say('mails.isBeingSent')
        : say('mails.tried', { count: attempts });
  const detail =
    isOn &&
    error &&
    html`<p class="quiet">${error}${dueAt !== null && html` · ${say('mails.again', { time: momentOf(dueAt) })}`}</p>`;
  return html`<tr><th scope="row">${subjects[mail.kind]}</th><td dir="auto">${mail.address}</td><td>${timeAgo(createdAt, now)}</td>
<td>${state}</td>
<td class="row-actions">${detail}<form method="post" action="/members/mail"><input type="hidden" name="id" value="${id}">
${
  hasLink(mail) && (!isOn || dueAt === null) && action('link', say('mails.showTheLink'))
}${isOn && action('retry', say('mails.tryAgainNow'))}${action('discard', say('mails.discard'))}</form></td></tr>`;
}
