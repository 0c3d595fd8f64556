/**
 * Protection of a page, alone or with its subtree: regardless of its permissions, only moderators or only administrators can
 * change, move and delete it, or create pages in it. A rule of approval does the same for a page and its subtree: changes of others
 * are merged from proposals. Readers see both in rows that they read anyway; writers check them in their own transaction.
 */
import type { LocalText } from '#html/html.ts';
import { say, textOf } from '#words/say.ts';
import { isoTime } from '../model/iso-time.ts';
import type { ApprovalRule, Protected, Protection, ProtectionLevel } from '../model/page.ts';
import type { PageAccess } from '../model/page-access.ts';
import { mayWrite } from '../model/page-access.ts';
import { pathsAbove } from '../model/path.ts';
import type { Actor, Approver, TreePlace, Wiki } from '../model/permission.ts';
import { Problem } from '../model/problem.ts';
import type { PageRow, Reader } from '../ports/reader.ts';
import type { Store, Transaction } from '../ports/store.ts';

/** A page with the pages above it, in the tree and by address. */
type Placed = Protected & { lineage: Above; aboveByAddress?: Above };
type Above = readonly (Protected & { isHidden?: true })[];

/** The strictest protection in force, and the page that has it. */
export function protectionAt(page: Placed, now: number): (Protection & { path: string }) | undefined {
  const own = page.protection ? [{ ...page.protection, path: page.path }] : [];
  const above = [...(page.aboveByAddress ?? []), ...page.lineage].flatMap(({ path, protection }) =>
    protection?.subtree ? [{ ...protection, path }] : [],
  );
  const found = [...own, ...above.toReversed()].filter((one) => isInForce(one, now));
  return found.find(({ level }) => level === 'administrators') ?? found[0];
}

/**
 * The rules that hold for a page, with the pages that have them: its own first, then from the nearest page up. The path of a page
 * that the reader cannot see is null.
 */
export function rulesAt(page: Placed): (ApprovalRule & { path: string | null })[] {
  const all: Above = [page, ...[...(page.aboveByAddress ?? []), ...page.lineage].toReversed()];
  return all.flatMap(({ path, rule, isHidden }) => (rule ? [{ ...rule, path: isHidden ? null : path }] : []));
}

/** Whether the member can approve, and change directly, what the rule holds for. */
export function ownsRule(actor: Approver | null, { group }: Pick<ApprovalRule, 'group'>): boolean {
  if (!actor || actor.block) return false;
  return (
    actor.isAdmin ||
    (group === undefined ? actor.role === 'moderator' : (actor.groupIds ?? []).includes(group))
  );
}

/** Whether permissions, protection and rules permit the actor to change the page. */
export function mayEdit(actor: Actor, page: PageAccess & Placed, now: number, wiki: Wiki): boolean {
  const protection = protectionAt(page, now);
  return (
    mayWrite(actor, page, wiki) &&
    (!protection || passes(actor, protection)) &&
    rulesAt(page).every((rule) => passesRule(actor, rule))
  );
}

/** IDs of the pages among these that the actor may change, as `mayEdit`. At most two statements; none for strangers. */
export async function editableAmong(
  reader: Reader,
  ids: readonly number[],
  now: number,
): Promise<Set<number>> {
  const { actor } = reader;
  const rows = actor === null || ids.length === 0 ? [] : await reader.pages.states([...new Set(ids)]);
  const pages = rows.filter((page) => mayWrite(actor, page, reader));
  const above = pages.length === 0 ? [] : await reader.pages.protectedAbove(pages);
  const byId = new Map(above.map((page) => [page.id, page]));
  const byPath = new Map(above.map((page) => [page.path, page]));
  const isEditable = (page: PageRow) =>
    mayEdit(
      actor,
      {
        ...page,
        lineage: page.trail.flatMap((id) => byId.get(id) ?? []),
        aboveByAddress: pathsAbove(page.path).flatMap((path) => byPath.get(path) ?? []),
      },
      now,
      reader,
    );
  return new Set(pages.filter(isEditable).map(({ id }) => id));
}

/**
 * Refuses `protected` unless the actor may change the page, judged by what its reader knows; called before the actor starts
 * writing.
 */
export function refuseProtectedHere(actor: Actor, page: Placed, now: number): void {
  const protection = protectionAt(page, now);
  if (actor && protection) refuseBy(actor, { path: protection.path, protection }, now);
}

/**
 * Refuses `protected` unless the actor may change the page. Called in a transaction that has locked it. `above`: protected pages
 * above, if they have been read already.
 */
export async function refuseProtected(
  { store, actor, now }: { store: Transaction; actor: NonNullable<Actor>; now: number },
  page: TreePlace & Protected & { id: number },
  above?: readonly Protected[],
): Promise<void> {
  if (actor.isAdmin) return;
  refuseBy(actor, page, now);
  await refuseByRule(store, actor, page.rule);
  if (above) await refuseFirst(store, actor, refusingAmong(above, actor, now), now);
  else await refuseBeneathProtected(store, actor, { ids: page.trail ?? [], paths: [page.path] }, now);
}

/** Places by the tree, as the pages above, and by address, because an address need not follow the tree. */
export interface Beneath {
  ids: readonly number[];
  paths: readonly string[];
}

