/** Signing in and out. The response does not reveal which credential was wrong. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { signingIn, signingOut } from '#core/sign-in/session-operations.ts';
import { say } from '#words/say.ts';
import { urlOfVisit } from '../../components.ts';
import { codeField, currentPassphrase, errorSummary, field } from '../../form-fields.ts';
import { formRoutes, type Refusal, type RefusedForm, redirectWithNotice } from '../../form-routes.ts';
import type { Form } from '../../forms.ts';
import { html } from '../../html.ts';
import { sendLayout } from '../../layout.ts';
import { carryFor } from '../../operation-pages.ts';
import { passkeyButton } from '../../passkey-button.ts';
import { providerButtons } from '../../providers.ts';
import { leaveSignInNotice, openTicket, pageAfterSignIn, sealTicket, signIn } from '../../sign-in.ts';
import type { Site } from '../../site.ts';
import { endSession, returnAddress } from '../../visitor.ts';

export function loginRoutes(server: FastifyInstance, site: Site): void {
  server.get('/login', async (request, reply) => {
    const next = returnAddress(urlOfVisit(request.visit).searchParams.get('next'));
    if (request.visit.actor) return reply.redirect(next, 303);
    return sendLogin(site, reply, { next });
  });

  const onForm = formRoutes(server, site, sendRefusedLogin);
  onForm('/login', [signingIn], async (form, _request, reply) => {
    const ticket = form.text('ticket');
    const credentials =
      ticket === ''
        ? { email: form.text('email'), pass: form.text('pass') }
        : await openTicket(site, ticket, form.text('code'));
    const claims = await signIn(site, reply, credentials);
    await leaveSignInNotice(site, reply, claims);
    return reply.redirect(await pageAfterSignIn(site, claims, returnAddress(form.text('next'))), 303);
  });

  server.get('/logout', async (_request, reply) => reply.redirect('/account', 303));

  const onSignOut = formRoutes(server, site);
  onSignOut('/logout', [signingOut], async (form, request, reply) => {
    const isEverywhere = form.text('where') === 'everywhere';
    if (request.visit.signedIn) await carryFor(site, request)(signingOut, { everywhere: isEverywhere });
    endSession(reply);
    return redirectWithNotice(reply, '/', isEverywhere ? 'signed-out-everywhere' : 'signed-out');
  });
}

async function sendRefusedLogin(
  site: Site,
  reply: FastifyReply,
  { form, code, message, status }: Refusal & { form: Form },
): Promise<FastifyReply> {
  const [email, ticket] = [form.text('email'), form.text('ticket')];
  const next = returnAddress(form.text('next'));
  if (code === 'second-factor-required') {
    // A ticket says whose passphrase was right: only this form, with a passphrase, proves that for its address.
    const made = ticket === '' ? await sealTicket(site, email, reply.request.visit.now) : ticket;
    return sendCodeForm(site, reply, { next, ticket: made, status });
  }
  const isWrong = code === 'bad-credentials';
  if (ticket !== '') {
    const words = isWrong ? say('login.thisCodeIsWrongWasAlready') : message;
    return sendCodeForm(site, reply, { next, ticket, message: words, status });
  }
  const words = isWrong ? say('login.eMailAndPassphraseDoNotMatch') : message;
  return sendLogin(site, reply, { next, email, message: words, status });
}

function sendCodeForm(
  site: Site,
  reply: FastifyReply,
  shown: RefusedForm & { next: string; ticket: string },
): FastifyReply {
  const main = html`<div class="plain">
<h1>${say('login.oneMoreStep')}</h1>
<p class="lede">${say('login.yourAccountHasASecondFactor')}</p>
${errorSummary(shown.message)}
<form method="post" action="/login" class="narrow-form">
<input type="hidden" name="next" value="${shown.next}"><input type="hidden" name="ticket" value="${shown.ticket}">
${codeField(say('login.code'), html`required autofocus`)}
<div class="buttons"><button type="submit" class="button">${say('common.signIn')}</button> <a href="/login">${say('login.beginAgain')}</a></div>
</form>
<p class="quiet">${say('login.ifYouHaveLostAppAndCodesAn')}</p>
</div>`;
  return sendLayout(site, reply, {
    title: say('login.oneMoreStep'),
    kind: 'login',
    main,
    status: shown.status,
  });
}

export function sendLogin(
  site: Site,
  reply: FastifyReply,
  shown: RefusedForm & { next: string; email?: string },
): FastifyReply {
  const { visit } = reply.request;
  const main = html`<div class="plain">
<h1>${say('common.signIn')}</h1>
${visit.isSessionLost && !shown.message && html`<p class="lede">${say('login.youWereSignedOutBecauseYou')}</p>`}
${visit.isPrivate && !visit.isSessionLost && !shown.message && html`<p class="lede">${say('login.thisWikiIsPrivateSignInTo')}</p>`}
${errorSummary(shown.message)}
<form method="post" action="/login" class="narrow-form">
<input type="hidden" name="next" value="${shown.next}">
${field('email', say('account.eMail'), html`type="email" autocomplete="username" required value="${shown.email ?? ''}"${!shown.email && html` autofocus`}`)}
${field('pass', say('common.passphrase'), html`${currentPassphrase}${shown.email && html` autofocus`}`)}
<div class="buttons"><button type="submit" class="button">${say('common.signIn')}</button></div>
</form>
${passkeyButton(site, visit.origin, shown.next)}
${providerButtons(site, { intent: 'sign-in', next: shown.next })}
<p class="quiet">${say('login.newHere')} ${
    site.service.signUp.mode === 'invitation'
      ? say('login.toBecomeAMemberAskAn')
      : html`<a href="/login/sign-up">${say('login.signUp')}</a>.`
  } <a href="/login/forgot">${say('login.forgotYourPassphrase')}</a></p>
</div>`;
  const { status } = shown;
  return sendLayout(site, reply, {
    title: say('common.signIn'),
    kind: 'login',
    main,
    scripts: ['passkey'],
    status,
  });
}
