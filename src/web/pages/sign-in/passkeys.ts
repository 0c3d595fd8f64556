/** A member's passkeys: add, rename and remove them; and signing in or confirming one's identity by passkey. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { isRecentSignIn } from '#core/operations/recent-sign-in.ts';
import type { Passkey } from '#core/ports/passkeys.ts';
import {
  passkeyAddition,
  passkeyList,
  passkeyRemoval,
  passkeyRenaming,
  passkeySignIn,
} from '#core/sign-in/passkey-operations.ts';
import { maxPasskeyNameLength } from '#core/sign-in/passkeys.ts';
import { say } from '#words/say.ts';
import { errorSummary, field } from '../../form-fields.ts';
import {
  chosenId,
  formRoutes,
  type RefusedForm,
  redirectWithNotice,
  signInAgainUrl,
} from '../../form-routes.ts';
import { dayOf, timeAgo } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { sendLayout } from '../../layout.ts';
import { carryFor, reads } from '../../operation-pages.ts';
import { leaveSignInNotice } from '../../sign-in.ts';
import type { Site } from '../../site.ts';
import { deviceOf, returnAddress, startSession } from '../../visitor.ts';
import { sendLogin } from './login.ts';
import { sendAgain } from './login-again.ts';

const url = '/account/passkeys';

export function passkeyRoutes(server: FastifyInstance, site: Site): void {
  server.get(url, reads(passkeyList), async (_request, reply) => send(site, reply));

  const onForm = formRoutes(server, site, send, { returnsTo: url });
  onForm(url, [passkeyAddition, passkeyRenaming, passkeyRemoval], async (form, request, reply) => {
    const carry = carryFor(site, request);
    switch (form.text('what')) {
      case 'remove':
        await carry(passkeyRemoval, { id: chosenId(form, 'id') });
        return redirectWithNotice(reply, url, 'passkey-removed');
      case 'rename':
        await carry(passkeyRenaming, { id: chosenId(form, 'id'), name: form.text('name') });
        return redirectWithNotice(reply, url, 'passkey-renamed');
      default: {
        const credential = parsed(form.text('credential')) as Record<string, unknown>;
        const address = request.visit.origin;
        await carry(passkeyAddition, { credential, name: form.text('name'), address });
        return redirectWithNotice(reply, url, 'passkey-added');
      }
    }
  });

  const onSignIn = formRoutes(server, site, (_site, reply, { form, code, message, status }) => {
    const wrong = say('passkeys.thisPasskeyDidNotWorkItDoes');
    const next = returnAddress(form.text('next'));
    const shown = { next, message: code === 'bad-credentials' ? wrong : message, status };
    return reply.request.visit.actor ? sendAgain(site, reply, shown) : sendLogin(site, reply, shown);
  });
  onSignIn('/login/passkey', [passkeySignIn], async (form, request, reply) => {
    const { actor, origin } = request.visit;
    await site.limits.countSignIn(request);
    const carry = carryFor(site, request);
    const credential = parsed(form.text('credential')) as Record<string, unknown>;
    const input = {
      credential,
      address: origin,
      device: deviceOf(request),
      ...(actor ? { memberId: actor.memberId } : {}),
    };
    // Signed-in members confirm their identity.
    const claims = await site.signIns.tryUnnamed(request, reply, () => carry(passkeySignIn, input));
    await startSession(site, reply, claims);
    if (!actor) await leaveSignInNotice(site, reply, claims);
    return reply.redirect(returnAddress(form.text('next')), 303);
  });
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

async function send(
  site: Site,
  reply: FastifyReply,
  { message, errors = [], status }: RefusedForm = {},
): Promise<FastifyReply> {
  const { visit } = reply.request;
  const listed = await carryFor(site, reply.request)(passkeyList, {});
  const obstacle = site.service.passkeys.obstacleAt(visit.origin);
  const isRecent = isRecentSignIn(visit.signedIn?.claims.signedInAt, visit.now);
  const main = html`<div class="plain">
<p class="above"><a href="/account">${say('common.yourAccount')}</a></p>
<h1>${say('passkeys.passkeys')}</h1>
<p class="lede">${say('passkeys.withAPasskeyYouSignInByThe')}</p>
${errorSummary(message)}
${
  listed.length > 0 &&
  html`<ul class="sessions">${listed.map((passkey) => row(passkey, visit.now))}</ul>
<p class="quiet">${say('passkeys.removingAPasskeySignsOutAll')}</p>`
}
<section><h2>${say('passkeys.addAPasskey')}</h2>
${
  obstacle !== undefined
    ? html`<p>${obstacle}</p>`
    : !isRecent
      ? html`<p><a class="button" href="${signInAgainUrl(url)}">${say('passkeys.confirmFirstThatItIsYou')}</a></p>`
      : html`<p data-passkey-missing>${say('passkeys.thisBrowserDoesNotSupport')}</p>
<form method="post" action="${url}" data-passkey="/v1/members/me/passkeys/options" data-again="${signInAgainUrl(url)}" class="narrow-form" hidden>
<input type="hidden" name="what" value="add"><input type="hidden" name="credential">
${field('name', say('passkeys.nameToRecogniseItBy'), html`maxlength="${maxPasskeyNameLength}" placeholder="${say('passkeys.nameExample')}" dir="auto"`, { errors })}
<div class="buttons"><button type="submit" class="button">${say('passkeys.addAPasskey')}</button></div></form>`
}</section>
</div>`;
  const layout = { title: say('passkeys.passkeys'), kind: 'account', main, scripts: ['passkey'] };
  return sendLayout(site, reply, { ...layout, status });
}

function row({ id, name, isSynced, createdAt, lastUsedAt }: Passkey, now: number): Html {
  return html`<li><form method="post" action="${url}"><input type="hidden" name="id" value="${id}">
<strong dir="auto">${name}</strong> <span class="quiet">${say('passkeys.added', { time: dayOf(createdAt, now) })}, ${
    lastUsedAt === null
      ? say('passkeys.notUsedYet')
      : say('passkeys.lastUsed', { time: timeAgo(lastUsedAt, now) })
  }${isSynced && html`, ${say('passkeys.onSeveralDevices')}`}</span>
<button type="submit" name="what" value="remove" class="button quiet-button" aria-label="${say('passkeys.removeName', { name })}">${say('passkeys.remove')}</button></form>
<details><summary>${say('passkeys.rename')}</summary><form method="post" action="${url}"><input type="hidden" name="id" value="${id}">
<input name="name" value="${name}" maxlength="${maxPasskeyNameLength}" required aria-label="${say('passkeys.newNameOfName', { name })}" dir="auto">
<button type="submit" name="what" value="rename" class="button quiet-button">${say('passkeys.rename')}</button></form></details></li>`;
}
