/** Layouts of Markdown folders by program: location of pages, and names of files. */
import type { Kind } from '../source.ts';
import { docusaurusParts, docusaurusPlace, type Placed, placedIn, settingsOf } from './docusaurus.ts';
import { logseqPlace } from './logseq.ts';
import { withoutId } from './notion.ts';
import { assigned, listIn, type SiteSettings, textIn } from './settings.ts';

export interface Flavour {
  /** Folder of the pages. */
  root: string;
  /** Further folders for addresses that begin with a slash. */
  publicFolders: readonly string[];
  /** Whether the page title is always the file name. */
  isTitledByName: boolean;
  /** Whether numbers before names only define the order. */
  hasOrderedNames: boolean;
  /** Matches names of files that are pages. */
  isDocument: RegExp;
  /** Matches files of the program within the folder of the pages, which are neither pages nor attached to one. */
  ofProgram?: RegExp;
  /** End of the name of a table with all rows, beside one that a view filtered. */
  wholeTable?: RegExp;
  /** Whether names of posts begin with their day. */
  hasDatedNames?: boolean;
  /** Place of a file outside of the folder of the pages; undefined if the program does not show it. */
  placedIn?(path: string): Placed | undefined;
  /** Name of a page for a file name. */
  nameOf(name: string): string;
  /** Names from the top, if the file's name holds more than its own. */
  placeOf?(relative: string): string[];
}

