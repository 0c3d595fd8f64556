/** Outline of a Markdown folder: files that become pages, their front matter, and attached files. */
import { readFrontMatter } from '@coppice/markdown';
import { Problem } from '#core/model/problem.ts';
import type { Stated } from '../access.ts';
import { foldersAbove } from '../folder-paths.ts';
import type { Kind, Omission, PageOutline } from '../source.ts';
import {
  attachFiles,
  cleanTitle,
  ending,
  folderPage,
  type KnownFiles,
  ofProgram,
  ownPlace,
  shownName,
} from './attach-files.ts';
import { documentText } from './document-text.ts';
import { type FileTree, textOf } from './file-tree.ts';
import { type Flavour, relativeTo } from './flavour.ts';
import { headingIn } from './heading.ts';
import type { DocumentText } from './html.ts';
import { withoutFrontMatter } from './jekyll.ts';
import { folded } from './links.ts';
import { Mentions } from './mentions.ts';
import { orderPages, positionIn } from './navigation.ts';
import { factsFile, factsIn, type PageFacts, type TreeFacts } from './page-facts.ts';
import { timeIn } from './settings.ts';
import { addressKey, dateInName, positionInName, type SiteDocument, withoutDay } from './site-address.ts';
import type { Site } from './sites.ts';
import { cascadeIn, restrict, statedByTime, statedInDocument } from './stated-access.ts';
import { blocksIn } from './terms/logseq.ts';
import { type StatedTranslation, statedTranslation } from './translations.ts';

export interface Documents {
  /** In order, folders before their contents. */
  outlines: PageOutline[];
  leftOut: Omission[];
  /** File → key of the page that has it, and its name there. */
  files: Map<string, { key: string; filename: string }>;
  /** File of a picture that stands in a text → the document. */
  inline: Map<string, string>;
  /** Times stated by documents, by key. */
  times: Map<string, number>;
  /** Languages and originals stated by documents, by key. */
  translations: Map<string, StatedTranslation>;
  /** Blocks of a Logseq graph, by ID: name of their page, and first line. */
  blocks: Map<string, { page: string; line: string }>;
  /** Whether this wiki exported the documents. */
  isOwn: boolean;
  /** How links find the documents, besides by their files. */
  published: { addresses: Map<string, string>; byAddress: Map<string, string>; byName: Map<string, string> };
}

const isIndex = /^(?:index|readme|_index)$/i;
/** Files that can be the page of a folder, in order of preference. */
const folderPages = [/(?:^|\/)_?index\.\w+$/i, /(?:^|\/)readme\.\w+$/i, /([^/]+)\/\1\.\w+$/];

/** The extension that exports of this wiki give to texts that are no Markdown. */
export function isWikitext(path: string): boolean {
  return path.endsWith('.wikitext');
}

