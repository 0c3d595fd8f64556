/** Wrong codes of second factors by member and browser, so that a restart does not forget them. */
import type { SchemaWords } from '../engine.ts';

export const name = '0003-second-factor-clients';

export function statements({ integer, text, rows }: SchemaWords): string[] {
  return [
    `create table second_factor_clients (
      member_id ${integer} not null references members (id),
      device ${text} not null,
      used_at ${integer} not null,
      failed_at ${integer},
      forgotten_at ${integer},
      primary key (member_id, device)
    )${rows}`,
  ];
}
