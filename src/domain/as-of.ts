/** A page with what it showed after an older change. */
import { derive, groupTags } from './derive.ts';
import { type Language, TooCostly } from './language.ts';
import type { AttachedFile, Change, WholePage } from './page.ts';

/** `files`: those that the change names. A body that takes too long to convert shows no tags and no description of its own. */
export async function asOf(
  page: WholePage,
  change: Change,
  files: AttachedFile[],
  language: Language,
): Promise<WholePage> {
  const { content } = change;
  const wikitext = await language.wikitext(content.body, content.format).catch((error: unknown) => {
    if (error instanceof TooCostly) return '';
    throw error;
  });
  const { shown, derived } = derive(content, () => wikitext);
  return {
    ...page,
    ...shown,
    title: content.title,
    tags: groupTags(derived.tags),
    files,
    changeId: change.id,
    updatedAt: change.at,
    content,
  };
}
