/** Rows of invitations and reset links, with the administrator who made each. Tokens are already hashed here. */
import { sql } from 'kysely';
import type { Role } from '#core/model/member.ts';
import type { Grantor, Invitation } from '#core/model/one-time-links.ts';
import type { OneTimeLinkStore } from '#core/ports/member-store.ts';
import {
  all,
  changeUnseen,
  first,
  prepare,
  type Session,
  writeOneUnseen,
  writeUnseen,
} from '../statements.ts';
import type { Truth } from '../tables/column.ts';

export function oneTimeLinks(session: Session): OneTimeLinkStore {
  const { engine, db } = session;
  return {
    purgeInvitations: (now) =>
      writeUnseen(
        session,
        () => sql`delete from invitations where expires_at <= ${now} or exists
          (select 1 from members m where m.id = invited_by and m.epoch <> inviter_epoch)`,
      ),
    insertInvitation: ({ inviter, ...invitation }) =>
      changeUnseen(session, async (db) => {
        const { id } = await db
          .insertInto('invitations')
          .values({
            token_hash: invitation.tokenHash,
            role: invitation.role,
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
    async findInvitationById(id) {
      const row = await first(session, invitationById, { id });
      return row && invitationOf(row);
    },
    setInvitationToken: (id, tokenHash) =>
      writeUnseen(session, (db) =>
        db.updateTable('invitations').set({ token_hash: tokenHash }).where('id', '=', id),
      ),
    listInvitations: async (now, limit) =>
      (await all(session, openInvitations, { now, limit })).map(invitationOf),
    removeInvitation: (id) =>
      writeOneUnseen(session, (db) =>
        db.deleteFrom('invitations').where('id', '=', id).where('used_at', 'is', null),
      ),
    removeInvitationsOf: (inviterId) =>
      writeUnseen(session, (db) =>
        db.deleteFrom('invitations').where('invited_by', '=', inviterId).where('used_at', 'is', null),
      ),
    useInvitation: (tokenHash, at) => useLink(session, 'invitations', tokenHash, at),

    insertResetLink: ({ maker, forgetBefore = 0, ...link }) =>
      changeUnseen(session, async (db) => {
        await db.deleteFrom('reset_links').where('expires_at', '<=', forgetBefore).execute();
        await sql`insert into reset_links
            (token_hash, member_id, member_epoch, made_by, maker_epoch, created_at, expires_at)
          select ${link.tokenHash}, m.id, ${link.memberEpoch}, ${maker?.id ?? null}, ${maker?.epoch ?? null},
            ${link.createdAt}, ${link.expiresAt}
          from members m where m.id = ${link.memberId}`.execute(db);
      }),
    async findResetLink(tokenHash) {
      const row = await first(session, resetLinkByToken, { tokenHash });
      return (
        row && {
          memberId: row.of_member,
          memberEpoch: row.of_epoch,
          maker: grantorOf(row),
          createdAt: row.created_at,
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
  };
}

/** Columns of the administrator `m` who made the link, if any. */
interface GrantorRow {
  member_id: number | null;
  member_name: string | null;
  member_role: Role | null;
  member_is_active: Truth | null;
  member_epoch: number | null;
  granted_at_epoch: number | null;
}

interface InvitationRow extends GrantorRow {
  id: number;
  role: Role;
  by_command_line: Truth;
  created_at: number;
  expires_at: number;
}

interface ResetLinkRow extends GrantorRow {
  of_member: number;
  of_epoch: number;
  created_at: number;
  expires_at: number;
}

const grantorColumns = sql`m.id as member_id, m.name as member_name, m.role as member_role,
  m.is_active as member_is_active, m.epoch as member_epoch`;
const resetLinkByToken = prepare<{ tokenHash: string }, ResetLinkRow>(
  (p) => sql`select l.member_id as of_member, l.member_epoch as of_epoch, l.created_at, l.expires_at,
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
const selectInvitation = sql`select i.id, i.role, i.by_command_line, i.created_at, i.expires_at,
    i.inviter_epoch as granted_at_epoch, ${grantorColumns}
  from invitations i left join members m on m.id = i.invited_by`;
const invitationByToken = prepare<{ tokenHash: string }, InvitationRow>(
  (p) => sql`${selectInvitation} where i.token_hash = ${p('tokenHash')} and i.used_at is null`,
);
const invitationById = prepare<{ id: number }, InvitationRow>(
  (p) => sql`${selectInvitation} where i.id = ${p('id')} and i.used_at is null`,
);
const openInvitations = prepare<{ now: number; limit: number }, InvitationRow>(
  (p) => sql`${selectInvitation} where i.expires_at > ${p('now')} and i.used_at is null
    order by i.expires_at desc, i.id desc limit ${p('limit')}`,
);

function invitationOf(row: InvitationRow): Invitation {
  return {
    id: row.id,
    role: row.role,
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
    isAdmin: row.member_role === 'administrator',
    isActive: Boolean(row.member_is_active),
    epoch: row.member_epoch ?? 0,
    grantedAtEpoch: row.granted_at_epoch,
  };
}

/** Marks the link as used; returns whether no other use came first. */
function useLink(
  session: Session,
  table: 'invitations' | 'reset_links',
  tokenHash: string,
  at: number,
): Promise<boolean> {
  return writeOneUnseen(session, (db) =>
    db
      .updateTable(table)
      .set({ used_at: at })
      .where('token_hash', '=', tokenHash)
      .where('used_at', 'is', null)
      .where('expires_at', '>', at),
  );
}
