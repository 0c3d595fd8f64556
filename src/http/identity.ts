/**
 * Who is asking. The token is read before the body, so that nobody without one makes the server receive an upload.
 * What an actor may do is the domain's to say.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#domain/problem.ts';
import { identify } from '#domain/sign-in.ts';
import type { Server, Service } from './service.ts';

export function registerIdentity(server: Server, service: Pick<Service, 'store' | 'tokens'>): void {
  server.decorateRequest('actor', null);
  server.decorateRequest('token', undefined);
  server.addHook('onRequest', async (request, reply) => {
    const access = request.routeOptions.config?.access ?? 'none';
    if (access === 'none') return;
    await readActor(service, request, reply);
    if (access === 'required' && request.actor === null) {
      throw new Problem('unauthenticated', 'This needs a valid token: send Authorization: Bearer <token>.', {
        ...(request.headers.authorization === undefined ? {} : { details: { tokenSent: true } }),
      });
    }
  });
}

async function readActor(
  { store, tokens }: Pick<Service, 'store' | 'tokens'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const header = request.headers.authorization;
  if (header === undefined) return;
  // RFC 9110 §11.1: the scheme compares without regard to case.
  const token = /^bearer +([\w.~+/-]+=*) *$/i.exec(header)?.[1];
  const actor = token === undefined ? undefined : await identify(store, tokens, token);
  if (actor) {
    request.actor = actor;
    request.token = token;
    return;
  }
  reply.header('www-authenticate', 'Bearer error="invalid_token"');
}
