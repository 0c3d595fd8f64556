/** The audit log: who did what to accounts, rights and content, when and from where. */
import type { SchemaWords } from '../engine.ts';

export const name = '0013-audit';

export function statements({ id, integer, text, rows, commitOrder }: SchemaWords): string[] {
  const order = commitOrder('audit');
  return [
    `create table audit (
      id ${id},
      position ${integer},
      at ${integer} not null,
      kind ${text} not null,
      via ${text} not null,
      from_address ${text},
      actor_id ${integer},
      token_id ${integer},
      subject_kind ${text},
      subject_id ${integer},
      subject_name ${text} not null,
      note ${text} not null,
      hour ${integer},
      times ${integer} not null,
      last_at ${integer} not null
    )${rows}`,
    ...order.indexes,
    `create index audit_by_kind on audit (kind, ${order.column})`,
    `create index audit_by_actor on audit (actor_id, ${order.column}) where actor_id is not null`,
    `create index audit_by_subject on audit (subject_id, ${order.column}) where subject_kind = 'member'`,
    'create index audit_by_time on audit (at)',
    // A row for each account and address in an hour, in which what comes again is only counted.
    `create unique index audit_by_hour on audit (hour, coalesce(subject_id, 0), coalesce(from_address, '')) where hour is not null`,
  ];
}
