/** A page with what it showed after an older change. */
import { converting } from './converted.ts';
import { derive, groupTags } from './derive.ts';
import type { Language } from './language.ts';
import type { Change, WholePage } from './page.ts';

export async function asOf(page: WholePage, change: Change, language: Language): Promise<WholePage> {
  const { content } = change;
  const { shown, derived } = await converting(language, async (convert) => derive(content, convert), content);
  return {
    ...page,
    ...shown,
    title: content.title,
    tags: groupTags(derived.tags),
    changeId: change.id,
    updatedAt: change.at,
    content,
  };
}
