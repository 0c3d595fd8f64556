/** A page in its state after an older change. */
import type { Dialect } from '@coppice/wikitext/dialect';
import { derive, groupTags } from '../content/derive.ts';
import type { AttachedFile, Change, WholePage } from './page.ts';

/** `files`: the files that the change refers to. */
export function asOf(page: WholePage, change: Change, files: AttachedFile[], dialect: Dialect): WholePage {
  const { content } = change;
  const { shown, derived } = derive(content, dialect);
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
