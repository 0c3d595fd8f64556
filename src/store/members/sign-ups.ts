/** Rows of sign-ups, one for each address, and used proofs of work. Tokens are already hashed here. */
import { sql } from 'kysely';
import type { Range } from '#core/ports/list-reads.ts';
import type { SignUp, SignUpStore } from '#core/ports/sign-up-store.ts';
import {
  all,
  changeUnseen,
  prepare,
  prepareTogether,
  rowsOf,
  type Session,
  together,
  writeOneUnseen,
  writeUnseen,
} from '../statements.ts';
import type { RowOf } from '../tables.ts';
import { emailKey } from './members.ts';

type SignUpRow = RowOf<'sign_ups'>;

export function signUpStore(session: Session): SignUpStore {
  return {
    spendProof: ({ nonce, expiresAt }) =>
      writeOneUnseen(session, (db) =>
        db
          .insertInto('spent_challenges')
          .values({ nonce, expires_at: expiresAt })
          .onConflict((conflict) => conflict.column('nonce').doNothing()),
      ),
    insert: (signUp, renewBefore) =>
      changeUnseen(session, async (db) => {
        const row = {
          email: signUp.email,
          email_key: emailKey(signUp.email),
          name: signUp.name,
          passphrase_hash: signUp.passphraseHash,
          token_hash: null,
          created_at: signUp.createdAt,
          waiting_since: signUp.waitingSince,
          expires_at: signUp.expiresAt,
        };
        // A link mailed before remains valid for this request, because another mail may not be due yet.
        const { email_key: _, token_hash: __, ...replaced } = row;
        const createdAt = sql<number>`case when sign_ups.created_at < ${renewBefore} then excluded.created_at else sign_ups.created_at end`;
        const inserted = await db
          .insertInto('sign_ups')
          .values(row)
          .onConflict((conflict) =>
            conflict
              .column('email_key')
              .doUpdateSet({ ...replaced, created_at: createdAt })
              .where('sign_ups.waiting_since', 'is', null),
          )
          .returning(['id', 'created_at'])
          .executeTakeFirst();
        return inserted && { id: inserted.id, createdAt: inserted.created_at };
      }),
    async findByToken(tokenHash, now) {
      const [row] = await rowsOf(
        session,
        sql<SignUpRow>`select * from sign_ups
          where token_hash = ${tokenHash} and waiting_since is null and expires_at > ${now}`,
      );
      return row && signUpOf(row);
    },
    setToken: (email, tokenHash, now) =>
      changeUnseen(session, async (db) => {
        const row = await db
          .updateTable('sign_ups')
          .set({ token_hash: tokenHash })
          .where('email_key', '=', emailKey(email))
          .where('waiting_since', 'is', null)
          .where('expires_at', '>', now)
          .returningAll()
          .executeTakeFirst();
        return row && signUpOf(row);
      }),
    startWaiting: ({ id, passphraseHash }, since, expiresAt) =>
      writeOneUnseen(session, (db) =>
        db
          .updateTable('sign_ups')
          .set({ waiting_since: since, expires_at: expiresAt, token_hash: null })
          .where('id', '=', id)
          .where('passphrase_hash', '=', passphraseHash)
          .where('waiting_since', 'is', null),
      ),
    async waiting(now) {
      const [row] = await all(session, counting, { now });
      return { total: Number(row?.total ?? 0), latest: row?.latest ?? 0 };
    },
    async listWaiting({ limit, offset }, now) {
      const [rows, counted] = await together(session, waiting, { limit, offset, now });
      return { signUps: rows.map(signUpOf), total: Number(counted[0]?.total ?? 0) };
    },
    take: (id, now) =>
      changeUnseen(session, async (db) => {
        const row = await db
          .deleteFrom('sign_ups')
          .where('id', '=', id)
          .where('expires_at', '>', now)
          .returningAll()
          .executeTakeFirst();
        return row && signUpOf(row);
      }),
    trimUnconfirmed: (kept) =>
      writeUnseen(
        session,
        () => sql`delete from sign_ups where waiting_since is null and id in (select id from sign_ups
          where waiting_since is null order by created_at desc, id desc limit 1000 offset ${kept})`,
      ),
    purge: (now) =>
      changeUnseen(session, async (db) => {
        await db.deleteFrom('spent_challenges').where('expires_at', '<=', now).execute();
        const purged = await db.deleteFrom('sign_ups').where('expires_at', '<=', now).executeTakeFirst();
        return Number(purged.numDeletedRows);
      }),
  };
}

const counting = prepare<{ now: number }, { total: number; latest: number | null }>(
  (p) => sql`select count(*) as total, max(waiting_since) as latest from sign_ups
    where waiting_since is not null and expires_at > ${p('now')}`,
);
const waiting = prepareTogether<Range & { now: number }, [SignUpRow, { total: number }]>((p) => [
  sql`select * from sign_ups where waiting_since is not null and expires_at > ${p('now')}
    order by waiting_since, id limit ${p('limit')} offset ${p('offset')}`,
  sql`select count(*) as total from sign_ups where waiting_since is not null and expires_at > ${p('now')}`,
]);

function signUpOf(row: SignUpRow): SignUp {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    passphraseHash: row.passphrase_hash,
    createdAt: row.created_at,
    waitingSince: row.waiting_since,
    expiresAt: row.expires_at,
  };
}
