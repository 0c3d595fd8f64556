/** Requests a new passphrase. The response is the same for every address. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { forgottenPassphrase } from '#core/sign-in/reset-link-operations.ts';
import { say } from '#words/say.ts';
import { errorSummary, field } from '../../form-fields.ts';
import { formRoutes, type RefusedForm } from '../../form-routes.ts';
import { html } from '../../html.ts';
import { sendLayout } from '../../layout.ts';
import { carryFor } from '../../operation-pages.ts';
import type { Site } from '../../site.ts';
import { sendWords } from './notice-page.ts';

export function forgotRoutes(server: FastifyInstance, site: Site): void {
  const { store } = site.service;

  server.get('/login/forgot', async (_request, reply) => sendForm(site, reply));

  const onForm = formRoutes(server, site, sendForm);
  onForm('/login/forgot', [forgottenPassphrase], async (form, request, reply) => {
    const email = form.text('email');
    await site.limits.countInvitation(request);
    await carryFor(site, request)(forgottenPassphrase, { email });
    const address = html`${say('forgot.ifEmailIsTheAddressOfAMember', { email: html`<span dir="auto">${email}</span>` })}`;
    if (!store.mails.isOn) {
      const words = html`${say('forgot.addressAdministratorsSeeYour', { address })}`;
      return sendWords(site, reply, { title: say('forgot.requestReceived'), words });
    }
    const words = html`${say('forgot.addressALinkIsOnItsWayThere', { address })}`;
    return sendWords(site, reply, { title: say('forgot.checkYourMail'), words });
  });
}

function sendForm(
  site: Site,
  reply: FastifyReply,
  { form, message, status }: RefusedForm = {},
): FastifyReply {
  const title = say('forgot.forgotYourPassphrase');
  const main = html`<div class="plain"><h1>${title}</h1>
<p class="lede">${say('forgot.enterTheAddressThatYouSignIn')}</p>
${errorSummary(message)}
<form method="post" action="/login/forgot" class="narrow-form">
${field('email', say('account.eMail'), html`type="email" autocomplete="username" required autofocus value="${form?.text('email') ?? ''}"`)}
<div class="buttons"><button type="submit" class="button">${say('forgot.sendALink')}</button></div>
</form>
<p><a href="/login">${say('forgot.backToSigningIn')}</a></p></div>`;
  return sendLayout(site, reply, { title, kind: 'login', main, status });
}
