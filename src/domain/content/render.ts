/**
 * From a body to what a reader sees: templates are fetched and put in place, one batch for each nesting level; then
 * all links and files are resolved in one batch; then rendering is pure. Everything is read
 * as its reader sees it, so nothing shows in a page that they could not open.
 */
import {
  displayTitle,
  type ExpandPage,
  type ListingRows,
  limits,
  type Needs,
  type References,
  type Rendered,
} from '@coppice/wikitext';
import { rulesOf } from '@coppice/wikitext/dialect';
import { BoundedCache } from '#cache/bounded-cache.ts';
import { DiskCache } from '#cache/disk-cache.ts';
import type { SpillFile } from '#cache/spill-file.ts';
import type { AttachedFile, Format } from '../pages/page.ts';
import { fileUrl } from '../ports/file-store.ts';
import { hasVariants, pictureWidths } from '../ports/picture-variants.ts';
import type { Reader } from '../reader.ts';
import { codeBlock } from './code-block.ts';
import type { Comparison } from './diff.ts';
import { asWritten, createLanguage, isOf, type Language, type Output, type ReadText } from './language.ts';
import { PageParts, pageNameOf } from './page-parts.ts';
import {
  type Answers,
  answerNeeds,
  fingerprint,
  type RenderNeeds,
  type Targets,
  type Templates,
} from './render-needs.ts';
import {
  leftOutNotice,
  partNotices,
  sourceNotice,
  titleNotice,
  unsupportedNotice,
} from './render-notices.ts';

/** Outside functions that rendering needs, provided by the composition root. */
export interface Renderer {
  siteName: string;
  language: Language;
  /** By source and kind of reader; sizes in characters. */
  cache: DiskCache<CachedRendering>;
  /** By the IDs of both changes, which never change; sizes in characters. */
  comparisons: BoundedCache<Comparison>;
  /** The limit on look-ups for previews and older versions that strangers ask for. Absent: unlimited. */
  lookups?: Lookups;
  /** Told of each page that is shown as it was written because rendering it takes too long. */
  onSource?: ((path: string) => void) | undefined;
}

/** Looking up where links lead and what templates say takes time of the database, which tells nobody what it takes. */
export interface Lookups {
  /** Different links of a preview: where further ones lead is not looked up. */
  maxLinks: number;
  /** Told how many names are looked up, before they are. */
  spend(names: number): void;
}

/** Characters that rendered pages may take in memory, some two bytes each. */
const maxCachedCharacters = 2_000_000;
const maxComparedCharacters = 8_000_000;

export function createRenderer(
  siteName: string,
  language: Language = createLanguage(),
  spillFile?: SpillFile,
  onSource?: (path: string) => void,
): Renderer {
  return {
    siteName,
    language,
    cache: new DiskCache(maxCachedCharacters, spillFile),
    comparisons: new BoundedCache(maxComparedCharacters),
    onSource,
  };
}

/** A rendering as plain data. */
export interface CachedRendering extends Pick<Rendering, 'needs' | 'answers'> {
  /** Facts of its own page that the text may show, as JSON. */
  page: string;
  rendered: Omit<RenderedPage, 'targets'>;
  targets: [target: string, page: { id: number; path: string; title: string }][];
}

export interface RenderInput {
  page: ExpandPage;
  body: string;
  format: Format;
  /** Files of the page, if they are known already; otherwise its current ones are loaded. */
  files?: AttachedFile[];
  /** The title is not known yet, so no other way to show it is one too many. */
  isUntitled?: boolean;
  /** Names the body for good, such as the change that it is of; absent for what is rendered once. */
  cacheKey?: string;
  /** HTML by default. */
  output?: Output | undefined;
  /** The body as parsed a moment ago, which serves again if nothing in it is expanded. */
  read?: ReadText | undefined;
}

export interface RenderedPage extends Pick<Rendered, 'outline' | 'notices'> {
  /** Markdown where the input asks for it. */
  html: string;
  /** HTML of the title as the page wants it shown, where that is another way than plain. */
  displayTitle: string | undefined;
  /** References of the expanded text. */
  references: References;
  /** Targets of its links for this reader. */
  targets: Targets;
}

/** A rendering, and all that it asked of the wiki: as long as the answers are the same, so is the rendering. */
export interface Rendering {
  rendered: RenderedPage;
  needs: RenderNeeds;
  /** `fingerprint` of the answers. */
  answers: string;
  /** It shows the time, so the next moment's may differ though nothing was written. */
  isTimeDependent: boolean;
}

