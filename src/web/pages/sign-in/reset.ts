/** Choosing a new passphrase by a one-time link, mailed or made by an administrator. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { memberByResetLink, passphraseReset } from '#core/sign-in/reset-link-operations.ts';
import { say } from '#words/say.ts';
import { accountName, errorSummary, newPassphraseFields, readNewPassphrase } from '../../form-fields.ts';
import { type ByToken, formRoutes, type RefusedForm, redirectWithNotice } from '../../form-routes.ts';
import { html } from '../../html.ts';
import { sendLayout } from '../../layout.ts';
import { carryFor, reads } from '../../operation-pages.ts';
import type { Site } from '../../site.ts';
import { endSession } from '../../visitor.ts';
import { sendSpent } from './notice-page.ts';

export function resetRoutes(server: FastifyInstance, site: Site): void {
  server.get<{ Params: ByToken }>(
    '/login/reset/:token',
    reads(memberByResetLink),
    async ({ params }, reply) => sendReset(site, reply, {}, params),
  );

  const onForm = formRoutes<ByToken>(server, site, sendReset);
  onForm('/login/reset/:token', [passphraseReset], async (form, request, reply) => {
    const { token } = request.params;
    await site.limits.countInvitation(request);
    const pass = readNewPassphrase(form);
    await carryFor(site, request)(passphraseReset, { token, pass });
    // A member signed in here may be somebody else, and the next step proves knowledge of the passphrase.
    endSession(reply);
    return redirectWithNotice(reply, '/login', 'passphrase-reset');
  });
}

async function sendReset(
  site: Site,
  reply: FastifyReply,
  { message, errors = [], status }: RefusedForm,
  { token }: ByToken,
): Promise<FastifyReply> {
  const member = await carryFor(site, reply.request)(memberByResetLink, { token });
  if (!member) {
    const words = html`${say('reset.itWasAlreadyUsedReplacedByA', { link: (words) => html`<a href="/login/forgot">${words}</a>` })}`;
    return sendSpent(site, reply, words);
  }
  const title = say('reset.chooseANewPassphrase');
  const main = html`<div class="plain"><h1>${title}</h1>
<p class="lede">${say('reset.forTheAccountOfNameEmailIt', { name: html`<span dir="auto">${member.name}</span>`, email: member.email })}</p>
${errorSummary(message)}
<form method="post" class="narrow-form">
${accountName(member.email)}
${newPassphraseFields(say('reset.newPassphrase'), errors, true)}
<div class="buttons"><button type="submit" class="button">${say('reset.setPassphrase')}</button></div>
</form></div>`;
  return sendLayout(site, reply, { title, kind: 'login', main, status });
}
