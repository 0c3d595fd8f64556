/**
 * Reauthentication after a session ended during writing: the user signs in on the same page, and the form returns as typed. The
 * text travels in the form itself, so it is kept whatever happens to the session.
 */

import type { FastifyReply } from 'fastify';
import { codeField, currentPassphrase, errorSummary, field } from '../form-fields.ts';
import { refusalOf } from '../form-routes.ts';
import { type Form, readAgain } from '../forms.ts';
import { html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { signIn } from '../sign-in.ts';
import type { Site } from '../site.ts';

/**
 * Returns true if the user is signed in. Otherwise sends a page that asks for it and keeps the form; its submission signs in,
 * sets the visit's actor, and continues with the handler.
 */
export async function reauthenticate(site: Site, reply: FastifyReply, form: Form): Promise<boolean> {
  const { visit } = reply.request;
  if (visit.actor) return true;
  let message: string | undefined;
  if (form.has('session-email')) {
    try {
      const [email, pass] = [form.text('session-email'), form.text('session-pass')];
      const claims = await signIn(site, reply, { email, pass, code: form.text('session-code') });
      visit.signedIn = await site.service.sessions.find(claims, visit.now);
      visit.actor = visit.signedIn?.actor ?? null;
      reply.request.reader = site.service.store.readAs(visit.actor);
      Object.assign(form, await readAgain(site, reply.request, form));
      return true;
    } catch (error) {
      const { code, message: said } = refusalOf(error, [
        'bad-credentials',
        'second-factor-required',
        'too-many-requests',
      ]);
      message =
        code === 'bad-credentials'
          ? 'E-mail, passphrase and code do not match. Nothing is lost. Try again.'
          : code === 'second-factor-required'
            ? 'Your account has a second factor. Enter its code as well.'
            : said;
    }
  }
  const ways = [
    ...site.service.providers.all.map(({ label }) => label),
    ...(site.service.passkeys.obstacleAt(visit.origin) === undefined ? ['a passkey'] : []),
  ];
  const body = form.text('body');
  const kept = form.entries().filter(([name]) => !name.startsWith('session-') && name !== 'intent');
  const main = html`<div class="plain">
<h1>Sign in to continue</h1>
<p class="lede">You have been signed out. Your text is stored on this page, and will be back in the form when you sign in.</p>
${errorSummary(message)}
<form method="post" action="${reply.request.url}" class="narrow-form">
${kept.map(([name, value]) => (name === 'body' ? undefined : html`<input type="hidden" name="${name}" value="${value}">`))}
${field('session-email', 'E-mail', html`type="email" autocomplete="username" required value="${form.text('session-email')}"`)}
${field('session-pass', 'Passphrase', currentPassphrase)}
${codeField(html`Code of your second factor <span class="quiet">(if you have one)</span>`, undefined, 'session-code')}
<div class="buttons"><button type="submit" class="button" name="intent" value="again">Sign in and continue</button></div>
${
  ways.length > 0 &&
  html`<p class="hint">Do you sign in with ${ways.join(' or ')}? <a href="/login" target="_blank">Sign in in another tab</a>, then <button type="submit" name="intent" value="again" formnovalidate class="quiet-button">continue here</button>.</p>`
}
<div class="field"><label for="kept-body">Your text</label><textarea id="kept-body" name="body" rows="14" dir="auto">
${body}</textarea></div>
${form.leftFiles.length > 0 && html`<p class="mistake" id="left-files">Choose these files again: ${form.leftFiles.join(', ')}.</p>`}
</form>
</div>`;
  sendLayout(site, reply, { title: 'Sign in to continue', kind: 'kept', main, status: 401 });
  return false;
}
