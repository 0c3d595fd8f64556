/**
 * Who may read and write a page. The code is three octal digits as in Unix: owner, group, world. The group is one that the page
 * names, or any member. Reading needs 4; writing needs 4 and 2 in one digit; 1 means nothing. The most favourable of the digits
 * that apply to the caller counts. Administrators may do everything, readers and blocked members write nothing.
 */

import type { SharedWith } from '#cache/read-trace.ts';

/**
 * The member behind a request; `null` for an anonymous one. `within`: ID of the page that an API token is limited to. The token has its
 * member's rights on that page and beneath it. Everywhere else it reads public pages only and writes nothing. `groupIds`: groups that
 * the member is in, as this request found them.
 */
export type Actor = {
  memberId: number;
  name: string;
  isAdmin: boolean;
  /** An administrator without the second factor that the wiki requires, who has a writer's rights. */
  needsSecondFactor?: true;
  /** Absent: administrator or writer. */
  role?: 'reader' | 'moderator';
  /** Keeps the member from writing until then; null: for good. */
  block?: { reason: string; until: number | null };
  groupIds?: readonly number[];
  within?: number;
} | null;

/** Place of a page in the tree. Without it, a limited token counts the page as outside. */
export interface TreePlace {
  id?: number;
  trail?: readonly number[];
}

/** Facts of a page that decide who may do what with it. `group`: null for all members. */
export interface Permitting extends TreePlace {
  permissions: number;
  ownerId: number;
  group: { id: number } | null;
}

export type Action = 'read' | 'write';

export const defaultPermissions = 774;

/** Three digits 0–7 as a number or numeric string (`774`, `"774"`, `"044"`), or undefined if it is not one. */
export function readPermissionCode(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^[0-7]{1,3}$/.test(text)) return undefined;
  return Number(text);
}

export function may(actor: Actor, action: Action, page: Permitting): boolean {
  const here = actorAt(actor, page);
  const { permissions, ownerId, group } = page;
  if (action === 'read') return canSee(visibilityAt(here), { audience: audienceOf(page), ownerId });
  if (here === null) return actor === null && isWritable(permissions, 'world');
  if (here.role === 'reader' || here.block) return false;
  if (here.isAdmin) return true;
  return (
    isWritable(permissions, 'world') ||
    (isInGroup(here, group) && isWritable(permissions, 'group')) ||
    (here.memberId === ownerId && isWritable(permissions, 'owner'))
  );
}

/** Whether the actor may delete the page, bring it back and undo changes of it: moderators also where they may read as anyone may. */
export function mayModerate(actor: Actor, page: Permitting): boolean {
  const isModerator = actor?.role === 'moderator' && !actor.block && actorAt(actor, page) !== null;
  return (isModerator && audienceOf(page) === 0) || (actor !== null && may(actor, 'write', page));
}

/** Whether the actor has the powers of a moderator now. */
export function isModerator(actor: Actor): boolean {
  return actor !== null && !actor.block && (actor.isAdmin || actor.role === 'moderator');
}

