/** Paragraphs of an original whose changes a translation renders before it renders the whole change. */
import type { SchemaWords } from '../engine.ts';

export const name = '0032-translated-paragraphs';

export function statements({ text }: SchemaWords): string[] {
  return [`alter table pages add column rendered_paragraphs ${text}`];
}
