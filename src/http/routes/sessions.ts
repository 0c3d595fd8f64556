/** Sessions: where the member is signed in, and signing out. */
import { Type } from 'typebox';
import { endSession, signOut } from '#core/members/end-sessions.ts';
import { type ListedSession, listSessions } from '#core/members/list-sessions.ts';
import { Problem } from '#core/model/problem.ts';
import { component, flag, oneOf, text, textOrNull, time } from '#core/operations/fields.ts';
import type { Server, Service } from '../service.ts';

const tags = ['Members'];
const exampleId = 'mJ4sRZC0pXkq3n2gq0l6Zc8m4Jb1r7uKd5tQy9wEaHf';

const SessionObject = component('Session', 'A session, which begins with a sign-in.', {
  id: text('ID of the session. It cannot be used to sign in.', exampleId),
  method: oneOf(
    ['passphrase', 'handle', 'provider', 'passkey'],
    'How the member signed in. `handle` stands for a stored OAuth 2.0 token.',
    'passphrase',
  ),
  provider: textOrNull('Provider of the handle or identity. Null for a passphrase or passkey.', null),
  isBrowser: flag(
    'Whether the session belongs to a browser on the site. If not, it belongs to a program that uses tokens.',
    true,
  ),
  userAgent: textOrNull(
    'Name of the client when it signed in, shortened.',
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  ),
  createdAt: time('When the member signed in'),
  lastSeenAt: time('When it was last used, accurate to five minutes', '2026-03-15T10:02:11.020Z'),
  expiresAt: time('When it ends if it is not used any more', '2026-03-22T10:02:11.020Z'),
  isCurrent: flag('Whether this request belongs to the session.', true),
});

export async function sessionRoutes(server: Server, service: Service): Promise<void> {
  const { store, sessions, clock } = service;

  server.get(
    '/v1/sessions',
    {
      config: { access: 'required' },
      schema: {
        operationId: 'listSessions',
        tags,
        summary: 'List my sessions',
        description: 'Active sessions of the member, most recently used first.',
        response: { 200: Type.Array(SessionObject, { description: 'All active sessions.' }) },
      },
    },
    async (request) => (await listSessions({ store, sessions, now: clock() }, request.signedIn)).map(jsonOf),
  );

  server.delete<{ Params: { id: string } }>(
    '/v1/sessions/:id',
    {
      config: { audit: ['session-ended'], access: 'required' },
      schema: {
        operationId: 'endSession',
        tags,
        summary: 'End a session',
        description:
          'Ends one of the member’s sessions. Every token and cookie that refers to it is invalid at once.',
        params: Type.Object({
          id: text('ID of the session.', exampleId),
        }),
        others: { 204: 'The session has ended.' },
        problems: ['not-found'],
      },
    },
    async (request) => endSession(store, request.actor, request.params.id),
  );

  server.post(
    '/v1/members/signout',
    {
      config: { audit: ['signed-out'], access: 'required' },
      schema: {
        operationId: 'signOut',
        tags,
        summary: 'Sign out',
        description:
          'Ends the session of the token. This token and all others that refer to the session are invalid at once.',
        others: { 204: 'The session has ended.' },
      },
    },
    async (request) => {
      if (!request.signedIn) throw new Problem('unauthenticated', 'This needs a valid token.');
      await signOut(store, request.signedIn);
    },
  );
}

function jsonOf({ id, method, provider, isBrowser, userAgent, isCurrent, ...times }: ListedSession) {
  return {
    id,
    method,
    provider,
    isBrowser,
    userAgent,
    createdAt: new Date(times.createdAt).toISOString(),
    lastSeenAt: new Date(times.seenAt).toISOString(),
    expiresAt: new Date(times.endsAt).toISOString(),
    isCurrent,
  };
}
