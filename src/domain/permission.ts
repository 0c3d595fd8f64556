/**
 * Who may read and write a page. The code is three octal digits as in Unix: owner, group (any member), world.
 * Reading needs 4; writing needs 4 and 2 in one digit; 1 means nothing. The most favourable of the digits that
 * apply to the caller counts. Administrators may do everything.
 */

import type { SharedWith } from '#cache/read-trace.ts';

/**
 * The member behind a request; `null` for an anonymous one. `within`: ID of the page that an API token is limited to. The token has its
 * member's rights on that page and beneath it. Everywhere else it reads public pages only and writes nothing.
 */
export type Actor = { memberId: number; name: string; isAdmin: boolean; within?: number } | null;

/** Place of a page in the tree. Without it, a limited token counts the page as outside. */
export interface TreePlace {
  id?: number;
  trail?: readonly number[];
}

export type Action = 'read' | 'write';

export const defaultPermissions = 774;

/** Three digits 0–7 as a number or numeric string (`774`, `"774"`, `"044"`), or undefined if it is not one. */
export function readPermissionCode(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^[0-7]{1,3}$/.test(text)) return undefined;
  return Number(text);
}

export function may(
  actor: Actor,
  action: Action,
  page: { permissions: number; ownerId: number } & TreePlace,
): boolean {
  const here = actorAt(actor, page);
  const { permissions, ownerId } = page;
  if (action === 'read') return canSee(visibilityAt(here), { audience: audienceOf(permissions), ownerId });
  if (here === null) return actor === null && isWritable(permissions, 'world');
  if (here.isAdmin) return true;
  const digits =
    here.memberId === ownerId ? (['owner', 'group', 'world'] as const) : (['group', 'world'] as const);
  return digits.some((who) => isWritable(permissions, who));
}

function isWritable(permissions: number, who: Digit): boolean {
  return (digit(permissions, who) & 6) === 6;
}

/** The actor as far as this page is concerned: anonymous where the page lies outside of the token's subtree. */
export function actorAt(actor: Actor, { id, trail = [] }: TreePlace): Actor {
  const within = actor?.within;
  return within === undefined || id === within || trail.includes(within) ? actor : null;
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
 * that `ownerId` owns. `canSee` states
 * who may read; `visible` (`store/visibility.ts`) says the same in SQL. Whoever a new kind of audience is for is added here, in
 * both, and nowhere else.
 */
export interface Visibility {
  maxAudience: Audience;
  ownerId: number | null;
}

/** Lists, links and templates show a limited token what anyone may see: rows of lists do not tell of which tree they are. */
export function visibilityOf(actor: Actor): Visibility {
  return visibilityAt(actor?.within === undefined ? actor : null);
}

/** Visibility of somebody where they are limited to nothing else. */
function visibilityAt(actor: Actor): Visibility {
  if (!actor) return { maxAudience: 0, ownerId: null };
  return actor.isAdmin ? everything : { maxAudience: 1, ownerId: actor.memberId };
}

/** All readers of a kind are shown the same, but for what single pages show their owners. */
export type ReaderKind = 'anyone' | 'member' | 'administrator';

export function kindOf(actor: Actor): ReaderKind {
  return !actor || actor.within !== undefined ? 'anyone' : actor.isAdmin ? 'administrator' : 'member';
}

/** Visibility of administrators, and of code that must know what others cannot see. */
export const everything: Visibility = { maxAudience: 3, ownerId: null };

/** Readers who may share a response that shows these pages to this visibility and would show no others if it saw everything. */
export function sharedWithReaders(
  visibility: Visibility,
  pages: readonly { audience: Audience }[],
): SharedWith {
  const fewest = pages.reduce((fewest, { audience }) => Math.max(fewest, audience), 0);
  return fewest <= 1 && fewest <= visibility.maxAudience ? (fewest as 0 | 1) : undefined;
}

export function canSee(visibility: Visibility, page: { audience: Audience; ownerId: number }): boolean {
  return (
    page.audience <= visibility.maxAudience || (page.audience === 2 && page.ownerId === visibility.ownerId)
  );
}

type Digit = 'owner' | 'group' | 'world';

function digit(permissions: number, who: Digit): number {
  const place = { owner: 100, group: 10, world: 1 }[who];
  return Math.floor(permissions / place) % 10;
}
