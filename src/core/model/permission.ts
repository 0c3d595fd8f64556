/**
 * Who may read and write a page. The code is three octal digits as in Unix: owner, group, world. The group is one that the page
 * names, or any member. Reading needs 4; writing needs 4 and 2 in one digit; 1 means nothing. The most favourable of the digits
 * that apply to the caller counts. Grants of the page and of pages above add to the digits (`grant.ts`). Administrators may do
 * everything, readers and blocked members write nothing. In a private wiki the world's digit of every page counts as 0. Guests
 * are strangers except where a page names them or one of their groups, or belongs to them. Whoever owns a page that all members
 * may read may read it too.
 */

import type { SharedWith } from '#cache/read-trace.ts';
import { firstGranted, type Granted, grantedAudience, readersOf, subjectOf, writersOf } from './grant.ts';

/**
 * The member behind a request; `null` if it is anonymous. `within`: ID of the page that an API token is limited to. The token
 * has its member's rights on that page and beneath it; elsewhere it reads public pages only and writes nothing. `groupIds`: the
 * member's groups at the start of the request.
 */
export type Actor = {
  memberId: number;
  name: string;
  isAdmin: boolean;
  /** An administrator without the second factor that the wiki requires, who has a writer's rights. */
  needsSecondFactor?: true;
  /** Absent for administrators and writers. */
  role?: 'guest' | 'reader' | 'moderator';
  /** The member cannot write until then; null for a permanent block. */
  block?: { reason: string; until: number | null };
  groupIds?: readonly number[];
  within?: number;
  /** Members who approved the proposal that the actor merges; their approvals count wherever a rule asks for some. */
  approvedBy?: readonly Approver[];
  /** Author of the proposal that the actor merges, who counts as the editor and owner of its pages. */
  author?: { id: number; name: string };
  /** Member to whom a proposal is shown, applied with all rights. Theirs decide what it may name, and what it may share with whom. */
  shownTo?: NonNullable<Actor>;
} | null;

/** Facts of a member that decide which rules let them approve. */
export type Approver = Pick<NonNullable<Actor>, 'isAdmin' | 'role' | 'block' | 'groupIds'>;

/** The member who counts as the editor of the actor's changes. */
export function editorOf({ memberId: id, name, author }: NonNullable<Actor>): { id: number; name: string } {
  return author ?? { id, name };
}

/** The member whose rights decide which pages the actor's changes may name. */
export function namerOf(actor: Actor): Actor {
  return actor?.shownTo ?? actor;
}

/** Place of a page in the tree. Without it, a limited token counts the page as outside. */
export interface TreePlace {
  id?: number;
  trail?: readonly number[];
}

/** Facts of a page that decide who may do what with it. `group`: null for all members. `granted`: absent without grants. */
export interface Permitting extends TreePlace {
  permissions: number;
  ownerId: number;
  group: { id: number } | null;
  granted?: Granted;
}

export type Action = 'read' | 'write';

export const defaultPermissions = 774;

/** Permissions of new pages for which nobody gave any. */
export function defaultPermissionsIn({ isPrivate }: Wiki): number {
  return isPrivate ? 770 : defaultPermissions;
}

/** Facts of the wiki that decide about access besides page and actor. `isPrivate`: only members read anything. */
export interface Wiki {
  readonly isPrivate: boolean;
}

/** Three digits 0–7 as a number or numeric string (`774`, `"774"`, `"044"`), or undefined if it is not one. */
export function readPermissionCode(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^[0-7]{1,3}$/.test(text)) return undefined;
  return Number(text);
}

/**
 * The rule of access: role, block, digits, group, owner and grants together. Protection and rules of approval are checked
 * elsewhere.
 */
export function may(actor: Actor, action: Action, page: Permitting, wiki: Wiki): boolean {
  const here = actorAt(actor, page);
  const { permissions, ownerId, group, granted } = page;
  if (action === 'read')
    return canSee(visibilityAt(here, wiki), { ...page, audience: audienceOf(page, wiki) });
  const isWorlds = !wiki.isPrivate && isWritable(permissions, 'world');
  if (here === null) return actor === null && isWorlds;
  if (here.role === 'reader' || here.block) return false;
  if (here.isAdmin) return true;
  return (
    isWorlds ||
    (isInGroup(here, group) && isWritable(permissions, 'group')) ||
    (here.memberId === ownerId && isWritable(permissions, 'owner')) ||
    (granted !== undefined && includesAny(writersOf(granted), subjectsOf(here)))
  );
}

/**
 * Whether the actor may delete the page, restore it and undo its changes. Moderators may do so with pages that everybody who
 * reads the wiki can read.
 */
