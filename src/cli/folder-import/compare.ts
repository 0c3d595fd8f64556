/** Compares the pages of a folder with their documents, once all are written. */
import { Problem } from '#core/model/problem.ts';
import type { Comparer, Comparison, ExpectedPage } from '#import/comparison/comparer.ts';
import { slicesOf } from '#import/slices.ts';
import type { PlannedPage } from './planned-page.ts';
import { readDocument } from './walk.ts';

const pagesAtOnce = 50;

export async function compareFolder(
  comparer: Comparer,
  root: string,
  pages: readonly PlannedPage[],
): Promise<Comparison> {
  for (const some of slicesOf(pages, pagesAtOnce))
    await comparer.add(some.flatMap((page) => expectedOf(root, page) ?? []));
  return comparer.finish();
}

/** Undefined for folders, and for documents that cannot be read, which were refused. */
function expectedOf(root: string, { source, format, path }: PlannedPage): ExpectedPage | undefined {
  if (format === undefined) return undefined;
  try {
    const { text } = readDocument(root, source);
    return { path, source: { language: 'wikitext', text }, links: [] };
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
