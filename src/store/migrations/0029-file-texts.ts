/** Texts of attached files, for searching. */
import type { SchemaWords } from '../engine.ts';

export const name = '0029-file-texts';

export function statements({ integer, text, rowsByKey }: SchemaWords): string[] {
  return [
    `create table file_texts (
      hash ${text} primary key,
      begun_at ${integer} not null,
      attempts ${integer} not null,
      read_at ${integer}
    )${rowsByKey}`,
    `create table file_text_parts (
      hash ${text} not null,
      number ${integer} not null,
      text ${text} not null,
      primary key (hash, number)
    )${rowsByKey}`,
    `create table file_terms (
      term ${text} not null,
      hash ${text} not null,
      number ${integer} not null,
      primary key (term, hash, number)
    )${rowsByKey}`,
    'create index file_terms_of_part on file_terms (hash, number, term)',
  ];
}
