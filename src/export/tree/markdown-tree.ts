/**
 * A folder of Markdown that Obsidian and static site generators open. Links point from file to file, and front matter holds
 * everything that the wiki stores about a page. A text that is still as an import wrote it is returned unchanged except for its
 * links.
 */
import { readFrontMatter } from '@coppice/markdown';
import { Document, isMap, parseDocument } from 'yaml';
import type { WholePage } from '#core/model/page.ts';
import { defaultPermissions } from '#core/model/permission.ts';
import { markdownOf } from '#core/pages/markdown-page.ts';
import type { TreePosition } from '#core/ports/list-reads.ts';
import type { Stated } from '#import/access.ts';
import { headingIn } from '#import/documents/heading.ts';
import { positionIn } from '#import/documents/navigation.ts';
import { factsFile } from '#import/documents/page-facts.ts';
import { ownKey, statedInDocument } from '#import/documents/stated-access.ts';
import { languageIn } from '#import/documents/translations.ts';
import { statedAccess } from '../access.ts';
import type { ExportEntry } from '../entries.ts';
import { isAsImported, isFolderAlone } from '../from-import.ts';
import { mayAllRead, readerOf } from '../page-reader.ts';
import type { ExportCounts, ExportSource } from '../walk.ts';
import { type LinkedText, withFileLinks } from './markdown-links.ts';
import { type SizeForm, withSizes } from './picture-sizes.ts';
import { planTree, type TreeLayout, type TreePlan } from './plan.ts';
import { treeEntries } from './tree.ts';
import { factLines } from './wikitext-tree.ts';

export interface MarkdownLayout extends TreeLayout {
  /** Field of front matter that says the position of a page; null if files beside the pages say it. */
  orderField: 'order' | 'sidebar_position' | 'weight' | null;
  /** Form in which the program states sizes of pictures. Default: that of the wiki. */
  sizeForm?: SizeForm;
  /** Whether all that is known about pages stands in one file beside them, for programs that show front matter as text. */
  hasBareTexts: boolean;
  /** Whether the list of pages is written even if it is empty: imports know the folder by nothing else. */
  isAlwaysListed?: boolean;
  /** Whether one of the files beside the pages replaces the page, which an import made of such a file. */
  isReplaced?(page: WholePage): boolean;
  /** Files beside the pages. */
  files(plan: TreePlan, source: ExportSource): ExportEntry[];
}

const usualLayout: MarkdownLayout = {
  root: '',
  hasNames: true,
  orderField: 'order',
  hasBareTexts: false,
  positionIn: (page) => declaredPosition(page, 'order'),
  files: () => [],
};

