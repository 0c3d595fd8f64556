/** Likes by member, for the export of their own data. */
import type { SchemaWords } from '../engine.ts';

export const name = '0023-own-data';

export function statements(_words: SchemaWords): string[] {
  return ['create index likes_by_member on likes (member_id, page_id)'];
}
