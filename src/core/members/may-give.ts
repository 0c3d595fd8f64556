/**
 * Nobody gives a right that their own credential lacks: an API token without the scope `admin` acts as an ordinary member on
 * pages, also if its member is an administrator, so it must not raise an account that may do more.
 */

import type { Words } from '#html/html.ts';
import { say } from '#words/say.ts';
import type { Role } from '../model/member.ts';
import type { Operator } from '../model/permission.ts';
import { Problem } from '../model/problem.ts';

/**
 * Refuses `insufficient-scope` unless the credential has the powers of these roles. Called wherever a role is given, and where an
 * account that has it is changed, activated or blocked.
 */
export function refuseBeyondCredential(actor: Operator, ...roles: readonly Role[]): void {
  if (actor === 'command line' || actor?.isAdmin) return;
  const beyond = roles.some(
    (role) => role === 'administrator' || (role === 'moderator' && actor?.role !== 'moderator'),
  );
  if (beyond) throw beyondCredential(say('problem.rolesNeedTheScopeAdmin'));
}

/** Refuses `insufficient-scope` for a group whose pages the credential itself does not open. */
export function refuseForeignGroup(actor: Operator, groupId: number): void {
  if (actor === 'command line' || actor?.isAdmin || actor?.groupIds?.includes(groupId)) return;
  throw beyondCredential(say('problem.groupsNeedTheScopeAdmin'));
}

function beyondCredential(words: Words): Problem {
  return new Problem('insufficient-scope', words, {
    details: { scope: 'admin' },
  });
}