export async function* markdownTree(
  source: ExportSource,
  top: TreePosition | null,
  counts: ExportCounts,
  layout: MarkdownLayout = usualLayout,
): AsyncGenerator<ExportEntry> {
  /** Pages with something to say that their texts cannot hold. */
  const bare = new Set<number>();
  const endingOf = (page: WholePage) => {
    if (layout.isReplaced?.(page)) return undefined;
    const access = statedAccess(page, { isTop: false, now: source.now, wiki: source.reader() });
    const hasText = !isFolderAlone(page.content);
    const isPlaced = page.rank !== null && layout.orderField === 'order';
    if (layout.hasBareTexts || (hasText ? isKept(page) : access !== undefined || isPlaced)) bare.add(page.id);
    if (!hasText) return undefined;
    return isKept(page) ? '.wikitext' : '.md';
  };
  const plan = await planTree(source, top, endingOf, layout);
  const accessHere = (page: WholePage) =>
    statedAccess(page, {
      // Imports may place a translation elsewhere.
      isTop: !plan.pages.has(page.parentId ?? 0) || plan.pages.get(page.id)?.original !== undefined,
      now: source.now,
      wiki: source.reader(),
    });
  /** File of the original, from the folder of the pages, unless the place of the translation says it. The plan has only pages that the reader may read. */
  const translationOf = ({ id, originalId }: WholePage): StatedTranslation => {
    const [planned, original] = [plan.pages.get(id), plan.pages.get(originalId ?? 0)];
    if (planned?.original) return { isPlaced: true };
    if (!planned || original?.file === undefined) return {};
    if (!mayAllRead(planned.readers, original.readers)) {
      // Readers of the text would learn of the original.
      bare.add(id);
      return {};
    }
    return { file: `/${original.file.slice(layout.root === '' ? 0 : layout.root.length + 1)}` };
  };
  yield* treeEntries(source, plan, counts, async (reader, pages) => {
    const inMarkdown = pages.filter((page) => !isKept(page));
    const linked: LinkedText[] = [];
    for (const page of inMarkdown) {
      const { id, path, files } = page;
      linked.push({
        id,
        path,
        files,
        isAsImported: isAsImported(page.content),
        text: await markdownOf(await readerOf(source, page), source.renderer, page, source.now),
      });
    }
    const texts = await withFileLinks(source, reader, linked, plan);
    const byId = new Map(
      inMarkdown.map((page, index) => {
        const linked = layout.listsBeneath ? withoutList(texts[index] ?? '') : (texts[index] ?? '');
        const text = layout.sizeForm ? withSizes(linked, layout.sizeForm) : linked;
        if (layout.hasBareTexts) return [page.id, text];
        const { order, isStated, file } = plan.pages.get(page.id) ?? {};
        const own = { field: layout.orderField, order: layout.orderField ? order : undefined };
        const state = { ...own, isStated: isStated === true };
        const stated = { access: accessHere(page), position: state, translation: translationOf(page), file };
        return [page.id, withFacts(page, text, stated)];
      }),
    );
    return pages.map(({ id, content }) => byId.get(id) ?? content.body);
  });
  yield* layout.files(plan, source);
  if (bare.size > 0 || layout.isAlwaysListed)
    yield { path: factsFile, at: source.now, contents: factLines(source, plan, bare) };
}

/** Without a text that only lists the pages beneath. */
function withoutList(text: string): string {
  const end = readFrontMatter(text)?.end ?? 0;
  return text.slice(end).trim() === '{{Children}}' ? text.slice(0, end) : text;
}

/** Templates and modules in wikitext are not converted, because their text is code. */
function isKept({ type, content }: WholePage): boolean {
  return content.format !== 'markdown' && (type === 'Template' || type === 'Module');
}

/** `file`: that of the original. `isPlaced`: the place of the translation names the original. */
interface StatedTranslation {
  isPlaced?: boolean;
  file?: string;
}

interface StatedFacts {
  access: Record<string, unknown> | undefined;
  position: { field: MarkdownLayout['orderField']; order: number | undefined; isStated: boolean };
  translation: StatedTranslation;
  file: string | undefined;
}

