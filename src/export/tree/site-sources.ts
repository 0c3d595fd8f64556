/**
 * Folders from which mdBook, GitBook, MkDocs, Docusaurus and Hugo make sites: a tree of Markdown, and the order of its pages as each program
 * states it. Imports read them back in the same order, and files that nobody changed meanwhile come back as they were.
 *
 *   mdbook      book.toml, .gitbook.yaml, src/SUMMARY.md, src/**.md without front matter
 *   mkdocs      mkdocs.yml with `nav`, docs/**.md; translations as docs/**.de.md, for the plugin `i18n`
 *   docusaurus  docs/**.md with `sidebar_position`, docs/**\/_category_.json; translations beneath i18n/de/
 *   hugo        hugo.yaml, content/**.md with `weight`, pages with others or files as _index.md or index.md; translations as **.de.md
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

type SiteProgram = 'mdbook' | 'mkdocs' | 'docusaurus' | 'hugo';

export function siteSource(program: SiteProgram) {
  return (
    source: ExportSource,
    top: TreePosition | null,
    counts: ExportCounts,
  ): AsyncGenerator<ExportEntry> =>
    markdownTree(source, top, counts, { ...layouts[program], isPublished: true });
}

const layouts: Record<SiteProgram, MarkdownLayout> = {
  mdbook: {
    root: 'src',
    sizeForm: 'label',
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
    sizeForm: 'attributes',
    orderField: null,
    hasBareTexts: false,
    positionIn: () => undefined,
    translated: withSuffix,
    files: (plan, { wiki, now }) => {
      const languages = languagesIn(plan);
      const settings = {
        site_name: wiki.name,
        ...(languages.size === 0 ? {} : { plugins: ['search', { i18n: i18nOf(wiki.language, languages) }] }),
        nav: navOf(branchesOf(plan), 'docs'),
      };
      return [
        { path: 'mkdocs.yml', at: now, contents: stringify(settings, { lineWidth: 0 }) + mkdocsExtensions },
      ];
    },
  },
  docusaurus: {
    root: 'docs',
    isAlwaysListed: true,
    sizeForm: 'label',
    indexName: 'index',
    orderField: 'sidebar_position',
    hasBareTexts: false,
    positionIn: (page, file) => declaredPosition(page, 'sidebar_position') ?? positionInName(nameOf(file)),
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
  hugo: {
    root: 'content',
    sizeForm: 'label',
    indexName: '_index',
    hasBundles: true,
    listsBeneath: true,
    isFromTop: true,
    orderField: 'weight',
    hasBareTexts: false,
    positionIn: (page) => declaredPosition(page, 'weight'),
    // Hugo knows languages by small letters.
    translated: (file, language, wiki) => withSuffix(file, language.toLowerCase(), wiki),
    files: (plan, { wiki, now }) => [
      {
        path: 'hugo.yaml',
        at: now,
        contents: stringify(hugoSettings(wiki, languagesIn(plan)), { lineWidth: 0 }),
      },
      { path: 'layouts/_default/_markup/render-link.html', at: now, contents: hugoLink },
      { path: 'layouts/_default/_markup/render-image.html', at: now, contents: hugoImage },
      ...[...plan.pages.values()]
        .filter(({ file }) => file === undefined)
        .map(({ folder, title, order }) => {
          const facts = { title, ...(order === undefined ? {} : { weight: order }) };
          return {
            path: `${folder}/_index.md`,
            at: now,
            contents: `---\n${stringify(facts, { lineWidth: 0 })}---\n`,
          };
        }),
    ],
  },
};

/** `oak.de.md` for `oak.md`, and for `oak.en.md` in an English wiki. */
function withSuffix(file: string, language: string, wiki: string): string {
  const stem = file.slice(0, -'.md'.length);
  return `${stem.endsWith(`.${wiki}`) ? stem.slice(0, -wiki.length - 1) : stem}.${language}.md`;
}

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

/**
 * Without pages that have neither a text in Markdown nor others beneath them. Translations are shown in the places of their
 * originals.
 */
function shown(branches: readonly Branch[]): Branch[] {
  const isShown = ({ file, original }: PlannedPage) => file?.endsWith('.md') === true && !original;
  return branches
    .map(({ page, beneath }) => ({ page: isShown(page) ? page : { ...page, file: undefined }, beneath }))
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

/** Sizes of pictures, notes, and headings whose IDs keep the letters of all languages, as links to them have them. */
const mkdocsExtensions = `markdown_extensions:
  - attr_list
  - footnotes
  - toc:
      slugify: !!python/name:markdown.extensions.toc.slugify_unicode
`;

/** Settings of the plugin mkdocs-static-i18n. */
function i18nOf(language: string, others: Iterable<string>): object {
  const named = (locale: string) => ({ locale, name: nameOfLanguage(locale) });
  return {
    docs_structure: 'suffix',
    languages: [{ ...named(language), default: true }, ...[...others].sort().map(named)],
  };
}

function hugoSettings({ name, language }: ExportSource['wiki'], others: Iterable<string>): object {
  const languages = [language, ...[...others].sort()].map((tag, index) => [
    tag.toLowerCase(),
    { languageName: nameOfLanguage(tag), languageCode: tag, weight: index + 1 },
  ]);
  return {
    title: name,
    defaultContentLanguage: language.toLowerCase(),
    languages: Object.fromEntries(languages),
  };
}

/** Hugo takes paths of files in links for addresses, unless a template finds their pages and files, in the language of the reader. */
const hugoTarget = `{{- $url := urls.Parse .Destination -}}
{{- $target := .Destination -}}
{{- if and $url.Path (not $url.Host) (not $url.Scheme) -}}
  {{- with or (.Page.GetPage $url.Path) (.Page.Resources.GetMatch $url.Path) -}}
    {{- $target = .RelPermalink -}}{{- with $url.Fragment -}}{{- $target = printf "%s#%s" $target . -}}{{- end -}}
  {{- else -}}
    {{- if hasPrefix $url.Path "/" -}}{{- $target = relURL (strings.TrimPrefix "/" .Destination) -}}{{- end -}}
  {{- end -}}
{{- end -}}
`;
const hugoLink = `${hugoTarget}<a href="{{ $target | safeURL }}"{{ with .Title }} title="{{ . }}"{{ end }}>{{ .Text | safeHTML }}</a>
{{- /* No white space follows. */ -}}
`;
/** A size stands at the end of the label, as in the wiki: `![oak|200x100](oak.png)`. */
const hugoImage = `${hugoTarget}{{- $label := .PlainText -}}
{{- $size := index (findRESubmatch \`\\s*\\\\?\\|\\s*(\\d+)(?:x(\\d+))?$\` $label 1) 0 -}}
{{- with $size -}}{{- $label = strings.TrimSuffix (index . 0) $label -}}{{- end -}}
<img src="{{ $target | safeURL }}" alt="{{ $label }}"{{ with $size }} width="{{ index . 1 }}"{{ with index . 2 }} height="{{ . }}"{{ end }}{{ end }}{{ with .Title }} title="{{ . }}"{{ end }}>
{{- /* No white space follows. */ -}}
`;

function nameOfLanguage(tag: string): string | undefined {
  return new Intl.DisplayNames([tag], { type: 'language' }).of(tag);
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
