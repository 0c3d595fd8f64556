/** Sets of translations that events belong to: their pages show the page of the event. */
import type { SchemaWords } from '../engine.ts';

export const name = '0022-sets-of-events';

export function statements({ integer }: SchemaWords): string[] {
  return [`alter table events add column original_id ${integer}`];
}
