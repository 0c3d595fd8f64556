/** Comments on pages, whom they mention, and the texts in which their quotes were last found. */
import type { SchemaWords } from '../engine.ts';

export const name = '0013-comments';

export function statements({ id, integer, text, rows, rowsByKey }: SchemaWords): string[] {
  return [
    `create table comments (
      id ${id},
      page_id ${integer} not null,
      author_id ${integer} not null,
      reply_to ${integer},
      body ${text} not null,
      at ${integer} not null,
      edited_at ${integer},
      deleted_at ${integer},
      resolved_at ${integer},
      resolved_by ${integer},
      quote ${text},
      quote_before ${text},
      quote_after ${text},
      quote_start ${integer},
      quote_end ${integer},
      quote_state ${text},
      quote_gone_id ${integer}
    )${rows}`,
    'create index comments_by_page on comments (page_id, id)',
    'create index comments_by_author on comments (author_id, id)',
    'create index comments_by_thread on comments (reply_to, id) where reply_to is not null',
    'create index comments_open on comments (page_id) where resolved_at is null and reply_to is null',
    `create table comment_mentions (
      member_id ${integer} not null,
      comment_id ${integer} not null,
      name ${text} not null,
      primary key (member_id, comment_id)
    )${rowsByKey}`,
    'create index comment_mentions_by_comment on comment_mentions (comment_id)',
    `create table comment_texts (
      page_id ${integer} primary key,
      change_id ${integer} not null,
      body ${text} not null
    )${rows}`,
    `alter table events add column comment_id ${integer}`,
  ];
}
