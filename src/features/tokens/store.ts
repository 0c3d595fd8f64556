/**
 * API tokens by the hash of their secret. They are revoked in `members.ts` when their member gets a new passphrase or is
 * deactivated.
 */
import { sql } from 'kysely';
import type { ApiToken, Scope } from '#core/ports/credentials.ts';
import type { ApiTokenStore } from '#core/ports/member-store.ts';
import { type MemberRow, memberOf } from '#store/members/members.ts';
import {
  all,
  changeUnseen,
  first,
  prepare,
  type Session,
  writeOneUnseen,
  writeUnseen,
} from '#store/statements.ts';
import type { RowOf } from '#store/tables.ts';

type TokenRow = RowOf<'api_tokens'>;

export function apiTokenStore(session: Session): ApiTokenStore {
  return {
    async find(hash) {
      const row = await first(session, byHash, { hash });
      if (!row) return undefined;
      const { token_id, token_name, token_created_at, ...rest } = row;
      return {
        member: memberOf(rest),
        token: tokenOf({ ...rest, id: token_id, name: token_name, created_at: token_created_at }),
      };
    },
    listOf: async (memberId, limit) => (await all(session, ofMember, { memberId, limit })).map(tokenOf),
    insert: ({ hash, ...token }) =>
      changeUnseen(session, async (db) => {
        const row = await db
          .insertInto('api_tokens')
          .values({
            token_hash: hash,
            member_id: token.memberId,
            name: token.name,
            scopes: token.scopes.join(' '),
            ancestor_id: token.ancestorId,
            created_at: token.createdAt,
            expires_at: token.expiresAt,
            last_used_at: null,
            last_used_from: null,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        return tokenOf(row);
      }),
    noteUsed: (id, at, address) =>
      writeUnseen(session, (db) =>
        db.updateTable('api_tokens').set({ last_used_at: at, last_used_from: address }).where('id', '=', id),
      ),
    remove: (memberId, id) =>
      writeOneUnseen(session, (db) =>
        db.deleteFrom('api_tokens').where('id', '=', id).where('member_id', '=', memberId),
      ),
    removeExpired: (memberId, now) =>
      writeUnseen(session, (db) =>
        db.deleteFrom('api_tokens').where('member_id', '=', memberId).where('expires_at', '<=', now),
      ),
  };
}

type FoundToken = MemberRow &
  Omit<TokenRow, 'id' | 'name' | 'created_at'> & {
    token_id: number;
    token_name: string;
    token_created_at: number;
  };

const byHash = prepare<{ hash: string }, FoundToken>(
  (
    p,
  ) => sql`select m.*, t.id as token_id, t.token_hash, t.member_id, t.name as token_name, t.scopes, t.ancestor_id,
      t.created_at as token_created_at, t.expires_at, t.last_used_at, t.last_used_from
    from api_tokens t join members m on m.id = t.member_id where t.token_hash = ${p('hash')}`,
);
const ofMember = prepare<{ memberId: number; limit: number }, TokenRow>(
  (p) =>
    sql`select * from api_tokens where member_id = ${p('memberId')} order by id desc limit ${p('limit')}`,
);

function tokenOf(row: TokenRow): ApiToken {
  return {
    id: row.id,
    memberId: row.member_id,
    name: row.name,
    scopes: row.scopes.split(' ') as Scope[],
    ancestorId: row.ancestor_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    lastUsedFrom: row.last_used_from,
  };
}
