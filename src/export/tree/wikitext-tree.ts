/** Exact texts, each in a file with the extension of its format. `pages.jsonl` holds all other data of pages. */
import { isoTime } from '#domain/iso-time.ts';
import type { WholePage } from '#domain/pages/page.ts';
import type { TreePosition } from '#domain/ports/list-reads.ts';
import type { ExportEntry } from '../entries.ts';
import { type ExportCounts, type ExportSource, wholePages } from '../walk.ts';
import { planTree, type TreePlan } from './plan.ts';
import { treeEntries } from './tree.ts';

export async function* wikitextTree(
  source: ExportSource,
  top: TreePosition | null,
  counts: ExportCounts,
): AsyncGenerator<ExportEntry> {
  const plan = await planTree(source, top, ({ content }) =>
    content.format === 'markdown' ? '.md' : '.wikitext',
  );
  yield* treeEntries(source, plan, counts, (_reader, pages) => pages.map(({ content }) => content.body));
  yield { path: 'pages.jsonl', at: source.now, contents: factLines(source, plan) };
}

async function* factLines(source: ExportSource, plan: TreePlan): AsyncGenerator<Uint8Array> {
  for await (const { pages } of wholePages(source, plan.pages.keys()))
    for (const page of pages) yield Buffer.from(`${JSON.stringify(factsOf(page, plan))}\n`);
}

function factsOf(page: WholePage, plan: TreePlan): object {
  const { id, path, title, description, type, location, permissions, owner, tags, content } = page;
  const files = page.files.flatMap((file) => {
    const path = plan.pathOf(file);
    return path === undefined ? [] : [{ filename: file.filename, file: path, mime: file.mime }];
  });
  return {
    ...{ file: plan.pages.get(id)?.file, path, title, description, type, location, tags, permissions },
    ...{ owner: owner.name, created: isoTime(page.createdAt), updated: isoTime(page.updatedAt) },
    ...{ format: content.format, data: content.data, image: content.image, files },
  };
}
