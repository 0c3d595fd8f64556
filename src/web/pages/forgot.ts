/** Requests a new passphrase. The response is the same for every address. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { askForPassphrase } from '#core/members/forgotten-passphrase.ts';
import { errorSummary, field } from '../form-fields.ts';
import { formRoutes, type RefusedForm } from '../form-routes.ts';
import { html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import type { Site } from '../site.ts';
import { sendWords } from './words.ts';

export function forgotRoutes(server: FastifyInstance, site: Site): void {
  const { store } = site.service;

  server.get('/login/forgot', async (_request, reply) => sendForm(site, reply));

  const onForm = formRoutes(server, site, sendForm);
  onForm('/login/forgot', [], async (form, request, reply) => {
    const email = form.text('email');
    await site.limits.countInvitation(request);
    await askForPassphrase(store, email, request.visit.now);
    const address = html`If <span dir="auto">${email}</span> is the address of a member,`;
    if (!store.mails.isOn) {
      const words = html`${address} administrators see your request and can send you a link to choose a new passphrase. This wiki sends no mail, so please contact one of them.`;
      return sendWords(site, reply, { title: 'Request received', words });
    }
    const words = html`${address} a link is on its way there. It works once, within an hour. If no mail arrives within a few minutes, look into the spam folder, or check the address.`;
    return sendWords(site, reply, { title: 'Check your mail', words });
  });
}

function sendForm(
  site: Site,
  reply: FastifyReply,
  { form, message, status }: RefusedForm = {},
): FastifyReply {
  const title = 'Forgot your passphrase?';
  const main = html`<div class="plain"><h1>${title}</h1>
<p class="lede">Enter the address that you sign in with, and you get a link to choose a new passphrase.</p>
${errorSummary(message)}
<form method="post" action="/login/forgot" class="narrow-form">
${field('email', 'E-mail', html`type="email" autocomplete="username" required autofocus value="${form?.text('email') ?? ''}"`)}
<div class="buttons"><button type="submit" class="button">Send a link</button></div>
</form>
<p><a href="/login">Back to signing in</a></p></div>`;
  return sendLayout(site, reply, { title, kind: 'login', main, status });
}
