/**
 * Signing in by a provider: leaving for it, coming back from it, and what the answer is good for. Showing again that it
 * is you, before a provider is linked. Becoming a member by invitation and provider.
 *
 * What an answer is checked against travels in a sealed cookie of ten minutes that only this browser has.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { getOwnAccount } from '#domain/members/change-account.ts';
import { findInvitation, isSpent, spentSentence } from '#domain/members/invite-member.ts';
import { joinByProvider, refuseLinked } from '#domain/members/join-by-provider.ts';
import { intentToLink, linkIdentity } from '#domain/members/link-identity.ts';
import { listIdentities } from '#domain/members/list-identities.ts';
import { getSecondFactor } from '#domain/members/second-factor.ts';
import { signInByProvider } from '#domain/members/sign-in-by-provider.ts';
import { unlinkIdentity } from '#domain/members/unlink-identity.ts';
import { type Arrival, authorizationLimitMs, type Intent } from '#domain/ports/sign-in-provider.ts';
import { Problem } from '#domain/problem.ts';
import { problemKinds } from '#http/problems.ts';
import { described, errorSummary, mistake } from '../components.ts';
import { type Form, readForm } from '../forms.ts';
import { html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { passkeyButton } from '../passkey-button.ts';
import { providerButton } from '../providers.ts';
import { needsRecentSignIn, type RefusedForm, refusalOf, signInAgain } from '../refusal.ts';
import { leaveSignInNotice, pageAfterSignIn, signIn } from '../sign-in.ts';
import type { Site } from '../site.ts';
import { cookiesOf, deviceOf, leaveNotice, returnAddress, setCookie, startSession } from '../visitor.ts';

type ForProvider = { Params: { provider: string } };

/** Longest return address: a cookie holds 4 kB, and the rest of the state cookie needs room. */
const maxNextLength = 1000;

export function oauthRoutes(server: FastifyInstance, site: Site): void {
  const { store, secrets, sessions, providers } = site.service;

  server.get<ForProvider>('/login/with/:provider', async (_request, reply) => reply.redirect('/login', 303));

  server.post<ForProvider>('/login/with/:provider', { config: { audit: [] } }, async (request, reply) => {
    const form = await readForm(site, request);
    try {
      const intent = await readIntent(site, request, form);
      const { address, stateCookie } = await providers.startAuthorization(request.params.provider, intent);
      setCookie(request, reply, cookieName(request, 'journey'), stateCookie, {
        maxAge: authorizationLimitMs / 1000,
      });
      return sendDeparture(site, reply, address);
    } catch (error) {
      if (needsRecentSignIn(error)) return signInAgain(reply, '/account');
      return sendFailure(site, reply, error);
    }
  });

  server.get<ForProvider>(
    '/login/with/:provider/return',
    { config: { audit: ['signed-in', 'sign-in-failed', 'provider-linked'] } },
    async (request, reply) => {
      const name = cookieName(request, 'journey');
      const stateCookie = cookiesOf(request)[name];
      setCookie(request, reply, name, '', { maxAge: 0 });
      try {
        // Only a valid state cookie causes a request to the provider.
        if (stateCookie) await site.limits.countSignIn(request);
        const answer = new URL(request.url, request.visit.origin).searchParams;
        return await goOn(
          reply,
          await providers.handleCallback(request.params.provider, stateCookie, answer),
        );
      } catch (error) {
        return sendFailure(site, reply, error);
      }
    },
  );

  async function goOn(reply: FastifyReply, arrival: Arrival): Promise<FastifyReply> {
    const { intent, identity } = arrival;
    const { actor, now } = reply.request.visit;
    const told = { identity, label: labelOf(site, identity.provider) };
    switch (intent.kind) {
      case 'sign-in':
      case 'confirm': {
        const memberId = intent.kind === 'confirm' ? intent.memberId : undefined;
        const device = deviceOf(reply.request);
        const claims = await site.signIns.tryUnnamed(reply.request, reply, () =>
          signInByProvider(store, sessions, told, device, now, memberId),
        );
        await startSession(site, reply.request, reply, claims);
        await leaveSignInNotice(site, reply.request, reply, claims);
        return reply.redirect(await pageAfterSignIn(site, claims, intent.next), 303);
      }
      case 'link':
        await linkIdentity(store, actor, intent, told, now);
        leaveNotice(reply.request, reply, 'provider-linked');
        return reply.redirect('/account#providers', 303);
      case 'join': {
        await refuseLinked(store, identity, told.label);
        const kept = await providers.keep(arrival);
        setCookie(reply.request, reply, cookieName(reply.request, 'arrival'), kept, {
          maxAge: authorizationLimitMs / 1000,
        });
        return reply.redirect('/login/join', 303);
      }
    }
  }

  server.get('/login/again', async (_request, reply) => sendAgain(site, reply, {}));

  server.post(
    '/login/again',
    { config: { audit: ['signed-in', 'sign-in-failed'] } },
    async (request, reply) => {
      const { actor } = request.visit;
      const form = await readForm(site, request);
      const { email } = await getOwnAccount(store, actor);
      try {
        await signIn(site, request, reply, { email, pass: form.text('pass'), code: form.text('code') });
        return reply.redirect(returnAddress(form.text('next')), 303);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const wrong = form.text('code')
          ? 'This is not your passphrase, or not your code.'
          : 'This is not your passphrase.';
        const message = error.code === 'bad-credentials' ? wrong : error.message;
        const { status } = problemKinds[error.code];
        return sendAgain(site, reply, { message, next: form.text('next'), status });
      }
    },
  );

  server.get('/login/join', async (request, reply) => {
    const arrival = await arrivalOf(site, request);
    if (!arrival) return reply.redirect('/login', 303);
    const { email, name } = arrival.identity;
    return sendJoin(site, reply, { arrival, email: email ?? '', name: name ?? '' });
  });

  server.post(
    '/login/join',
    { config: { audit: ['member-joined', 'signed-in'] } },
    async (request, reply) => {
      const form = await readForm(site, request);
      const [email, name] = [form.text('email'), form.text('name')];
      const arrival = await arrivalOf(site, request);
      try {
        if (!arrival)
          throw new Problem('invalid', 'This took longer than ten minutes: open the invitation again.');
        const { intent, identity } = arrival;
        const told = { identity, label: labelOf(site, identity.provider) };
        await site.limits.countInvitation(request);
        const { now } = request.visit;
        await joinByProvider(store, secrets, { ...told, token: intent.token, email, name }, now);
        setCookie(request, reply, cookieName(request, 'arrival'), '', { maxAge: 0 });
        // A new account holds nothing yet that somebody else could take over.
        const confirmed = { ...told, identity: { ...identity, signedInAt: now } };
        const claims = await signInByProvider(store, sessions, confirmed, deviceOf(request), now);
        await startSession(site, request, reply, claims);
        leaveNotice(request, reply, 'welcome');
        return reply.redirect('/', 303);
      } catch (error) {
        const canMend = error instanceof Problem && error.errors && !isSpent(error);
        if (!arrival || !canMend) return sendFailure(site, reply, error);
        return sendJoin(site, reply, { arrival, email, name, ...refusalOf(error) });
      }
    },
  );

  server.post('/account/unlink', { config: { audit: ['provider-unlinked'] } }, async (request, reply) => {
    const form = await readForm(site, request);
    const identity = { issuer: form.text('issuer'), subject: form.text('subject') };
    try {
      await unlinkIdentity(store, request.visit.actor, identity, request.visit.now);
    } catch (error) {
      return sendFailure(site, reply, error);
    }
    leaveNotice(request, reply, 'provider-unlinked');
    return reply.redirect('/account#providers', 303);
  });
}

