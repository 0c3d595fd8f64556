/**
 * Who is asking. The token is read before the body, so that nobody without one makes the server receive an upload.
 * What an actor may do is the domain's to say.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { identify } from '#domain/members/sign-in.ts';
import { Problem } from '#domain/problem.ts';
import type { Server, Service } from './service.ts';

type Identifying = Pick<Service, 'tokens' | 'sessions' | 'clock'>;

export function registerIdentity(server: Server, service: Identifying): void {
  server.decorateRequest('actor', null);
  server.decorateRequest('signedIn', undefined);
  server.addHook('onRequest', async (request, reply) => {
    const access = request.routeOptions.config?.access ?? 'none';
    if (access === 'none') return;
    // The site's cookie may have told it already.
    if (!request.signedIn) await readActor(service, request, reply);
    request.actor = request.signedIn?.actor ?? null;
    if (access === 'required' && request.actor === null) {
      throw new Problem('unauthenticated', 'This needs a valid token: send Authorization: Bearer <token>.', {
        ...(request.headers.authorization === undefined ? {} : { details: { tokenSent: true } }),
      });
    }
  });
}

async function readActor(
  { tokens, sessions, clock }: Identifying,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const header = request.headers.authorization;
  if (header === undefined) return;
  // RFC 9110 §11.1: the scheme compares without regard to case.
  const token = /^bearer +([\w.~+/-]+=*) *$/i.exec(header)?.[1];
  const found = token === undefined ? undefined : await identify(tokens, sessions, token, clock());
  // A browser's cookie lasts long, so it is not accepted as a token, which is valid for 15 minutes.
  if (found && !found.claims.isCookie) request.signedIn = found;
  else reply.header('www-authenticate', 'Bearer error="invalid_token"');
}
