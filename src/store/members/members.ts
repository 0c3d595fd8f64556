/** Members, and the handles of stored OAuth tokens. Secrets are already hashed here. */

import { sql } from 'kysely';
import type { Block, Member } from '#core/model/member.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import type { Range } from '#core/ports/list-reads.ts';
import type { MemberStore } from '#core/ports/member-store.ts';
import { say } from '#words/say.ts';
import { invalidate } from '../invalidation.ts';
import {
  changeUnseen,
  first,
  prepare,
  prepareTogether,
  type Session,
  together,
  writeUnseen,
} from '../statements.ts';
import type { Truth } from '../tables/column.ts';
import type { RowOf } from '../tables.ts';
import { endSessionsOf, revokeTokensOf } from './ended-sessions.ts';
import { oneTimeLinks } from './one-time-links.ts';
import { emailColumns, nameColumns } from './skeletons.ts';

export type MemberRow = RowOf<'members'>;

export function memberStore(session: Session): MemberStore {
  const { engine, db } = session;
  const refuseTakenAddress = (error: unknown): never => {
    if (!engine.isDuplicate(error, 'members', 'email_key')) throw error;
    throw invalid('/email', say('problem.aMemberWithThisEMailAddress'));
  };
  const activeWith = async (roles: readonly string[], limit: number) => {
    const { rows } =
      await sql<MemberRow>`select * from members where ${engine.amongTexts(sql.ref('role'), roles)}
      and is_active = ${engine.truth(true)} and is_bot = ${engine.truth(false)} order by id limit ${limit}`.execute(
        db,
      );
    return rows.map(memberOf);
  };
  return {
    ...oneTimeLinks(session),
    async findById(id) {
      const row = await first(session, byId, { id });
      return row && memberOf(row);
    },
    async findByEmail(email) {
      const row = await first(session, byEmail, { key: emailKey(email) });
      return row && memberOf(row);
    },
    async lock(id) {
      const found =
        await sql<MemberRow>`select p.* from members p where p.id = ${id} ${engine.lockRows('update')}`.execute(
          db,
        );
      const [row] = found.rows;
      return row && memberOf(row);
    },
    async list({ limit, offset }) {
      const [rows, counted] = await together(session, page, { limit, offset });
      return { members: rows.map(memberOf), total: counted[0]?.total ?? 0 };
    },
    async listBlocked({ limit, offset }, now) {
      const [rows, counted] = await together(session, blocked, { limit, offset, now });
      return { members: rows.map(memberOf), total: Number(counted[0]?.total ?? 0) };
    },
    insert: (member) =>
      changeUnseen(session, async (db) => {
        const row = await db
          .insertInto('members')
          .values({
            ...(member.id === undefined ? {} : { id: member.id }),
            email: member.email,
            email_key: emailKey(member.email),
            name: member.name,
            ...nameColumns(member.name),
            ...emailColumns(member.email),
            role: member.isAdmin ? 'administrator' : (member.role ?? 'writer'),
            is_bot: member.isBot ?? false,
            is_active: true,
            epoch: 0,
            passphrase_hash: member.passphraseHash,
            created_at: member.createdAt,
          })
          .returningAll()
          .executeTakeFirstOrThrow()
          .catch(refuseTakenAddress);
        return memberOf(row);
      }),
    update: (id, fields) =>
      changeUnseen(session, async (db) => {
        // Pages show the names of their owners and editors.
        if (fields.name !== undefined) invalidate({ engine, db }, 'members', ['name'], []);
        const endsSessions = fields.passphraseHash !== undefined || fields.isActive !== undefined;
        const updating = db
          .updateTable('members')
          .set({
            ...(fields.email === undefined
              ? {}
              : { email: fields.email, email_key: emailKey(fields.email), ...emailColumns(fields.email) }),
            ...(fields.name === undefined ? {} : { name: fields.name, ...nameColumns(fields.name) }),
            ...(fields.role === undefined ? {} : { role: fields.role }),
            ...(fields.block === undefined ? {} : blockColumns(fields.block)),
            ...(fields.language === undefined ? {} : { language: fields.language }),
            ...(fields.isActive === undefined ? {} : { is_active: fields.isActive }),
            ...(fields.passphraseHash === undefined ? {} : { passphrase_hash: fields.passphraseHash }),
            epoch: sql<number>`epoch + ${sql.lit(endsSessions ? 1 : 0)}`,
          })
          .where('id', '=', id)
          .returningAll();
        const row = await updating.executeTakeFirst().catch(refuseTakenAddress);
        if (!row) throw new Problem('not-found', say('problem.memberNotFound'));
        if (endsSessions) {
          await endSessionsOf(db, id);
          await revokeTokensOf(db, id);
        }
        if (fields.passphraseHash !== undefined)
          await db.deleteFrom('oauth_handles').where('member_id', '=', id).execute();
        return memberOf(row);
      }),
    raiseEpoch: (id) =>
      changeUnseen(session, async (db) => {
        await db.updateTable('members').set({ epoch: sql<number>`epoch + 1` }).where('id', '=', id).execute();
        await endSessionsOf(db, id);
      }),
    activeAdministrators: (limit) => activeWith(['administrator'], limit),
    activeModerators: (limit) => activeWith(['administrator', 'moderator'], limit),
    async countActiveAdmins(exceptId = 0) {
      // Serializes two administrators who demote each other at the same time.
      await sql`select p.id from members p order by p.id limit 1 ${engine.lockRows('update')}`.execute(db);
      const counted = await sql<{ total: number }>`select count(*) as total from members
        where role = 'administrator' and is_active = ${engine.truth(true)} and is_bot = ${engine.truth(false)} and id <> ${exceptId}
          and (blocked_at is null or blocked_until is not null)`.execute(db);
      return counted.rows[0]?.total ?? 0;
    },
    async lockLookalikes({ name, email }, exceptId) {
      await sql`select p.id from members p order by p.id limit 1 ${engine.lockRows('update')}`.execute(db);
      const { name_skeleton: written, folded_name_skeleton: folded } = nameColumns(name);
      const skeleton = email === undefined ? null : emailColumns(email).email_skeleton;
      const found = await sql<{ name: Truth; email: Truth }>`select
        exists(select 1 from members where name_skeleton = ${written} and id <> ${exceptId})
          or exists(select 1 from members where folded_name_skeleton = ${folded} and id <> ${exceptId}) as name,
        exists(select 1 from members where email_skeleton = ${skeleton} and id <> ${exceptId}) as email`.execute(
        db,
      );
      return { name: Boolean(found.rows[0]?.name), email: Boolean(found.rows[0]?.email) };
    },

    countFailedSignIn: (email, at) =>
      writeUnseen(
        session,
        () => sql`update members set failed_sign_ins = failed_sign_ins + 1, failed_since = coalesce(failed_since, ${at})
          where email_key = ${emailKey(email)}`,
      ),
    async findFailedSignIns(id) {
      const row = await first(session, byId, { id });
      return row?.failed_since ? { count: row.failed_sign_ins, since: row.failed_since } : undefined;
    },
    clearFailedSignIns: (id) =>
      writeUnseen(session, (db) =>
        db.updateTable('members').set({ failed_sign_ins: 0, failed_since: null }).where('id', '=', id),
      ),

    insertHandle: (handle) =>
      writeUnseen(session, (db) =>
        db.insertInto('oauth_handles').values({
          handle_hash: handle.handleHash,
          member_id: handle.memberId,
          provider: handle.provider,
          created_at: handle.createdAt,
        }),
      ),
    async findHandle(provider, handleHash) {
      const row = await db
        .selectFrom('oauth_handles')
        .selectAll()
        .where('handle_hash', '=', handleHash)
        .where('provider', '=', provider)
        .executeTakeFirst();
      return row && { memberId: row.member_id, provider: row.provider, createdAt: row.created_at };
    },
    removeHandles: (memberId, provider) =>
      changeUnseen(session, async (db) => {
        // Locks the member like the start of a session, so that no session starts meanwhile with a handle
        // that is being revoked.
        await sql`select p.id from members p where p.id = ${memberId} ${engine.lockRows('update')}`.execute(
          db,
        );
        await endSessionsOf(db, memberId, { method: 'handle', provider });
        const removed = await db
          .deleteFrom('oauth_handles')
          .where('member_id', '=', memberId)
          .where('provider', '=', provider)
          .executeTakeFirst();
        return Number(removed.numDeletedRows);
      }),
  };
}

