/**
 * Readers through whose eyes exports show pages. A page may embed others that only some of its readers may read; shown to the one
 * who exports, their text would reach everybody whom the page reaches after an import.
 */
import type { PageSummary } from '#core/model/page.ts';
import {
  type Actor,
  type Audience,
  audienceByDigits,
  includesAudience,
  isInGroup,
  type Wiki,
} from '#core/model/permission.ts';
import type { Reader } from '#core/ports/reader.ts';
import type { ExportSource } from './walk.ts';

/** No member has this ID. */
const nobody = { memberId: 0, name: '', isAdmin: false };

/**
 * A reader who sees what every reader of the page sees, and nothing that the exporting one does not. Grants do not count: formats
 * that show pages leave them out.
 */
export async function readerOf(
  source: ExportSource,
  page: Pick<PageSummary, 'permissions' | 'owner' | 'group'>,
): Promise<Reader> {
  const own = source.reader();
  const { group, owner } = page;
  const isOwnerInGroup = group ? (await source.groupsOf(owner.id)).includes(group.id) : false;
  const as = actorFor(own, page, isOwnerInGroup);
  return as === undefined ? own : source.readerAs(as);
}

/** The readers that permissions, group and owner of a page give it. Grants do not count. */
export interface PageReaders {
  audience: Audience;
  ownerId: number;
}

export function readersOf(
  { permissions, owner, group }: Pick<PageSummary, 'permissions' | 'owner' | 'group'>,
  wiki: Wiki,
): PageReaders {
  return { audience: audienceByDigits({ permissions, group }, wiki), ownerId: owner.id };
}

/** Whether all of the readers may also read the other page. */
export function mayAllRead(readers: PageReaders, other: PageReaders): boolean {
  if (!includesAudience(other.audience, readers.audience)) return false;
  // Odd audiences leave the owner out; the first two include every owner.
  const isOwnerCounted = other.audience > 1 && readers.audience % 2 === 0;
  return !isOwnerCounted || readers.ownerId === other.ownerId;
}

function actorFor(
  { actor: own, isPrivate }: Reader,
  { permissions, owner, group }: Pick<PageSummary, 'permissions' | 'owner' | 'group'>,
  isOwnerInGroup: boolean,
): Actor | undefined {
  const audience = audienceByDigits({ permissions, group }, { isPrivate });
  if (audience === 0 && !isPrivate) return null;
  if (own === null || own.within !== undefined) return undefined;
  // Guests see less than members do.
  if (own.role === 'guest') return null;
  if (audience <= 1) return nobody;
  if (audience === 3) return own.isAdmin ? undefined : nobody;
  if (audience === 2) {
    if (own.memberId === owner.id) return undefined;
    return own.isAdmin ? { ...nobody, memberId: owner.id } : nobody;
  }
  // An owner who is not in the group reads the page, but not those of the group that others own.
  const isForGroup = audience % 2 === 1 || isOwnerInGroup;
  return group && isForGroup && (own.isAdmin || isInGroup(own, group))
    ? { ...nobody, groupIds: [group.id] }
    : nobody;
}
