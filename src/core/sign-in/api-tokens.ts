/**
 * Callers with an API token. A token acts as its member within its scopes; administrators' powers need the scope `admin`. It ends
 * when it is revoked or expires, or when its member is deactivated or gets a new passphrase, which deletes its row. Making and
 * revoking them is a feature.
 */

import type { SecondFactorRule } from '../model/member.ts';
import { actorOf, type Member } from '../model/member.ts';
import type { Actor } from '../model/permission.ts';
import type { ApiToken, ApiTokenSecrets } from '../ports/credentials.ts';
import type { Store } from '../ports/store.ts';
import { actorUnder } from './required-second-factor.ts';

/** The member that a token acts for, and its limits. */
interface TokenBearer {
  actor: NonNullable<Actor>;
  token: ApiToken;
}

const usedEveryMs = 5 * 60 * 1000;

export interface ApiTokens {
  /** Returns undefined if the secret is no valid token. One lookup; records the time and address of use. */
  find(secret: string, now: number, address: string): Promise<TokenBearer | undefined>;
}

/** `onFailure` is called if the time of use cannot be recorded; the request is accepted all the same. */
export function createApiTokens(
  store: Store,
  secrets: ApiTokenSecrets,
  onFailure: (error: unknown) => void = () => {},
  rule: SecondFactorRule = 'none',
): ApiTokens {
  const noting = new Set<number>();
  const noteUsed = (id: number, now: number, address: string) => {
    if (noting.has(id)) return;
    noting.add(id);
    store.apiTokens
      .noteUsed(id, now, address)
      .catch(onFailure)
      .finally(() => noting.delete(id));
  };
  return {
    async find(secret, now, address) {
      const hash = secrets.hash(secret);
      const found = hash === undefined ? undefined : await store.apiTokens.find(hash);
      if (!found) return undefined;
      const { token, member } = found;
      if (!member.isActive || (token.expiresAt !== null && token.expiresAt <= now)) return undefined;
      if (token.lastUsedAt === null || Math.abs(now - token.lastUsedAt) >= usedEveryMs)
        noteUsed(token.id, now, address);
      const actor = await actorUnder({ rule, store }, member, bearerOf(member, token, now), 'token');
      return { actor, token };
    },
  };
}

/** Without the scope `admin`, a token of an administrator or moderator has the rights of an ordinary member. */
function bearerOf(member: Member, { scopes, ancestorId }: ApiToken, now: number): NonNullable<Actor> {
  const { role, ...actor } = actorOf(member, now);
  const hasPowers = scopes.includes('admin');
  return {
    ...actor,
    isAdmin: actor.isAdmin && hasPowers,
    ...(role === 'reader' || role === 'guest' || (role && hasPowers) ? { role } : {}),
    ...(ancestorId === null ? {} : { within: ancestorId }),
  };
}
