/** Settings that administrators change while the site runs. */
import type { SchemaWords } from '../engine.ts';

export const name = '0008-settings';

export function statements({ integer, text, rows }: SchemaWords): string[] {
  return [
    `create table settings (
      name ${text} primary key,
      value ${text} not null,
      changed_at ${integer} not null,
      changed_by ${integer}
    )${rows}`,
    // It always exists, so that it can be locked.
    "insert into settings (name, value, changed_at) values ('private', 'false', 0)",
  ];
}
