/** Second factors. The secret must be readable to check codes; recovery codes are already hashed here. */
import { sql } from 'kysely';
import type { SecondFactorStore } from '#core/ports/second-factor-store.ts';
import { changeUnseen, rowsOf, type Session, writeOneUnseen, writeUnseen } from '../statements.ts';

/** Stands for all clients that have given no right code. */
const others = '';

export function secondFactorStore(session: Session): SecondFactorStore {
  const { engine, db } = session;
  return {
    async find(memberId) {
      const { rows } = await sql<{
        secret: string;
        confirmed_at: number | null;
        last_step: number;
        codes: number;
      }>`select
          f.secret, f.confirmed_at, f.last_step, (select count(*) from recovery_codes c where c.member_id = f.member_id) as codes
        from second_factors f where f.member_id = ${memberId}`.execute(db);
      const [row] = rows;
      if (!row) return undefined;
      const { secret, confirmed_at: confirmedAt, last_step: lastStep, codes } = row;
      return { secret, confirmedAt, lastStep, codesLeft: Number(codes) };
    },
    begin: (memberId, secret, at) =>
      writeUnseen(
        session,
        () => sql`insert into second_factors (member_id, secret, created_at, last_step)
          values (${memberId}, ${secret}, ${at}, 0) on conflict (member_id) do update
          set secret = excluded.secret, created_at = excluded.created_at, last_step = 0
          where second_factors.confirmed_at is null`,
      ),
    confirm: (memberId, at) =>
      writeUnseen(session, (db) =>
        db.updateTable('second_factors').set({ confirmed_at: at }).where('member_id', '=', memberId),
      ),
    useStep: (memberId, step) =>
      writeOneUnseen(session, (db) =>
        db
          .updateTable('second_factors')
          .set({ last_step: step })
          .where('member_id', '=', memberId)
          .where('last_step', '<', step),
      ),
    useCode: (memberId, codeHash) =>
      writeOneUnseen(session, (db) =>
        db.deleteFrom('recovery_codes').where('member_id', '=', memberId).where('code_hash', '=', codeHash),
      ),
    async findClient(memberId, device) {
      const rows = await db
        .selectFrom('second_factor_clients')
        .select(['device', 'failed_at', 'forgotten_at'])
        .where('member_id', '=', memberId)
        .where('device', 'in', [others, device ?? others])
        .execute();
      const row = rows.find((one) => one.device !== others) ?? rows[0];
      if (!row) return { device: undefined, guesses: undefined };
      const { failed_at: failedAt, forgotten_at: forgottenAt } = row;
      return {
        device: row.device === others ? undefined : row.device,
        guesses: failedAt === null || forgottenAt === null ? undefined : { failedAt, forgottenAt },
      };
    },
    setGuesses: (memberId, device, { failedAt, forgottenAt }) =>
      writeUnseen(
        session,
        () => sql`insert into second_factor_clients (member_id, device, used_at, failed_at, forgotten_at)
          values (${memberId}, ${device ?? others}, 0, ${failedAt}, ${forgottenAt})
          on conflict (member_id, device) do update
          set failed_at = excluded.failed_at, forgotten_at = excluded.forgotten_at`,
      ),
    noteDevice: (memberId, device, at, max) =>
      changeUnseen(session, async (db) => {
        await sql`insert into second_factor_clients (member_id, device, used_at)
          values (${memberId}, ${device}, ${at}) on conflict (member_id, device) do update
          set used_at = excluded.used_at, failed_at = null, forgotten_at = null`.execute(db);
        await sql`delete from second_factor_clients where member_id = ${memberId} and device <> ${others}
          and device not in (select device from second_factor_clients
            where member_id = ${memberId} and device <> ${others}
            order by used_at desc, device limit ${max})`.execute(db);
      }),
    forgetGuesses: (memberId) =>
      writeUnseen(session, (db) =>
        db
          .updateTable('second_factor_clients')
          .set({ failed_at: null, forgotten_at: null })
          .where('member_id', '=', memberId),
      ),
    setCodes: (memberId, codeHashes) =>
      changeUnseen(session, async (db) => {
        await db.deleteFrom('recovery_codes').where('member_id', '=', memberId).execute();
        await db
          .insertInto('recovery_codes')
          .values(codeHashes.map((code_hash) => ({ member_id: memberId, code_hash })))
          .execute();
      }),
    remove: (memberId) =>
      changeUnseen(session, async (db) => {
        await db.deleteFrom('recovery_codes').where('member_id', '=', memberId).execute();
        await db.deleteFrom('second_factor_clients').where('member_id', '=', memberId).execute();
        const removed = await db
          .deleteFrom('second_factors')
          .where('member_id', '=', memberId)
          .executeTakeFirst();
        return removed.numDeletedRows === 1n;
      }),
    async among(memberIds) {
      const rows = await rowsOf(
        session,
        sql<{ member_id: number }>`select member_id from second_factors
          where confirmed_at is not null and ${engine.among(sql.ref('member_id'), memberIds)}
          union select member_id from passkeys where ${engine.among(sql.ref('member_id'), memberIds)}`,
      );
      return new Set(rows.map(({ member_id }) => member_id));
    },
  };
}
