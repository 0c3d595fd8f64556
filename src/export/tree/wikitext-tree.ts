/** Exact texts, each in a file with the extension of its format. `pages.jsonl` holds all other data of pages. */
import { isoTime } from '#core/model/iso-time.ts';
import type { WholePage } from '#core/model/page.ts';
import { shownGroup } from '#core/model/page-group.ts';
import type { TreePosition } from '#core/ports/list-reads.ts';
import { accessRecord } from '#import/access.ts';
import { factsFile } from '#import/documents/page-facts.ts';
import { accessOf } from '../access.ts';
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
  yield { path: factsFile, at: source.now, contents: factLines(source, plan) };
}

export async function* factLines(
  source: ExportSource,
  plan: TreePlan,
  listed: Pick<ReadonlySet<number>, 'has' | 'keys'> = new Set(plan.pages.keys()),
): AsyncGenerator<Uint8Array> {
  for await (const { pages } of wholePages(source, listed.keys()))
    for (const page of pages) {
      // A page that is not in the list may come to lie elsewhere.
      const isTop = !listed.has(page.parentId ?? 0);
      yield Buffer.from(`${JSON.stringify(factsOf(page, isTop, plan, source))}\n`);
    }
}

/** Everything about a page that a text cannot say. `src/import/documents/page-facts.ts` reads it. */
function factsOf(page: WholePage, isTop: boolean, plan: TreePlan, { now, reader }: ExportSource): object {
  const { id, path, title, description, type, location, tags, content, original } = page;
  const { file, order } = plan.pages.get(id) ?? {};
  const { hidesHistory: _, ...access } = accessRecord(accessOf(page, { isTop, now, wiki: reader() }));
  const files = page.files.flatMap((file) => {
    const path = plan.pathOf(file);
    return path === undefined ? [] : [{ filename: file.filename, file: path, mime: file.mime }];
  });
  return {
    file,
    path,
    title,
    description,
    type,
    location,
    tags,
    group: shownGroup(page.group),
    ...access,
    created: isoTime(page.createdAt),
    updated: isoTime(page.updatedAt),
    ...(order === undefined ? {} : { order }),
    format: content.format,
    data: content.data,
    image: content.image,
    files,
    ...(content.language ? { language: content.language } : {}),
    ...(original && plan.pages.has(original.id) ? { translationOf: original.path } : {}),
  };
}
