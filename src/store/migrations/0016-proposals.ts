/** Proposals of changes, their reviews, and rules that ask for them. */
import type { SchemaWords } from '../engine.ts';

export const name = '0016-proposals';

export function statements({ id, integer, text, rowsByKey }: SchemaWords): string[] {
  return [
    `create table proposals (
      id ${id},
      title ${text} not null,
      body ${text} not null,
      state ${text} not null,
      author_id ${integer} not null references members (id),
      invited ${text} not null default '',
      created_at ${integer} not null,
      updated_at ${integer} not null,
      revision ${integer} not null default 0,
      publish_at ${integer},
      publish_problem ${text},
      merged_at ${integer},
      merged_by ${integer} references members (id)
    )`,
    'create index proposals_by_state on proposals (state, id)',
    'create index proposals_by_author on proposals (author_id, id)',
    'create index proposals_by_time on proposals (publish_at) where publish_at is not null',
    `create table proposal_changes (
      proposal_id ${integer} not null references proposals (id),
      n ${integer} not null,
      action ${text} not null,
      path ${text} not null,
      page_id ${integer},
      shown_with ${integer},
      base ${integer},
      fields ${text} not null,
      bytes ${integer} not null,
      primary key (proposal_id, n)
    )${rowsByKey}`,
    'create index proposal_changes_by_page on proposal_changes (shown_with, proposal_id)',
    `create table proposal_reviews (
      id ${id},
      proposal_id ${integer} not null references proposals (id),
      member_id ${integer} not null references members (id),
      verdict ${text} not null,
      body ${text} not null,
      at ${integer} not null,
      revision ${integer} not null
    )`,
    'create index proposal_reviews_by_proposal on proposal_reviews (proposal_id, id)',
    ...['pages', 'trashed_pages'].map((table) => `alter table ${table} add column rule ${text}`),
    'create index pages_ruled on pages (id) where rule is not null',
  ];
}
