/** Languages of pages. */
import type { SchemaWords } from '../engine.ts';

export const name = '0011-languages';

export function statements({ text }: SchemaWords): string[] {
  return [
    `alter table pages add column language ${text}`,
    // To list the pages of a language. Pages in the wiki's own are not in it.
    'create index pages_by_language on pages (language, id) where language is not null',
  ];
}
