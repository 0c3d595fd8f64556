/** Whether somebody can read and edit a page, and why: for those who may change its access. */
import { holdersOf } from '#core/model/access-words.ts';
import { type Grant, subjectOf } from '#core/model/grant.ts';
import { actorOf, type Member } from '#core/model/member.ts';
import type { WholePage } from '#core/model/page.ts';
import { mayRead, mayWrite } from '#core/model/page-access.ts';
import { type Actor, isInGroup, type Wiki } from '#core/model/permission.ts';
import { mayEdit, protectionAt } from '#core/pages/protection.ts';
import type { grantsOf, NamedGrant } from './access.ts';
import { named } from './access.ts';

/** A reason for a right: a role, one of the digits, the settings that name the page as imprint or privacy policy, or a grant of the page or of the page at `from`. */
export type Reason =
  | { by: 'administrator' | 'owner' | 'everyone' | 'members' | 'settings' }
  | { by: 'group'; group: string }
  | ({ by: 'grant'; from: string } & NamedGrant);

/** A reason why a member cannot edit although the permissions or grants allow it. */
export type Hindrance = 'not signed in' | 'reader' | 'blocked' | 'protected';

export interface AccessCheck {
  /** Null for somebody who is not signed in. */
  member: { id: number; name: string } | null;
  read: { allowed: boolean; because: Reason[] };
  edit: { allowed: boolean; because: Reason[]; hindered: Hindrance | null };
}

/**
 * `knowsBlocks`: whether the one who asks may know of blocks. `isNamed`: whether the site shows the page to everybody, because the
 * settings name it. Deactivated members cannot sign in.
 */
export function checkAccess(
  member: Member | null,
  page: WholePage,
  grants: Awaited<ReturnType<typeof grantsOf>>,
  { now, wiki, knowsBlocks, isNamed }: { now: number; wiki: Wiki; knowsBlocks: boolean; isNamed: boolean },
): AccessCheck {
  const actor = member?.isActive ? actorOf(knowsBlocks ? member : { ...member, block: null }, now) : null;
  const reasons = (action: 'read' | 'write') => reasonsFor(action, { actor, wiki }, page, grants);
  const because = reasons('write');
  const reading = reasons('read');
  if (isNamed && reading.length === 0) reading.push({ by: 'settings' });
  return {
    member: member && { id: member.id, name: member.name },
    read: { allowed: isNamed || mayRead(actor, page, wiki), because: reading },
    edit: {
      allowed: mayEdit(actor, page, now, wiki),
      because,
      hindered: because.length > 0 ? hindranceOf(actor, page, now, wiki) : null,
    },
  };
}

function hindranceOf(actor: Actor, page: WholePage, now: number, wiki: Wiki): Hindrance | null {
  if (mayEdit(actor, page, now, wiki)) return null;
  if (!actor) return 'not signed in';
  if (mayWrite(actor, page, wiki) && protectionAt(page, now)) return 'protected';
  return actor.block ? 'blocked' : 'reader';
}

/** Each reason suffices by itself. */
function reasonsFor(
  action: 'read' | 'write',
  { actor, wiki }: { actor: Actor; wiki: Wiki },
  page: WholePage,
  { own, inherited, names }: Awaited<ReturnType<typeof grantsOf>>,
): Reason[] {
  const byDigits = holdersOf(action, { permissions: page.permissions, group: page.group }, wiki);
  const reasons: Reason[] = byDigits.everyone ? [{ by: 'everyone' }] : [];
  if (!actor) return reasons;
  if (actor.isAdmin) reasons.push({ by: 'administrator' });
  if (byDigits.owner && actor.memberId === page.owner.id) reasons.push({ by: 'owner' });
  if (byDigits.members && actor.role !== 'guest' && !byDigits.everyone) reasons.push({ by: 'members' });
  if (byDigits.groups.length > 0 && page.group && isInGroup(actor, page.group))
    reasons.push({ by: 'group', group: page.group.name });
  const subjects = [{ member: actor.memberId }, ...(actor.groupIds ?? []).map((group) => ({ group }))].map(
    subjectOf,
  );
  const giving = ({ may, ...grant }: Grant) =>
    (action === 'read' || may === 'write') && subjects.includes(subjectOf({ ...grant, may } as Grant));
  const all = [{ path: page.path, grants: own }, ...inherited];
  return [
    ...reasons,
    ...all.flatMap(({ path: from, grants }) =>
      grants
        .filter(giving)
        .flatMap((grant) => named(grant, names).map((one) => ({ by: 'grant' as const, from, ...one }))),
    ),
  ];
}
