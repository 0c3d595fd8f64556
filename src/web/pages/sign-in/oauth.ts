/**
 * Signing in by a provider: departure, return, and the action on return: signing in, confirming the identity before linking, or
 * joining by invitation.
 *
 * Data for verifying the response is in a sealed cookie, valid for ten minutes in this browser only.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invitationByLink, joiningByProvider } from '#core/joining/invitation-operations.ts';
import { isSpent, spentSentence } from '#core/joining/invite-member.ts';
import { refuseLinked } from '#core/joining/join-by-provider.ts';
import { ownAccount } from '#core/members/account-operations.ts';
import { Problem } from '#core/model/problem.ts';
import { type Arrival, authorizationLimitMs, type Intent } from '#core/ports/sign-in-provider.ts';
import { identityLinking, identityUnlinking, providerSignIn } from '#core/sign-in/identity-operations.ts';
import { intentToLink } from '#core/sign-in/link-identity.ts';
import { problemKinds } from '#http/problems.ts';
import { say } from '#words/say.ts';
import { urlOfVisit } from '../../components.ts';
import { errorSummary, field, memberNameField } from '../../form-fields.ts';
import { formRoutes, type Refusal, type RefusedForm, redirectWithNotice } from '../../form-routes.ts';
import { type Form, formFrom } from '../../forms.ts';
import { html } from '../../html.ts';
import { sendLayout } from '../../layout.ts';
import { carryFor } from '../../operation-pages.ts';
import { setupAnswers, setupQuestions } from '../../setup-questions.ts';
import { leaveSignInNotice, pageAfterSignIn } from '../../sign-in.ts';
import type { Site } from '../../site.ts';
import { cookiesOf, deviceOf, returnAddress, setCookie, startSession } from '../../visitor.ts';

interface ForProvider {
  provider: string;
}

/** Maximum length of the return URL: a cookie holds 4 kB, and the rest of the state needs space. */
const maxNextLength = 1000;

