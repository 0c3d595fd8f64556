/** Languages in which members read the site and get mail. */
import type { SchemaWords } from '../engine.ts';

export const name = '0023-languages-of-members';

export function statements({ text }: SchemaWords): string[] {
  return [`alter table members add column language ${text}`];
}
