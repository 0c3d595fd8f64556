/**
 * Signing up without an invitation, and confirming the address by a mailed link. The pages are the same for every address. A
 * script does the proof of work; without it signing up is impossible.
 */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { refuseUnlessOpen } from '#core/joining/sign-up.ts';
import {
  proofOfWork,
  signingUp,
  signUpByLink,
  signUpConfirmation,
} from '#core/joining/sign-up-operations.ts';
import { signingIn } from '#core/sign-in/session-operations.ts';
import { say } from '#words/say.ts';
import {
  accountName,
  currentPassphrase,
  errorSummary,
  field,
  memberEmailField,
  memberNameField,
  newPassphraseFields,
  readNewPassphrase,
} from '../../form-fields.ts';
import { type ByToken, formRoutes, type RefusedForm, redirectWithNotice } from '../../form-routes.ts';
import { formFrom } from '../../forms.ts';
import { html } from '../../html.ts';
import { sendLayout } from '../../layout.ts';
import { carryFor, reads } from '../../operation-pages.ts';
import { welcome } from '../../sign-in.ts';
import type { Site } from '../../site.ts';
import { sendSpent, sendWords } from './notice-page.ts';

export function signUpRoutes(server: FastifyInstance, site: Site): void {
  server.get('/login/sign-up', reads(proofOfWork), async (request, reply) => {
    refuseUnlessOpen(site.service.signUp);
    if (request.visit.actor) return reply.redirect('/', 303);
    return sendForm(site, reply);
  });

  const onForm = formRoutes(server, site, sendForm);
  onForm('/login/sign-up', [signingUp], async (form, request, reply) => {
    const [email, name] = [form.text('email'), form.text('name')];
    await site.limits.countSignUp(request);
    const input = { email, name, pass: readNewPassphrase(form), proof: form.text('proof') };
    const next = await carryFor(site, request)(signingUp, input);
    if (next === 'sign-in') return redirectWithNotice(reply, '/login', 'signed-up');
    if (next === 'wait') return sendWait(site, reply);
    const words = html`${say('signUp.aMailIsOnItsWayToEmailIts', { email: html`<span dir="auto">${email}</span>` })}`;
    return sendWords(site, reply, { title: say('signUp.checkYourMail'), words });
  });

  server.get<{ Params: ByToken }>('/login/confirm/:token', reads(signUpByLink), async ({ params }, reply) =>
    sendConfirm(site, reply, {}, params),
  );

  const onConfirm = formRoutes<ByToken>(server, site, sendConfirm);
  onConfirm(
    '/login/confirm/:token',
    [signUpByLink, signUpConfirmation, signingIn],
    async (form, request, reply) => {
      const carry = carryFor(site, request);
      const { token } = request.params;
      const pass = form.text('pass');
      const asked = await carry(signUpByLink, { token });
      if (!asked) return sendConfirm(site, reply, {}, request.params);
      await site.limits.countInvitation(request);
      const member = await carry(signUpConfirmation, { token, pass });
      return member ? welcome(site, reply, asked.email, pass) : sendWait(site, reply);
    },
  );
}

async function sendForm(
  site: Site,
  reply: FastifyReply,
  { form = formFrom([]), message, errors = [], status }: RefusedForm = {},
): Promise<FastifyReply> {
  const { service, settings } = site;
  const { mode } = service.signUp;
  const challenge = JSON.stringify(await carryFor(site, reply.request)(proofOfWork, {}));
  const hasMail = service.store.mails.isOn;
  const lede = {
    open: hasMail ? say('signUp.youWillConfirmYourAddressBy') : say('signUp.chooseANameAndAPassphraseTo'),
    approval: hasMail ? say('signUp.confirmAndWait') : say('signUp.waitForApproval'),
    invitation: '',
  }[mode];
  const main = html`<div class="plain">
<h1>${say('signUp.signUpForName', { name: settings.name })}</h1>
<p class="lede">${lede}</p>
${errorSummary(message)}
<noscript><p class="banner">${say('signUp.signingUpNeedsJavascriptYour')}</p></noscript>
<form method="post" action="/login/sign-up" class="narrow-form" data-challenge="${challenge}">
<input type="hidden" name="proof" value="">
${memberNameField(form.text('name'), errors)}
${memberEmailField(form.text('email'), errors)}
${newPassphraseFields(say('common.passphrase'), errors)}
<div class="buttons"><button type="submit" class="button">${say('signUp.signUp')}</button></div>
<p class="quiet" role="status" data-work></p>
</form>
<p class="quiet">${say('signUp.alreadyAMemberSignIn', { link: (words) => html`<a href="/login">${words}</a>` })}</p>
</div>`;
  const layout = { title: say('signUp.signUp'), kind: 'login', main, scripts: ['sign-up'] };
  return sendLayout(site, reply, { ...layout, status });
}

function sendWait(site: Site, reply: FastifyReply): FastifyReply {
  const words = html`${say('signUp.administratorChecks')} ${
    site.service.store.mails.isOn
      ? say('signUp.youWillGetAMailWhenItIs')
      : say('signUp.thisWikiSendsNoMailSoTryTo')
  } ${say('signUp.requestExpires')}`;
  return sendWords(site, reply, { title: say('signUp.requestReceived'), words });
}

async function sendConfirm(
  site: Site,
  reply: FastifyReply,
  { message, errors = [], status }: RefusedForm,
  { token }: ByToken,
): Promise<FastifyReply> {
  const asked = await carryFor(site, reply.request)(signUpByLink, { token });
  if (!asked) {
    const words = html`${say('signUp.itWasAlreadyUsedReplacedByA', { link: (words) => html`<a href="/login/sign-up">${words}</a>` })}`;
    return sendSpent(site, reply, words);
  }
  const { name, email } = asked;
  const main = html`<div class="plain"><h1>${say('signUp.confirmYourAddress')}</h1>
<p class="lede">${say('signUp.nameEnterThePassphraseThat', { name: html`<span dir="auto">${name}</span>`, email: html`<span dir="auto">${email}</span>` })}</p>
${errorSummary(message)}
<form method="post" class="narrow-form">
${accountName(email)}
${field('pass', say('common.passphrase'), html`${currentPassphrase} autofocus`, { errors })}
<div class="buttons"><button type="submit" class="button">${say('signUp.confirm')}</button></div>
</form>
<p class="quiet">${say('signUp.forgottenAlreadySignUpAgain', { link: (words) => html`<a href="/login/sign-up">${words}</a>` })}</p></div>`;
  return sendLayout(site, reply, { title: say('signUp.confirmYourAddress'), kind: 'login', main, status });
}
