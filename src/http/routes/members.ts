/** Members: signing in, renewing a token, and the caller's identity. */

import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { authenticate, reauthenticate, type SignInInput } from '#core/members/sign-in.ts';
import { signInWarnings } from '#core/members/sign-in-warnings.ts';
import { isoTime } from '#core/model/iso-time.ts';
import type { Actor } from '#core/model/permission.ts';
import { Problem } from '#core/model/problem.ts';
import { component, flag, integer, optionalText, text } from '#core/operations/fields.ts';
import type { Limits } from '../limits.ts';
import { blockedField, RoleField } from '../schemas/member.ts';
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

export const Me = component('Me', 'Member that the token belongs to.', {
  id: integer('Member ID.', 3, { minimum: 1 }),
  name: text("The member's name.", 'Ada Lovelace'),
  isAdmin: flag('Whether the member is an administrator.', false),
  role: RoleField,
  blocked: blockedField,
  needsSecondFactor: Type.Optional(
    flag(
      'Present for an administrator without the second factor that this wiki requires. Until they add one, `role` and `isAdmin` describe their reduced rights.',
      true,
    ),
  ),
});

export async function memberRoutes(
  server: Server,
  service: Service,
  limits: Limits,
  signIns: SignInLimits,
): Promise<void> {
  const { store, passphrases, tokens, secrets, oneTimePasswords, sessions, clock } = service;

  server.post(
    '/v1/members/auth',
    {
      config: { audit: ['signed-in', 'sign-in-failed'], access: 'none' },
      schema: {
        operationId: 'authenticate',
        tags,
        summary: 'Authenticate',
        description:
          'Starts a session and returns a token of it. The response never says whether the address or the passphrase was wrong.',
        body: SignIn,
        response: { 200: Token },
        headersOut: warningHeadersOut,
        contentType: 'text/plain',
        problems: ['bad-credentials', 'second-factor-required'],
      },
    },
    async (request, reply) => {
      const input = credentialsOf(request.body);
      const device = { userAgent: request.headers['user-agent'], isBrowser: false };
      const attempt = () =>
        authenticate(
          { store, now: clock() },
          { passphrases, secrets, oneTimePasswords, sessions },
          input,
          device,
        );
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
      config: { audit: [], access: 'required', answersSecret: true },
      schema: {
        operationId: 'reauthenticate',
        tags,
        summary: 'Renew a token',
        description: 'Returns a new token of the same session for a valid token.',
        response: { 200: Token },
        contentType: 'text/plain',
      },
    },
    async (request, reply) => {
      if (!request.signedIn) throw new Problem('unauthenticated', 'This needs a valid token.');
      return sendToken(reply, await reauthenticate(tokens, sessions, request.signedIn, clock()));
    },
  );

  server.get(
    '/v1/members/me',
    {
      config: { access: 'required', scope: 'read', subtree: 'within' },
      schema: {
        operationId: 'me',
        tags,
        summary: 'Who am I?',
        description: 'The member to whom the token belongs.',
        response: { 200: Me },
      },
    },
    async (request) => {
      if (request.actor === null) throw new Problem('unauthenticated', 'This needs a valid token.');
      return meJson(request.actor);
    },
  );
}

/** Distinguishes the two ways. The interface defines a single refusal, so half a pair counts as a wrong credential. */
function credentialsOf({ email, pass, code, provider, id }: Static<typeof SignIn>): SignInInput {
  if (email !== undefined && pass !== undefined) return { email, pass, code };
  if (provider !== undefined && id !== undefined) return { provider, id };
  throw new Problem('bad-credentials', 'Give either email and pass, or provider and id.');
}

/** The member of a token, as shown to themselves. */
export function meJson(actor: NonNullable<Actor>): Static<typeof Me> {
  const { memberId, name, isAdmin, role, block, needsSecondFactor } = actor;
  const blocked = block ? { reason: block.reason, until: isoTime(block.until) } : null;
  return {
    id: memberId,
    name,
    isAdmin,
    role: role ?? (isAdmin ? 'administrator' : 'writer'),
    blocked,
    ...(needsSecondFactor ? { needsSecondFactor } : {}),
  };
}

export function sendToken(reply: FastifyReply, token: string): FastifyReply {
  return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(token);
}