/** Refuses `protected` for a place if the protection of a page above, in the tree or by address, includes its subtree. */
export async function refuseBeneathProtected(
  store: Transaction,
  actor: NonNullable<Actor>,
  place: Beneath,
  now: number,
): Promise<void> {
  await refuseFirst(store, actor, await refusingAbove(store, actor, place, now), now);
}

async function refuseFirst(
  store: Transaction,
  actor: NonNullable<Actor>,
  [found]: readonly Protected[],
  now: number,
): Promise<void> {
  if (!found) return;
  // The actor may not be allowed to know which page has it.
  refuseBy(actor, { ...found, path: 'A page above' }, now);
  await refuseByRule(store, actor, found.rule);
}

/**
 * The pages above these places whose rule, or protection of the subtree, the actor does not pass: protected ones first. One statement,
 * none for administrators.
 */
export async function refusingAbove(
  store: Transaction,
  actor: NonNullable<Actor>,
  { ids, paths }: Beneath,
  now: number,
): Promise<Protected[]> {
  const above = [...new Set(paths.flatMap(pathsAbove))];
  if (actor.isAdmin || ids.length + above.length === 0) return [];
  return refusingAmong(await store.pages.protectedAmong(ids, above), actor, now);
}

function refusingAmong(above: readonly Protected[], actor: NonNullable<Actor>, now: number): Protected[] {
  const isProtected = ({ protection }: Protected) =>
    protection?.subtree === true && isInForce(protection, now) && !passes(actor, protection);
  const isRuled = ({ rule }: Protected) => rule !== undefined && !passesRule(actor, rule);
  return [...above.filter(isProtected), ...above.filter((one) => !isProtected(one) && isRuled(one))];
}

/** Refuses if a descendant is protected from the actor, or has a rule, because a move or deletion would include it. */
export async function refuseProtectedBeneath(
  store: Transaction,
  actor: NonNullable<Actor>,
  page: { id: number; trail: readonly number[] },
  now: number,
): Promise<void> {
  if (actor.isAdmin) return;
  const refusing = await store.pages.protectedBeneath(
    page,
    ({ protection, rule }) =>
      (protection !== undefined && isInForce(protection, now) && !passes(actor, protection)) ||
      (rule !== undefined && !passesRule(actor, rule)),
  );
  if (!refusing) return;
  const { protection, rule } = refusing;
  if (!protection || !isInForce(protection, now) || passes(actor, protection))
    return refuseByRule(store, actor, rule);
  const { level, until } = protection;
  throw new Problem('protected', say('problem.protectedBeneath', { who: whoOf(level) }), {
    details: { level, until: isoTime(until) },
  });
}

function refuseBy(actor: NonNullable<Actor>, { path, protection }: Protected, now: number): void {
  if (!protection || !isInForce(protection, now) || passes(actor, protection)) return;
  const { level, subtree, until } = protection;
  const words = {
    path,
    who: whoOf(level),
    reach: subtree ? 'subtree' : 'page',
    until: until === null ? '' : `${isoTime(until).slice(0, 16).replace('T', ' ')} UTC`,
  };
  throw new Problem(
    'protected',
    say(until === null ? 'problem.protected' : 'problem.protectedUntil', words),
    {
      details: { level, until: isoTime(until) },
    },
  );
}

/** Refuses `needs-approval` unless the actor passes the rule, and says who can approve. */
export async function refuseByRule(
  store: Store,
  actor: NonNullable<Actor>,
  rule: ApprovalRule | undefined,
): Promise<void> {
  if (!rule || passesRule(actor, rule)) return;
  const { approvals } = rule;
  const who = await approversOf(store, rule);
  throw new Problem('needs-approval', say('problem.changesHereNeedApprovals', { count: approvals, who }), {
    details: { approvals, approvers: textOf(who, 'en') },
  });
}

/** Sentence part that names who can approve by the rule, such as “moderators and administrators”. */
export async function approversOf(
  store: Pick<Store, 'grants'>,
  { group }: Pick<ApprovalRule, 'group'>,
): Promise<LocalText> {
  return approverWords(
    group,
    group === undefined ? undefined : (await store.grants.namesOf([{ group }])).groups,
  );
}

/** The same if the names of groups are known. A deleted group leaves only administrators. */
export function approverWords(
  group: number | undefined,
  groups: ReadonlyMap<number, { name: string }> | undefined,
): LocalText {
  if (group === undefined) return say('protection.moderatorsAndAdministrators');
  const name = groups?.get(group)?.name;
  return name === undefined
    ? say('access.administrators')
    : say('protection.membersOfTheGroupAndAdministrators', { name });
}

function passesRule(actor: Actor, rule: ApprovalRule): boolean {
  if (ownsRule(actor, rule)) return true;
  return (actor?.approvedBy ?? []).filter((one) => ownsRule(one, rule)).length >= rule.approvals;
}

/** Words for those who can write a protected page. */
export function whoOf(level: ProtectionLevel): LocalText {
  return level === 'moderators'
    ? say('protection.moderatorsAndAdministrators')
    : say('access.administrators');
}

/** Whether the protection has not ended by `now`, in milliseconds since the epoch. */
export function isInForce({ until }: Protection, now: number): boolean {
  return until === null || until > now;
}

function passes(actor: Actor, { level }: Protection): boolean {
  return actor !== null && (actor.isAdmin || (level === 'moderators' && actor.role === 'moderator'));
}