/** Queries: those of one batch for each nesting level of templates, and one batch for links and files. */
export async function render(
  reader: Reader,
  renderer: Renderer,
  input: RenderInput,
  now: number,
): Promise<Rendering> {
  const { siteName, language, lookups } = renderer;
  const { body, format, page, read } = input;
  const templates = new Map<string, string | null>();
  const exists = new Map<string, boolean>();
  const listings = new Map<string, ListingRows>();
  const fileAddresses = new Map<string, string | null>();
  const context = {
    page,
    templates,
    exists,
    files: fileAddresses,
    listings,
    now,
    siteName,
    dialect: reader.dialect,
  };
  const allNeeds: RenderNeeds = { templates: [], exists: [], listings: [], links: [], files: [] };
  const found = {
    templates: new Map() as Templates,
    exists: new Map() as Targets,
    files: new Map() as Answers['files'],
  };
  const lookUpAll = (needs: RenderNeeds) => {
    const { templates, exists, links, files } = needs;
    lookups?.spend(templates.length + exists.length + links.length + files.length);
    return answerNeeds(reader, needs, input);
  };
  const parts = new PageParts(language, reader.dialect);
  let expansion = await language.expand(body, format, context);
  // Each round brings one nesting level further; the bound is the language's own, and one round more for good measure.
  for (let level = 0; level <= limits.templateDepth && needsAnything(expansion.needs); level++) {
    const { needs } = expansion;
    const pages = new Set(needs.templates.map(pageNameOf));
    const answers = await lookUpAll({ ...needs, templates: [...pages], links: [] });
    for (const name of needs.templates) {
      const template = answers.templates.get(pageNameOf(name));
      templates.set(name, template ? await parts.bodyOf(name, template) : null);
    }
    for (const target of needs.exists) exists.set(target, answers.exists.has(target));
    for (const name of needs.files) {
      const file = answers.files.get(name);
      fileAddresses.set(name, file ? fileUrl(file.name) : null);
    }
    for (const { key } of needs.listings) listings.set(key, answers.listings.get(key) ?? { rows: [] });
    allNeeds.templates = [...new Set([...allNeeds.templates, ...pages])];
    allNeeds.exists.push(...needs.exists);
    allNeeds.files.push(...needs.files);
    allNeeds.listings.push(...needs.listings);
    found.templates = new Map([...found.templates, ...answers.templates]);
    found.exists = new Map([...found.exists, ...answers.exists]);
    found.files = new Map([...found.files, ...answers.files]);
    expansion = await language.expand(body, format, context);
  }
  const isRead = read && isOf(read, expansion, page.path);
  const text = await language.open(expansion, page.path, isRead ? read : undefined);
  allNeeds.links = text.references.links.map((link) => link.target);
  // Files whose existence was asked for are known; together with those shown, they are dependencies of the
  // page.
  const shown = text.references.files;
  const nothing = { templates: [], exists: [], listings: [] };
  // Cached entries are also served to callers without this bound.
  const maxLinks = (input.cacheKey === undefined && lookups?.maxLinks) || allNeeds.links.length;
  const linksLeftOut = allNeeds.links.splice(maxLinks).length;
  const answers = await lookUpAll({ ...allNeeds, ...nothing, files: shown });
  allNeeds.files = [...new Set([...allNeeds.files, ...shown])];
  const { links } = answers;
  const files = new Map([...found.files, ...answers.files]);
  const resolved = {
    pages: links,
    files: new Map([...files].map(([name, file]) => [name, resolvedFile(file)])),
    page: { path: page.path, title: page.title },
    listings,
  };
  const drawn = await text.draw(resolved, input.output);
  const title =
    expansion.displayTitle === undefined
      ? undefined
      : displayTitle(expansion.displayTitle, page.title, rulesOf(reader.dialect));
  const rendered: RenderedPage = {
    html: drawn.html,
    outline: drawn.outline,
    displayTitle: title,
    notices: [
      ...expansion.notices,
      ...drawn.notices,
      ...(linksLeftOut > 0 ? [leftOutNotice(maxLinks, linksLeftOut)] : []),
      ...unsupportedNotice(text.references),
      ...partNotices(parts),
      ...(title === undefined && expansion.displayTitle !== undefined && !input.isUntitled
        ? [titleNotice]
        : []),
    ],
    references: text.references,
    targets: links,
  };
  return {
    rendered,
    needs: allNeeds,
    answers: fingerprint({ ...found, listings, links, files }),
    isTimeDependent: expansion.usedTime,
  };
}

/** The body of a page that takes too long to render: says more of the machine than of the page. */
export function shownAsWritten(body: string): RenderedPage {
  return {
    html: asWritten(body, sourceNotice),
    outline: [],
    displayTitle: undefined,
    notices: [sourceNotice],
    references: {
      links: [],
      templates: [],
      modules: [],
      files: [],
      tags: [],
      unsupported: [],
      sections: [],
      followsPath: false,
    },
    targets: new Map(),
  };
}

/** The same as Markdown. */
export function codeAsWritten(body: string): RenderedPage {
  return { ...shownAsWritten(body), html: `${sourceNotice}\n\n${codeBlock(body)}\n` };
}

function needsAnything(needs: Needs): boolean {
  return needs.templates.length + needs.exists.length + needs.files.length + needs.listings.length > 0;
}

function resolvedFile(file: AttachedFile) {
  return {
    url: fileUrl(file.name),
    mime: file.mime,
    title: file.filename,
    ...(file.thumbnail ? { thumbnailUrl: fileUrl(file.thumbnail) } : {}),
    ...(file.width === null ? {} : { width: file.width }),
    ...(file.height === null ? {} : { height: file.height }),
    narrower: narrowerCopies(file),
  };
}

function narrowerCopies({ name, mime, width }: AttachedFile) {
  if (width === null || !hasVariants(mime)) return [];
  return pictureWidths
    .filter((one) => one < width)
    .map((one) => ({ url: `${fileUrl(name)}?w=${one}`, width: one }));
}
