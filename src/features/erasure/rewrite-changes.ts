/** Changes a part of many stored versions, with a limited number of them in memory. */
import type { PastContent } from '#core/model/page.ts';
import type { StoredChange } from '#core/ports/erasure-store.ts';
import type { Transaction } from '#core/ports/store.ts';

const writtenAtOnce = 50;

/** `change` returns the same object for a version that stays as it is. Returns the IDs of the pages of the others. */
export async function rewriteChanges(
  store: Transaction,
  changes: AsyncIterable<StoredChange>,
  change: (content: PastContent) => PastContent,
): Promise<Set<number>> {
  const pageIds = new Set<number>();
  let rewritten: { id: number; content: PastContent }[] = [];
  for await (const { id, pageId, content } of changes) {
    const after = change(content);
    if (after === content) continue;
    pageIds.add(pageId);
    rewritten.push({ id, content: after });
    if (rewritten.length < writtenAtOnce) continue;
    await store.erasure.rewrite(rewritten);
    rewritten = [];
  }
  await store.erasure.rewrite(rewritten);
  return pageIds;
}
