/** A page with what it showed after an older change. */
import { derive, groupTags } from './derive.ts';
import type { Change, WholePage } from './page.ts';

export function asOf(page: WholePage, change: Change): WholePage {
  const { content } = change;
  const { shown, derived } = derive(content);
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
