/** Asking for a new passphrase. What the page says is the same for every address. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { askForPassphrase } from '#domain/members/forgotten-passphrase.ts';
import { errorSummary } from '../components.ts';
import { readForm } from '../forms.ts';
import { html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { type RefusedForm, refusalOf } from '../refusal.ts';
import type { Site } from '../site.ts';

export function forgotRoutes(server: FastifyInstance, site: Site): void {
  const { store } = site.service;

  server.get('/login/forgot', async (_request, reply) => sendForm(site, reply, {}));

  server.post('/login/forgot', { config: { audit: [] } }, async (request, reply) => {
    const email = (await readForm(site, request)).text('email');
    try {
      await site.limits.countInvitation(request);
      await askForPassphrase(store, email, request.visit.now);
    } catch (error) {
      return sendForm(site, reply, { email, ...refusalOf(error) });
    }
    const title = store.mails.isOn ? 'Look into your mail' : 'Your request is noted';
    const main = html`<div class="plain"><h1>${title}</h1>
<p class="lede">${
      store.mails.isOn
        ? html`If <span dir="auto">${email}</span> is the address of a member, a link is on its way there. It works once and for an hour. Nothing there after a few minutes? Look into the folder for spam, or check the address.`
        : html`If <span dir="auto">${email}</span> is the address of a member, administrators see that you asked, and can hand you a link to choose a new passphrase. This wiki sends no mail, so tell one of them.`
    }</p>
<p><a href="/login">Sign in</a> · <a href="/">Go to the start</a></p></div>`;
    return sendLayout(site, reply, { title, kind: 'login', main });
  });
}

function sendForm(site: Site, reply: FastifyReply, shown: RefusedForm & { email?: string }): FastifyReply {
  const title = 'Forgot your passphrase?';
  const main = html`<div class="plain"><h1>${title}</h1>
<p class="lede">Say the address that you sign in with, and you get a link to choose a new one.</p>
${errorSummary(shown.message)}
<form method="post" action="/login/forgot" class="narrow-form">
<div class="field"><label for="email">E-mail</label><input id="email" name="email" type="email" autocomplete="username" required autofocus value="${shown.email ?? ''}"></div>
<div class="buttons"><button type="submit" class="button">Send a link</button></div>
</form>
<p><a href="/login">Back to signing in</a></p></div>`;
  return sendLayout(site, reply, { title, kind: 'login', main, status: shown.status });
}
