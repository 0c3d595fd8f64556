/**
 * Recognises the program to which a folder of documents belongs. Files that only one program has decide first, the one nearest
 * to the top wins; texts are looked at only where there is none.
 */
import type { Kind } from '../source.ts';
import type { FileTree } from './file-tree.ts';
import { isOfNotion } from './notion.ts';
import { replaceLinks } from './scan.ts';

export interface Detected {
  kind: Kind;
  /** The observation that decided, as the end of a sentence. */
  reason: string;
  /** Folder of the deciding file, with a trailing slash; empty at the top. */
  base: string;
}

/** Matched against paths without their leading folders. Of files in the same folder, the first entry wins. */
const markers: readonly (readonly [Kind, RegExp])[] = [
  ['logseq', /^logseq\/config\.edn$/],
  ['quartz', /^quartz\.config\.ts$/],
  ['docusaurus', /^docusaurus\.config\.\w+$/],
  ['vitepress', /^\.(?:vitepress|vuepress)\/$/],
  ['mkdocs', /^mkdocs\.ya?ml$/],
  ['mdbook', /^book\.toml$/],
  ['dendron', /^dendron\.ya?ml$/],
  ['gitbook', /^(?:\.gitbook\.ya?ml$|\.gitbook\/|SUMMARY\.md$|book\.json$)/],
  ['hugo', /^hugo\.(?:toml|ya?ml|json)$|^config\/_default\//],
  ['zola', /^config\.toml$/],
  ['hugo', /^config\.(?:toml|ya?ml|json)$/],
  ['eleventy', /^(?:\.eleventy|eleventy\.config)\.[cm]?js$/],
  ['jekyll', /^_config\.ya?ml$/],
  ['nextjs', /^next\.config\.\w+$/],
  ['foam', /^(?:\.foam\/|foam\.json)$/],
  ['obsidian', /^\.obsidian\/$/],
];
/** Uploads in folders of a member or team, and of the upload itself. */
const ofOutline = /(?:^|\/)uploads\/(?:[\da-f]{8}-[\da-f-]{27}\/){2}/;
/** Deepest folder in which a deciding file is expected. Repositories keep sites in folders of their own. */
const maxDepth = 2;
const isDocument = /\.(?:md|mdx|markdown)$/i;
/** Front matter of this wiki's exports in Markdown states both times of a page. */
export const isOfExport = /^---\n(?:.*\n){0,40}?created: .*\nupdated: .*\nauthor: /;
/** Number of documents whose texts are read. */
const lookedAt = 40;

export async function detectDocuments(
  tree: FileTree,
  textOf: (path: string) => Promise<string>,
): Promise<Detected | undefined> {
  const { paths } = tree;
  const marked = await findMarker(tree, textOf);
  if (marked) return marked;
  if (isOfNotion(paths))
    return { kind: 'notion', reason: 'names of its files end with IDs of Notion', base: '' };
  if (paths.some((path) => ofOutline.test(path)))
    return { kind: 'outline', reason: 'its uploads lie in folders that Outline names', base: '' };
  const documents = paths.filter((path) => isDocument.test(path));
  const read = (paths: readonly string[]) =>
    Promise.all(paths.slice(0, lookedAt).map(async (path) => [path, await textOf(path)] as const));
  const pages = paths.filter((path) => /\.html?$/i.test(path));
  const texts = await read(documents);
  const ofWikiJs = [...texts, ...(await read(pages))].find(([, text]) =>
    /^(?:---|<!--)\n(?:.*\n){0,20}?editor: (?:markdown|code|ckeditor)\n/.test(text),
  );
  if (ofWikiJs) return { kind: 'wikijs', reason: `${ofWikiJs[0]} names an editor of Wiki.js`, base: '' };
  if (documents.length === 0 && paths.some((path) => /\.org$/i.test(path)))
    return { kind: 'logseq', reason: 'it contains files of Org mode and no Markdown', base: '' };
  if (documents.length === 0)
    return pages.length > 0
      ? { kind: 'html', reason: 'it contains HTML and no Markdown', base: '' }
      : undefined;
  const isOurs = texts.some(([, text]) => isOfExport.test(text));
  const linked = isOurs ? undefined : texts.find(([, text]) => hasWikiLinks(text));
  if (linked) return { kind: 'obsidian', reason: `${linked[0]} links with [[double brackets]]`, base: '' };
  return { kind: 'markdown', reason: 'it contains Markdown, and no files of a known program', base: '' };
}

/** The deciding file that lies nearest to the top. `only`: the kind, if it is known already. */
export async function findMarker(
  { hidden, paths }: FileTree,
  textOf: (path: string) => Promise<string>,
  only?: Kind,
): Promise<Detected | undefined> {
  const all = [...hidden, ...paths];
  const wanted = markers.filter(([kind]) => only === undefined || kind === only);
  for (let depth = 0; depth <= maxDepth; depth++)
    for (const [kind, pattern] of wanted)
      for (const path of all) {
        const base = folderAt(path, depth);
        if (base === undefined || !pattern.test(path.slice(base.length))) continue;
        if (!(await isMeant({ kind, base, path }, paths, textOf))) continue;
        return { kind, reason: `it holds ${path.replace(/\/$/, '')}`, base };
      }
  return undefined;
}

/** Some names are used by more than one program. */
async function isMeant(
  { kind, base, path }: { kind: Kind; base: string; path: string },
  paths: readonly string[],
  textOf: (path: string) => Promise<string>,
): Promise<boolean> {
  const hasContent = paths.some((path) => path.startsWith(`${base}content/`));
  if (kind === 'zola') return hasContent && /^\s*base_url\s*=/m.test(await textOf(path));
  if (kind === 'hugo' && path.slice(base.length).startsWith('config.'))
    return hasContent || /^\s*["']?(?:contentDir|baseURL)\b/im.test(await textOf(path));
  // Only a summary at the top of the documents is one of GitBook.
  if (kind === 'gitbook' && path.endsWith('SUMMARY.md'))
    return /^[ \t]*[-*+][ \t]+\[[^\]\n]*\]\([^)\n]*\)/m.test(await textOf(path));
  return true;
}

/** The first `depth` folders of the path, or undefined if it lies higher. */
function folderAt(path: string, depth: number): string | undefined {
  let end = 0;
  for (let count = 0; count < depth; count++) {
    end = path.indexOf('/', end) + 1;
    if (end === 0 || end === path.length) return undefined;
  }
  return path.slice(0, end);
}

/** Whether there is a wiki link outside code, comments and formulas. */
function hasWikiLinks(text: string): boolean {
  let isFound = false;
  replaceLinks(text, (link) => {
    isFound ||= link.kind === 'wiki';
    return undefined;
  });
  return isFound;
}
