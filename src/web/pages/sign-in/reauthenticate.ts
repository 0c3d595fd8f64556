/**
 * Reauthentication after a session ended during writing: the user signs in on the same page, and the form returns as typed. The
 * text travels in the form itself, so it is kept whatever happens to the session.
 */

import type { FastifyReply } from 'fastify';
import { listOf, say } from '#words/say.ts';
import { codeField, currentPassphrase, errorSummary, field } from '../../form-fields.ts';
import { refusalOf } from '../../form-routes.ts';
import { type Form, readAgain } from '../../forms.ts';
import { html, type Words } from '../../html.ts';
import { sendLayout } from '../../layout.ts';
import { signIn } from '../../sign-in.ts';
import type { Site } from '../../site.ts';

/**
 * Returns true if the user is signed in. Otherwise sends a page that asks for it and keeps the form; its submission signs in,
 * sets the visit's actor, and continues with the handler.
 */
export async function reauthenticate(site: Site, reply: FastifyReply, form: Form): Promise<boolean> {
  const { visit } = reply.request;
  if (visit.actor) return true;
  let message: Words | undefined;
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
          ? say('reauthenticate.eMailPassphraseAndCodeDoNot')
          : code === 'second-factor-required'
            ? say('reauthenticate.yourAccountHasASecondFactor')
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
<h1>${say('reauthenticate.signInToContinue')}</h1>
<p class="lede">${say('reauthenticate.youHaveBeenSignedOutYourText')}</p>
${errorSummary(message)}
<form method="post" action="${reply.request.url}" class="narrow-form">
${kept.map(([name, value]) => (name === 'body' ? undefined : html`<input type="hidden" name="${name}" value="${value}">`))}
${field('session-email', say('account.eMail'), html`type="email" autocomplete="username" required value="${form.text('session-email')}"`)}
${field('session-pass', say('common.passphrase'), currentPassphrase)}
${codeField(html`${say('reauthenticate.codeOfYourSecondFactorIfYou', { span: (words) => html`<span class="quiet">${words}</span>` })}`, undefined, 'session-code')}
<div class="buttons"><button type="submit" class="button" name="intent" value="again">${say('reauthenticate.signInAndContinue')}</button></div>
${
  ways.length > 0 &&
  html`<p class="hint">${say('reauthenticate.doYouSignInWith', {
    ways: listOf(ways, 'disjunction'),
    link: (words) => html`<a href="/login" target="_blank">${words}</a>`,
    button: html`<button type="submit" name="intent" value="again" formnovalidate class="quiet-button">${say('reauthenticate.continueHere')}</button>`,
  })}</p>`
}
<div class="field"><label for="kept-body">${say('reauthenticate.yourText')}</label><textarea id="kept-body" name="body" rows="14" dir="auto">
${body}</textarea></div>
${form.leftFiles.length > 0 && html`<p class="mistake" id="left-files">${say('common.chooseTheseFilesAgain', { files: form.leftFiles.join(', ') })}</p>`}
</form>
</div>`;
  sendLayout(site, reply, { title: say('reauthenticate.signInToContinue'), kind: 'kept', main, status: 401 });
  return false;
}
