/** Members: signing in by a passphrase or handle, and renewing a token. */

import type { FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import { Problem } from '#core/model/problem.ts';
import { component, optionalText, text } from '#core/operations/fields.ts';
import { signingIn, tokenRenewal } from '#core/sign-in/session-operations.ts';
import type { SignInInput } from '#core/sign-in/sign-in.ts';
import { signInWarnings } from '#core/sign-in/sign-in-warnings.ts';
import type { Limits } from '../limits.ts';
import { carryFor, descriptionOf, limitsOf } from '../operation-routes.ts';
import type { Server, Service } from '../service.ts';
import { warningHeaders, warningHeadersOut } from '../sign-in-headers.ts';
import type { SignInLimits } from '../sign-in-limits.ts';

const tags = ['Members'];

const SignIn = component('SignIn', 'Either `email` and `pass`, or `provider` and `id`.', {
  email: optionalText('E-mail address.', 'ada@example.org'),
  pass: optionalText('Passphrase.', 'correct horse battery staple'),
  code: optionalText(
    'For an account with a second factor: a code of the authenticator app, or a recovery code.',
    '492039',
  ),
  provider: optionalText('Provider of a stored OAuth 2.0 token.', 'github'),
  id: optionalText('The secret handle, as it was issued.', 'pXc3n2gq0l6Zc8m4Jb1r7uKd5tQy9wEaHfVsLoNi2xM'),
});

export const Token = text(
  'The token as plain text, valid for 15 minutes. Send it as `Authorization: Bearer <token>`.',
  'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..…',
);

export async function memberRoutes(
  server: Server,
  service: Service,
  limits: Limits,
  signIns: SignInLimits,
): Promise<void> {
  const { store, tokens, clock } = service;

  server.post(
    '/v1/members/auth',
    {
      config: limitsOf(signingIn),
      schema: {
        ...descriptionOf(signingIn),
        tags,
        body: SignIn,
        response: { 200: Token },
        headersOut: warningHeadersOut,
        contentType: 'text/plain',
      },
    },
    async (request, reply) => {
      const input = credentialsOf(request.body);
      const device = { userAgent: request.headers['user-agent'], isBrowser: false };
      const carry = carryFor(service, request);
      const attempt = () => carry(signingIn, { credentials: input, device });
      if (!('email' in input)) {
        // Handles have 256 bits, so there is no account for which guesses could be counted.
        await limits.countSignIn(request);
        return sendToken(reply, await tokens.issue(await signIns.tryUnnamed(request, reply, attempt)));
      }
      const claims = await signIns.try(request, reply, { email: input.email }, attempt);
      await signIns.settled();
      reply.headers(warningHeaders(await signInWarnings(store, claims.memberId, clock())));
      return sendToken(reply, await tokens.issue(claims));
    },
  );

  server.post(
    '/v1/members/reauth',
    {
      config: { ...limitsOf(tokenRenewal), answersSecret: true },
      schema: {
        ...descriptionOf(tokenRenewal),
        tags,
        response: { 200: Token },
        contentType: 'text/plain',
      },
    },
    async (request, reply) => sendToken(reply, await carryFor(service, request)(tokenRenewal, {})),
  );
}

/** Distinguishes the two ways. The interface defines a single refusal, so half a pair counts as a wrong credential. */
function credentialsOf({ email, pass, code, provider, id }: Static<typeof SignIn>): SignInInput {
  if (email !== undefined && pass !== undefined) return { email, pass, code };
  if (provider !== undefined && id !== undefined) return { provider, id };
  throw new Problem('bad-credentials', 'Give either email and pass, or provider and id.');
}

export function sendToken(reply: FastifyReply, token: string): FastifyReply {
  return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(token);
}
