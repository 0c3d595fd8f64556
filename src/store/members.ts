/** Members, invitations and the handles of stored OAuth tokens. Secrets come here hashed. */

import { type Selectable, sql } from 'kysely';
import type { Range } from '#domain/list-store.ts';
import type { Member } from '#domain/member.ts';
import type { MemberStore } from '#domain/member-store.ts';
import { invalid, Problem } from '#domain/problem.ts';
import { changeUnseen, first, prepare, prepareTogether, type Session, together } from './session.ts';
import type { Tables } from './tables.ts';

type MemberRow = Selectable<Tables['members']>;

export function memberStore(session: Session): MemberStore {
  const { engine, db } = session;
  return {
    async findById(id) {
      const row = await first(session, byId, { id });
      return row && memberOf(row);
    },
    async findByEmail(email) {
      const row = await first(session, byEmail, { key: emailKey(email) });
      return row && memberOf(row);
    },
    async list({ limit, offset }) {
      const [rows, counted] = await together(session, page, { limit, offset });
      return { members: rows.map(memberOf), total: counted[0]?.total ?? 0 };
    },
    insert: (member) =>
      changeUnseen(session, async (db) => {
        try {
          const row = await db
            .insertInto('members')
            .values({
              email: member.email,
              email_key: emailKey(member.email),
              name: member.name,
              is_admin: member.isAdmin,
              is_active: true,
              epoch: 0,
              passphrase_hash: member.passphraseHash,
              created_at: member.createdAt,
            })
            .returningAll()
            .executeTakeFirstOrThrow();
          return memberOf(row);
        } catch (error) {
          if (!engine.isDuplicate(error, 'members', 'email_key')) throw error;
          throw invalid('/email', 'There is already a member with this e-mail address.');
        }
      }),
    update: (id, fields) =>
      changeUnseen(session, async (db) => {
        // Pages name their owners and editors.
        if (fields.name !== undefined) engine.touch(db, 'all');
        const endsSessions = fields.passphraseHash !== undefined || fields.isActive !== undefined;
        const row = await db
          .updateTable('members')
          .set({
            ...(fields.name === undefined ? {} : { name: fields.name }),
            ...(fields.isAdmin === undefined ? {} : { is_admin: fields.isAdmin }),
            ...(fields.isActive === undefined ? {} : { is_active: fields.isActive }),
            ...(fields.passphraseHash === undefined ? {} : { passphrase_hash: fields.passphraseHash }),
            epoch: sql<number>`epoch + ${sql.lit(endsSessions ? 1 : 0)}`,
          })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst();
        if (!row) throw new Problem('not-found', 'There is no such member.');
        return memberOf(row);
      }),
    raiseEpoch: (id) =>
      changeUnseen(session, async (db) => {
        await db.updateTable('members').set({ epoch: sql<number>`epoch + 1` }).where('id', '=', id).execute();
      }),
    async countActiveAdmins() {
      const counted = await sql<{ total: number }>`select count(*) as total from members
        where is_admin = ${engine.truth(true)} and is_active = ${engine.truth(true)}`.execute(db);
      return counted.rows[0]?.total ?? 0;
    },

    insertInvitation: (invitation) =>
      changeUnseen(session, async (db) => {
        await db
          .insertInto('invitations')
          .values({
            token_hash: invitation.tokenHash,
            is_admin: invitation.isAdmin,
            invited_by: invitation.invitedBy,
            created_at: invitation.createdAt,
            expires_at: invitation.expiresAt,
            used_at: null,
          })
          .execute();
      }),
    async findInvitation(tokenHash) {
      const row = await db
        .selectFrom('invitations')
        .select(['is_admin', 'invited_by', 'expires_at'])
        .where('token_hash', '=', tokenHash)
        .where('used_at', 'is', null)
        .executeTakeFirst();
      return row && { isAdmin: Boolean(row.is_admin), invitedBy: row.invited_by, expiresAt: row.expires_at };
    },
    useInvitation: (tokenHash, at) =>
      changeUnseen(session, async (db) => {
        const used = await db
          .updateTable('invitations')
          .set({ used_at: at })
          .where('token_hash', '=', tokenHash)
          .where('used_at', 'is', null)
          .where('expires_at', '>', at)
          .executeTakeFirst();
        return used.numUpdatedRows === 1n;
      }),

    insertHandle: (handle) =>
      changeUnseen(session, async (db) => {
        await db
          .insertInto('oauth_handles')
          .values({
            handle_hash: handle.handleHash,
            member_id: handle.memberId,
            provider: handle.provider,
            created_at: handle.createdAt,
          })
          .execute();
      }),
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

function emailKey(email: string): string {
  return email.normalize('NFC').trim().toLowerCase();
}

function memberOf(row: MemberRow): Member {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    isAdmin: Boolean(row.is_admin),
    isActive: Boolean(row.is_active),
    epoch: row.epoch,
    passphraseHash: row.passphrase_hash,
    createdAt: row.created_at,
  };
}