async function readIntent(site: Site, request: FastifyRequest, form: Form): Promise<Intent> {
  const { actor, signedIn, now } = request.visit;
  const next = returnAddress(form.text('next').slice(0, maxNextLength + 1));
  const shortNext = next.length > maxNextLength ? '/' : next;
  switch (form.text('intent')) {
    case 'link':
      return intentToLink(actor, signedIn?.claims.signedInAt, now);
    case 'confirm': {
      const { id } = await getOwnAccount(site.service.store, actor);
      return { kind: 'confirm', memberId: id, next: shortNext };
    }
    case 'join': {
      await site.limits.countInvitation(request);
      const token = form.text('token');
      const { store, secrets } = site.service;
      if (!(await findInvitation(store, secrets, token, now))) {
        throw new Problem('not-found', spentSentence);
      }
      return { kind: 'join', token };
    }
    default:
      return { kind: 'sign-in', next: shortNext };
  }
}

async function arrivalOf(
  { service }: Site,
  request: FastifyRequest,
): Promise<(Arrival & { intent: { kind: 'join' } }) | undefined> {
  const kept = cookiesOf(request)[cookieName(request, 'arrival')];
  const arrival = kept ? await service.providers.recall(kept) : undefined;
  return arrival?.intent.kind === 'join' ? (arrival as Arrival & { intent: { kind: 'join' } }) : undefined;
}

/** Like the session's name: over HTTPS only this very host can have set it. */
function cookieName(request: FastifyRequest, what: 'journey' | 'arrival'): string {
  return `${request.isSecure ? '__Host-' : ''}coppice-${what}`;
}

function labelOf({ service }: Site, name: string): string {
  return service.providers.all.find((one) => one.name === name)?.label ?? name;
}

/**
 * A page that goes on by itself, and not a redirect: this answers a form, and the site's own rules let forms end on the
 * site alone (CSP `form-action`).
 */
