/** Signing in by a form of the site, at `/login` or where a session ended while somebody was writing. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authenticate } from '#domain/members/sign-in.ts';
import { tellSignInWarnings } from '#domain/members/sign-in-warnings.ts';
import { type Claims, deviceLifetimeMs } from '#domain/ports/credentials.ts';
import { emailKey } from '#http/sign-in-limits.ts';
import type { Site } from './site.ts';
import { cookiesOf, deviceOf, leaveNotice, leaveWarnings, setCookie, startSession } from './visitor.ts';

/** Begins a session and answers what its cookie says. Refuses `bad-credentials`, and `too-many-requests` before it looks at them. */
export async function signIn(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  credentials: { email: string; pass: string },
): Promise<Claims> {
  const { service } = site;
  const claims = await tryPassphrase(site, request, reply, credentials.email, () =>
    authenticate(service.store, service, credentials, deviceOf(request), request.visit.now),
  );
  await rememberDevice(site, request, reply, credentials.email);
  await startSession(site, request, reply, claims);
  return claims;
}

/** Runs what looks at a passphrase of this account, as often as guessing is allowed. */
export async function tryPassphrase<T>(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  email: string,
  attempt: () => Promise<T>,
): Promise<T> {
  const cookie = cookiesOf(request)[deviceCookie(request)];
  const device = await site.service.devices.find(cookie, emailKey(email));
  return site.signIns.try(request, reply, { email, device }, attempt);
}

/** From now on nobody else can use up what this browser may mistype. */
export async function rememberDevice(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  email: string,
): Promise<void> {
  const name = deviceCookie(request);
  const cookie = await site.service.devices.remember(cookiesOf(request)[name], emailKey(email));
  setCookie(request, reply, name, cookie, { maxAge: deviceLifetimeMs / 1000 });
}

/** Leaves word for the next page that somebody is signed in, and of what others tried meanwhile. */
export async function leaveSignInNotice(
  { service, signIns }: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  { memberId }: Claims,
): Promise<void> {
  await signIns.settled();
  const warnings = await tellSignInWarnings(service.store, memberId, request.visit.now);
  if (warnings.failed || warnings.resets) leaveWarnings(request, reply, warnings);
  else leaveNotice(request, reply, 'signed-in');
}

/** `__Host-`: see the session's cookie. */
function deviceCookie(request: FastifyRequest): string {
  return request.isSecure ? '__Host-coppice-device' : 'coppice-device';
}
