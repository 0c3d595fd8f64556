/** Webhooks of chat programs. */
import type { SchemaWords } from '../engine.ts';

export const name = '0015-webhook-formats';

export function statements({ text }: SchemaWords): string[] {
  return [`alter table webhooks add column body_format ${text}`];
}
