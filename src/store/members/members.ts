/** Members, invitations and the handles of stored OAuth tokens. Secrets come here hashed. */

import { type Selectable, sql } from 'kysely';
import type { Member } from '#domain/members/member.ts';
import type { Grantor, Invitation } from '#domain/members/one-time-links.ts';
import type { Range } from '#domain/ports/list-reads.ts';
import type { MemberStore } from '#domain/ports/member-store.ts';
import { invalid, Problem } from '#domain/problem.ts';
import { all, changeUnseen, first, prepare, prepareTogether, type Session, together } from '../statements.ts';
import type { Tables, Truth } from '../tables.ts';
import { endSessionsOf, revokeTokensOf } from './ended-sessions.ts';
import { emailColumns, nameColumns } from './skeletons.ts';

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
              is_bot: member.isBot ?? false,
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
        if (fields.name !== undefined) engine.invalidate(db, 'all');
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
    async countActiveAdmins() {
      const counted = await sql<{ total: number }>`select count(*) as total from members
        where is_admin = ${engine.truth(true)} and is_active = ${engine.truth(true)} and is_bot = ${engine.truth(false)}`.execute(
        db,
      );
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
      changeUnseen(session, async (db) => {
        await sql`update members set failed_sign_ins = failed_sign_ins + 1, failed_since = coalesce(failed_since, ${at})
          where email_key = ${emailKey(email)}`.execute(db);
      }),
    async findFailedSignIns(id) {
      const row = await first(session, byId, { id });
      return row?.failed_since ? { count: row.failed_sign_ins, since: row.failed_since } : undefined;
    },
    clearFailedSignIns: (id) =>
      changeUnseen(session, async (db) => {
        await db
          .updateTable('members')
          .set({ failed_sign_ins: 0, failed_since: null })
          .where('id', '=', id)
          .execute();
      }),

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
    useInvitation: (tokenHash, at) => useLink(session, 'invitations', tokenHash, at),

    insertResetLink: ({ maker, forgetBefore, ...link }) =>
      changeUnseen(session, async (db) => {
        await db.deleteFrom('reset_links').where('expires_at', '<=', forgetBefore).execute();
        await db
          .insertInto('reset_links')
          .values({
            token_hash: link.tokenHash,
            member_id: link.memberId,
            member_epoch: link.memberEpoch,
            made_by: maker?.id ?? null,
            maker_epoch: maker?.epoch ?? null,
            created_at: link.createdAt,
            expires_at: link.expiresAt,
            used_at: null,
          })
          .execute();
      }),
    async findResetLink(tokenHash) {
      const row = await first(session, resetLinkByToken, { tokenHash });
      return (
        row && {
          memberId: row.of_member,
          memberEpoch: row.of_epoch,
          maker: grantorOf(row),
          expiresAt: row.expires_at,
        }
      );
    },
    useResetLink: (tokenHash, at) => useLink(session, 'reset_links', tokenHash, at),
    removeOpenResetLinks: (memberId) =>
      changeUnseen(session, async (db) => {
        const removed = await db
          .deleteFrom('reset_links')
          .where('member_id', '=', memberId)
          .where('used_at', 'is', null)
          .executeTakeFirst();
        return removed.numDeletedRows > 0n;
      }),
    async withOpenResetLinks(memberIds, now) {
      const open = await sql<{ member_id: number }>`select member_id from reset_links
        where ${engine.among(sql.ref('member_id'), memberIds)} and used_at is null and expires_at > ${now}`.execute(
        db,
      );
      return new Set(open.rows.map((row) => row.member_id));
    },
    async findUsedResetLinks(memberId, since) {
      const row = await first(session, usedResetLinks, { memberId, since });
      return row?.last_at ? { count: row.count, lastAt: row.last_at } : undefined;
    },

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

/** Columns of the administrator `m` who made something, who may be nobody. */
interface GrantorRow {
  member_id: number | null;
  member_name: string | null;
  member_is_admin: Truth | null;
  member_is_active: Truth | null;
  member_epoch: number | null;
  granted_at_epoch: number | null;
}

interface InvitationRow extends GrantorRow {
  id: number;
  is_admin: Truth;
  by_command_line: Truth;
  created_at: number;
  expires_at: number;
}

interface ResetLinkRow extends GrantorRow {
  of_member: number;
  of_epoch: number;
  expires_at: number;
}

const grantorColumns = sql`m.id as member_id, m.name as member_name, m.is_admin as member_is_admin,
  m.is_active as member_is_active, m.epoch as member_epoch`;
const resetLinkByToken = prepare<{ tokenHash: string }, ResetLinkRow>(
  (p) => sql`select l.member_id as of_member, l.member_epoch as of_epoch, l.expires_at,
      l.maker_epoch as granted_at_epoch, ${grantorColumns}
    from reset_links l left join members m on m.id = l.made_by
    where l.token_hash = ${p('tokenHash')} and l.used_at is null`,
);
const usedResetLinks = prepare<
  { memberId: number; since: number },
  { count: number; last_at: number | null }
>(
  (p) => sql`select count(*) as count, max(used_at) as last_at from reset_links
    where member_id = ${p('memberId')} and used_at > ${p('since')}`,
);
const selectInvitation = sql`select i.id, i.is_admin, i.by_command_line, i.created_at, i.expires_at,
    i.inviter_epoch as granted_at_epoch, ${grantorColumns}
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
    inviter: grantorOf(row),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

function grantorOf(row: GrantorRow): Grantor | null {
  if (row.member_id === null) return null;
  return {
    id: row.member_id,
    name: row.member_name ?? '',
    isAdmin: Boolean(row.member_is_admin),
    isActive: Boolean(row.member_is_active),
    epoch: row.member_epoch ?? 0,
    grantedAtEpoch: row.granted_at_epoch,
  };
}

/** Whether the link could be used now: no other use was first. */
function useLink(
  session: Session,
  table: 'invitations' | 'reset_links',
  tokenHash: string,
  at: number,
): Promise<boolean> {
  return changeUnseen(session, async (db) => {
    const used = await db
      .updateTable(table)
      .set({ used_at: at })
      .where('token_hash', '=', tokenHash)
      .where('used_at', 'is', null)
      .where('expires_at', '>', at)
      .executeTakeFirst();
    return used.numUpdatedRows === 1n;
  });
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
    isBot: Boolean(row.is_bot),
    epoch: row.epoch,
    passphraseHash: row.passphrase_hash,
    createdAt: row.created_at,
  };
}
