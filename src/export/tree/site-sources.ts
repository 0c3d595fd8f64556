/**
 * Folders from which mdBook, GitBook, MkDocs and Docusaurus make sites: a tree of Markdown, and the order of its pages as each program
 * states it. Imports read them back in the same order, and files that nobody changed meanwhile come back as they were.
 *
 *   mdbook      book.toml, .gitbook.yaml, src/SUMMARY.md, src/**.md without front matter
 *   mkdocs      mkdocs.yml with `nav`, docs/**.md; translations as docs/**.de.md, for the plugin `i18n`
 *   docusaurus  docs/**.md with `sidebar_position`, docs/**\/_category_.json; translations beneath i18n/de/
 */
import { stringify } from 'yaml';
import { sortKey } from '#core/model/fold.ts';
import { encodePath } from '#core/model/path.ts';
import type { TreePosition } from '#core/ports/list-reads.ts';
import { i18nPath } from '#import/documents/docusaurus.ts';
import { positionInName } from '#import/documents/site-address.ts';
import { noteOf } from '#import/note.ts';
import type { ExportEntry } from '../entries.ts';
import { isAsImported } from '../from-import.ts';
import type { ExportCounts, ExportSource } from '../walk.ts';
import { declaredPosition, type MarkdownLayout, markdownTree } from './markdown-tree.ts';
import type { PlannedPage, TreePlan } from './plan.ts';

type SiteProgram = 'mdbook' | 'mkdocs' | 'docusaurus';

export function siteSource(program: SiteProgram) {
  return (
    source: ExportSource,
    top: TreePosition | null,
    counts: ExportCounts,
  ): AsyncGenerator<ExportEntry> => markdownTree(source, top, counts, layouts[program]);
}

const layouts: Record<SiteProgram, MarkdownLayout> = {
  mdbook: {
    root: 'src',
    hasIndexes: false,
    orderField: null,
    hasBareTexts: true,
    positionIn: () => undefined,
    reserved: ['src/SUMMARY.md'],
    // The page that an import made of the former SUMMARY.md.
    isReplaced: ({ parentId, content }) =>
      parentId === null &&
      noteOf(content.data)?.source.endsWith('SUMMARY.md') === true &&
      isAsImported(content),
    files: (plan, { wiki, now }) => [
      { path: 'book.toml', at: now, contents: bookSettings(wiki) },
      { path: '.gitbook.yaml', at: now, contents: 'root: ./src/\n' },
      {
        path: 'src/SUMMARY.md',
        at: now,
        contents: `# Summary\n\n${summaryLines(branchesOf(plan), 'src').join('')}`,
      },
    ],
  },
  mkdocs: {
    root: 'docs',
    hasIndexes: false,
    orderField: null,
    hasBareTexts: false,
    positionIn: () => undefined,
    translated: (file, language, wiki) => {
      const stem = file.slice(0, -'.md'.length);
      return `${stem.endsWith(`.${wiki}`) ? stem.slice(0, -wiki.length - 1) : stem}.${language}.md`;
    },
    files: (plan, { wiki, now }) => {
      const languages = languagesIn(plan);
      const settings = {
        site_name: wiki.name,
        ...(languages.size === 0 ? {} : { plugins: ['search', { i18n: i18nOf(wiki.language, languages) }] }),
        nav: navOf(branchesOf(plan), 'docs'),
      };
      return [{ path: 'mkdocs.yml', at: now, contents: stringify(settings, { lineWidth: 0 }) }];
    },
  },
  docusaurus: {
    root: 'docs',
    hasIndexes: true,
    orderField: 'sidebar_position',
    hasBareTexts: false,
    positionIn: (page, file) => declaredPosition(page) ?? positionInName(nameOf(file)),
    translated: (file, language) => i18nPath(language, file.slice('docs/'.length)),
    files: (plan, { now }) =>
      [...plan.pages.values()]
        .filter(({ file, order }) => file === undefined && order !== undefined)
        .map(({ folder, title, order }) => {
          const facts = { ...(title === nameOf(folder) ? {} : { label: title }), position: order };
          return {
            path: `${folder}/_category_.json`,
            at: now,
            contents: `${JSON.stringify(facts, null, 2)}\n`,
          };
        }),
  },
};

interface Branch {
  page: PlannedPage;
  beneath: Branch[];
}

/** Pages in the order of the wiki: those that were placed, and then the others by title. */
function branchesOf({ pages }: TreePlan): Branch[] {
  const byId = new Map([...pages].map(([id, page]): [number, Branch] => [id, { page, beneath: [] }]));
  const tops: Branch[] = [];
  for (const branch of byId.values()) (byId.get(branch.page.parentId ?? 0)?.beneath ?? tops).push(branch);
  for (const { beneath } of byId.values()) beneath.sort(amongSiblings);
  return tops.sort(amongSiblings);
}

function amongSiblings({ page: one }: Branch, { page: other }: Branch): number {
  if (one.order !== other.order)
    return (one.order ?? Number.POSITIVE_INFINITY) - (other.order ?? Number.POSITIVE_INFINITY);
  const [key, otherKey] = [sortKey(one.title), sortKey(other.title)];
  return key === otherKey ? 0 : key < otherKey ? -1 : 1;
}

/** Without pages that have neither a text nor others beneath them. Translations are shown in the places of their originals. */
function shown(branches: readonly Branch[]): Branch[] {
  return branches
    .map(({ page, beneath }) => ({ page: page.original ? { ...page, file: undefined } : page, beneath }))
    .filter(({ page, beneath }) => page.file !== undefined || shown(beneath).length > 0);
}

function summaryLines(branches: readonly Branch[], root: string, indent = ''): string[] {
  return shown(branches).flatMap(({ page: { title, file }, beneath }) => {
    const label = title.replace(/[\\[\]<>*_`]/g, '\\$&');
    const own = `${indent}- [${label}](${file === undefined ? '' : encodePath(file.slice(root.length + 1)).replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'))})\n`;
    return [own, ...summaryLines(beneath, root, `${indent}  `)];
  });
}

function navOf(branches: readonly Branch[], root: string): unknown[] {
  return shown(branches).map(({ page: { title, file }, beneath }) => {
    const own = file?.slice(root.length + 1);
    if (own !== undefined && beneath.length === 0) return { [title]: own };
    return { [title]: [...(own === undefined ? [] : [own]), ...navOf(beneath, root)] };
  });
}

/** Settings of the plugin mkdocs-static-i18n. */
function i18nOf(language: string, others: Iterable<string>): object {
  const named = (locale: string) => ({
    locale,
    name: new Intl.DisplayNames([locale], { type: 'language' }).of(locale),
  });
  return {
    docs_structure: 'suffix',
    languages: [{ ...named(language), default: true }, ...[...others].sort().map(named)],
  };
}

/** Languages of translations that lie where the program looks for them. */
function languagesIn({ pages }: TreePlan): Set<string> {
  return new Set([...pages.values()].flatMap(({ original, language }) => (original ? language : [])));
}

/** Strings of TOML are escaped as those of JSON. */
function bookSettings({ name, language }: ExportSource['wiki']): string {
  return `[book]\ntitle = ${JSON.stringify(name)}\nlanguage = ${JSON.stringify(language)}\nsrc = "src"\n`;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
}
