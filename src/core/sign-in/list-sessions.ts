/** The sessions of a member, visible to that member only. */

import { notSignedIn } from '../model/problem.ts';
import type { Session } from '../ports/credentials.ts';
import type { Sessions, SignedIn } from '../ports/sessions.ts';
import { maxSessions } from '../ports/sessions.ts';
import type { Store } from '../ports/store.ts';

export interface ListedSession extends Session {
  /** Time at which it ends if it is not used again. */
  endsAt: number;
  /** Whether this is the session of the request. */
  isCurrent: boolean;
}

/** All current sessions, most recently used first. Refuses `unauthenticated`. */
export async function listSessions(
  { store, sessions, now }: { store: Store; sessions: Sessions; now: number },
  signedIn: SignedIn | undefined,
  limit = maxSessions.browsers + maxSessions.programs,
): Promise<ListedSession[]> {
  if (!signedIn) throw notSignedIn();
  const { session: own } = signedIn;
  const listed = await store.sessions.listOf(own.memberId, limit);
  return listed
    .map((session) => ({ ...session, endsAt: sessions.endOf(session), isCurrent: session.id === own.id }))
    .filter(({ endsAt }) => endsAt > now);
}
