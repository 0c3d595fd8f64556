/** Confirming one's identity before a sensitive step, by passphrase, passkey or provider (RFC 9470). */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { ownAccount } from '#core/members/account-operations.ts';
import { identityList } from '#core/sign-in/identity-operations.ts';
import { passkeyList } from '#core/sign-in/passkey-operations.ts';
import { secondFactorState } from '#core/sign-in/second-factor-operations.ts';
import { signingIn } from '#core/sign-in/session-operations.ts';
import { listOf, say } from '#words/say.ts';
import { urlOfVisit } from '../../components.ts';
import { accountName, codeField, currentPassphrase, errorSummary, field } from '../../form-fields.ts';
import { formRoutes, type RefusedForm } from '../../form-routes.ts';
import { html } from '../../html.ts';
import { sendLayout } from '../../layout.ts';
import { carryFor, reads } from '../../operation-pages.ts';
import { passkeyButton } from '../../passkey-button.ts';
import { providerButton } from '../../providers.ts';
import { signIn } from '../../sign-in.ts';
import type { Site } from '../../site.ts';
import { returnAddress } from '../../visitor.ts';

export function loginAgainRoutes(server: FastifyInstance, site: Site): void {
  server.get(
    '/login/again',
    reads(ownAccount, identityList, secondFactorState, passkeyList),
    async (_request, reply) => sendAgain(site, reply),
  );

  const onAgain = formRoutes(server, site, (_site, reply, { form, code, message, status }) => {
    const wrong = form.text('code')
      ? say('oauth.thePassphraseOrTheCodeIs')
      : say('oauth.thePassphraseIsWrong');
    const shown = { message: code === 'bad-credentials' ? wrong : message, status };
    return sendAgain(site, reply, { ...shown, next: form.text('next') });
  });
  onAgain('/login/again', [ownAccount, signingIn], async (form, request, reply) => {
    const { email } = await carryFor(site, request)(ownAccount, {});
    await signIn(site, reply, { email, pass: form.text('pass'), code: form.text('code') });
    return reply.redirect(returnAddress(form.text('next')), 303);
  });
}

export async function sendAgain(
  site: Site,
  reply: FastifyReply,
  shown: RefusedForm & { next?: string } = {},
): Promise<FastifyReply> {
  const { visit } = reply.request;
  const { providers } = site.service;
  const carry = carryFor(site, reply.request);
  const member = await carry(ownAccount, {});
  const links = await carry(identityList, {});
  const { isOn: hasFactor } = await carry(secondFactorState, {});
  const hasPasskey = (await carry(passkeyList, {})).length > 0;
  const next = returnAddress(shown.next ?? urlOfVisit(visit).searchParams.get('next'));
  const linked = providers.all.filter(({ name }) => links.some(({ provider }) => provider === name));
  const confirming = linked.filter(({ canConfirm }) => canConfirm);
  const silent = linked.filter(({ canConfirm }) => !canConfirm).map(({ label }) => label);
  const main = html`<div class="plain"><h1>${say('oauth.confirmThatItIsYou')}</h1>
<p class="lede">${say('oauth.youAreAboutToChangeHowPeople', { name: html`<span dir="auto">${member.name}</span>` })}</p>
${errorSummary(shown.message)}
${
  member.passphraseHash !== null &&
  html`<form method="post" action="/login/again" class="narrow-form"><input type="hidden" name="next" value="${next}">
${accountName(member.email)}
${field('pass', say('common.passphrase'), html`${currentPassphrase} autofocus`)}
${hasFactor && codeField(say('oauth.codeOfYourSecondFactor'), html`required`)}
<div class="buttons"><button type="submit" class="button">${say('oauth.goOn')}</button></div></form>`
}
${hasPasskey && passkeyButton(site, visit.origin, next)}
${confirming.map((provider) => providerButton(provider, { intent: 'confirm', next }, say('oauth.continueWith', { provider: provider.label })))}
${silent.length > 0 && html`<p class="hint">${say('oauth.cannotBeUsedHere', { providers: listOf(silent) })}</p>`}
${member.passphraseHash === null && confirming.length === 0 && !hasPasskey && html`<p>${say('oauth.youHaveNoWayYetToConfirmThat')}</p>`}
</div>`;
  const { status } = shown;
  return sendLayout(site, reply, {
    title: say('oauth.confirmThatItIsYou'),
    kind: 'login',
    main,
    scripts: ['passkey'],
    status,
  });
}
