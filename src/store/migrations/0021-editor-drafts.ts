/** Texts that members have not saved yet. */
import type { SchemaWords } from '../engine.ts';

export const name = '0021-editor-drafts';

export function statements({ integer, text, rows }: SchemaWords): string[] {
  return [
    `create table editor_drafts (
      member_id ${integer} not null,
      draft_id ${text} not null,
      key ${text} not null,
      page_id ${integer},
      title ${text} not null,
      url ${text} not null,
      base ${text} not null,
      fields ${text} not null,
      bytes ${integer} not null,
      updated_at ${integer} not null,
      primary key (member_id, draft_id)
    )${rows}`,
    'create index editor_drafts_by_time on editor_drafts (updated_at)',
    'create index editor_drafts_by_page on editor_drafts (page_id) where page_id is not null',
  ];
}