export async function outlineOf(
  tree: FileTree,
  { kind, flavour, site, nav, now }: { kind: Kind; flavour: Flavour; site: Site; nav: unknown; now: number },
): Promise<Documents> {
  const { root, isDocument } = flavour;
  const found: Documents = {
    outlines: [],
    leftOut: [...tree.leftOut],
    files: new Map(),
    times: new Map(),
    translations: new Map(),
    inline: new Map(),
    blocks: new Map(),
    isOwn: false,
    published: { addresses: new Map(), byAddress: new Map(), byName: new Map() },
  };
  const facts = await factsIn(tree);
  found.isOwn = facts !== undefined;
  const isPage = (path: string) =>
    facts?.byFile.has(path) === true ||
    ((path.startsWith(root) || flavour.placedIn?.(path) !== undefined) &&
      isDocument.test(path) &&
      flavour.ofProgram?.test(path) !== true) ||
    isWikitext(path);
  // An export for mdBook makes it of the titles of all pages, which not everybody may know.
  const isMade = (path: string) =>
    path === 'src/SUMMARY.md' && facts?.byFile.has(path) === false && tree.paths.includes('book.toml');
  const copied = kind === 'jekyll' ? await withoutFrontMatter(tree, isPage) : new Set<string>();
  const documents = tree.paths.filter((path) => isPage(path) && !isMade(path) && !copied.has(path));
  const places = new Map<string, PageOutline>();
  const knownFiles: KnownFiles = new Map();
  let hasSite = false;
  const mentions = new Mentions();
  for (const { path, files } of facts?.pages ?? [])
    for (const { file, filename } of files) knownFiles.set(file, { place: placeOf(path), filename });
  /** Folder with a slash at the end → restriction of everything in it. */
  const cascades = new Map<string, Stated>();
  /** Folders that hold documents, by path with a slash at the end. */
  const folders = new Set(documents.flatMap((path) => foldersAbove(relativeTo(root, path))));
  for (const path of documents.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    try {
      const known = facts?.byFile.get(path);
      const text = isWikitext(path)
        ? { text: await textOf(tree, path) }
        : await documentText(tree, path, kind);
      if (text.isOfSite) {
        found.leftOut.push({ source: path, why: ofProgram });
        continue;
      }
      if (text.leftOut?.length)
        found.leftOut.push({ source: path, why: `the content of its elements ${text.leftOut.join(', ')}` });
      for (const name of text.missing ?? [])
        found.leftOut.push({
          source: path,
          why: `${name}, which it embeds in its text, is missing in the source`,
        });
      const outline = known
        ? outlineOfKnown(path, known)
        : outlineOfDocument(path, text, flavour, { found, usual: site.titleOf?.(path) });
      const page = site.namesOf({ path, facts: {} })[0] ?? '';
      if (kind === 'logseq')
        for (const [id, line] of blocksIn(text.text)) found.blocks.set(id, { page, line });
      const front = isWikitext(path) ? {} : (readFrontMatter(text.text)?.data ?? {});
      publish(outline, { path: relativeTo(root, path), facts: front }, site, found);
      found.translations.set(path, statedTranslation(front, known));
      const inherited = foldersAbove(path).map((folder) => cascades.get(folder));
      const day = flavour.hasDatedNames ? dateInName(path) : undefined;
      const byTime = known ? undefined : statedByTime(kind, { facts: front, day, now });
      restrict(outline, statedOf(path, text, known, facts), byTime, ...inherited);
      mentions.add(outline, path, text.text);
      for (const filename of text.pictures?.keys() ?? []) addInline(outline, path, filename, found);
      const cascade = cascadeIn(text.text);
      if (cascade && isIndex.test(stemOf(path)))
        cascades.set(path.slice(0, path.lastIndexOf('/') + 1), cascade);
      // The folder's page is taken, so another candidate becomes a child; pages with equal names are placed side by side.
      if (!known && places.has(outline.place.join('/')))
        outline.place = ownPlace(relativeTo(root, path), flavour);
      const place = outline.place.join('/');
      places.set(places.has(place) ? `${place}\0${path}` : place, outline);
      for (const { file, filename } of text.files ?? [])
        knownFiles.set(file, { place: outline.place, filename });
      hasSite ||= text.files !== undefined;
      const why = 'its front matter is not valid YAML, so it stays text';
      if (text.hasBadFrontMatter) found.leftOut.push({ source: path, why });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      found.leftOut.push({ source: path, why: error.message, isRefusal: true });
    }
  }
  for (const known of facts?.pages ?? []) {
    if (known.file !== undefined) continue;
    const outline: PageOutline = {
      ...outlineOfKnown(`${known.path}/`, known),
      format: 'wikitext',
      revisions: 0,
    };
    restrict(outline, known.stated);
    places.set(outline.place.join('/'), outline);
  }
  const byKey = new Map([...places.values()].map((outline) => [outline.key, outline]));
  const atPlace = (place: string[]) => places.get(place.join('/')) ?? folderPage(place, places);
  await orderPages(tree, flavour, nav, {
    folders,
    byKey,
    folderAt: (relative) => atPlace(ownPlace(relative.slice(0, -1), flavour)),
    pages: () => places.values(),
    atPlace,
  });
  attachFiles(
    tree,
    flavour,
    { folders, places, byKey, isPage, copied, knownFiles, mentions, hasFacts: facts !== undefined, hasSite },
    found,
  );
  found.outlines = [...places.values()].sort((a, b) => compared(a.place, b.place));
  return found;
}

