/** Protects a page from changes by anyone except moderators or administrators, or removes the protection. */
import { getModerator } from '../members/get-moderator.ts';
import type { Protection, ProtectionLevel } from '../model/page.ts';
import type { Actor } from '../model/permission.ts';
import { invalid, Problem } from '../model/problem.ts';
import type { Store } from '../ports/store.ts';
import { getReadable } from '../reading/find-page.ts';
import { isInForce } from './protection.ts';
import { refuseOutside } from './token-limit.ts';

export interface ProtectionInput {
  /** Null removes the protection. */
  level: ProtectionLevel | null;
  subtree?: boolean | undefined;
  reason?: string | undefined;
  until?: number | null | undefined;
}

const maxReasonLength = 500;

/**
 * For moderators, on pages that they may read; only administrators set and remove a protection at their level. Adds no change
 * to the page. Refuses `unauthenticated`, `blocked`, `moderators-only`, `administrators-only`, `not-found` and `invalid`.
 */
export async function protectPage(
  store: Store,
  actor: Actor,
  path: string,
  { level, subtree = false, reason: given = '', until = null }: ProtectionInput,
  now: number,
): Promise<{ path: string; protection: Protection | null }> {
  if (!actor) throw new Problem('unauthenticated', 'Protecting a page needs a signed-in moderator.');
  const reason = given.normalize('NFC').trim();
  if (reason.length > maxReasonLength || !reason.isWellFormed() || /\p{Cc}/u.test(reason))
    throw invalid(
      '/reason',
      `A reason has up to ${maxReasonLength} characters, none of them a control character.`,
    );
  if (until !== null && !(until > now)) throw invalid('/until', 'A protection ends at a time to come.');
  const protection = level === null ? null : { level, subtree, reason, until };
  return store.transact(async (store) => {
    await getModerator(store, actor, 'protect pages');
    const { id } = await getReadable(store.readAs(actor), path);
    const page = await store.pages.lockById(id, 'update');
    if (!page) throw new Problem('not-found', `There is no page at ${path}.`);
    refuseOutside(actor, page);
    const inForce = page.protection && isInForce(page.protection, now) ? page.protection : undefined;
    const isTheirs = level !== 'administrators' && inForce?.level !== 'administrators';
    if (!actor.isAdmin && (actor.role !== 'moderator' || !isTheirs))
      throw new Problem('administrators-only', 'Only administrators may set or lift this protection.');
    await store.pages.protect(page, protection);
    const end = until === null ? '' : ` until ${new Date(until).toISOString()}`;
    const note = level === null ? 'lifted' : `${level}${subtree ? ', with what lies beneath' : ''}${end}`;
    await store.audit.record({
      kind: 'protection-changed',
      subject: { kind: 'page', id, name: page.path },
      note: reason === '' ? note : `${note}: ${reason}`,
    });
    return { path: page.path, protection };
  });
}
