/** Page templates with which new pages beneath a page begin. */
import type { SchemaWords } from '../engine.ts';

export const name = '0012-default-templates';

export function statements({ text }: SchemaWords): string[] {
  return [`alter table pages add column default_template ${text}`];
}
