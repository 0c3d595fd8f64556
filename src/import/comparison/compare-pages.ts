/**
 * Compares imported pages with their sources after everything is written: each page is rendered as a reader sees it, its words
 * and parts are counted, and its links are followed. Runs on the thread of the import, once through all pages, a few at a time.
 */
import type { Renderer } from '#core/content/render.ts';
import type { WholePage } from '#core/model/page.ts';
import type { Actor } from '#core/model/permission.ts';
import { viewOf } from '#core/pages/page-view.ts';
import type { Reader } from '#core/ports/reader.ts';
import type { Store } from '#core/ports/store.ts';
import { type LargeMap, LargeMaps } from '../large-map.ts';
import { hashOf } from '../note.ts';
import { slicesOf } from '../slices.ts';
import type { LinkOutcome } from '../source.ts';
import { type Difference, differenceOf, type Exactness, type SourceShown } from './difference.ts';
import { lastSegment, type ReadMarkup, readMarkup } from './markup.ts';

export interface PageDifference extends Partial<Difference> {
  page: string;
  /** Links that lead to a page or file in the source, and why they do not here; the first ones. */
  links?: { old: string; new: string; why: string }[];
}

export interface Comparison {
  /** Pages that were compared with their source. */
  pages: number;
  differing: number;
  /** Number of pages for each kind of difference. */
  byKind: Record<string, number>;
  list: PageDifference[];
  /** Number of pages that differ and are not listed. */
  more: number;
}

interface Expected extends SourceShown {
  links: LinkOutcome[];
}

const pagesAtOnce = 20;
const mostListed = 2000;
const mostLinks = 10;
const mostExpectedLinks = 2000;

export class PageComparison implements Disposable {
  readonly #maps = new LargeMaps();
  /** By path of the page. */
  readonly #expected: LargeMap<Expected> = this.#maps.make();
  /** IDs of elements, by path of the page. */
  readonly #ids: LargeMap<string[]> = this.#maps.make();
  /** Links to a fragment of another page, by page. */
  readonly #fragments: LargeMap<{ path: string; fragment: string; old: string }[]> = this.#maps.make();
  readonly #differing: LargeMap<PageDifference> = this.#maps.make();
  #pages = 0;

  expect(path: string, source: SourceShown, links: readonly LinkOutcome[]): void {
    const led = links.filter((link) => link.new !== null).slice(0, mostExpectedLinks);
    this.#expected.set(path, { ...source, links: led });
  }

  async run(
    store: Store,
    renderer: Renderer,
    actor: Actor,
    now: number,
    onPages: (pages: number) => void | Promise<void>,
  ): Promise<Comparison> {
    for (const some of this.#expected.slices())
      for (const few of slicesOf(some, pagesAtOnce)) {
        const reader = store.readAs(actor);
        const pages = await pagesAt(
          reader,
          few.map(([path]) => path),
        );
        for (const [path, expected] of few) {
          const page = pages.get(path);
          if (page && isAsImported(page)) await this.#compare(reader, renderer, page, expected, now);
        }
        await onPages(few.length);
      }
    this.#followFragments();
    return this.#outcome();
  }

  async #compare(
    reader: Reader,
    renderer: Renderer,
    page: WholePage,
    { shown, exactness, links }: Expected,
    now: number,
  ): Promise<void> {
    const { markup } = await viewOf(reader, renderer, page, now);
    this.#pages++;
    const found = readMarkup(markup);
    this.#ids.set(page.path, found.ids);
    const difference = differenceOf(shown, found.shown, exactness);
    const broken = brokenLinks(links, found, exactness);
    const fragments = links.flatMap(({ old, new: target, isFile }) => {
      const hash = target?.indexOf('#') ?? -1;
      if (target === null || isFile || hash < 0) return [];
      return [{ path: target.slice(0, hash), fragment: target.slice(hash + 1), old }];
    });
    if (fragments.length > 0) this.#fragments.set(page.path, fragments);
    if (difference || broken.length > 0)
      this.#differing.set(page.path, {
        page: page.path,
        ...difference,
        ...(broken.length > 0 ? { links: broken } : {}),
      });
  }

  /** Links to headings, once the headings of all pages are known. */
  #followFragments(): void {
    for (const [page, fragments] of this.#fragments.entries()) {
      const broken = fragments.filter(({ path, fragment }) => {
        const ids = this.#ids.get(path);
        return (
          ids && fragment !== '' && !ids.includes(fragment) && !ids.includes(fragment.replaceAll(' ', '_'))
        );
      });
      if (broken.length === 0) continue;
      const known = this.#differing.get(page) ?? { page };
      const links = broken.map(({ old, path, fragment }) => ({
        ...{ old, new: `${path}#${fragment}`, why: 'the page has no such heading' },
      }));
      this.#differing.set(page, { ...known, links: [...(known.links ?? []), ...links].slice(0, mostLinks) });
    }
  }

  #outcome(): Comparison {
    const byKind: Record<string, number> = {};
    const list: PageDifference[] = [];
    for (const one of this.#differing.values()) {
      for (const kind of kindsOf(one)) byKind[kind] = (byKind[kind] ?? 0) + 1;
      if (list.length < mostListed) list.push(one);
    }
    const differing = this.#differing.size;
    return { pages: this.#pages, differing, byKind, list, more: differing - list.length };
  }

  [Symbol.dispose](): void {
    this.#maps[Symbol.dispose]();
  }
}

function kindsOf({ missing, added, parts = [], links }: PageDifference): string[] {
  return [
    ...(missing ? ['missing words'] : []),
    ...(added ? ['added words'] : []),
    ...parts.map(({ part }) => part),
    ...(links ? ['links'] : []),
  ];
}

async function pagesAt(reader: Reader, paths: string[]): Promise<Map<string, WholePage>> {
  const resolved = await reader.links.resolve(paths);
  const pages = await reader.pages.load([...new Set([...resolved.values()].map(({ id }) => id))], 'none');
  return new Map(pages.map((page) => [page.path, page]));
}

/** False for pages that were edited here, which show what they were edited to. */
function isAsImported({ content }: WholePage): boolean {
  const note = content.data.import;
  return typeof note === 'object' && note !== null && 'body' in note && note.body === hashOf(content.body);
}

function brokenLinks(
  links: readonly LinkOutcome[],
  { pages, missingFiles }: ReadMarkup,
  exactness: Exactness,
): NonNullable<PageDifference['links']> {
  const broken: NonNullable<PageDifference['links']> = [];
  for (const { old, new: target, isFile } of links) {
    if (target === null || broken.length >= mostLinks) continue;
    if (isFile) {
      if (missingFiles.has(lastSegment(target)))
        broken.push({ old, new: target, why: 'the file is not here' });
      continue;
    }
    const hash = target.indexOf('#');
    const path = hash < 0 ? target : target.slice(0, hash);
    // Pages that are put in place are no links, and templates may leave out what they are given.
    if (old.startsWith('!') || /^(?:\[\[)?#/.test(old) || exactness !== 'whole') continue;
    if (!pages.has(path)) broken.push({ old, new: target, why: 'no link on the page leads there' });
  }
  return broken;
}