function withFacts(
  page: WholePage,
  text: string,
  { access, position: { field, order, isStated: isOrderStated }, translation, file }: StatedFacts,
): string {
  const { isPlaced, file: translationOf } = translation;
  const isMarkdown = page.content.format === 'markdown';
  const front = readFrontMatter(text);
  const isOrdered =
    isOrderStated || field === null || order === (front && positionIn(front.data, namesRead(field)));
  const { language } = page.content;
  const isLanguageSaid =
    (isPlaced || (language ?? undefined) === (front && languageIn(front.data))) &&
    translationOf === front?.data.translationOf;
  const isSaid = isOrdered && isLanguageSaid && isStated(statedInDocument(text), access);
  if (isMarkdown && isSaid && isTitleSaid(page.title, text, file) && isAsImported(page.content)) return text;
  const end = front?.end ?? 0;
  // Facts in TOML are written anew; facts in YAML keep their comments and form.
  const stated = text.startsWith('+++')
    ? new Document(front?.facts)
    : parseDocument(text.slice(0, end).replace(/^(?:---|\.\.\.)[ \t]*$/gm, ''));
  const facts = isMap(stated.contents) ? stated : new Document({});
  for (const [key, value] of Object.entries(factsOf(page))) if (!facts.has(key)) facts.set(key, value);
  if (language && !isPlaced) facts.set('language', language);
  if (translationOf !== undefined) facts.set('translationOf', translationOf);
  else facts.delete('translationOf');
  // A page may mean something else by a word.
  const isNumbered = (name: string) => !facts.has(name) || typeof facts.get(name) === 'number';
  if (order !== undefined && !isOrdered) {
    const name = field && isNumbered(field) ? field : 'sidebar_position';
    facts.set(name, order);
    // Imports would read these first.
    for (const other of field === 'order' ? [] : ['order', 'sidebar_position'])
      if (other !== name && isNumbered(other)) facts.delete(other);
  } else if (order === undefined && field === 'order' && facts.has('order') && isNumbered('order'))
    facts.delete('order');
  // Permissions in the text or the data may be other than those of the page.
  if (access ?? facts.has('permissions')) {
    const { permissions, group, ...more } = access ?? { permissions: defaultPermissions };
    facts.set('permissions', permissions);
    if (group === undefined) facts.delete('group');
    else facts.set('group', group);
    facts.delete(ownKey);
    if (Object.keys(more).length > 0) facts.set(ownKey, more);
  }
  const yaml = facts.toString({ lineWidth: 0 }).trimEnd();
  return `---\n${yaml}\n---\n${end > 0 ? '' : '\n'}${text.slice(end)}`;
}

/** Whether front matter, the heading or the name of the file gives the page its title, in the order in which most programs read them. */
function isTitleSaid(title: string, text: string, file: string | undefined): boolean {
  const front = readFrontMatter(text);
  const name = file?.replace(/^.*\//s, '').replace(/\.\w+$/, '');
  if (name === undefined || /^(?:index|readme|_index)$/i.test(name)) return true;
  return (front?.data.title ?? headingIn(text, front?.end ?? 0) ?? name.replace(/[-_]+/g, ' ')) === title;
}

/** The position that the text of the page states where the program reads it. */
export function declaredPosition(
  { content }: WholePage,
  field: NonNullable<MarkdownLayout['orderField']>,
): number | undefined {
  if (content.format !== 'markdown') return undefined;
  const front = readFrontMatter(content.body);
  return front && positionIn(front.data, namesRead(field));
}

/** Only imports of this wiki read more than one name. */
function namesRead(field: NonNullable<MarkdownLayout['orderField']>): string[] | undefined {
  return field === 'order' ? undefined : [field];
}

/** Returns whether the text says of the access what the page has. Owners are not compared. */
function isStated(said: Stated | undefined, access: Record<string, unknown> | undefined): boolean {
  if (!said || 'restriction' in said) return access === undefined;
  const { permissions, group } = said.access;
  const isAlike = Number(access?.permissions ?? defaultPermissions) === permissions;
  return isAlike && (access?.group ?? null) === group && !access?.protection && !access?.defaults;
}

function factsOf(page: WholePage): Record<string, unknown> {
  const { title, type, location, owner, tags, content } = page;
  const { import: _, ...data } = content.data;
  const facts: Record<string, unknown> = {
    title,
    ...(content.description === null ? {} : { description: content.description }),
    ...(type === null ? {} : { type }),
    ...(tags.tag && tags.tag.length > 0 ? { tags: tags.tag } : {}),
    ...(location ? { location: `${location.lat}, ${location.lon}` } : {}),
    ...(content.image === null ? {} : { image: content.image }),
    created: new Date(page.createdAt).toISOString(),
    updated: new Date(page.updatedAt).toISOString(),
    author: owner.name,
    ...data,
  };
  // Tags with keys are part of the text of a Markdown page. Converted text no longer contains them.
  const { tag: _tags, ...keyed } = content.format === 'markdown' ? {} : tags;
  for (const [key, values] of Object.entries(keyed)) facts[key] ??= values.length === 1 ? values[0] : values;
  return facts;
}
