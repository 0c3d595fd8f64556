/**
 * Protection of a page, alone or with all beneath it: whatever its permissions say, only moderators or only administrators change, move
 * and delete it, or create pages there. Readers learn it from rows that they read anyway; writers ask in their own transaction.
 */
import { isoTime } from '../iso-time.ts';
import type { Actor, TreePlace } from '../permission.ts';
import type { Transaction } from '../ports/store.ts';
import { Problem } from '../problem.ts';
import type { Protected, Protection, ProtectionLevel } from './page.ts';
import type { PageAccess } from './page-access.ts';
import { mayWrite } from './page-access.ts';

/** The strictest protection that is in force here, and the page that has it. Pages above count as far as `lineage` has them. */
export function protectionAt<P extends Protected>(
  page: P & { lineage?: readonly Protected[] },
  now: number,
): (Protection & { path: string }) | undefined {
  const own = page.protection ? [{ ...page.protection, path: page.path }] : [];
  const above = (page.lineage ?? []).flatMap(({ path, protection }) =>
    protection?.subtree ? [{ ...protection, path }] : [],
  );
  const found = [...own, ...above.toReversed()].filter((one) => isInForce(one, now));
  return found.find(({ level }) => level === 'administrators') ?? found[0];
}

/** Whether the actor may change the page as its permissions and its protection say. */
export function mayEdit(
  actor: Actor,
  page: PageAccess & Protected & { lineage?: readonly Protected[] },
  now: number,
): boolean {
  const protection = protectionAt(page, now);
  return mayWrite(actor, page) && (!protection || passes(actor, protection));
}

/** Refuses `protected` unless the actor may change the page, by what its reader knows: before anybody writes a text in vain. */
export function refuseProtectedHere(
  actor: Actor,
  page: Protected & { lineage?: readonly Protected[] },
  now: number,
): void {
  const protection = protectionAt(page, now);
  if (actor && protection) refuseBy(actor, { path: protection.path, protection }, now);
}

/** In a transaction that holds the page: refuses `protected` unless the actor may change it. */
export async function refuseProtected(
  store: Transaction,
  actor: NonNullable<Actor>,
  page: TreePlace & Protected & { id: number },
  now: number,
): Promise<void> {
  if (actor.isAdmin) return;
  refuseBy(actor, page, now);
  await refuseBeneathProtected(store, actor, page.trail ?? [], now);
}

/** Refuses `protected` for a place beneath these pages, if the protection of any takes in what lies beneath. */
export async function refuseBeneathProtected(
  store: Transaction,
  actor: NonNullable<Actor>,
  above: readonly number[],
  now: number,
): Promise<void> {
  if (actor.isAdmin || above.length === 0) return;
  // The actor may not know the page that has it.
  for (const { protection } of await store.pages.protectedAmong(above))
    if (protection?.subtree) refuseBy(actor, { path: 'A page above', protection }, now);
}

/** Refuses `protected` if a page beneath is protected from the actor: a move or deletion would take it along. */
export async function refuseProtectedBeneath(
  store: Transaction,
  actor: NonNullable<Actor>,
  page: { id: number; trail: readonly number[] },
  now: number,
): Promise<void> {
  if (actor.isAdmin) return;
  const refusing = await store.pages.protectedBeneath(
    page,
    (protection) => isInForce(protection, now) && !passes(actor, protection),
  );
  if (!refusing) return;
  const { level, until } = refusing;
  throw new Problem('protected', `A page beneath is protected: only ${whoOf(level)} can move or delete it.`, {
    details: { level, until: isoTime(until) },
  });
}

function refuseBy(actor: NonNullable<Actor>, { path, protection }: Protected, now: number): void {
  if (!protection || !isInForce(protection, now) || passes(actor, protection)) return;
  const { level, subtree, until } = protection;
  const what = subtree ? 'it and what lies beneath it' : 'it';
  const end = until === null ? '' : ` until ${isoTime(until).slice(0, 16).replace('T', ' ')} UTC`;
  throw new Problem('protected', `${path} is protected: only ${whoOf(level)} can change ${what}${end}.`, {
    details: { level, until: isoTime(until) },
  });
}

export function whoOf(level: ProtectionLevel): string {
  return level === 'moderators' ? 'moderators and administrators' : 'administrators';
}

export function isInForce({ until }: Protection, now: number): boolean {
  return until === null || until > now;
}

function passes(actor: Actor, { level }: Protection): boolean {
  return actor !== null && (actor.isAdmin || (level === 'moderators' && actor.role === 'moderator'));
}
