/** Passkeys, and the challenges that they have answered. */

import { sql } from 'kysely';
import { invalid } from '#core/model/problem.ts';
import type { Passkey, PasskeyStore } from '#core/ports/passkeys.ts';
import { say } from '#words/say.ts';
import { all, changeUnseen, first, prepare, type Session, writeOneUnseen } from '../statements.ts';
import type { RowOf } from '../tables.ts';
import { endSessionsOf } from './ended-sessions.ts';

type PasskeyRow = RowOf<'passkeys'>;

export function passkeyStore(session: Session): PasskeyStore {
  return {
    async find(credentialId) {
      const row = await first(session, byCredential, { credentialId });
      return row && passkeyOf(row);
    },
    listOf: async (memberId) => (await all(session, ofMember, { memberId })).map(passkeyOf),
    insert: (passkey) =>
      changeUnseen(session, async (db) => {
        const row = await db
          .insertInto('passkeys')
          .values({
            member_id: passkey.memberId,
            name: passkey.name,
            credential_id: passkey.credentialId,
            public_key: passkey.publicKey,
            counter: passkey.counter,
            is_synced: passkey.isSynced,
            created_at: passkey.createdAt,
            last_used_at: null,
          })
          .onConflict((conflict) => conflict.column('credential_id').doNothing())
          .returningAll()
          .executeTakeFirst();
        if (!row) throw invalid('/credential', say('problem.thisPasskeyHasAlreadyBeenAdded'));
        return passkeyOf(row);
      }),
    rename: (memberId, id, name) =>
      writeOneUnseen(session, (db) =>
        db.updateTable('passkeys').set({ name }).where('id', '=', id).where('member_id', '=', memberId),
      ),
    noteUsed: (id, { counter, isSynced, at }) =>
      writeOneUnseen(session, (db) =>
        db
          .updateTable('passkeys')
          .set({ counter, is_synced: isSynced, last_used_at: at })
          .where('id', '=', id)
          .where('counter', counter === 0 ? '=' : '<', counter),
      ),
    remove: (memberId, id) =>
      changeUnseen(session, async (db) => {
        const row = await db
          .deleteFrom('passkeys')
          .where('id', '=', id)
          .where('member_id', '=', memberId)
          .returningAll()
          .executeTakeFirst();
        if (!row) return undefined;
        await endSessionsOf(db, memberId, { method: 'passkey', credential: row.credential_id });
        return passkeyOf(row);
      }),
    removeOf: (memberId) =>
      changeUnseen(session, async (db) => {
        const removed = await db.deleteFrom('passkeys').where('member_id', '=', memberId).executeTakeFirst();
        return Number(removed.numDeletedRows);
      }),
    useChallenge: ({ hash, expiresAt }, now) =>
      changeUnseen(session, async (db) => {
        await db.deleteFrom('answered_challenges').where('expires_at', '<', now).execute();
        const used = await db
          .insertInto('answered_challenges')
          .values({ challenge_hash: hash, expires_at: expiresAt })
          .onConflict((conflict) => conflict.column('challenge_hash').doNothing())
          .executeTakeFirst();
        return used.numInsertedOrUpdatedRows === 1n;
      }),
  };
}

const byCredential = prepare<{ credentialId: string }, PasskeyRow>(
  (p) => sql`select * from passkeys where credential_id = ${p('credentialId')}`,
);
const ofMember = prepare<{ memberId: number }, PasskeyRow>(
  (p) => sql`select * from passkeys where member_id = ${p('memberId')} order by id`,
);

function passkeyOf(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    memberId: row.member_id,
    name: row.name,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    counter: row.counter,
    isSynced: Boolean(row.is_synced),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}
