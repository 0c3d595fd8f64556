/** Sessions and tokens for members in tests, created without signing in. */
import { createSecrets } from '#auth/secret.ts';
import type { Claims, Tokens } from '#core/ports/credentials.ts';
import type { Store } from '#core/ports/store.ts';
import { createSessions } from '#core/sign-in/sessions.ts';

export const day = 24 * 60 * 60 * 1000;

interface Beginning {
  now?: number;
  isBrowser?: boolean;
}

/** Begins a session of the member as they are now. */
export async function claimsFor(
  store: Store,
  memberId: number,
  { now = Date.now(), isBrowser = false }: Beginning = {},
): Promise<Claims> {
  const member = await store.members.findById(memberId);
  if (!member) throw new Error(`There is no member ${memberId}.`);
  const sessions = createSessions(
    { store, secrets: createSecrets() },
    { lifetimeMs: 30 * day, idleMs: 7 * day },
  );
  const device = { userAgent: 'test', isBrowser };
  return sessions.begin(member, { method: 'passphrase' }, device, { now, signedInAt: undefined });
}

export async function tokenFor(
  { store, tokens }: { store: Store; tokens: Tokens },
  memberId: number,
  beginning: Beginning = {},
): Promise<string> {
  return tokens.issue(await claimsFor(store, memberId, beginning));
}
