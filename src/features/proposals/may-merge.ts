/** Whether a member could merge what they see of a proposal, for what the site offers them. Merging itself checks everything. */
import { mayModeratePage, mayWrite } from '#core/model/page-access.ts';
import type { Actor } from '#core/model/permission.ts';
import type { Reader } from '#core/ports/reader.ts';
import type { JudgedChange } from './judge-changes.ts';

/** One statement. */
export async function mayWriteAll(
  reader: Reader,
  by: NonNullable<Actor>,
  changes: readonly JudgedChange[],
): Promise<boolean> {
  if (by.role === 'reader' || by.block) return false;
  const ids = changes.flatMap(({ page }) => page?.id ?? []);
  const deleted = new Set(
    changes.flatMap(({ action, page }) => (action === 'delete' && page ? page.id : [])),
  );
  const pages = await reader.pages.outlines(ids);
  return pages.every((page) => (deleted.has(page.id) ? mayModeratePage : mayWrite)(by, page, reader));
}
