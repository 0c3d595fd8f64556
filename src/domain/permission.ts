/**
 * Who may read and write a page. The code is three octal digits as in Unix: owner, group (any member), world.
 * Reading needs 4; writing needs 4 and 2 in one digit; 1 means nothing. The most favourable of the digits that
 * apply to the caller counts. Administrators may do everything.
 */

/** Who is asking: `null` is anyone at all. */
export type Actor = { memberId: number; name: string; isAdmin: boolean } | null;

export type Action = 'read' | 'write';

export const defaultPermissions = 774;

/** Three digits 0–7 as a number or numeric string (`774`, `"774"`, `"044"`), or undefined if it is not one. */
export function readPermissionCode(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^[0-7]{1,3}$/.test(text)) return undefined;
  return Number(text);
}

export function may(actor: Actor, action: Action, page: { permissions: number; ownerId: number }): boolean {
  if (actor?.isAdmin) return true;
  const needed = action === 'read' ? 4 : 6;
  return digitsOf(actor, page).some((digit) => (digit & needed) === needed);
}

/**
 * Who may read a page, as one number so that an index can carry it:
 * 0 everyone, 1 members, 2 the owner alone, 3 administrators alone.
 */
export type Audience = 0 | 1 | 2 | 3;

export function audienceOf(permissions: number): Audience {
  if (digit(permissions, 'world') & 4) return 0;
  if (digit(permissions, 'group') & 4) return 1;
  if (digit(permissions, 'owner') & 4) return 2;
  return 3;
}

/**
 * Rows a reader may see, as values a query can compare: pages whose audience is at most `maxAudience`, and pages with audience 2
 * that `ownerId` owns. `canSee` states the rule; queries must say the same.
 */
export interface Visibility {
  maxAudience: Audience;
  ownerId: number | null;
}

export function visibilityOf(actor: Actor): Visibility {
  if (!actor) return { maxAudience: 0, ownerId: null };
  return actor.isAdmin ? everything : { maxAudience: 1, ownerId: actor.memberId };
}

/** Visibility of administrators, and of code that must know what others cannot see. */
export const everything: Visibility = { maxAudience: 3, ownerId: null };

/** Who is shown the same: everyone (0), or all members (1); undefined: others may be shown something else. */
export type SharedWith = 0 | 1 | undefined;

/** Readers who may share a response that shows these pages to this visibility and would show no others if it saw everything. */
export function sharedWithReaders(
  visibility: Visibility,
  pages: readonly { audience: Audience }[],
): SharedWith {
  const fewest = pages.reduce((fewest, { audience }) => Math.max(fewest, audience), 0);
  return fewest <= 1 && fewest <= visibility.maxAudience ? (fewest as 0 | 1) : undefined;
}

/** Readers who may share a response that is made of both parts. */
export function intersect(a: SharedWith, b: SharedWith): SharedWith {
  return a === undefined || b === undefined ? undefined : a === 0 ? b : a;
}

export function canSee(visibility: Visibility, page: { audience: Audience; ownerId: number }): boolean {
  return (
    page.audience <= visibility.maxAudience || (page.audience === 2 && page.ownerId === visibility.ownerId)
  );
}

function digitsOf(actor: Actor, page: { permissions: number; ownerId: number }): number[] {
  const digits = [digit(page.permissions, 'world')];
  if (actor) digits.push(digit(page.permissions, 'group'));
  if (actor && actor.memberId === page.ownerId) digits.push(digit(page.permissions, 'owner'));
  return digits;
}

function digit(permissions: number, who: 'owner' | 'group' | 'world'): number {
  const place = { owner: 100, group: 10, world: 1 }[who];
  return Math.floor(permissions / place) % 10;
}
