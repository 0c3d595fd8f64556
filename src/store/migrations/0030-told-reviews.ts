/** Reviews of which members were told. */
import type { SchemaWords } from '../engine.ts';

export const name = '0030-told-reviews';

export function statements({ integer, text, rows }: SchemaWords): string[] {
  return [`create table told_reviews (page_id ${integer} primary key, review_by ${text} not null)${rows}`];
}
