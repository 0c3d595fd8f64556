/** Current sessions. Starting one locks the row of its member, as does revoking its credential. */
import { sql } from 'kysely';
import type { Session } from '#core/ports/credentials.ts';
import type { SessionStore } from '#core/ports/member-store.ts';
import {
  all,
  changeUnseen,
  first,
  prepare,
  type Session as StoreSession,
  writeOneUnseen,
  writeUnseen,
} from '../statements.ts';
import type { RowOf } from '../tables.ts';
import { credentialOf } from './ended-sessions.ts';
import { type MemberRow, memberOf } from './members.ts';

type SessionRow = RowOf<'sessions'>;

/** Number of expired rows removed at once; small, so that nobody waits long after a quiet period. */
const sweptAtOnce = 100;

export function sessionStore(session: StoreSession): SessionStore {
  return {
    async find(id) {
      const row = await first(session, byId, { id });
      if (!row) return undefined;
      const { session_id, session_created_at, ...rest } = row;
      return {
        member: memberOf(rest),
        session: sessionOf({ ...rest, id: session_id, member_id: rest.id, created_at: session_created_at }),
      };
    },
    listOf: async (memberId, limit) => (await all(session, ofMember, { memberId, limit })).map(sessionOf),
    insert: (begun, by) =>
      writeUnseen(session, (db) =>
        db.insertInto('sessions').values({
          id: begun.id,
          member_id: begun.memberId,
          method: by.method,
          provider: 'provider' in by ? by.provider : null,
          credential: credentialOf(by),
          is_browser: begun.isBrowser,
          user_agent: begun.userAgent,
          created_at: begun.createdAt,
          seen_at: begun.seenAt,
        }),
      ),
    noteSeen: (id, at) =>
      writeUnseen(session, (db) => db.updateTable('sessions').set({ seen_at: at }).where('id', '=', id)),
    end: (memberId, id) =>
      writeOneUnseen(session, (db) =>
        db.deleteFrom('sessions').where('id', '=', id).where('member_id', '=', memberId),
      ),
    endOthers: (memberId, keptId) =>
      writeUnseen(session, (db) =>
        db.deleteFrom('sessions').where('member_id', '=', memberId).where('id', '<>', keptId),
      ),
    trim: (memberId, isBrowser, kept) =>
      changeUnseen(session, async (db) => {
        const isKind = session.engine.truth(isBrowser);
        await sql`delete from sessions where id in (select id from sessions
          where member_id = ${memberId} and is_browser = ${isKind}
          order by seen_at desc, id desc limit ${sql.lit(sweptAtOnce)} offset ${kept})`.execute(db);
      }),
    sweep: (isBrowser, seenBefore) =>
      writeUnseen(
        session,
        () => sql`delete from sessions where id in (select id from sessions
          where is_browser = ${session.engine.truth(isBrowser)} and seen_at < ${seenBefore}
          order by seen_at limit ${sql.lit(sweptAtOnce)})`,
      ),
  };
}

const byId = prepare<
  { id: string },
  MemberRow &
    Omit<SessionRow, 'id' | 'member_id' | 'created_at'> & { session_id: string; session_created_at: number }
>(
  (p) => sql`select m.*, s.id as session_id, s.method, s.provider, s.credential, s.is_browser, s.user_agent,
      s.created_at as session_created_at, s.seen_at
    from sessions s join members m on m.id = s.member_id where s.id = ${p('id')}`,
);
const ofMember = prepare<{ memberId: number; limit: number }, SessionRow>(
  (p) => sql`select * from sessions where member_id = ${p('memberId')}
    order by seen_at desc, created_at desc, id limit ${p('limit')}`,
);

function sessionOf(row: SessionRow): Session {
  return {
    id: row.id,
    memberId: row.member_id,
    method: row.method,
    provider: row.provider,
    isBrowser: Boolean(row.is_browser),
    userAgent: row.user_agent,
    createdAt: row.created_at,
    seenAt: row.seen_at,
  };
}
