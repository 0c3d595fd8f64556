/** Signing in by a form of the site, at `/login` or where a session ended while somebody was writing. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authenticate } from '#domain/sign-in.ts';
import { accountOfEmail } from '#http/limits.ts';
import type { Site } from './site.ts';
import { startSession } from './visitor.ts';

/** Begins a session and answers its token. Refuses `bad-credentials`, and `too-many-requests` before it looks at them. */
export async function signIn(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  credentials: { email: string; pass: string },
): Promise<string> {
  await site.limits.countSignIn(request, accountOfEmail(credentials.email));
  const token = await authenticate(site.service.store, site.service, credentials, request.visit.now);
  startSession(request, reply, token);
  return token;
}