/** `base`: folder of the settings. */
export function flavourOf(
  kind: Kind,
  paths: readonly string[],
  { facts, program }: SiteSettings,
  base: string,
): Flavour {
  const has = (folder: string) => paths.some((path) => path.startsWith(folder));
  /** The first folder that exists, relative to that of the settings. */
  const folder = (...names: (string | undefined)[]) => {
    for (const name of names) {
      const path = name === undefined ? undefined : inFolder(base, name);
      if (path !== undefined && has(path)) return path;
    }
    return base;
  };
  const plain: Flavour = {
    root: '',
    publicFolders: [''],
    isTitledByName: false,
    hasOrderedNames: false,
    isDocument: /\.(?:md|mdx|markdown)$/i,
    nameOf: (name) => name,
  };
  const rooted = (root: string, ...publicFolders: string[]): Flavour => ({
    ...plain,
    root,
    publicFolders: [...publicFolders.map((name) => `${base}${name}`), base, ''],
  });
  switch (kind) {
    case 'html':
      return { ...plain, isDocument: /\.html?$/i };
    case 'notion':
      return {
        ...plain,
        // Not the list of its pages that Notion adds.
        isDocument: /^(?!index\.html$).*\.(?:md|html|csv)(?<!_all\.csv)$/i,
        nameOf: withoutId,
        wholeTable: /_all\.csv$/,
      };
    case 'obsidian':
      return { ...plain, isTitledByName: true };
    case 'quartz':
      return rooted(folder('content'));
    case 'logseq':
      return {
        ...plain,
        isDocument: /\.(?:md|mdx|markdown|org)$/i,
        placeOf: logseqPlace,
        ofProgram: /^(?:.*\/)?logseq\//,
      };
    case 'dendron':
      return { ...rooted(folder('vault', 'notes')), placeOf: dendronPlace };
    case 'docusaurus': {
      const ofDocs = settingsOf(program, 'docs') || program;
      const root = folder(assigned(ofDocs, 'path'), 'docs', '../docs');
      const parts = docusaurusParts(program, base, root, has);
      return {
        ...rooted(root, 'static/'),
        hasOrderedNames: true,
        hasDatedNames: true,
        placedIn: (path) => placedIn(parts, path),
        placeOf: (relative) => docusaurusPlace(parts, relative),
        // Parts of other pages, which import them, and lists for the program.
        ofProgram:
          /(?:^|\/)(?:_[^/]*\.mdx?|(?:\w+_)?(?:versions\.json|versioned_sidebars\/.*)|(?:authors|tags)\.ya?ml)$|(?:^|\/)i18n\/[^/]+\/[^.]*\.json$/,
      };
    }
    case 'mkdocs':
      return rooted(folder(textIn(facts, 'docs_dir') ?? 'docs'));
    case 'mdbook':
      return { ...rooted(folder(bookSource(facts) ?? 'src')), ofProgram: inBase(base, 'theme/') };
    case 'gitbook':
      return { ...rooted(folder(textIn(facts, 'root'))), ofProgram: /(?:^|\/)\.gitbook\/includes\// };
    case 'vitepress':
      return rooted(folder(assigned(program, 'srcDir')), 'public/', '.vuepress/public/');
    case 'hugo':
      return {
        ...rooted(
          folder(textIn(facts, 'contentDir') ?? textIn(facts, 'contentdir'), 'content'),
          'static/',
          'assets/',
        ),
        isDocument: /\.(?:md|mdx|markdown|html)$/i,
        ofProgram: inBase(
          base,
          '(?:layouts|themes|archetypes|i18n|data|resources|config|public|_vendor)/|go\\.(?:mod|sum)$|(?:hugo|config)\\.(?:toml|ya?ml|json)$|\\.hugo_build\\.lock$',
        ),
      };
    case 'zola':
      return rooted(folder('content'), 'static/');
    case 'eleventy':
      return { ...rooted(folder(assigned(program, 'input'))), hasDatedNames: true };
    case 'nextjs':
      return rooted(folder('src/content', 'content', 'pages', 'src/pages', 'docs', 'app'), 'public/');
    case 'wikijs':
      // Pages of the visual editor are HTML.
      return { ...plain, isDocument: /\.(?:md|html)$/i };
    case 'csv':
      return { ...plain, isDocument: /\.csv$/i };
    case 'jekyll': {
      const excluded = listIn(facts, 'exclude').map(
        (name) => `${escaped(name.replace(/^\/|\/$/g, ''))}(?:/|$)`,
      );
      const own =
        '_(?:includes|layouts|sass|data|plugins|site)/|Gemfile|[^/]+\\.gemspec$|404\\.html$|feed\\.xml$|sitemap\\.xml$|robots\\.txt$';
      return {
        ...rooted(base),
        isDocument: /\.(?:md|mdx|markdown|textile|html)$/i,
        nameOf: (name) => name.replace(/^_(?=.)/, ''),
        hasDatedNames: true,
        ofProgram: inBase(base, [own, ...excluded].join('|')),
      };
    }
    case 'foam':
      return rooted(base);
    default:
      return plain;
  }
}

/** Path of a document from the folder of the pages; the whole one if it lies outside. */
export function relativeTo(root: string, path: string): string {
  return path.startsWith(root) ? path.slice(root.length) : path;
}

/** `patterns`: of paths from the base. */
function inBase(base: string, patterns: string): RegExp {
  return new RegExp(`^${escaped(base)}(?:${patterns})`);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function bookSource(facts: SiteSettings['facts']): string | undefined {
  const { book } = facts;
  return typeof book === 'object' && book !== null ? textIn(book as SiteSettings['facts'], 'src') : undefined;
}

/** With a trailing slash, empty for the top; undefined if it leads out of the source. */
function inFolder(base: string, name: string): string | undefined {
  const segments = base.split('/').filter(Boolean);
  for (const segment of name.split('/')) {
    if (segment === '..' && segments.pop() === undefined) return undefined;
    if (segment !== '..' && segment !== '.' && segment !== '') segments.push(segment);
  }
  return segments.map((segment) => `${segment}/`).join('');
}

/** `trees.oak.md` lies beneath `trees.md`, and `root.md` is the top. */
function dendronPlace(relative: string): string[] {
  const segments = relative.split('/');
  const names = (segments.pop() ?? '').split('.').filter((part) => part !== '');
  return [...segments, ...names];
}
