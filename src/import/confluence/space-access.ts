/** Access to the pages of a space of Confluence, from its permissions. */
import type { Stated } from '../access.ts';

/** Groups of Confluence that everybody is in who can sign in. */
const allUsers = /^(?:confluence-users(?:-.*)?|authenticated-users|users|all[_-]users)$/i;

/** Access of pages of a space without restrictions of their own. `viewers`: undefined if the export does not say. */
export function spaceAccess(
  viewers: readonly string[] | undefined,
  isProtected: boolean,
): Stated | undefined {
  const isOpen = viewers === undefined || viewers.includes('');
  if (!isOpen && !viewers.some((group) => allUsers.test(group)))
    return { restriction: `the space is for ${viewers.join(', ').slice(0, 150)}` };
  if (isOpen && !isProtected) return undefined;
  const protection = { level: 'administrators', subtree: false, reason: '', until: null } as const;
  return {
    access: { permissions: isOpen ? 774 : 770, group: null, ...(isProtected ? { protection } : {}) },
  };
}
