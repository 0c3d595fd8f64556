/** Layouts of Markdown folders by program: location of pages, and meaning of addresses. */
import type { Kind } from '../source.ts';
import { isOfNotion, withoutId } from './notion.ts';

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
  /** Name of a page for a file name. */
  nameOf(name: string): string;
}

export function flavourOf(kind: Kind, paths: readonly string[]): Flavour {
  const has = (folder: string) => paths.some((path) => path.startsWith(folder));
  const plain: Flavour = {
    ...{ root: '', publicFolders: [''], isTitledByName: false, hasOrderedNames: false },
    ...{ isDocument: /\.(?:md|mdx|markdown)$/i, nameOf: (name) => name },
  };
  if (kind === 'html') return { ...plain, isDocument: /\.html?$/i };
  if (kind === 'notion')
    return {
      ...plain,
      // Not the list of its pages that Notion adds.
      isDocument: /^(?!index\.html$).*\.(?:md|html|csv)(?<!_all\.csv)$/i,
      nameOf: withoutId,
    };
  if (kind === 'obsidian') return { ...plain, isTitledByName: true };
  if (kind === 'docusaurus')
    return {
      ...plain,
      root: has('docs/') ? 'docs/' : '',
      publicFolders: ['static/', ''],
      hasOrderedNames: true,
    };
  if (kind === 'mkdocs') return { ...plain, root: has('docs/') ? 'docs/' : '' };
  if (kind === 'hugo')
    return { ...plain, root: has('content/') ? 'content/' : '', publicFolders: ['static/', 'assets/', ''] };
  // The layout of mdBook.
  if (paths.includes('book.toml') && paths.includes('src/SUMMARY.md')) return { ...plain, root: 'src/' };
  return plain;
}

export function flavourKind(paths: readonly string[], texts: readonly string[]): Kind | undefined {
  const has = (pattern: RegExp) => paths.some((path) => pattern.test(path));
  if (has(/^mkdocs\.ya?ml$/)) return 'mkdocs';
  if (has(/^docusaurus\.config\.\w+$/)) return 'docusaurus';
  if (has(/^(?:hugo|config)\.(?:toml|ya?ml)$/) && has(/^content\//)) return 'hugo';
  if (has(/^_config\.ya?ml$/)) return 'jekyll';
  if (isOfNotion(paths)) return 'notion';
  if (!has(/\.(?:md|mdx|markdown)$/i)) return has(/\.html?$/i) ? 'html' : undefined;
  if (texts.some((text) => /^---\n(?:.*\n){0,20}?editor: (?:markdown|code)\n/.test(text))) return 'wikijs';
  return texts.some((text) => /!?\[\[[^\]\n]+\]\]/.test(text)) ? 'obsidian' : 'markdown';
}
