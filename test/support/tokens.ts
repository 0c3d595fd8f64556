/** API tokens as the command line makes them, for tests that need a token and not its form. */
import type { Actor } from '#core/model/permission.ts';
import type { Scope } from '#core/ports/credentials.ts';
import type { Store } from '#core/ports/store.ts';
import { createToken, type MadeApiToken } from '#src/features/tokens/operations.ts';
import { carryFor } from './operations.ts';

export function addApiToken(
  store: Store,
  actor: NonNullable<Actor>,
  { expiresAt, scopes, ...input }: { name: string; scopes: string[]; ancestor?: string; expiresAt?: number },
  now: number,
): Promise<MadeApiToken> {
  const ends = expiresAt === undefined ? null : new Date(expiresAt).toISOString();
  return carryFor(store, actor, now)(createToken, { ...input, scopes: scopes as Scope[], expiresAt: ends });
}