export function oauthRoutes(server: FastifyInstance, site: Site): void {
  const { store, providers } = site.service;

  server.get('/login/with/:provider', async (_request, reply) => reply.redirect('/login', 303));

  const onForm = formRoutes<ForProvider>(server, site, sendFailure, { returnsTo: '/account' });
  onForm('/login/with/:provider', [ownAccount, invitationByLink], async (form, request, reply) => {
    const intent = await readIntent(site, request, form);
    const { address, stateCookie } = await providers.startAuthorization(request.params.provider, intent);
    keepCookie(reply, 'journey', stateCookie);
    return sendDeparture(site, reply, address, request.params.provider);
  });

  const operations = [providerSignIn, identityLinking];
  const config = { operations, audit: operations.flatMap(({ audit }) => audit) };
  server.get<{ Params: ForProvider }>('/login/with/:provider/return', { config }, async (request, reply) => {
    const stateCookie = cookiesOf(request)[cookieName(request, 'journey')];
    keepCookie(reply, 'journey', '');
    try {
      // Only a valid state cookie causes a request to the provider.
      if (stateCookie) await site.limits.countSignIn(request);
      const answer = urlOfVisit(request.visit).searchParams;
      return await goOn(reply, await providers.handleCallback(request.params.provider, stateCookie, answer));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { code, words: message, cause } = error;
      return sendFailure(site, reply, { code, message, cause });
    }
  });

  async function goOn(reply: FastifyReply, arrival: Arrival): Promise<FastifyReply> {
    const { intent, identity } = arrival;
    const carry = carryFor(site, reply.request);
    const account = { identity, label: labelOf(site, identity.provider) };
    if (identity.withholdsGroups)
      reply.request.log.warn(
        { provider: identity.provider },
        'the provider left out the groups of a member, whose groups stay unchanged; configure it to send only groups that this wiki has',
      );
    switch (intent.kind) {
      case 'sign-in':
      case 'confirm': {
        const memberId = intent.kind === 'confirm' ? intent.memberId : undefined;
        const device = deviceOf(reply.request);
        const input = { account, device, ...(memberId === undefined ? {} : { memberId }) };
        const claims = await site.signIns.tryUnnamed(reply.request, reply, () =>
          carry(providerSignIn, input),
        );
        await startSession(site, reply, claims);
        await leaveSignInNotice(site, reply, claims);
        return reply.redirect(await pageAfterSignIn(site, claims, intent.next), 303);
      }
      case 'link':
        await carry(identityLinking, { intent, account });
        return redirectWithNotice(reply, '/account#providers', 'provider-linked');
      case 'join': {
        await refuseLinked(store, identity, account.label);
        const kept = await providers.keep(arrival);
        keepCookie(reply, 'arrival', kept);
        return reply.redirect('/login/join', 303);
      }
    }
  }

  server.get('/login/join', async (request, reply) => {
    const arrival = await arrivalOf(site, request);
    if (!arrival) return reply.redirect('/login', 303);
    const { email, name } = arrival.identity;
    return sendJoin(
      { site, reply },
      arrival,
      formFrom([
        ['email', email ?? ''],
        ['name', name ?? ''],
      ]),
    );
  });

  const onJoin = formRoutes(server, site, async (_site, reply, refused) => {
    const arrival = await arrivalOf(site, reply.request);
    const canMend = refused.errors.length > 0 && !isSpent(refused);
    if (!arrival || !canMend) return sendFailure(site, reply, refused);
    return sendJoin({ site, reply }, arrival, refused.form, refused);
  });
  onJoin('/login/join', [joiningByProvider, providerSignIn], async (form, request, reply) => {
    const arrival = await arrivalOf(site, request);
    if (!arrival) throw new Problem('invalid', say('oauth.thisTookLongerThanTenMinutes'));
    const { intent, identity } = arrival;
    const account = { identity, label: labelOf(site, identity.provider) };
    await site.limits.countInvitation(request);
    const { now } = request.visit;
    const given = { email: form.text('email'), name: form.text('name'), settings: setupAnswers(site, form) };
    const carry = carryFor(site, request);
    await carry(joiningByProvider, { joining: { ...account, token: intent.token, ...given } });
    keepCookie(reply, 'arrival', '');
    // A new account contains nothing yet that somebody else could take over.
    const confirmed = { ...account, identity: { ...identity, signedInAt: now } };
    const claims = await carry(providerSignIn, { account: confirmed, device: deviceOf(request) });
    await startSession(site, reply, claims);
    return redirectWithNotice(reply, '/', 'welcome');
  });

  const onUnlink = formRoutes(server, site, sendFailure);
  onUnlink('/account/unlink', [identityUnlinking], async (form, request, reply) => {
    const identity = { issuer: form.text('issuer'), subject: form.text('subject') };
    await carryFor(site, request)(identityUnlinking, identity);
    return redirectWithNotice(reply, '/account#providers', 'provider-unlinked');
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
      const { id } = await carryFor(site, request)(ownAccount, {});
      return { kind: 'confirm', memberId: id, next: shortNext };
    }
    case 'join': {
      await site.limits.countInvitation(request);
      const token = form.text('token');
      if (!(await carryFor(site, request)(invitationByLink, { token })))
        throw new Problem('not-found', spentSentence);
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

/** With the `__Host-` prefix, as for the session cookie. */
function cookieName(request: FastifyRequest, what: 'journey' | 'arrival'): string {
  return `${request.isSecure ? '__Host-' : ''}coppice-${what}`;
}

/** Sets the cookie for as long as signing in at a provider may take. An empty value deletes the cookie. */
function keepCookie(reply: FastifyReply, what: 'journey' | 'arrival', value: string): void {
  const maxAge = value === '' ? 0 : authorizationLimitMs / 1000;
  setCookie(reply, cookieName(reply.request, what), value, { maxAge });
}

function labelOf({ service }: Site, name: string): string {
  return service.providers.all.find((one) => one.name === name)?.label ?? name;
}

/**
 * A page that redirects by script, because this answers a form, and the site's policy restricts form targets to the site (CSP
 * `form-action`).
 */
function sendDeparture(site: Site, reply: FastifyReply, address: string, provider: string): FastifyReply {
  const label = labelOf(site, provider);
  const main = html`<div class="plain"><h1>${say('oauth.onToLabel', { label })}</h1>
<p class="lede">${say('oauth.youAreBeingRedirectedToLabel', { label })}</p>
<p><a class="button" href="${address}">${say('oauth.continueToLabel', { label })}</a></p></div>`;
  const head = html`<meta http-equiv="refresh" content="0; url=${address}">`;
  return sendLayout(site, reply, {
    title: say('oauth.onTo', { provider: label }),
    kind: 'login',
    main,
    head,
  });
}

/** Shows a sentence; the cause is in the log. */
function sendFailure(
  site: Site,
  reply: FastifyReply,
  { code, message, cause }: Pick<Refusal, 'code' | 'message' | 'cause'>,
): FastifyReply {
  const { visit, log, params } = reply.request;
  const { provider } = params as Partial<ForProvider>;
  if (cause !== undefined) log.warn({ err: cause, provider }, 'no sign-in by provider');
  const main = html`<div class="plain"><h1>${say('oauth.thatDidNotWork')}</h1>
${errorSummary(message)}
<p>${visit.actor ? html`<a class="button" href="/account">${say('common.yourAccount')}</a>` : html`<a class="button" href="/login">${say('common.signIn')}</a>`}</p></div>`;
  const { status } = problemKinds[code];
  return sendLayout(site, reply, { title: say('oauth.thatDidNotWork'), kind: 'login', main, status });
}

async function sendJoin(
  { site, reply }: { site: Site; reply: FastifyReply },
  arrival: Arrival & { intent: { kind: 'join' } },
  form: Form,
  { message, errors = [], status }: RefusedForm = {},
): Promise<FastifyReply> {
  const { visit } = reply.request;
  const invitation = await carryFor(site, reply.request)(invitationByLink, { token: arrival.intent.token });
  const label = labelOf(site, arrival.identity.provider);
  const main = html`<div class="plain"><h1>${say('oauth.welcomeToName', { name: site.settings.name })}</h1>
<p class="lede">${say('oauth.youHaveSignedInWith', { provider: html`${label}${arrival.identity.account && html` (<span dir="auto">${arrival.identity.account}</span>)`}` })}</p>
${errorSummary(message)}
<form method="post" action="/login/join" class="narrow-form">
${memberNameField(form.text('name'), errors)}
${field('email', say('account.eMail'), html`type="email" autocomplete="email" required value="${form.text('email')}"`, { errors, hint: say('oauth.neverShownToOtherMembers') })}
${invitation && setupQuestions(site, visit, invitation, { form, errors })}
<div class="buttons"><button type="submit" class="button">${say('oauth.createAccount')}</button></div>
</form></div>`;
  return sendLayout(site, reply, { title: say('oauth.yourInvitation'), kind: 'invite', main, status });
}
