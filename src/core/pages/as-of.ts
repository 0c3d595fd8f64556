/** A page in its state after an older change. */

import { groupTags } from '../content/derive.ts';
import type { Derive } from '../model/derived.ts';
import type { AttachedFile, Change, WholePage } from '../model/page.ts';

/** The page as the change left it, with the content derived again. `files`: the files that the change refers to. */
export async function asOf(
  page: WholePage,
  change: Change,
  files: AttachedFile[],
  derive: Derive,
): Promise<WholePage> {
  const { content } = change;
  const { shown, derived } = await derive(content);
  return {
    ...page,
    ...shown,
    title: content.title,
    language: content.language ?? null,
    tags: groupTags(derived.tags),
    files,
    changeId: change.id,
    updatedAt: change.at,
    content,
  };
}
