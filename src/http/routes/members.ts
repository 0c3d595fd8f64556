/** Members: signing in, staying signed in, who am I. */
import { type Static, Type } from 'typebox';
import { Problem } from '#domain/problem.ts';
import { authenticate, providerName, reauthenticate, type SignInInput } from '#domain/sign-in.ts';
import { accountOfEmail, type Limits } from '../limits.ts';
import type { Server, Service } from '../service.ts';

const tags = ['Members'];

const text = (description: string, example: string) => Type.String({ description, examples: [example] });

const SignIn = Type.Object(
  {
    email: Type.Optional(text('E-mail address.', 'ada@example.org')),
    pass: Type.Optional(text('Passphrase.', 'correct horse battery staple')),
    provider: Type.Optional(text('Provider of a stored OAuth 2.0 token.', 'github')),
    id: Type.Optional(
      text('Its secret handle, as handed out once.', 'pXc3n2gq0l6Zc8m4Jb1r7uKd5tQy9wEaHfVsLoNi2xM'),
    ),
  },
  { title: 'SignIn', description: 'Either `email` and `pass`, or `provider` and `id`.' },
);

const Token = Type.String({
  description: 'The token as plain text, valid for 15 minutes: send it as `Authorization: Bearer <token>`.',
  examples: ['eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..…'],
});

export const Me = Type.Object(
  {
    id: Type.Integer({ description: 'Member ID.', minimum: 1, examples: [3] }),
    name: text("The member's name.", 'Ada Lovelace'),
    isAdmin: Type.Boolean({ description: 'Whether the member is an administrator.', examples: [false] }),
  },
  { title: 'Me', description: 'Who the token speaks for.' },
);

export async function memberRoutes(server: Server, service: Service, limits: Limits): Promise<void> {
  const { store, passphrases, tokens, secrets, sessions, clock } = service;

  server.post(
    '/v1/members/auth',
    {
      config: { access: 'none' },
      schema: {
        operationId: 'authenticate',
        tags,
        summary: 'Authenticate',
        description:
          'Begins a session and answers with a token of it. What is wrong with wrong credentials is never said.',
        body: SignIn,
        response: { 200: Token },
        contentType: 'text/plain',
        problems: ['invalid', 'bad-credentials', 'too-many-requests'],
      },
    },
    async (request, reply) => {
      const input = credentialsOf(request.body);
      await limits.countSignIn(request, accountOf(input));
      const device = { userAgent: request.headers['user-agent'], isBrowser: false };
      const claims = await authenticate(store, { passphrases, secrets, sessions }, input, device, clock());
      const token = await tokens.issue(claims);
      return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(token);
    },
  );

  server.post(
    '/v1/members/reauth',
    {
      config: { access: 'required' },
      schema: {
        operationId: 'reauthenticate',
        tags,
        summary: 'Renew a token',
        description: 'Answers with a new token of the same session for a valid one.',
        response: { 200: Token },
        contentType: 'text/plain',
        problems: ['unauthenticated'],
      },
    },
    async (request, reply) => {
      if (!request.signedIn) throw new Problem('unauthenticated', 'This needs a valid token.');
      const token = await reauthenticate(tokens, sessions, request.signedIn, clock());
      return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(token);
    },
  );

  server.get(
    '/v1/members/me',
    {
      config: { access: 'required' },
      schema: {
        operationId: 'me',
        tags,
        summary: 'Who am I?',
        description: 'The member that the token speaks for.',
        response: { 200: Me },
        problems: ['unauthenticated'],
      },
    },
    async (request) => {
      if (request.actor === null) throw new Problem('unauthenticated', 'This needs a valid token.');
      const { memberId, name, isAdmin } = request.actor;
      return { id: memberId, name, isAdmin };
    },
  );
}

/** Which of the two ways. The interface knows one refusal here, so half a pair is a credential that fails. */
function credentialsOf({ email, pass, provider, id }: Static<typeof SignIn>): SignInInput {
  if (email !== undefined && pass !== undefined) return { email, pass };
  if (provider !== undefined && id !== undefined) return { provider, id };
  throw new Problem('bad-credentials', 'Give either email and pass, or provider and id.');
}

/** Handles count by provider and handle. */
function accountOf(input: SignInInput): string {
  if ('email' in input) return accountOfEmail(input.email);
  return `handle ${providerName(input.provider).slice(0, 64)} ${input.id.slice(0, 64)}`;
}
