/** The sessions of a member, for their own eyes. */

import type { Session } from '../ports/credentials.ts';
import type { Store } from '../ports/store.ts';
import { notSignedIn } from './end-sessions.ts';
import { maxSessions, type Sessions, type SignedIn } from './sessions.ts';

export interface ListedSession extends Session {
  /** When it ends if it is not used any more. */
  endsAt: number;
  /** The one that asks. */
  isCurrent: boolean;
}

/** All that have not ended, the one that was used last first. Refuses `unauthenticated`. */
export async function listSessions(
  store: Store,
  sessions: Sessions,
  signedIn: SignedIn | undefined,
  now: number,
  limit = maxSessions.browsers + maxSessions.programs,
): Promise<ListedSession[]> {
  if (!signedIn) throw notSignedIn();
  const { session: own } = signedIn;
  const listed = await store.sessions.listOf(own.memberId, limit);
  return listed
    .map((session) => ({ ...session, endsAt: sessions.endOf(session), isCurrent: session.id === own.id }))
    .filter(({ endsAt }) => endsAt > now);
}
