/** Names in the messages of merged proposals, so that an erasure finds those that members had then. */
import type { SchemaWords } from '../engine.ts';

export const name = '0024-names-in-merges';

export function statements({ text }: SchemaWords): string[] {
  return [`alter table proposals add column merged_names ${text}`];
}