export function mayModerate(actor: Actor, page: Permitting, wiki: Wiki): boolean {
  const isModerator = actor?.role === 'moderator' && !actor.block && actorAt(actor, page) !== null;
  const isForAll = audienceByDigits(page, wiki) <= (wiki.isPrivate ? 1 : 0);
  return (isModerator && isForAll) || (actor !== null && may(actor, 'write', page, wiki));
}

/** Whether the actor has the powers of a moderator now. */
export function isModerator(actor: Actor): boolean {
  return actor !== null && !actor.block && (actor.isAdmin || actor.role === 'moderator');
}

/** Whether the group's digit applies to this member. Guests do not count among all members. */
export function isInGroup(actor: NonNullable<Actor>, group: { id: number } | null): boolean {
  return group === null ? actor.role !== 'guest' : (actor.groupIds ?? []).includes(group.id);
}

/** Subjects of grants that apply to the member: all members, the member, and the member's groups. */
function subjectsOf({ memberId, groupIds = [], role }: NonNullable<Actor>): number[] {
  return [
    subjectOf({ member: memberId }),
    ...(role === 'guest' ? [] : [subjectOf('members')]),
    ...groupIds.map((group) => subjectOf({ group })),
  ];
}

function includesAny(some: readonly number[], others: readonly number[]): boolean {
  return some.some((one) => others.includes(one));
}

function isWritable(permissions: number, who: Digit): boolean {
  return (digit(permissions, who) & 6) === 6;
}

/** The actor with regard to this page: anonymous if the page lies outside the token's subtree. */
export function actorAt(actor: Actor, { id, trail = [] }: TreePlace): Actor {
  const within = actor?.within;
  return within === undefined || id === within || trail.includes(within) ? actor : null;
}

/**
 * The readers of a page as one number, so that an index can hold it: 0 everyone who reads the wiki, 1 members, 2 only the owner,
 * 3 only administrators; for a page of group `g`, 2g + 2 the group and the owner, 2g + 3 only the group. Owners may read pages of
 * audience 0 and 1, also guests, and pages of even audience. From `firstGranted` on, a row of `audiences` says who reads the page. IDs of groups and of these
 * rows are never reused, so an audience never changes its meaning.
 */
export type Audience = number;

/** Audience of a page by its digits, group and grants, as a number that the column `audience` holds. */
export function audienceOf(
  { permissions, group, granted }: Pick<Permitting, 'permissions' | 'group' | 'granted'>,
  wiki: Wiki,
): Audience {
  const byDigits = audienceByDigits({ permissions, group }, wiki);
  if (!granted || isPublicPage({ audience: byDigits }, wiki)) return byDigits;
  return grantedAudience(granted.id, byDigits <= 1 || (digit(permissions, 'owner') & 4) !== 0);
}

/** The audience without any grants. */
export function audienceByDigits(
  { permissions, group }: Pick<Permitting, 'permissions' | 'group'>,
  { isPrivate }: Wiki,
): Audience {
  const isOwners = (digit(permissions, 'owner') & 4) !== 0;
  if (digit(permissions, 'world') & 4 && !(isPrivate && dependsOnPrivacy({ permissions, group }))) return 0;
  if (digit(permissions, 'group') & 4) return group ? audiencesOf(group.id)[isOwners ? 0 : 1] : 1;
  return isOwners ? 2 : 3;
}

/**
 * Whether the audience differs in a private wiki: everyone reads the page because of the world's digit alone, or grants matter
 * only there. The audience of all other pages stays, so that making a wiki private or public changes few rows.
 */
export function dependsOnPrivacy(
  { permissions, group }: Pick<Permitting, 'permissions' | 'group'>,
  isGranted = false,
): boolean {
  const isWorlds = (digit(permissions, 'world') & 4) !== 0;
  return isWorlds && (isGranted || group !== null || (digit(permissions, 'group') & 4) === 0);
}

function audiencesOf(groupId: number): [withOwner: Audience, alone: Audience] {
  return [2 * groupId + 2, 2 * groupId + 3];
}

/** Whether everybody who may read pages of the first audience may also read those of the second, given the same owner. */
export function includesAudience(wide: Audience, narrow: Audience): boolean {
  // Grants may name guests, who do not count among the members.
  if (wide <= 1) return narrow >= wide && (wide === narrow || narrow < firstGranted);
  const hasOwner = wide % 2 === 0;
  return narrow === 3 || narrow === wide || (hasOwner && (narrow === 2 || narrow === wide + 1));
}

/**
 * Rows a reader may see, as values a query can compare: pages whose audience is at most `maxAudience`, pages with an audience of
 * `groupAudiences`, pages of audience 0, 1 or an even one that `ownerId` owns, and pages of an audience row that names one of
 * `subjects`. `canSee` states who may read; `visible` (`store/visibility.ts`) says the same in SQL. Whoever a new kind of audience
 * is for is added here, in both, and nowhere else.
 */
