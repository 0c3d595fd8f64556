/**
 * A folder of Markdown that Obsidian and static site generators open. Links point from file to file, and front matter holds
 * everything that the wiki stores about a page. A text that is still as an import wrote it is returned unchanged except for its
 * links.
 */
import { readFrontMatter } from '@coppice/markdown';
import { Document, isMap, parseDocument } from 'yaml';
import { markdownOf } from '#domain/pages/markdown-page.ts';
import type { WholePage } from '#domain/pages/page.ts';
import { defaultPermissions } from '#domain/permission.ts';
import type { TreePosition } from '#domain/ports/list-reads.ts';
import type { ExportEntry } from '../entries.ts';
import { isAsImported, isFolderAlone } from '../from-import.ts';
import type { ExportCounts, ExportSource } from '../walk.ts';
import { type LinkedText, withFileLinks } from './markdown-links.ts';
import { planTree } from './plan.ts';
import { treeEntries } from './tree.ts';

export async function* markdownTree(
  source: ExportSource,
  top: TreePosition | null,
  counts: ExportCounts,
): AsyncGenerator<ExportEntry> {
  const plan = await planTree(source, top, (page) => {
    if (isFolderAlone(page.content)) return undefined;
    return isKept(page) ? '.wikitext' : '.md';
  });
  yield* treeEntries(source, plan, counts, async (reader, pages) => {
    const inMarkdown = pages.filter((page) => !isKept(page));
    const linked: LinkedText[] = [];
    for (const page of inMarkdown) {
      const { id, path, files } = page;
      linked.push({ id, path, files, text: await markdownOf(reader, source.renderer, page, source.now) });
    }
    const texts = await withFileLinks(source, reader, linked, plan);
    const byId = new Map(inMarkdown.map((page, index) => [page.id, withFacts(page, texts[index] ?? '')]));
    return pages.map(({ id, content }) => byId.get(id) ?? content.body);
  });
}

/** Templates and modules in wikitext are not converted, because their text is code. */
function isKept({ type, content }: WholePage): boolean {
  return content.format !== 'markdown' && (type === 'Template' || type === 'Module');
}

function withFacts(page: WholePage, text: string): string {
  if (page.content.format === 'markdown' && isAsImported(page.content)) return text;
  const front = readFrontMatter(text);
  const end = front?.end ?? 0;
  // Facts in TOML are written anew; facts in YAML keep their comments and form.
  const stated = text.startsWith('+++')
    ? new Document(front?.facts)
    : parseDocument(text.slice(0, end).replace(/^(?:---|\.\.\.)[ \t]*$/gm, ''));
  const facts = isMap(stated.contents) ? stated : new Document({});
  for (const [key, value] of Object.entries(factsOf(page))) if (!facts.has(key)) facts.set(key, value);
  const yaml = facts.toString({ lineWidth: 0 }).trimEnd();
  return `---\n${yaml}\n---\n${end > 0 ? '' : '\n'}${text.slice(end)}`;
}

function factsOf(page: WholePage): Record<string, unknown> {
  const { title, type, location, permissions, group, owner, tags, content } = page;
  const { import: _, ...data } = content.data;
  const facts: Record<string, unknown> = {
    title,
    ...(content.description === null ? {} : { description: content.description }),
    ...(type === null ? {} : { type }),
    ...(tags.tag && tags.tag.length > 0 ? { tags: tags.tag } : {}),
    ...(location ? { location: `${location.lat}, ${location.lon}` } : {}),
    ...(content.image === null ? {} : { image: content.image }),
    ...{ created: new Date(page.createdAt).toISOString(), updated: new Date(page.updatedAt).toISOString() },
    author: owner.name,
    ...(permissions === defaultPermissions ? {} : { permissions }),
    ...(group === null ? {} : { group: group.name }),
    ...data,
  };
  // Tags with keys are part of the text of a Markdown page. Converted text no longer contains them.
  const { tag: _tags, ...keyed } = content.format === 'markdown' ? {} : tags;
  for (const [key, values] of Object.entries(keyed)) facts[key] ??= values.length === 1 ? values[0] : values;
  return facts;
}
