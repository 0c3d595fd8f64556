/**
 * Names of groups. Pages without an explicit group belong to the group of all members, which has no row and cannot be changed.
 */
import { hasMoreCharacters } from './bytes.ts';

/** Name of the group of all members. */
export const allMembers = 'members';
export const maxGroupNameLength = 100;

/** Key for comparing names. */
export function groupKey(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}

/** Returns the name in its stored form, or the reason why it is invalid. */
export function readGroupName(given: string): { name: string } | { problem: string } {
  const name = given.normalize('NFC').trim().replace(/\s+/gu, ' ');
  if (name === '' || hasMoreCharacters(name, maxGroupNameLength))
    return { problem: `The name of a group must have 1 to ${maxGroupNameLength} characters.` };
  if (/[\p{Cc}\p{Cf}]/u.test(name) || !name.isWellFormed())
    return { problem: 'The name of a group cannot contain control characters.' };
  return { name };
}
