/** Accounts at providers, by which members sign in. */

import { sql } from 'kysely';
import type { IdentityLink } from '#core/model/member.ts';
import { invalid } from '#core/model/problem.ts';
import type { IdentityStore } from '#core/ports/member-store.ts';
import { say } from '#words/say.ts';
import { all, changeUnseen, first, prepare, type Session } from '../statements.ts';
import type { RowOf } from '../tables.ts';
import { credentialOf, endSessionsOf } from './ended-sessions.ts';

type IdentityRow = RowOf<'identities'>;

export function identityStore(session: Session): IdentityStore {
  const { engine, db } = session;
  const listOf = async (memberId: number) => (await all(session, ofMember, { memberId })).map(linkOf);
  return {
    async find(issuer, subject) {
      const row = await first(session, byIdentity, { issuer, subject });
      return row && linkOf(row);
    },
    listOf,
    async lockOf(memberId) {
      await sql`select p.id from members p where p.id = ${memberId} ${engine.lockRows('update')}`.execute(db);
      return listOf(memberId);
    },
    insert: (link) =>
      changeUnseen(session, async (db) => {
        const row = await db
          .insertInto('identities')
          .values({
            issuer: link.issuer,
            subject: link.subject,
            member_id: link.memberId,
            provider: link.provider,
            account: link.account,
            linked_at: link.linkedAt,
          })
          .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
          .returningAll()
          .executeTakeFirst();
        if (!row) throw invalid('/identity', say('problem.thisAccountIsAlreadyLinked'));
        return linkOf(row);
      }),
    remove: (issuer, subject) =>
      changeUnseen(session, async (db) => {
        const removed = await db
          .deleteFrom('identities')
          .where('issuer', '=', issuer)
          .where('subject', '=', subject)
          .returning(['member_id', 'provider'])
          .executeTakeFirst();
        if (!removed) return;
        const { member_id: memberId, provider } = removed;
        const credential = credentialOf({ method: 'provider', provider, issuer, subject });
        await endSessionsOf(db, memberId, { method: 'provider', credential });
      }),
  };
}

const byIdentity = prepare<{ issuer: string; subject: string }, IdentityRow>(
  (p) => sql`select * from identities where issuer = ${p('issuer')} and subject = ${p('subject')}`,
);
const ofMember = prepare<{ memberId: number }, IdentityRow>(
  (p) => sql`select * from identities where member_id = ${p('memberId')}
    order by linked_at, issuer, subject`,
);

function linkOf(row: IdentityRow): IdentityLink {
  return {
    issuer: row.issuer,
    subject: row.subject,
    memberId: row.member_id,
    provider: row.provider,
    account: row.account,
    linkedAt: row.linked_at,
  };
}
