/** Queued mail, and unconfirmed changes of address. */
import { sql } from 'kysely';
import { type Mail, maxCausedByStrangers, strangersKinds } from '#core/model/mail.ts';
import type { AddressChange, MailQueue, QueuedMail } from '#core/ports/mail.ts';
import { changeUnseen, type Session, writeOneUnseen, writeUnseen } from '../statements.ts';
import type { RowOf } from '../tables.ts';
import { emailKey } from './members.ts';

type MailRow = RowOf<'mails'>;

/** No mail is due later than in a week, unless the clock was wrong when that time was set. */
const furthestMs = 8 * 24 * 60 * 60 * 1000;

/** `isOn`: whether a mail server is configured. */
export function mailQueue(session: Session, isOn: boolean): MailQueue {
  const { engine, db } = session;
  const findChange = async (column: 'id' | 'member_id' | 'token_hash', value: number | string) => {
    const row = await db
      .selectFrom('address_changes')
      .selectAll()
      .where(column, '=', value)
      .executeTakeFirst();
    return row && addressChangeOf(row);
  };
  return {
    isOn,
    insert: (mail, at, unlessAfter) =>
      changeUnseen(session, async (db) => {
        const key = emailKey(mail.address);
        const isQueued = sql`kind = ${mail.kind} and address_key = ${key} and created_at > ${unlessAfter ?? at}`;
        // Times in the future come from a clock that was wrong.
        const isSent = sql`exists (select 1 from sent_mails where kind = ${mail.kind} and address_key = ${key}
          and asked_at > ${unlessAfter ?? at} and asked_at <= ${at})`;
        // Writes a row in any case, so that the time does not reveal that the mail is queued already.
        if (unlessAfter !== undefined)
          await sql`update mails set due_at = due_at where ${isQueued}`.execute(db);
        // Counting stops at the limit, so that a full queue costs no more than an empty one.
        const isRoom = strangersKinds.includes(mail.kind)
          ? sql`(select count(*) from (select 1 from mails where kind = ${mail.kind}
              limit ${sql.lit(maxCausedByStrangers)}) as queued) < ${sql.lit(maxCausedByStrangers)}`
          : sql`1 = 1`;
        await sql`insert into mails (kind, address_key, mail, created_at, due_at)
          select ${mail.kind}, ${key}, ${JSON.stringify(mail)}, ${at}, ${at}
          where not exists (select 1 from mails where ${isQueued})
            and not ${isSent}
            and ${isRoom}`.execute(db);
      }),
    take: (now, until, limit) =>
      changeUnseen(session, async (db) => {
        const { rows } = await sql<MailRow>`update mails
          set due_at = ${until}, attempts = attempts + 1, holder = ${engine.holder()}
          where id in (select p.id from mails p
            where p.due_at <= ${now} or p.due_at > ${now + furthestMs} order by p.due_at, p.id
            limit ${limit} ${engine.lockRows('update')}) returning *`.execute(db);
        return rows.map(queuedOf).sort((one, other) => one.id - other.id);
      }),
    postpone: (id, dueAt, error) =>
      writeUnseen(session, (db) =>
        db.updateTable('mails').set({ due_at: dueAt, error, holder: null }).where('id', '=', id),
      ),
    retry: (id, at) =>
      writeOneUnseen(session, (db) =>
        db
          .updateTable('mails')
          .set({ due_at: at, attempts: 0, created_at: at, holder: null })
          .where('id', '=', id),
      ),
    async find(id) {
      const row = await db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst();
      return row && queuedOf(row);
    },
    async list(limit) {
      const rows = await db
        .selectFrom('mails')
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(queuedOf);
    },
    remove: (id) => writeOneUnseen(session, (db) => db.deleteFrom('mails').where('id', '=', id)),
    removeSent: (id) =>
      changeUnseen(session, async (db) => {
        await sql`insert into sent_mails (kind, address_key, asked_at)
          select kind, address_key, created_at from mails where id = ${id}
          on conflict (kind, address_key) do update set asked_at = excluded.asked_at`.execute(db);
        await db.deleteFrom('mails').where('id', '=', id).execute();
      }),
    forgetSent: (askedAt) =>
      writeUnseen(session, (db) => db.deleteFrom('sent_mails').where('asked_at', '<', askedAt)),
    removeOlderThan: (createdAt) =>
      changeUnseen(session, async (db) => {
        await db.deleteFrom('mails').where('created_at', '<', createdAt).execute();
        await db.deleteFrom('address_changes').where('expires_at', '<', createdAt).execute();
      }),
    async counts() {
      const { rows } = await sql<{ waiting: number; failed: number }>`select count(due_at) as waiting,
        count(*) - count(due_at) as failed from mails`.execute(db);
      return rows[0] ?? { waiting: 0, failed: 0 };
    },

    insertAddressChange: (change) =>
      changeUnseen(session, async (db) => {
        await db.deleteFrom('address_changes').where('member_id', '=', change.memberId).execute();
        const { id } = await db
          .insertInto('address_changes')
          .values({
            token_hash: null,
            member_id: change.memberId,
            member_epoch: change.memberEpoch,
            email: change.email,
            created_at: change.createdAt,
            expires_at: change.expiresAt,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        return id;
      }),
    findAddressChange: (id) => findChange('id', id),
    findAddressChangeOf: (memberId) => findChange('member_id', memberId),
    findAddressChangeByToken: (tokenHash) => findChange('token_hash', tokenHash),
    setAddressToken: (id, tokenHash) =>
      writeUnseen(session, (db) =>
        db.updateTable('address_changes').set({ token_hash: tokenHash }).where('id', '=', id),
      ),
    removeAddressChange: (id) =>
      writeOneUnseen(session, (db) => db.deleteFrom('address_changes').where('id', '=', id)),
  };
}

function queuedOf(row: MailRow): QueuedMail {
  return {
    id: row.id,
    mail: JSON.parse(row.mail) as Mail,
    createdAt: row.created_at,
    dueAt: row.due_at,
    attempts: row.attempts,
    error: row.error,
  };
}

function addressChangeOf(row: RowOf<'address_changes'>): AddressChange {
  return {
    id: row.id,
    memberId: row.member_id,
    memberEpoch: row.member_epoch,
    email: row.email,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