const byId = prepare<{ id: number }, MemberRow>((p) => sql`select * from members where id = ${p('id')}`);
const byEmail = prepare<{ key: string }, MemberRow>(
  (p) => sql`select * from members where email_key = ${p('key')}`,
);
const page = prepareTogether<Range, [MemberRow, { total: number }]>((p) => [
  sql`select * from members order by id limit ${p('limit')} offset ${p('offset')}`,
  sql`select count(*) as total from members`,
]);
const blocked = prepareTogether<Range & { now: number }, [MemberRow, { total: number }]>((p) => {
  const isBlocked = sql`blocked_at is not null and (blocked_until is null or blocked_until > ${p('now')})`;
  return [
    sql`select * from members where ${isBlocked} order by blocked_at desc, id limit ${p('limit')} offset ${p('offset')}`,
    sql`select count(*) as total from members where ${isBlocked}`,
  ];
});

function blockColumns(block: Block | null) {
  return {
    blocked_at: block?.at ?? null,
    blocked_until: block?.until ?? null,
    blocked_by: block?.by ?? null,
    block_reason: block?.reason ?? null,
  };
}

export function emailKey(email: string): string {
  return email.normalize('NFC').trim().toLowerCase();
}

export function memberOf(row: MemberRow): Member {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    isAdmin: row.role === 'administrator',
    block:
      row.blocked_at === null
        ? null
        : {
            at: row.blocked_at,
            until: row.blocked_until,
            by: row.blocked_by,
            reason: row.block_reason ?? '',
          },
    isActive: Boolean(row.is_active),
    isBot: Boolean(row.is_bot),
    epoch: row.epoch,
    passphraseHash: row.passphrase_hash,
    createdAt: row.created_at,
    language: row.language,
    groupIds: row.group_ids.split(' ').filter(Boolean).map(Number),
  };
}
