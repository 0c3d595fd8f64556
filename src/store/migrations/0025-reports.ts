/** Counts and checks for the reports of administrators. */
import type { SchemaWords } from '../engine.ts';

export const name = '0025-reports';

export function statements({ integer, text, rows, rowsByKey }: SchemaWords): string[] {
  return [
    `create table page_reads (
      page_id ${integer} not null,
      month ${text} not null,
      reads ${integer} not null,
      primary key (page_id, month)
    )${rowsByKey}`,
    'create index page_reads_by_month on page_reads (month, reads)',
    `create table vain_searches (
      words ${text} primary key,
      times ${integer} not null,
      last_at ${integer} not null
    )${rowsByKey}`,
    'create index vain_searches_by_times on vain_searches (times)',
    `create table outside_links (
      page_id ${integer} not null,
      url ${text} not null,
      checked_at ${integer} not null,
      problem ${text},
      dead_since ${integer},
      primary key (page_id, url)
    )${rowsByKey}`,
    'create index outside_links_dead on outside_links (dead_since, page_id) where dead_since is not null',
    `create table link_rounds (
      id ${integer} primary key,
      page_id ${integer} not null,
      begun_at ${integer} not null,
      lease_until ${integer} not null
    )${rows}`,
    'insert into link_rounds (id, page_id, begun_at, lease_until) values (1, 0, 0, 0)',
  ];
}
