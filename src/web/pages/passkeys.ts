/** A member's passkeys: add, rename and remove them; and signing in by one, or showing again that it is you. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  addPasskey,
  listPasskeys,
  maxPasskeyNameLength,
  removePasskey,
  renamePasskey,
  signInByPasskey,
} from '#domain/members/passkeys.ts';
import { isRecentSignIn } from '#domain/members/recent-sign-in.ts';
import type { Passkey } from '#domain/ports/passkeys.ts';
import { Problem } from '#domain/problem.ts';
import { problemKinds } from '#http/problems.ts';
import { described, errorSummary, mistake } from '../components.ts';
import { dayOf, timeAgo } from '../format.ts';
import { chosenId, readForm } from '../forms.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { needsRecentSignIn, type RefusedForm, refusalOf, signInAgain, signInAgainUrl } from '../refusal.ts';
import { leaveSignInNotice } from '../sign-in.ts';
import type { Site } from '../site.ts';
import { deviceOf, leaveNotice, returnAddress, startSession } from '../visitor.ts';
import { sendLogin } from './login.ts';
import { sendAgain } from './oauth.ts';

const address = '/account/passkeys';

export function passkeyRoutes(server: FastifyInstance, site: Site): void {
  const { store, passkeys } = site.service;

  server.get(address, async (_request, reply) => send(site, reply, {}));

  server.post(
    address,
    { config: { audit: ['passkey-added', 'passkey-removed'] } },
    async (request, reply) => {
      const { signedIn, actor, now, origin } = request.visit;
      const form = await readForm(site, request);
      try {
        switch (form.text('what')) {
          case 'remove':
            await removePasskey(store, actor, chosenId(form, 'id'), now);
            leaveNotice(request, reply, 'passkey-removed');
            break;
          case 'rename':
            await renamePasskey(store, actor, chosenId(form, 'id'), form.text('name'));
            leaveNotice(request, reply, 'passkey-renamed');
            break;
          default: {
            const input = { credential: parsed(form.text('credential')), name: form.text('name') };
            await addPasskey(store, passkeys, signedIn, input, origin, now);
            leaveNotice(request, reply, 'passkey-added');
          }
        }
        return reply.redirect(address, 303);
      } catch (error) {
        if (needsRecentSignIn(error)) return signInAgain(reply, address);
        return send(site, reply, refusalOf(error));
      }
    },
  );

  server.post(
    '/login/passkey',
    { config: { audit: ['signed-in', 'sign-in-failed'] } },
    async (request, reply) => {
      const { actor, now, origin } = request.visit;
      const form = await readForm(site, request);
      const next = returnAddress(form.text('next'));
      try {
        await site.limits.countSignIn(request);
        const answer = parsed(form.text('credential'));
        // Members who are signed in show again that it is them.
        const claims = await site.signIns.tryUnnamed(request, reply, () =>
          signInByPasskey(store, site.service, answer, origin, deviceOf(request), now, actor?.memberId),
        );
        await startSession(site, request, reply, claims);
        if (!actor) await leaveSignInNotice(site, request, reply, claims);
        return reply.redirect(next, 303);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const message =
          error.code === 'bad-credentials'
            ? 'This passkey did not sign you in: it is not one of this account, or it came too late. Try again.'
            : error.message;
        const { status } = problemKinds[error.code];
        return (actor ? sendAgain : sendLogin)(site, reply, { next, message, status });
      }
    },
  );
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
  { message, errors = [], status }: RefusedForm,
): Promise<FastifyReply> {
  const { visit } = reply.request;
  const { store, passkeys } = site.service;
  const listed = await listPasskeys(store, visit.actor);
  const obstacle = passkeys.obstacleAt(visit.origin);
  const isRecent = isRecentSignIn(visit.signedIn?.claims.signedInAt, visit.now);
  const main = html`<div class="plain">
<p class="above"><a href="/account">Your account</a></p>
<h1>Passkeys</h1>
<p class="lede">A passkey signs you in by the lock of your device: fingerprint, face or PIN. It asks for no passphrase and no code, and no other site can get it out of you.</p>
${errorSummary(message)}
${
  listed.length > 0 &&
  html`<ul class="sessions">${listed.map((passkey) => row(passkey, visit.now))}</ul>
<p class="quiet">Removing one signs out whoever signed in with it.</p>`
}
<section><h2>Add a passkey</h2>
${
  obstacle !== undefined
    ? html`<p>${obstacle}</p>`
    : !isRecent
      ? html`<p><a class="button" href="${signInAgainUrl(address)}">Show first that it is you</a></p>`
      : html`<p data-passkey-missing>This browser has no passkeys, or runs no scripts.</p>
<form method="post" action="${address}" data-passkey="/v1/members/me/passkeys/options" data-again="${signInAgainUrl(address)}" class="narrow-form" hidden>
<input type="hidden" name="what" value="add"><input type="hidden" name="credential">
<div class="field"><label for="name">Name, for you to know it by</label><input id="name" name="name" maxlength="${maxPasskeyNameLength}" placeholder="Phone" dir="auto"${described(errors, 'name')}>${mistake(errors, 'name')}</div>
<div class="buttons"><button type="submit" class="button">Add a passkey</button></div></form>`
}</section>
</div>`;
  const layout = { title: 'Passkeys', kind: 'account', main, scripts: ['passkey'] };
  return sendLayout(site, reply, { ...layout, status });
}

function row({ id, name, isSynced, createdAt, lastUsedAt }: Passkey, now: number): Html {
  return html`<li><form method="post" action="${address}"><input type="hidden" name="id" value="${id}">
<strong dir="auto">${name}</strong> <span class="quiet">added ${dayOf(createdAt, now)}, ${lastUsedAt === null ? 'not used yet' : html`last used ${timeAgo(lastUsedAt, now)}`}${isSynced && ', on several devices'}</span>
<button type="submit" name="what" value="remove" class="button quiet-button" aria-label="Remove: ${name}">Remove</button></form>
<details><summary>Rename</summary><form method="post" action="${address}"><input type="hidden" name="id" value="${id}">
<input name="name" value="${name}" maxlength="${maxPasskeyNameLength}" required aria-label="New name of ${name}" dir="auto">
<button type="submit" name="what" value="rename" class="button quiet-button">Rename</button></form></details></li>`;
}
