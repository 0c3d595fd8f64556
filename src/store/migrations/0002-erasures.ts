/** Erasures that are not finished, so that they are finished after a restart, too. */
import type { SchemaWords } from '../engine.ts';

export const name = '0002-erasures';

export function statements({ id, integer, text, rows }: SchemaWords): string[] {
  return [
    `create table erasures (
      id ${id},
      begun_at ${integer} not null,
      hashes ${text} not null
    )${rows}`,
  ];
}
