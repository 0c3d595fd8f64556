/**
 * Readers through whose eyes exports show pages. A page may embed others that only some of its readers may read; shown to the one
 * who exports, their text would reach everybody whom the page reaches after an import.
 */
import type { PageSummary } from '#core/model/page.ts';
import type { Actor } from '#core/model/permission.ts';
import type { Reader } from '#core/ports/reader.ts';
import type { ExportSource } from './walk.ts';

/** No member has this ID. */
const nobody = { memberId: 0, name: '', isAdmin: false };

/** A reader who sees what every reader of the page sees, and nothing that the exporting one does not. */
export function readerOf(
  source: ExportSource,
  page: Pick<PageSummary, 'audience' | 'owner' | 'group'>,
): Reader {
  const own = source.reader();
  const as = actorFor(own, page);
  return as === undefined ? own : source.readerAs(as);
}

function actorFor(
  { actor: own, isPrivate }: Reader,
  { audience, owner, group }: Pick<PageSummary, 'audience' | 'owner' | 'group'>,
): Actor | undefined {
  if (audience === 0 && !isPrivate) return null;
  if (own === null || own.within !== undefined) return undefined;
  if (audience <= 1) return nobody;
  // Others than administrators may read less than the owner or the group.
  if (!own.isAdmin || audience === 3) return undefined;
  if (audience === 2) return { ...nobody, memberId: owner.id };
  return { ...nobody, groupIds: group ? [group.id] : [] };
}
