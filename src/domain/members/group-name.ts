/** Names of groups. Pages that name no other are of the group of all members, which is no row and cannot be changed. */
import { hasMoreCharacters } from '../bytes.ts';

/** Name of the group that every member is in. */
export const allMembers = 'members';
export const maxGroupNameLength = 100;

/** Names compare by it. */
export function groupKey(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}

/** The name as it is kept, or why it is none. */
export function readGroupName(given: string): { name: string } | { problem: string } {
  const name = given.normalize('NFC').trim().replace(/\s+/gu, ' ');
  if (name === '' || hasMoreCharacters(name, maxGroupNameLength))
    return { problem: `The name of a group has 1 to ${maxGroupNameLength} characters.` };
  if (/[\p{Cc}\p{Cf}]/u.test(name) || !name.isWellFormed())
    return { problem: 'The name of a group cannot contain control characters.' };
  return { name };
}
