/**
 * API tokens: named credentials of programs, with scopes, optionally limited to a subtree. A token acts as its member within
 * its scopes; administrators' powers need the scope `admin`. It ends when it is revoked or expires, or when its member is
 * deactivated or gets a new passphrase, which deletes its row.
 *
 * Tokens cannot manage tokens, so that no token can obtain more rights than it has.
 */

import { refuseBlocked } from '../model/may-write.ts';
import { actorOf, type Member } from '../model/member.ts';
import { type Actor, may } from '../model/permission.ts';
import { allInvalid, type FieldError, invalid, notSignedIn, Problem } from '../model/problem.ts';
import {
  type ApiToken,
  type ApiTokenSecrets,
  type Scope,
  scopes,
  subtreeScopes,
} from '../ports/credentials.ts';
import type { Store } from '../ports/store.ts';
import { getReadable } from '../reading/find-page.ts';
import { refuseUnlessRecent } from './recent-sign-in.ts';
import { actorUnder, type SecondFactorRule } from './required-second-factor.ts';
import type { SignedIn } from './sessions.ts';

export interface ListedApiToken extends ApiToken {
  /** Current path of the page that the token is limited to; null if there is none, or none that the member may read. */
  ancestor: string | null;
}

export interface ApiTokenInput {
  name: string;
  scopes: string[];
  /** Path of a page. */
  ancestor?: string | undefined;
  /** Milliseconds since 1970. */
  expiresAt?: number | undefined;
}

/** The member that a token acts for, and its limits. */
export interface TokenBearer {
  actor: NonNullable<Actor>;
  token: ApiToken;
}

const maxNameLength = 100;
const maxTokens = 100;
const usedEveryMs = 5 * 60 * 1000;

/** Returns the secret, which cannot be shown again. Refuses `unauthenticated`, also without a recent sign-in, and `invalid`. */
export async function createApiToken(
  store: Store,
  secrets: ApiTokenSecrets,
  signedIn: SignedIn | undefined,
  input: ApiTokenInput,
  now: number,
): Promise<{ token: ListedApiToken; secret: string }> {
  if (!signedIn) throw notSignedIn();
  refuseUnlessRecent(signedIn.claims.signedInAt, now, 'Creating a token');
  return addApiToken(store, secrets, signedIn.actor, input, now, signedIn.claims.epoch);
}

/** Like `createApiToken`, for the command line. `epoch`: the member's sign-in epoch. */
export async function addApiToken(
  store: Store,
  secrets: ApiTokenSecrets,
  actor: NonNullable<Actor>,
  input: ApiTokenInput,
  now: number,
  epoch?: number,
): Promise<{ token: ListedApiToken; secret: string }> {
  const checked = checkInput(input, now);
  const page =
    input.ancestor === undefined ? undefined : await readableAncestor(store, actor, input.ancestor);
  const { secret, hash } = secrets.make();
  const token = await store.transact(async (store) => {
    // Locked, so that a concurrent deactivation or passphrase change removes this token as well.
    const member = await store.members.lock(actor.memberId);
    if (!member?.isActive || (epoch !== undefined && member.epoch !== epoch)) throw notSignedIn();
    refuseBlocked(actor);
    await store.apiTokens.removeExpired(member.id, now);
    if ((await store.apiTokens.listOf(member.id, maxTokens)).length >= maxTokens)
      throw invalid('/name', `A member can have ${maxTokens} tokens: revoke one that is not used any more.`);
    const token = await store.apiTokens.insert({
      ...checked,
      memberId: member.id,
      ancestorId: page?.id ?? null,
      createdAt: now,
      hash,
    });
    await recordToken(store, 'token-made', token);
    return token;
  });
  return { token: { ...token, ancestor: page?.path ?? null }, secret };
}

/** Newest first. Expired tokens are listed until the next one is created. Refuses `unauthenticated`. */
export async function listApiTokens(store: Store, actor: Actor): Promise<ListedApiToken[]> {
  if (!actor) throw notSignedIn();
  const tokens = await store.apiTokens.listOf(actor.memberId, maxTokens);
  const ids = tokens.flatMap(({ ancestorId }) => ancestorId ?? []);
  const pages = ids.length === 0 ? [] : await store.readAsSystem().pages.outlines([...new Set(ids)]);
  const readable = pages.filter((page) => may(actor, 'read', { ...page, ownerId: page.owner.id }));
  const paths = new Map(readable.map(({ id, path }) => [id, path]));
  return tokens.map((token) => ({ ...token, ancestor: paths.get(token.ancestorId ?? 0) ?? null }));
}

/** Takes effect at once in every process. Refuses `unauthenticated`, and `not-found` if the token is not the actor's. */
export async function revokeApiToken(store: Store, actor: Actor, id: number): Promise<void> {
  if (!actor) throw notSignedIn();
  await store.transact(async (store) => {
    const token = (await store.apiTokens.listOf(actor.memberId, maxTokens)).find((one) => one.id === id);
    if (!token || !(await store.apiTokens.remove(actor.memberId, id)))
      throw new Problem('not-found', 'You have no such token: it may have been revoked already.');
    await recordToken(store, 'token-revoked', token);
  });
}

async function recordToken(
  store: Store,
  kind: 'token-made' | 'token-revoked',
  { id, memberId, name, scopes }: ApiToken,
): Promise<void> {
  const note = `${id} “${name}” (${scopes.join(', ')})`;
  await store.audit.record({ kind, subject: { kind: 'member', id: memberId }, note });
}

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
      const actor = await actorUnder(rule, store, member, bearerOf(member, token, now), 'token');
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
    ...(role === 'reader' || (role && hasPowers) ? { role } : {}),
    ...(ancestorId === null ? {} : { within: ancestorId }),
  };
}

function checkInput(
  { name: given, scopes: wanted, ancestor, expiresAt }: ApiTokenInput,
  now: number,
): Pick<ApiToken, 'name' | 'scopes' | 'expiresAt'> {
  const errors: FieldError[] = [];
  const name = given.normalize('NFC').trim();
  if (name === '' || [...name].length > maxNameLength || /[\p{Cc}\p{Cf}]/u.test(name) || !name.isWellFormed())
    errors.push({
      pointer: '/name',
      detail: `A token is named by 1 to ${maxNameLength} characters, none of them a control character.`,
    });
  const unknown = wanted.find((scope) => !scopes.includes(scope as Scope));
  if (unknown !== undefined || wanted.length === 0)
    errors.push({
      pointer: '/scopes',
      detail: `A token has one or more of the scopes ${scopes.join(', ')}.`,
    });
  const wide = scopes.filter((scope) => wanted.includes(scope) && !subtreeScopes.includes(scope));
  if (ancestor !== undefined && wide.length > 0)
    errors.push({
      pointer: '/scopes',
      detail: `A token limited to a page and what lies beneath has only the scopes ${subtreeScopes.join(', ')}: leave out ${wide.join(' and ')}, or the limit.`,
    });
  if (expiresAt !== undefined && !(expiresAt > now))
    errors.push({ pointer: '/expiresAt', detail: 'A token expires at a time to come.' });
  if (errors.length > 0) throw allInvalid(errors);
  return { name, scopes: scopes.filter((scope) => wanted.includes(scope)), expiresAt: expiresAt ?? null };
}

async function readableAncestor(store: Store, actor: Actor, path: string) {
  try {
    return await getReadable(store.readAs(actor), path);
  } catch (error) {
    if (error instanceof Problem && error.code === 'not-found')
      throw invalid('/ancestor', error.message, 'not-found');
    throw error;
  }
}
