/** Comments and proposals of people without an account, which wait for a moderator, and how many each address sent today. */
import type { SchemaWords } from '../engine.ts';

export const name = '0031-strangers';

export function statements({ id, integer, text, rows, rowsByKey }: SchemaWords): string[] {
  return [
    `create table submissions (
      id ${id},
      kind ${text} not null,
      page_id ${integer},
      contents ${text} not null,
      stranger ${text} not null,
      email ${text},
      sender ${text} not null,
      at ${integer} not null
    )${rows}`,
    'create index submissions_by_page on submissions (page_id)',
    'create index submissions_by_sender on submissions (sender)',
    `create table stranger_days (
      sender ${text} not null,
      day ${integer} not null,
      submitted ${integer} not null,
      primary key (sender, day)
    )${rowsByKey}`,
    ...['comments', 'proposals'].flatMap((table) => [
      `alter table ${table} add column stranger ${text}`,
      `create index ${table}_by_stranger on ${table} (stranger) where stranger is not null`,
    ]),
  ];
}
