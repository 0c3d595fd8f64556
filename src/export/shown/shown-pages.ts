/** Renders pages as readers see them, one at a time, and points their links to wherever a format has the targets. */
import type { Element, Root } from 'hast';
import type { AttachedFile, WholePage } from '#core/model/page.ts';
import { percentDecoded } from '#core/model/path.ts';
import { viewOf } from '#core/pages/page-view.ts';
import type { Reader } from '#core/ports/reader.ts';
import { readerOf } from '../page-reader.ts';
import { type ExportSource, wholePages } from '../walk.ts';
import { changeElements, elementsIn, readHtml, unlinked } from './hast.ts';
import type { ShownPage, ShownPlan } from './plan.ts';

export interface ShownText {
  shown: ShownPage;
  page: WholePage;
  tree: Root;
  /** HTML of the title if it differs from the plain title. */
  displayTitle: string | undefined;
  outline: { level: number; title: string; id: string }[];
  files: UsedFile[];
}

/** A file or thumbnail that a page shows or links to. */
export interface UsedFile {
  /** Address under which the wiki serves the file. */
  name: string;
  hash: string;
  mime: string;
  sizeBytes: number | undefined;
  uploadedAt: number;
}

export interface Addresses {
  /** Returns the address of a page, relative to another page. */
  page(target: ShownPage, from: ShownPage, fragment: string): string;
  /** Returns the address of a file, or undefined if the format leaves it out. */
  file(file: UsedFile, from: ShownPage): string | undefined;
  /** Returns an address within the page itself. */
  fragment(fragment: string, from: ShownPage): string;
  /** Whether pictures are exported as thumbnails where the wiki shows thumbnails. */
  hasThumbnails: boolean;
}

const addressed = ['href', 'src', 'poster'] as const;
const servedFile = /^\/files\/([^/?#]+)$/;

/** `ids`: page IDs in the order wanted. */
export async function* shownPages(
  source: ExportSource,
  plan: ShownPlan,
  ids: Iterable<number>,
  addresses: Addresses,
): AsyncGenerator<ShownText> {
  for await (const { pages } of wholePages(source, ids))
    for (const page of pages) {
      const shown = plan.pages.get(page.id);
      if (!shown) continue;
      const reader = await readerOf(source, page);
      const { markup, displayTitle, outline } = await viewOf(
        { reader, renderer: source.renderer, now: source.now },
        page,
      );
      const tree = readHtml(markup);
      const files = await filesIn(reader, page, tree);
      changeElements(tree, (element) => withAddress(element, { shown, plan, files, addresses }));
      yield { shown, page, tree, displayTitle, outline, files: [...new Set(files.values())] };
    }
}

/** Finds files by the names in their addresses. Each file of another page is looked up only once. */
async function filesIn(reader: Reader, page: WholePage, tree: Root): Promise<Map<string, UsedFile>> {
  const names = new Set<string>();
  for (const { properties } of elementsIn(tree))
    for (const key of addressed) {
      const name = nameIn(properties[key]);
      if (name !== undefined) names.add(name);
    }
  const files = new Map<string, UsedFile>();
  const add = (file: AttachedFile) => {
    files.set(file.name, whole(file));
    if (file.thumbnail !== null) files.set(file.thumbnail, small(file));
  };
  for (const file of page.files) add(file);
  const foreign = [...names].filter((name) => !files.has(name));
  for (const found of await Promise.all(foreign.map((name) => reader.files.find(name))))
    if (found) add(found.file);
  return new Map(
    [...files].filter(([name]) => names.has(name) || page.files.some((file) => file.name === name)),
  );
}

function whole({ name, hash, mime, sizeBytes, uploadedAt }: AttachedFile): UsedFile {
  return { name, hash, mime, sizeBytes, uploadedAt };
}

function small({ thumbnail, thumbnailHash, thumbnailMime, uploadedAt }: AttachedFile): UsedFile {
  return {
    name: thumbnail ?? '',
    hash: thumbnailHash ?? '',
    mime: thumbnailMime ?? 'image/webp',
    sizeBytes: undefined,
    uploadedAt,
  };
}

interface Surroundings {
  shown: ShownPage;
  plan: ShownPlan;
  files: ReadonlyMap<string, UsedFile>;
  addresses: Addresses;
}

/** Replaces addresses in the element's attributes by their targets in the export, and removes addresses without a target. */
function withAddress(element: Element, { shown, plan, files, addresses }: Surroundings): Element {
  delete element.properties.srcSet;
  delete element.properties.sizes;
  for (const key of addressed) {
    const written = element.properties[key];
    if (typeof written !== 'string') continue;
    if (written.startsWith('#')) {
      element.properties[key] = addresses.fragment(written.slice(1), shown);
      continue;
    }
    if (!written.startsWith('/') || written.startsWith('//')) continue;
    const address = addressOf(written);
    if (address !== undefined) element.properties[key] = address;
    else if (key === 'href') return unlinked(element);
    else delete element.properties[key];
  }
  return element;

  function addressOf(written: string): string | undefined {
    const name = nameIn(written);
    if (name !== undefined) {
      const file = files.get(name);
      return file && addresses.file(file, shown);
    }
    const [, path = '', fragment = ''] = /^([^?#]*)(?:#(.*))?$/s.exec(written) ?? [];
    const target = plan.byPath.get(percentDecoded(path));
    return target && addresses.page(target, shown, fragment);
  }
}

function nameIn(address: unknown): string | undefined {
  const name = typeof address === 'string' ? servedFile.exec(address)?.[1] : undefined;
  return name === undefined ? undefined : percentDecoded(name);
}