/** Whether the group's digit is for this member. */
export function isInGroup(actor: NonNullable<Actor>, group: { id: number } | null): boolean {
  return group === null || (actor.groupIds ?? []).includes(group.id);
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
 * Who may read a page, as one number so that an index can carry it: 0 everyone, 1 members, 2 the owner alone, 3 administrators
 * alone; for a page of the group `g`, 2g + 2 the group and the owner, 2g + 3 the group alone. From 2 on, the owner may read pages of
 * even audience. IDs of groups are never used again, so an audience means the same for ever.
 */
export type Audience = number;

export function audienceOf({ permissions, group }: Pick<Permitting, 'permissions' | 'group'>): Audience {
  const isOwners = (digit(permissions, 'owner') & 4) !== 0;
  if (digit(permissions, 'world') & 4) return 0;
  if (digit(permissions, 'group') & 4) return group ? audiencesOf(group.id)[isOwners ? 0 : 1] : 1;
  return isOwners ? 2 : 3;
}

function audiencesOf(groupId: number): [withOwner: Audience, alone: Audience] {
  return [2 * groupId + 2, 2 * groupId + 3];
}

/** Whether everybody who may read pages of the first audience may read those of the second, of the same owner. */
export function includesAudience(wide: Audience, narrow: Audience): boolean {
  if (wide <= 1) return narrow >= wide;
  const hasOwner = wide % 2 === 0;
  return narrow === 3 || narrow === wide || (hasOwner && (narrow === 2 || narrow === wide + 1));
}

/**
 * Rows a reader may see, as values a query can compare: pages whose audience is at most `maxAudience`, pages with an audience of
 * `groupAudiences`, and pages of even audience from 2 on that `ownerId` owns. `canSee` states who may read; `visible`
 * (`store/visibility.ts`) says the same in SQL. Whoever a new kind of audience is for is added here, in both, and nowhere else.
 */
export interface Visibility {
  maxAudience: Audience;
  ownerId: number | null;
  groupAudiences: readonly Audience[];
}

/** Lists, links and templates show a limited token what anyone may see: rows of lists do not tell of which tree they are. */
export function visibilityOf(actor: Actor): Visibility {
  return visibilityAt(actor?.within === undefined ? actor : null);
}

/** Visibility of somebody where they are limited to nothing else. */
function visibilityAt(actor: Actor): Visibility {
  if (!actor) return { maxAudience: 0, ownerId: null, groupAudiences: [] };
  if (actor.isAdmin) return everything;
  return {
    maxAudience: 1,
    ownerId: actor.memberId,
    groupAudiences: (actor.groupIds ?? []).flatMap((id) => audiencesOf(id)),
  };
}

/** All readers of a kind are shown the same, but for what single pages show their owners. Members of the same groups are of one kind. */
export type ReaderKind = 'anyone' | `member${string}` | 'administrator';

export function kindOf(actor: Actor): ReaderKind {
  if (!actor || actor.within !== undefined) return 'anyone';
  return actor.isAdmin ? 'administrator' : `member${(actor.groupIds ?? []).map((id) => ` ${id}`).join('')}`;
}

/** Whether readers of the actor's kind see pages of this audience or not, whichever of them owns the page. */
export function isAlikeForKind(actor: Actor, audience: Audience): boolean {
  const { maxAudience, groupAudiences } = visibilityOf(actor);
  return (
    audience <= maxAudience || maxAudience === 0 || audience % 2 === 1 || groupAudiences.includes(audience)
  );
}

/** Visibility of administrators, and of code that must know what others cannot see. */
export const everything: Visibility = {
  maxAudience: Number.MAX_SAFE_INTEGER,
  ownerId: null,
  groupAudiences: [],
};

export function seesEverything({ maxAudience }: Pick<Visibility, 'maxAudience'>): boolean {
  return maxAudience === everything.maxAudience;
}

/** Readers who may share a response that shows these pages to this visibility and would show no others if it saw everything. */
export function sharedWithReaders(
  visibility: Visibility,
  pages: readonly { audience: Audience }[],
): SharedWith {
  const fewest = pages.reduce((fewest, { audience }) => Math.max(fewest, audience), 0);
  return fewest <= 1 && fewest <= visibility.maxAudience ? (fewest as 0 | 1) : undefined;
}

export function canSee(visibility: Visibility, page: { audience: Audience; ownerId: number }): boolean {
  const { audience, ownerId } = page;
  return (
    audience <= visibility.maxAudience ||
    visibility.groupAudiences.includes(audience) ||
    (audience % 2 === 0 && ownerId === visibility.ownerId)
  );
}

type Digit = 'owner' | 'group' | 'world';

function digit(permissions: number, who: Digit): number {
  const place = { owner: 100, group: 10, world: 1 }[who];
  return Math.floor(permissions / place) % 10;
}
