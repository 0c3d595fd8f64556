/** Signing in by a form of the site, at `/login` or where a session ended while somebody was writing. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Claims } from '#domain/session.ts';
import { authenticate } from '#domain/sign-in.ts';
import { accountOfEmail } from '#http/limits.ts';
import type { Site } from './site.ts';
import { deviceOf, startSession } from './visitor.ts';

/** Begins a session and answers what its cookie says. Refuses `bad-credentials`, and `too-many-requests` before it looks at them. */
export async function signIn(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  credentials: { email: string; pass: string },
): Promise<Claims> {
  await site.limits.countSignIn(request, accountOfEmail(credentials.email));
  const { service } = site;
  const claims = await authenticate(
    service.store,
    service,
    credentials,
    deviceOf(request),
    request.visit.now,
  );
  await startSession(site, request, reply, claims);
  return claims;
}
