/** Sessions: signing in by a passphrase or handle, where the member is signed in, and signing out. */
import { Type } from 'typebox';
import { isoTime } from '../model/iso-time.ts';
import { notSignedIn } from '../model/problem.ts';
import { component, flag, oneOf, text, textOrNull, time } from '../operations/fields.ts';
import { answer, converted, nothing, operation } from '../operations/operation.ts';
import type { Claims } from '../ports/credentials.ts';
import type { Device } from '../ports/sessions.ts';
import { endOtherSessions, endSession, signOut } from './end-sessions.ts';
import { type ListedSession, listSessions } from './list-sessions.ts';
import { authenticate, reauthenticate, type SignInInput } from './sign-in.ts';

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
  lastSeenAt: time('When the session was last used, accurate to five minutes', '2026-03-15T10:02:11.020Z'),
  expiresAt: time('When the session ends if it is not used any more', '2026-03-22T10:02:11.020Z'),
  isCurrent: flag('Whether this request belongs to the session.', true),
});

const sessionJson = ({
  id,
  method,
  provider,
  isBrowser,
  userAgent,
  isCurrent,
  createdAt,
  seenAt,
  endsAt,
}: ListedSession) => ({
  id,
  method,
  provider,
  isBrowser,
  userAgent,
  createdAt: isoTime(createdAt),
  lastSeenAt: isoTime(seenAt),
  expiresAt: isoTime(endsAt),
  isCurrent,
});

/** For members who signed in: API tokens give no access to sessions. */
const own = { access: 'self', scope: 'none' } as const;

export const signingIn = operation({
  name: 'authenticate',
  summary: 'Authenticate',
  description:
    'Starts a session and returns a token of it. The response never says whether the address or the passphrase was wrong.',
  access: 'unidentified',
  scope: 'none',
  input: Type.Object({ credentials: Type.Unsafe<SignInInput>({}), device: Type.Unsafe<Device>({}) }),
  output: answer<Claims>(),
  problems: ['bad-credentials', 'second-factor-required'],
  writes: 'itself',
  audit: ['signed-in', 'sign-in-failed'],
  ports: ['store', 'credentials'],
  run: ({ store, credentials }, { input, now }) =>
    authenticate({ store, now }, credentials, input.credentials, input.device),
});

export const tokenRenewal = operation({
  ...own,
  name: 'reauthenticate',
  summary: 'Renew a token',
  description: 'Returns a new token of the same session for a valid token.',
  input: Type.Object({}),
  output: answer<string>(),
  answersSecret: true,
  writes: 'itself',
  audit: [],
  ports: ['credentials'],
  async run({ credentials: { tokens, sessions } }, { signedIn, now }) {
    if (!signedIn) throw notSignedIn();
    return reauthenticate(tokens, sessions, signedIn, now);
  },
});

export const sessionList = operation({
  ...own,
  name: 'listSessions',
  summary: 'List my sessions',
  description: 'Active sessions of the member, most recently used first.',
  input: Type.Object({}),
  output: converted(
    Type.Array(SessionObject, { description: 'All active sessions.' }),
    (sessions: ListedSession[]) => sessions.map(sessionJson),
  ),
  ports: ['store', 'credentials'],
  run: ({ store, credentials: { sessions } }, { signedIn, now }) =>
    listSessions({ store, sessions, now }, signedIn),
});

export const sessionEnding = operation({
  ...own,
  name: 'endSession',
  summary: 'End a session',
  description:
    'Ends one of the member’s sessions. Every token and cookie that refers to it is invalid at once.',
  input: Type.Object({ id: text('ID of the session.', exampleId) }),
  output: nothing('The session has ended.'),
  problems: ['not-found'],
  writes: 'itself',
  audit: ['session-ended'],
  ports: ['store'],
  run: ({ store }, { input, by }) => endSession(store, by, input.id),
});

export const otherSessionsEnding = operation({
  ...own,
  name: 'endOtherSessions',
  summary: 'End my other sessions',
  description: 'Ends all sessions of the member except that of the caller.',
  input: Type.Object({}),
  output: nothing('The other sessions have ended.'),
  writes: 'itself',
  audit: ['sessions-ended'],
  ports: ['store'],
  run: ({ store }, { signedIn }) => endOtherSessions(store, signedIn),
});

export const signingOut = operation({
  ...own,
  name: 'signOut',
  summary: 'Sign out',
  description:
    'Ends the session of the token. This token and all others that refer to the session are invalid at once.',
  input: Type.Object({ everywhere: Type.Optional(Type.Boolean()) }),
  output: nothing('The session has ended.'),
  writes: 'itself',
  audit: ['signed-out', 'sessions-ended'],
  ports: ['store'],
  async run({ store }, { input: { everywhere = false }, signedIn }) {
    if (!signedIn) throw notSignedIn();
    await signOut(store, signedIn, everywhere);
  },
});
