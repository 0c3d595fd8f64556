/** Days from which pages are to be reviewed. */
import type { SchemaWords } from '../engine.ts';

export const name = '0020-reviews';

export function statements({ text }: SchemaWords): string[] {
  return [
    `alter table pages add column review_by ${text}`,
    'create index pages_by_review on pages (review_by, id) where review_by is not null',
  ];
}