function sendDeparture(site: Site, reply: FastifyReply, address: string): FastifyReply {
  const label = labelOf(site, (reply.request.params as { provider: string }).provider);
  const main = html`<div class="plain"><h1>On to ${label}</h1>
<p class="lede">You are being taken to ${label} to sign in, and back here.</p>
<p><a class="button" href="${address}">Go on to ${label}</a></p></div>`;
  const head = html`<meta http-equiv="refresh" content="0; url=${address}">`;
  return sendLayout(site, reply, { title: `On to ${label}`, kind: 'login', main, head });
}

/** Shows the error in a sentence; the operator finds the cause in the log. */
function sendFailure(site: Site, reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof Problem)) throw error;
  const { provider } = reply.request.params as { provider?: string };
  if (error.cause !== undefined)
    reply.request.log.warn({ err: error.cause, provider }, 'no sign-in by provider');
  const { visit } = reply.request;
  const main = html`<div class="plain"><h1>That did not work</h1>
${errorSummary(error.message)}
<p>${visit.actor ? html`<a class="button" href="/account">Your account</a>` : html`<a class="button" href="/login">Sign in</a>`}</p></div>`;
  const { status } = problemKinds[error.code];
  return sendLayout(site, reply, { title: 'That did not work', kind: 'login', main, status });
}

export async function sendAgain(
  site: Site,
  reply: FastifyReply,
  shown: { message?: string; next?: string; status?: number },
): Promise<FastifyReply> {
  const { visit } = reply.request;
  const { store, providers } = site.service;
  const member = await getOwnAccount(store, visit.actor);
  const links = await listIdentities(store, visit.actor);
  const { isOn: hasFactor } = await getSecondFactor(store, visit.actor);
  const hasPasskey = (await store.passkeys.listOf(member.id)).length > 0;
  const next = returnAddress(shown.next ?? new URL(reply.request.url, visit.origin).searchParams.get('next'));
  const linked = providers.all.filter(({ name }) => links.some(({ provider }) => provider === name));
  const confirming = linked.filter(({ canConfirm }) => canConfirm);
  const silent = linked.filter(({ canConfirm }) => !canConfirm).map(({ label }) => label);
  const main = html`<div class="plain"><h1>Is it you?</h1>
<p class="lede">What you are about to do changes who can get into your account. Sign in once more as <span dir="auto">${member.name}</span>; it counts for five minutes.</p>
${errorSummary(shown.message)}
${
  member.passphraseHash !== null &&
  html`<form method="post" action="/login/again" class="narrow-form"><input type="hidden" name="next" value="${next}">
<input type="text" name="username" autocomplete="username" value="${member.email}" hidden>
<div class="field"><label for="pass">Passphrase</label><input id="pass" name="pass" type="password" autocomplete="current-password" required autofocus></div>
${hasFactor && html`<div class="field"><label for="code">Code of your second factor</label><input id="code" name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required></div>`}
<div class="buttons"><button type="submit" class="button">Go on</button></div></form>`
}
${hasPasskey && passkeyButton(site, visit.origin, next)}
${confirming.map((provider) => providerButton(provider, { intent: 'confirm', next }, `Go on with ${provider.label}`))}
${silent.length > 0 && html`<p class="hint">${silent.join(' and ')} cannot be used here, as it does not tell when you signed in there.</p>`}
${member.passphraseHash === null && confirming.length === 0 && !hasPasskey && html`<p>There is no way here yet to show that it is you. Ask an administrator for a link to choose a passphrase; with it you can go on.</p>`}
</div>`;
  const { status } = shown;
  return sendLayout(site, reply, { title: 'Is it you?', kind: 'login', main, scripts: ['passkey'], status });
}

function sendJoin(
  site: Site,
  reply: FastifyReply,
  shown: RefusedForm & { arrival: Arrival; email: string; name: string },
): FastifyReply {
  const { arrival, email, name, message, errors = [], status } = shown;
  const label = labelOf(site, arrival.identity.provider);
  const main = html`<div class="plain"><h1>Welcome to ${site.settings.name}</h1>
<p class="lede">${label} says who you are${arrival.identity.account && html` (<span dir="auto">${arrival.identity.account}</span>)`}: you will sign in with it. How shall you be known here?</p>
${errorSummary(message)}
<form method="post" action="/login/join" class="narrow-form">
<div class="field"><label for="name">Name</label><input id="name" name="name" autocomplete="name" required value="${name}" dir="auto"${described(errors, 'name', 'name-hint')}><p class="hint" id="name-hint">Shown beside what you write.</p>${mistake(errors, 'name')}</div>
<div class="field"><label for="email">E-mail</label><input id="email" name="email" type="email" autocomplete="email" required value="${email}"${described(errors, 'email', 'email-hint')}><p class="hint" id="email-hint">Never shown to other members.</p>${mistake(errors, 'email')}</div>
<div class="buttons"><button type="submit" class="button">Create account</button></div>
</form></div>`;
  return sendLayout(site, reply, { title: 'Your invitation', kind: 'invite', main, status });
}
