/**
 * Names of groups. Pages without an explicit group belong to the group of all members, which has no row and cannot be changed.
 */
import type { Words } from '#html/html.ts';
import { say } from '#words/say.ts';
import { hasMoreCharacters } from './bytes.ts';

/** Name of the group of all members. */
export const allMembers = 'members';
export const maxGroupNameLength = 100;

/** Key for comparing names. */
export function groupKey(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}

/** Returns the name in its stored form, or the reason why it is invalid. */
export function readGroupName(given: string): { name: string } | { problem: Words } {
  const name = given.normalize('NFC').trim().replace(/\s+/gu, ' ');
  if (name === '' || hasMoreCharacters(name, maxGroupNameLength))
    return { problem: say('problem.theNameOfAGroupMustHave', { maxGroupNameLength }) };
  if (/[\p{Cc}\p{Cf}]/u.test(name) || !name.isWellFormed())
    return { problem: say('problem.theNameOfAGroupCannotContain') };
  return { name };
}

/** Why a group cannot be named: to members who are not administrators, groups of others do not exist. */
export function noGroupNamed(name: string, { isAdmin }: { isAdmin: boolean }): Words {
  return isAdmin
    ? say('problem.thereIsNoGroup', { name })
    : say('problem.thereIsNoGroupThatYouAreIn', { name });
}
