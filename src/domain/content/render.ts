/**
 * From a body to what a reader sees: templates are fetched and put in place, one batch for each nesting level; then
 * all links and files are resolved in one batch; then rendering is pure. Everything is resolved with the
 * reader's own visibility, so nothing shows in a page that its reader could not open.
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
import type { Dependency } from '#cache/dependency.ts';
import { DiskCache } from '#cache/disk-cache.ts';
import type { SpillFile } from '#cache/spill-file.ts';
import type { AttachedFile, Format } from '../pages/page.ts';
import { intersect, type SharedWith, type Visibility } from '../permission.ts';
import { fileUrl } from '../ports/file-store.ts';
import type { Store } from '../ports/store.ts';
import type { Comparison } from './diff.ts';
import { asWritten, createLanguage, isOf, type Language, type ReadText, TooCostly } from './language.ts';
import { PageParts, pageNameOf } from './page-parts.ts';
import {
  type Answers,
  answerNeeds,
  dependenciesOf,
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
  /** Results by source and reader, each with what it was made from; sizes in characters. */
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
  /** The body as parsed a moment ago, which serves again if nothing in it is expanded. */
  read?: ReadText | undefined;
}

export interface RenderedPage extends Pick<Rendered, 'html' | 'outline' | 'notices'> {
  /** HTML of the title as the page wants it shown, where that is another way than plain. */
  displayTitle: string | undefined;
  /** References of the expanded text. */
  references: References;
  /** Targets of its links for this reader. */
  targets: Targets;
  /** It shows the time, so the next moment's may differ though nothing was written. */
  isTimeDependent: boolean;
  /** Dependencies besides its own page; undefined if it lists pages, because any page may join. */
  dependencies: Dependency[] | undefined;
  /** Readers who share it, among those who may read its own page. */
  sharedWith: SharedWith;
  /** It took too long, so this is the body as it was written: nothing to be kept, as it says more of the machine than of the page. */
  isSource: boolean;
}

/** A rendering with all that it was made from: while asking for that again gives the same, so would rendering again. */
interface CachedRendering {
  /** Facts of its own page that the text may show, as JSON. */
  page: string;
  needs: RenderNeeds;
  answers: string;
  rendered: Omit<RenderedPage, 'targets' | 'sharedWith'>;
  targets: [target: string, page: { id: number; path: string; title: string }][];
}

/**
 * Queries: those of one batch for each nesting level of templates, and one batch for links and files; from the cache,
 * one batch in all, whatever changed or not: a cached rendering is only used if every answer is still the same.
 */
export async function renderBody(
  store: Store,
  renderer: Renderer,
  visibility: Visibility,
  input: RenderInput,
  now: number,
): Promise<RenderedPage> {
  // Readers with the same maximum audience nearly always get the same result. If not, the dependencies
  // differ.
  const key = input.cacheKey && `${input.cacheKey} ${visibility.maxAudience}`;
  // Too long for a key: those of what lies in the spill file are all in memory.
  const page = JSON.stringify(input.page);
  const known = key === undefined ? undefined : renderer.cache.get(key);
  if (known?.page === page) {
    const answers = await answerNeeds(store, visibility, known.needs, input);
    if (fingerprint(answers) === known.answers) {
      return { ...known.rendered, targets: new Map(known.targets), sharedWith: answers.sharedWith };
    }
  }
  let computed: Awaited<ReturnType<typeof renderUncached>>;
  try {
    computed = await renderUncached(store, renderer, visibility, input, now);
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error;
    renderer.onSource?.(input.page.path);
    return shownAsWritten(input.body);
  }
  const { rendered, needs, answers } = computed;
  // A time-dependent text is valid for a moment only.
  if (key !== undefined && !rendered.isTimeDependent) {
    const { targets, sharedWith: _, ...others } = rendered;
    const size = page.length + 2 * rendered.html.length + answers.length;
    renderer.cache.set(key, { page, needs, answers, rendered: others, targets: [...targets] }, size);
  }
  return rendered;
}

async function renderUncached(
  store: Store,
  renderer: Renderer,
  visibility: Visibility,
  input: RenderInput,
  now: number,
) {
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
    dialect: store.dialect,
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
    return answerNeeds(store, visibility, needs, input);
  };
  const parts = new PageParts(language, store.dialect);
  let sharedWith: SharedWith = 0;
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
    sharedWith = intersect(sharedWith, answers.sharedWith);
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
  const drawn = await text.draw({
    pages: links,
    files: new Map([...files].map(([name, file]) => [name, resolvedFile(file)])),
    page: { path: page.path, title: page.title },
    listings,
  });
  const title =
    expansion.displayTitle === undefined
      ? undefined
      : displayTitle(expansion.displayTitle, page.title, rulesOf(store.dialect));
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
    isTimeDependent: expansion.usedTime,
    dependencies: allNeeds.listings.length > 0 ? undefined : dependenciesOf(allNeeds, found.templates),
    sharedWith: intersect(sharedWith, answers.sharedWith),
    isSource: false,
  };
  return { rendered, needs: allNeeds, answers: fingerprint({ ...found, listings, links, files }) };
}

function shownAsWritten(body: string): RenderedPage {
  return {
    html: asWritten(body, sourceNotice),
    outline: [],
    displayTitle: undefined,
    notices: [sourceNotice],
    references: {
      links: [],
      templates: [],
      files: [],
      tags: [],
      unsupported: [],
      sections: [],
      followsPath: false,
    },
    targets: new Map(),
    isTimeDependent: true,
    dependencies: undefined,
    sharedWith: undefined,
    isSource: true,
  };
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
  };
}
