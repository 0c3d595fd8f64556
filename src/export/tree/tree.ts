/** A folder of texts and files: one text for each page, and each of its current files. */
import type { WholePage } from '#core/model/page.ts';
import type { Reader } from '#core/ports/reader.ts';
import type { ExportEntry } from '../entries.ts';
import { bytesOf, type ExportCounts, type ExportSource, wholePages } from '../walk.ts';
import type { TreePlan } from './plan.ts';

/** `textsOf`: returns texts in the order of the pages. */
export async function* treeEntries(
  source: ExportSource,
  plan: TreePlan,
  counts: ExportCounts,
  textsOf: (reader: Reader, pages: WholePage[]) => string[] | Promise<string[]>,
): AsyncGenerator<ExportEntry> {
  for await (const { reader, pages } of wholePages(source, plan.pages.keys())) {
    const texts = await textsOf(reader, pages);
    for (const [index, page] of pages.entries()) {
      const planned = plan.pages.get(page.id);
      if (!planned) continue;
      if (planned.file !== undefined) {
        counts.pages++;
        yield { path: planned.file, at: page.updatedAt, contents: texts[index] ?? '' };
      }
      for (const file of page.files) {
        const path = plan.pathOf(file);
        // The file was attached after the plan was made.
        if (path === undefined) continue;
        const bytes = await bytesOf(source.files, file, counts);
        if (bytes) yield { path, at: file.uploadedAt, contents: bytes };
      }
    }
  }
}
