/**
 * Renders a body: templates are fetched and expanded, in one batch for each nesting level; then all links and files are
 * resolved in one batch; then rendering is pure. Everything is read with the reader's rights, so a page shows nothing that its
 * reader could not open.
 */

import { displayTitle, type References, type Rendered } from '@coppice/wikitext';
import { rulesOf } from '@coppice/wikitext/dialect';
import { BoundedCache } from '#cache/bounded-cache.ts';
import { DiskCache } from '#cache/disk-cache.ts';
import type { SpillFile } from '#cache/spill-file.ts';
import type { ReadText } from '../model/derived.ts';
import type { AttachedFile } from '../model/page.ts';
import { fileUrl } from '../ports/file-store.ts';
import { hasVariants, pictureWidths } from '../ports/picture-variants.ts';
import type { Reader } from '../ports/reader.ts';
import { codeBlock } from './code-block.ts';
import type { Comparison } from './diff.ts';
import { type ExpandInput, type Expanding, expandWhole } from './expand-whole.ts';
import {
  asWritten,
  createLanguage,
  type ExpandedBody,
  isOf,
  type Language,
  type Output,
} from './language.ts';
import { answerNeeds, fingerprint, type RenderNeeds, type Targets } from './render-needs.ts';
import {
  leftOutNotice,
  partNotices,
  sourceNotice,
  titleNotice,
  unsupportedNotice,
} from './render-notices.ts';

/** External functions that rendering needs, provided by the composition root. */
export interface Renderer extends Expanding {
  /** Renderings by source and kind of reader; sizes in characters. */
  cache: DiskCache<CachedRendering>;
  /** Comparisons by the IDs of both changes, which are immutable; sizes in characters. */
  comparisons: BoundedCache<Comparison>;
  /** Called for each page that is shown as source because rendering it takes too long. */
  onSource?: ((path: string) => void) | undefined;
}

/** Maximum number of characters of renderings in memory, about two bytes each. */
const maxCachedCharacters = 2_000_000;
const maxComparedCharacters = 8_000_000;

/**
 * `spillFile`: disk for renderings that do not fit in memory. `onSource`: called with the path of each page that took too long
 * and was shown as its source.
 */
export function createRenderer(
  siteName: string | (() => string),
  language: Language = createLanguage(),
  spillFile?: SpillFile,
  onSource?: (path: string) => void,
): Renderer {
  return {
    get siteName() {
      return typeof siteName === 'string' ? siteName : siteName();
    },
    language,
    cache: new DiskCache(maxCachedCharacters, spillFile),
    comparisons: new BoundedCache(maxComparedCharacters),
    onSource,
  };
}

/** A rendering as plain data. */
interface CachedRendering extends Pick<Rendering, 'needs' | 'answers'> {
  /** Facts about the page itself that the text may show, as JSON. */
  page: string;
  rendered: Omit<RenderedPage, 'targets'>;
  targets: [target: string, page: { id: number; path: string; title: string }][];
}

export interface RenderInput extends ExpandInput {
  /** The title is not known yet, so `DISPLAYTITLE` is accepted without comparing it to the title. */
  isUntitled?: boolean;
  /** Permanent identifier of the body, such as that of its change; absent if it is rendered only once. */
  cacheKey?: string;
  /** HTML by default. */
  output?: Output | undefined;
  /** The parsed body, reused if nothing in it is expanded. */
  read?: ReadText | undefined;
}

export interface RenderedPage extends Pick<Rendered, 'outline' | 'notices'> {
  /** Contains Markdown if the input requests it. */
  html: string;
  /** HTML of the title if the page wants it to be formatted. */
  displayTitle: string | undefined;
  /** References of the expanded text. */
  references: References;
  /** Targets of its links for this reader. */
  targets: Targets;
}

/** A rendering with all its lookups: it is valid as long as their answers are the same. */
export interface Rendering {
  rendered: RenderedPage;
  needs: RenderNeeds;
  /** `fingerprint` of the answers. */
  answers: string;
  /** The rendering shows the current time, so it may change although nothing was written. */
  isTimeDependent: boolean;
}

/** Runs one batch of queries for each nesting level of templates, and one for links and files. */
export async function render(
  reader: Reader,
  renderer: Renderer,
  input: RenderInput,
  now: number,
): Promise<Rendering> {
  const { language, lookups } = renderer;
  const { page, read } = input;
  const { expansion, needs: allNeeds, found, parts } = await expandWhole({ reader, now }, renderer, input);
  const isRead = read && isOf(read, expansion, page.path);
  const text = await language.open(expansion, page.path, isRead ? read : undefined);
  allNeeds.links = text.references.links.map((link) => link.target);
  // Files whose existence was checked become dependencies of the page, like those shown.
  const shown = text.references.files;
  const nothing = { templates: [], exists: [], listings: [] };
  // Cached renderings are also served to callers without this limit, so it does not apply to them.
  const maxLinks = (input.cacheKey === undefined && lookups?.maxLinks) || allNeeds.links.length;
  const linksLeftOut = allNeeds.links.splice(maxLinks).length;
  lookups?.spend(allNeeds.links.length + shown.length);
  const answers = await answerNeeds(reader, { ...allNeeds, ...nothing, files: shown }, input);
  allNeeds.files = [...new Set([...allNeeds.files, ...shown])];
  const { links } = answers;
  const files = new Map([...found.files, ...answers.files]);
  const resolved = {
    pages: links,
    files: new Map([...files].map(([name, file]) => [name, resolvedFile(file)])),
    page: { path: page.path, title: page.title },
    listings: found.listings,
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
    references: isOwn(input, expansion) ? text.references : withoutExcess(text.references),
    targets: links,
  };
  return {
    rendered,
    needs: allNeeds,
    answers: fingerprint({ ...found, links, files }),
    isTimeDependent: expansion.usedTime,
  };
}

/** Whether all of the text is the body's own, and nothing comes from templates. */
function isOwn({ body }: RenderInput, { text, calls }: Pick<ExpandedBody, 'text' | 'calls'>): boolean {
  return text === body && calls.length === 0;
}

function withoutExcess({ excess: _, ...others }: References): References {
  return others;
}

/** The body of a page that takes too long to render, as source. */
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

/** A body as a block of code, as Markdown, with the notice that it is shown as written. */
export function codeAsWritten(body: string): RenderedPage {
  return { ...shownAsWritten(body), html: `${sourceNotice}\n\n${codeBlock(body)}\n` };
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