export interface Visibility {
  maxAudience: Audience;
  ownerId: number | null;
  groupAudiences: readonly Audience[];
  subjects: readonly number[];
}

/** A limited token sees only public pages in lists, links and templates, because list rows carry no position in the tree. */
export function visibilityOf(actor: Actor, wiki: Wiki): Visibility {
  return visibilityAt(actor?.within === undefined ? actor : null, wiki);
}

/** Visibility of an actor without a limited token. */
function visibilityAt(actor: Actor, { isPrivate }: Wiki): Visibility {
  const ofStrangers = isPrivate ? nothing : publicOnly;
  if (!actor) return ofStrangers;
  if (actor.isAdmin) return everything;
  return {
    maxAudience: actor.role === 'guest' ? ofStrangers.maxAudience : 1,
    ownerId: actor.memberId,
    groupAudiences: (actor.groupIds ?? []).flatMap((id) => audiencesOf(id)),
    subjects: subjectsOf(actor),
  };
}

/**
 * Readers of one kind see the same, except pages that only their owners may read, and pages with grants. Members of the same
 * groups are of one kind.
 */
export type ReaderKind = 'anyone' | `guest${string}` | `member${string}` | 'administrator';

/**
 * Readers of the same kind nearly always see the same, so renderings are cached by it. Readers limited to a subtree are
 * `anyone`.
 */
export function kindOf(actor: Actor): ReaderKind {
  if (!actor || actor.within !== undefined) return 'anyone';
  if (actor.isAdmin) return 'administrator';
  const groups = (actor.groupIds ?? []).map((id) => ` ${id}`).join('');
  return actor.role === 'guest' ? `guest${groups}` : `member${groups}`;
}

/** Whether all readers of the actor's kind agree about pages of this audience, regardless of their owners. */
export function isAlikeForKind(actor: Actor, audience: Audience, wiki: Wiki): boolean {
  const { maxAudience, ownerId, groupAudiences } = visibilityOf(actor, wiki);
  if (audience <= maxAudience || ownerId === null) return true;
  return audience < firstGranted && (!isOwnersToo(audience) || groupAudiences.includes(audience));
}

/** Visibility of administrators, and of code that must consider pages that others cannot see. */
export const everything: Visibility = {
  maxAudience: Number.MAX_SAFE_INTEGER,
  ownerId: null,
  groupAudiences: [],
  subjects: [],
};

const publicOnly: Visibility = { maxAudience: 0, ownerId: null, groupAudiences: [], subjects: [] };

/** Visibility of strangers in a private wiki. */
const nothing: Visibility = { maxAudience: -1, ownerId: null, groupAudiences: [], subjects: [] };

/** Whether strangers may read pages of this audience. */
export function isPublicPage({ audience }: { audience: Audience }, { isPrivate }: Wiki): boolean {
  return audience === 0 && !isPrivate;
}

/** Whether no page is visible, whatever its owner. */
export function seesNothing({ maxAudience, ownerId }: Pick<Visibility, 'maxAudience' | 'ownerId'>): boolean {
  return maxAudience < 0 && ownerId === null;
}

/** Whether no page is hidden from this visibility, so that queries need no condition. */
export function seesEverything({ maxAudience }: Pick<Visibility, 'maxAudience'>): boolean {
  return maxAudience === everything.maxAudience;
}

/**
 * Readers who may share a response that shows these pages to this visibility, provided that it would show no others to an
 * administrator.
 */
export function sharedWithReaders(
  visibility: Visibility,
  pages: readonly { audience: Audience }[],
): SharedWith {
  const fewest = pages.reduce((fewest, { audience }) => Math.max(fewest, audience), 0);
  return fewest <= 1 && fewest <= visibility.maxAudience ? (fewest as 0 | 1) : undefined;
}

/** `granted` may be missing if the audience is below `firstGranted`. */
export function canSee(
  visibility: Visibility,
  { audience, ownerId, granted }: { audience: Audience; ownerId: number; granted?: Granted | undefined },
): boolean {
  return (
    audience <= visibility.maxAudience ||
    visibility.groupAudiences.includes(audience) ||
    (isOwnersToo(audience) && ownerId === visibility.ownerId) ||
    (audience >= firstGranted &&
      granted !== undefined &&
      includesAny(readersOf(granted), visibility.subjects))
  );
}

/** Whether the owner may read pages of this audience. */
function isOwnersToo(audience: Audience): boolean {
  return audience <= 1 || audience % 2 === 0;
}

type Digit = 'owner' | 'group' | 'world';

function digit(permissions: number, who: Digit): number {
  const place = { owner: 100, group: 10, world: 1 }[who];
  return Math.floor(permissions / place) % 10;
}

/** The command line has the powers of an administrator. */
export type Operator = Actor | 'command line';
