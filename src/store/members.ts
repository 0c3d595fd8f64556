/** Members, invitations and the handles of stored OAuth tokens. Secrets come here hashed. */

import { type Selectable, sql } from 'kysely';
import type { Invitation } from '#domain/invite-member.ts';
import type { Range } from '#domain/list-store.ts';
import type { Member } from '#domain/member.ts';
import type { MemberStore } from '#domain/member-store.ts';
import { invalid, Problem } from '#domain/problem.ts';
import { endSessionsOf } from './ended-sessions.ts';
import { all, changeUnseen, first, prepare, prepareTogether, type Session, together } from './session.ts';
import { emailColumns, nameColumns } from './skeletons.ts';
import type { Tables, Truth } from './tables.ts';

export type MemberRow = Selectable<Tables['members']>;

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
    insert: (member) =>
      changeUnseen(session, async (db) => {
        try {
          const row = await db
            .insertInto('members')
            .values({
              email: member.email,
              email_key: emailKey(member.email),
              name: member.name,
              ...nameColumns(member.name),
              ...emailColumns(member.email),
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
            ...(fields.name === undefined ? {} : { name: fields.name, ...nameColumns(fields.name) }),
            ...(fields.isAdmin === undefined ? {} : { is_admin: fields.isAdmin }),
            ...(fields.isActive === undefined ? {} : { is_active: fields.isActive }),
            ...(fields.passphraseHash === undefined ? {} : { passphrase_hash: fields.passphraseHash }),
            epoch: sql<number>`epoch + ${sql.lit(endsSessions ? 1 : 0)}`,
          })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst();
        if (!row) throw new Problem('not-found', 'There is no such member.');
        if (endsSessions) await endSessionsOf(db, id);
        if (fields.passphraseHash !== undefined)
          await db.deleteFrom('oauth_handles').where('member_id', '=', id).execute();
        return memberOf(row);
      }),
    raiseEpoch: (id) =>
      changeUnseen(session, async (db) => {
        await db.updateTable('members').set({ epoch: sql<number>`epoch + 1` }).where('id', '=', id).execute();
        await endSessionsOf(db, id);
      }),
    async countActiveAdmins() {
      const counted = await sql<{ total: number }>`select count(*) as total from members
        where is_admin = ${engine.truth(true)} and is_active = ${engine.truth(true)}`.execute(db);
      return counted.rows[0]?.total ?? 0;
    },

    purgeInvitations: (now) =>
      changeUnseen(session, async (db) => {
        await sql`delete from invitations where expires_at <= ${now} or exists
          (select 1 from members m where m.id = invited_by and m.epoch <> inviter_epoch)`.execute(db);
      }),
    insertInvitation: ({ inviter, ...invitation }) =>
      changeUnseen(session, async (db) => {
        const { id } = await db
          .insertInto('invitations')
          .values({
            token_hash: invitation.tokenHash,
            is_admin: invitation.isAdmin,
            by_command_line: invitation.byCommandLine,
            invited_by: inviter?.id ?? null,
            inviter_epoch: inviter?.epoch ?? null,
            created_at: invitation.createdAt,
            expires_at: invitation.expiresAt,
            used_at: null,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        return id;
      }),
    async findInvitation(tokenHash) {
      const row = await first(session, invitationByToken, { tokenHash });
      return row && invitationOf(row);
    },
    listInvitations: async (now, limit) =>
      (await all(session, openInvitations, { now, limit })).map(invitationOf),
    removeInvitation: (id) =>
      changeUnseen(session, async (db) => {
        const removed = await db
          .deleteFrom('invitations')
          .where('id', '=', id)
          .where('used_at', 'is', null)
          .executeTakeFirst();
        return removed.numDeletedRows === 1n;
      }),
    removeInvitationsOf: (inviterId) =>
      changeUnseen(session, async (db) => {
        await db
          .deleteFrom('invitations')
          .where('invited_by', '=', inviterId)
          .where('used_at', 'is', null)
          .execute();
      }),
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
        // As who begins a session does: none is begun meanwhile by a handle that goes.
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

interface InvitationRow {
  id: number;
  is_admin: Truth;
  by_command_line: Truth;
  inviter_epoch: number | null;
  created_at: number;
  expires_at: number;
  member_id: number | null;
  member_name: string | null;
  member_is_admin: Truth | null;
  member_is_active: Truth | null;
  member_epoch: number | null;
}

const selectInvitation = sql`select i.id, i.is_admin, i.by_command_line, i.inviter_epoch, i.created_at, i.expires_at,
    m.id as member_id, m.name as member_name, m.is_admin as member_is_admin, m.is_active as member_is_active,
    m.epoch as member_epoch
  from invitations i left join members m on m.id = i.invited_by`;
const invitationByToken = prepare<{ tokenHash: string }, InvitationRow>(
  (p) => sql`${selectInvitation} where i.token_hash = ${p('tokenHash')} and i.used_at is null`,
);
const openInvitations = prepare<{ now: number; limit: number }, InvitationRow>(
  (p) => sql`${selectInvitation} where i.expires_at > ${p('now')} and i.used_at is null
    order by i.expires_at desc, i.id desc limit ${p('limit')}`,
);

function invitationOf(row: InvitationRow): Invitation {
  return {
    id: row.id,
    isAdmin: Boolean(row.is_admin),
    byCommandLine: Boolean(row.by_command_line),
    inviter:
      row.member_id === null
        ? null
        : {
            id: row.member_id,
            name: row.member_name ?? '',
            isAdmin: Boolean(row.member_is_admin),
            isActive: Boolean(row.member_is_active),
            epoch: row.member_epoch ?? 0,
            grantedAtEpoch: row.inviter_epoch,
          },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

function emailKey(email: string): string {
  return email.normalize('NFC').trim().toLowerCase();
}

export function memberOf(row: MemberRow): Member {
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