function outlineOfDocument(
  path: string,
  { text, title: said, data }: DocumentText,
  { root, isTitledByName, hasDatedNames, hasOrderedNames, nameOf, placeOf }: Flavour,
  { found, usual }: { found: Documents; usual: string | undefined },
): PageOutline {
  const bare = relativeTo(root, path).replace(ending, '');
  const segments = placeOf?.(bare) ?? bare.split('/').map(nameOf);
  const name = segments.at(-1) ?? '';
  const isOfFolder = isIndex.test(name) || (segments.length > 1 && name === segments.at(-2));
  const names = isOfFolder && segments.length > 1 ? segments.slice(0, -1) : segments;
  const place = names.map((name) => shownName(name, hasOrderedNames));
  // The top page has no folder to take its name from.
  if (isOfFolder && segments.length === 1) place[0] = 'home';
  const front = readFrontMatter(text);
  const facts = front?.data ?? {};
  const own = place.at(-1) ?? name;
  const stated = typeof facts.title === 'string' && facts.title.trim() !== '' ? facts.title : undefined;
  const given = stated ?? said;
  const title = isTitledByName
    ? (names.at(-1) ?? own)
    : (given ??
      headingIn(text, front?.end ?? 0) ??
      usual ??
      (hasDatedNames ? withoutDay(own) : own).replace(/[-_]+/g, ' '));
  const day = hasDatedNames ? dateInName(path) : undefined;
  const at = timeIn(facts, ['updated', 'lastmod', 'modified', 'date', 'dateCreated', 'created']) ?? day;
  if (at !== undefined) found.times.set(path, at);
  const inName = hasOrderedNames ? positionInName(names.at(-1) ?? '') : undefined;
  // The newest post comes first.
  const order = positionIn(facts) ?? inName ?? (day && -day);
  const addresses = [facts.aliases, facts.redirect_from].flatMap((value) =>
    [value].flat().filter((one): one is string => typeof one === 'string' && one.startsWith('/')),
  );
  return {
    key: path,
    title: cleanTitle(title) || own,
    place,
    format: 'markdown',
    revisions: 1,
    addresses,
    ...(order === undefined ? {} : { order }),
    ...(data ? { data } : {}),
  };
}

/** Two documents of one folder with the same picture share its file. */
function addInline(outline: PageOutline, path: string, filename: string, found: Documents): void {
  const key = `${path.slice(0, path.lastIndexOf('/') + 1)}${filename}`;
  if (found.files.has(key)) return;
  found.files.set(key, { key: outline.key, filename });
  found.inline.set(key, path);
  outline.files = [...(outline.files ?? []), { key, filename }];
}

/** The first of two documents with the same address or name has it. */
function publish({ key }: PageOutline, document: SiteDocument, site: Site, { published }: Documents): void {
  const [own, ...others] = site.addressesOf(document);
  const { addresses, byAddress, byName } = published;
  if (own !== undefined) addresses.set(key, own.replace(/^\//, ''));
  for (const address of own === undefined ? [] : [own, ...others])
    if (!byAddress.has(addressKey(address))) byAddress.set(addressKey(address), key);
  for (const name of site.namesOf(document).filter((name) => name !== ''))
    if (!byName.has(folded(name))) byName.set(folded(name), key);
}

function outlineOfKnown(
  key: string,
  { path, title, description, type, data, order }: PageFacts,
): PageOutline {
  const isText = isWikitext(key);
  return {
    key,
    title,
    place: placeOf(path),
    revisions: 1,
    format: isText ? 'wikitext' : 'markdown',
    ...(type === undefined ? {} : { type }),
    ...(description === undefined ? {} : { description }),
    ...(data && isText ? { data } : {}),
    ...(order === undefined ? {} : { order }),
  };
}

/** `pages.jsonl` comes before front matter, which may be older than the access of the page. */
function statedOf(
  path: string,
  { text, stated }: DocumentText,
  known: PageFacts | undefined,
  facts: TreeFacts | undefined,
): Stated | undefined {
  const own = stated ?? (isWikitext(path) ? undefined : statedInDocument(text));
  if (known?.stated ?? own) return known?.stated ?? own;
  if (/(?:^|\/)_drafts\//.test(path)) return { restriction: 'it lies in _drafts' };
  if (known) return undefined;
  // Texts of an export whose access is lost with its list of pages.
  if (facts?.isDamaged) return { restriction: `${factsFile} cannot be read completely` };
  return isWikitext(path)
    ? { restriction: `${factsFile}, which contains its access rights, is missing` }
    : undefined;
}

function placeOf(path: string): string[] {
  return path.slice(1).split('/');
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
}

function rankOf(path: string): number {
  const rank = folderPages.findIndex((pattern) => pattern.test(path));
  return rank < 0 ? folderPages.length : rank;
}

function compared(a: readonly string[], b: readonly string[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const [x = '', y = ''] = [a[at], b[at]];
    if (x !== y) return x < y ? -1 : 1;
  }
  return a.length - b.length;
}
