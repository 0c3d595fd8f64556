/** API tokens, and members that act by nothing else. */
import type { SchemaWords } from '../engine.ts';

export const name = '0002-api-tokens';

export function statements({ id, integer, text, truth, rows }: SchemaWords): string[] {
  return [
    `alter table members add column is_bot ${truth} not null default false`,
    `create table api_tokens (
      id ${id},
      token_hash ${text} not null unique,
      member_id ${integer} not null references members (id),
      name ${text} not null,
      scopes ${text} not null,
      ancestor_id ${integer},
      created_at ${integer} not null,
      expires_at ${integer},
      last_used_at ${integer},
      last_used_from ${text}
    )${rows}`,
    'create index api_tokens_by_member on api_tokens (member_id, id)',
  ];
}
