/** Signing in by a form of the site, at `/login` or within the editor after a session has ended. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { notify } from '#core/members/notify.ts';
import { type Claims, deviceLifetimeMs } from '#core/ports/credentials.ts';
import { noteSecondFactorDevice } from '#core/sign-in/check-second-factor.ts';
import { signingIn } from '#core/sign-in/session-operations.ts';
import { badCredentials, unlessUnwritable } from '#core/sign-in/sessions.ts';
import type { SignInInput } from '#core/sign-in/sign-in.ts';
import { tellSignInWarnings } from '#core/sign-in/sign-in-warnings.ts';
import { emailKey } from '#http/sign-in-limits.ts';
import { redirectWithNotice } from './form-routes.ts';
import { carryFor } from './operation-pages.ts';
import type { Site } from './site.ts';
import { cookiesOf, deviceOf, leaveNotice, leaveWarnings, setCookie, startSession } from './visitor.ts';

type SiteCredentials = { email: string; code?: string } & (
  | { pass: string }
  | { proven: { memberId: number; epoch: number } }
);

function inputOf({ email, code, ...how }: SiteCredentials): SignInInput {
  return 'pass' in how ? { email, pass: how.pass, code } : { proven: how.proven, code: code ?? '' };
}

/**
 * A ticket, valid for five minutes, which states that the passphrase was right, so that the form for the code need not ask
 * again.
 */
export async function sealTicket({ service }: Site, email: string, now: number): Promise<string> {
  const member = await service.store.members.findByEmail(email.trim());
  const fields = { email, sub: String(member?.id ?? 0), epoch: String(member?.epoch ?? 0) };
  return service.signInTickets.seal(fields, now);
}

/** Refuses `bad-credentials` for an invalid or expired ticket. */
export async function openTicket({ service }: Site, ticket: string, code: string): Promise<SiteCredentials> {
  const { email, sub, epoch } = (await service.signInTickets.open(ticket)) ?? {};
  if (typeof email !== 'string') throw badCredentials();
  return { email, code, proven: { memberId: Number(sub), epoch: Number(epoch) } };
}

/**
 * Starts a session and returns the content of its cookie. Refuses `bad-credentials`, `second-factor-required`, and
 * `too-many-requests` before checking them.
 */
export async function signIn(site: Site, reply: FastifyReply, credentials: SiteCredentials): Promise<Claims> {
  const { service } = site;
  const { request } = reply;
  const { now } = request.visit;
  const knownAs = await deviceIn(site, request, credentials.email);
  const input = { credentials: inputOf(credentials), device: { ...deviceOf(request), knownAs } };
  const claims = await tryPassphrase(site, reply, credentials.email, () =>
    carryFor(site, request)(signingIn, input),
  );
  if (knownAs === undefined)
    await unlessUnwritable(service.store, () => tellNewSignIn(site, request, credentials.email));
  const device = await rememberDevice(site, reply, credentials.email);
  await noteSecondFactorDevice(service.store, claims.memberId, device, now);
  await startSession(site, reply, claims);
  return claims;
}

/** Signs in a new member and redirects to the start page. */
export async function welcome(
  site: Site,
  reply: FastifyReply,
  email: string,
  pass: string,
): Promise<FastifyReply> {
  await rememberDevice(site, reply, email);
  const input = { credentials: { email, pass }, device: deviceOf(reply.request) };
  const claims = await carryFor(site, reply.request)(signingIn, input);
  await startSession(site, reply, claims);
  return redirectWithNotice(reply, '/', 'welcome');
}

/** Runs a check of a passphrase within the limits on guessing. */
export async function tryPassphrase<T>(
  site: Site,
  reply: FastifyReply,
  email: string,
  attempt: () => Promise<T>,
): Promise<T> {
  const device = await deviceIn(site, reply.request, email);
  return site.signIns.try(reply.request, reply, { email, device }, attempt);
}

/** Mails the member about a sign-in from an unknown browser, at most once an hour. */
async function tellNewSignIn({ service }: Site, request: FastifyRequest, address: string): Promise<void> {
  const at = request.visit.now;
  const userAgent = request.headers['user-agent']?.slice(0, 200) ?? null;
  const notice = { kind: 'new-sign-in', address, at, userAgent, from: request.ip } as const;
  await notify(service.store, notice, at, at - 60 * 60_000);
}

/** ID of the browser, if it has signed in to this account before. */
function deviceIn(site: Site, request: FastifyRequest, email: string): Promise<string | undefined> {
  return site.service.devices.find(cookiesOf(request)[deviceCookie(request)], emailKey(email));
}

/** Marks the browser as known, so that other clients cannot use up its attempts. Returns its ID. */
async function rememberDevice(site: Site, reply: FastifyReply, email: string): Promise<string> {
  const name = deviceCookie(reply.request);
  const { cookie, id } = await site.service.devices.remember(cookiesOf(reply.request)[name], emailKey(email));
  setCookie(reply, name, cookie, { maxAge: deviceLifetimeMs / 1000 });
  return id;
}

/** Leaves a notice for the next page about the sign-in and failed attempts since the last one. */
export async function leaveSignInNotice(
  { service, signIns }: Site,
  reply: FastifyReply,
  { memberId }: Claims,
): Promise<void> {
  await signIns.settled();
  const warnings = await tellSignInWarnings(service.store, memberId, reply.request.visit.now);
  if (warnings.failed || warnings.resets) leaveWarnings(reply, warnings);
  else leaveNotice(reply, 'signed-in');
}

/** Page to show after sign-in; for an administrator without the required second factor, the page for adding it. */
export async function pageAfterSignIn({ service }: Site, claims: Claims, next: string): Promise<string> {
  const found = await service.sessions.find(claims, service.clock(), false);
  return found?.actor.needsSecondFactor ? '/account/second-factor' : next;
}

/** `__Host-`: see the session's cookie. */
function deviceCookie(request: FastifyRequest): string {
  return request.isSecure ? '__Host-coppice-device' : 'coppice-device';
}
