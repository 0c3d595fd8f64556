/**
 * Compares imported pages with their sources: each page is rendered as a reader sees it, its words and parts are counted, and its
 * links are followed. Pages are compared once they are written, while others are still being written; links to pages that were not
 * there yet are looked up at the end.
 */

import { renderBody } from '#core/content/cached-rendering.ts';
import { createLanguage } from '#core/content/language.ts';
import { createRenderer, type Renderer } from '#core/content/render.ts';
import type { WholePage } from '#core/model/page.ts';
import { percentDecoded } from '#core/model/path.ts';
import type { Actor } from '#core/model/permission.ts';
import { renderInputOf } from '#core/pages/page-view.ts';
import type { Reader } from '#core/ports/reader.ts';
import type { Store } from '#core/ports/store.ts';
import { type LargeMap, LargeMaps } from '../large-map.ts';
import { hashOf } from '../note.ts';
import { slicesOf } from '../slices.ts';
import type { LinkOutcome } from '../source.ts';
import type { Comparer, Comparison, ComparisonOptions, ExpectedPage, PageDifference } from './comparer.ts';
import { differenceOf } from './difference.ts';
import { linksElsewhere, linksToOthers } from './link-words.ts';
import { lastSegment, readMarkup } from './markup.ts';
import { plainLinks } from './plain-links.ts';
import { shownOf } from './source-text.ts';

/** Links of a page that its source resolves. */
interface FollowedLinks {
  /** To pages: path and fragment. */
  links: { old: string; path: string; fragment: string | undefined; isInPlace: boolean }[];
  /** Paths of pages that links on the page lead to. */
  found: string[];
  /** Targets of links to pages that were not there yet. */
  unknown: string[];
}

const pagesAtOnce = 20;
const mostListed = 2000;
const mostLinks = 10;
const mostFollowed = 2000;

export class PageComparison implements Comparer {
  readonly #maps = new LargeMaps();
  /** IDs of elements, by path of the page. */
  readonly #ids: LargeMap<string[]> = this.#maps.make();
  readonly #followed: LargeMap<FollowedLinks> = this.#maps.make();
  /** Pages that lack a file, which may belong to a page that is written later. */
  readonly #lacking: LargeMap<ExpectedPage> = this.#maps.make();
  readonly #differing: LargeMap<PageDifference> = this.#maps.make();
  /** Target of a link → path of its page. */
  readonly #resolved: LargeMap<string> = this.#maps.make();
  readonly #store: Store;
  readonly #actor: Actor;
  readonly #now: number;
  /** Code and formulas need no colours to be compared, and modules only add to a page. */
  readonly #renderer: Renderer = createRenderer('', createLanguage());
  #pages = 0;

  constructor(store: Store, { actor, now }: Pick<ComparisonOptions, 'actor' | 'now'>) {
    this.#store = store;
    this.#actor = actor;
    this.#now = now;
  }

  async add(expected: ExpectedPage[]): Promise<void> {
    await this.#addSome(expected, false);
  }

  async #addSome(expected: ExpectedPage[], isWritten: boolean): Promise<void> {
    for (const few of slicesOf(expected, pagesAtOnce)) {
      const reader = this.#store.readAs(this.#actor);
      const pages = await pagesAt(
        reader,
        few.map(({ path }) => path),
      );
      for (const one of few) {
        const page = pages.get(one.path);
        if (page && isAsImported(page)) await this.#compare(reader, page, one, isWritten);
      }
    }
  }

  /** `isWritten`: whether all pages are. */
  async #compare(reader: Reader, page: WholePage, expected: ExpectedPage, isWritten: boolean): Promise<void> {
    const { source, links } = expected;
    const { html, references, targets } = await renderBody(
      reader,
      this.#renderer,
      renderInputOf(page),
      this.#now,
    );
    const here = readMarkup(html);
    const lost = links.flatMap(({ old, new: path, isFile }) => {
      if (!isFile || path === null || !here.missingFiles.has(lastSegment(path))) return [];
      return [{ old, new: path, why: 'the file is missing here' }];
    });
    // A missing file may be shown by its label, and may belong to a page that is written later.
    const lacksFile = here.missingFiles.size > 0 && links.some(({ isFile }) => isFile);
    if (lacksFile && !isWritten) return this.#lacking.set(page.path, expected);
    this.#pages++;
    this.#ids.set(page.path, here.ids);
    const isSame = isSameText(source, page) && references.files.length === 0;
    const read = isSame ? undefined : shownOf(source, this.#store.dialect);
    const difference = read && differenceOf(read.shown, here.shown, read.exactness, read.otherwise);
    const exactness = read?.exactness ?? 'missing only';
    // A link to its own page is no link.
    const others = links.filter(({ new: target }) => target?.replace(/#.*$/s, '') !== page.path);
    const plain = 'language' in source ? plainLinks(source) : [];
    const elsewhere = read ? linksElsewhere(read.links ?? plain, others, here.links) : [];
    const toOthers = linksToOthers(read?.links ?? plain, links, here.links);
    const differing = [...lost, ...elsewhere, ...toOthers].slice(0, mostLinks);
    if (difference || differing.length > 0)
      this.#differing.set(page.path, {
        page: page.path,
        ...difference,
        ...(differing.length > 0 ? { links: differing } : {}),
      });
    const isPartial = exactness !== 'whole';
    const isPlain = new Set(isSame ? [] : plain.map(({ href }) => href));
    const followed = links
      .slice(0, mostFollowed)
      .flatMap((link) => toPage(link, isPartial && !isPlain.has(percentDecoded(link.old.trim()))));
    const unknown = references.links.map(({ target }) => target).filter((target) => !targets.has(target));
    if (followed.length > 0)
      this.#followed.set(page.path, {
        links: followed,
        found: [...here.pages],
        unknown: unknown.slice(0, mostFollowed),
      });
  }

  async finish(): Promise<Comparison> {
    for (const some of this.#lacking.slices())
      await this.#addSome(
        some.map(([, expected]) => expected),
        true,
      );
    await this.#resolve();
    for (const [page, { links, found, unknown }] of this.#followed.entries()) {
      const reached = new Set(found);
      for (const target of unknown) reached.add(this.#resolved.get(target) ?? '');
      const broken = links.flatMap(({ old, path, fragment, isInPlace }) => {
        const ids = fragment ? this.#ids.get(path) : undefined;
        const target = fragment === undefined ? path : `${path}#${fragment}`;
        // A link to its own page is no link.
        if (!isInPlace && path !== page && !reached.has(path))
          return [{ old, new: target, why: 'no link on the page leads there' }];
        if (!fragment || !ids || ids.includes(fragment) || ids.includes(fragment.replaceAll(' ', '_')))
          return [];
        return [{ old, new: target, why: 'the page has no such heading' }];
      });
      if (broken.length === 0) continue;
      const known = this.#differing.get(page) ?? { page };
      this.#differing.set(page, {
        ...known,
        links: [...(known.links ?? []), ...broken].slice(0, mostLinks),
      });
    }
    const byKind: Record<string, number> = {};
    const list: PageDifference[] = [];
    for (const one of this.#differing.values()) {
      for (const kind of kindsOf(one)) byKind[kind] = (byKind[kind] ?? 0) + 1;
      if (list.length < mostListed) list.push(one);
    }
    const differing = this.#differing.size;
    return { pages: this.#pages, differing, byKind, list, more: differing - list.length };
  }

  /** Looks up the targets of links to pages that were not there when the page was compared. */
  async #resolve(): Promise<void> {
    for (const some of this.#followed.slices()) {
      const asked = [...new Set(some.flatMap(([, { unknown }]) => unknown))];
      for (const targets of slicesOf(asked.filter((target) => !this.#resolved.has(target)))) {
        const found = await this.#store.readAs(this.#actor).links.resolve(targets);
        for (const [target, { path }] of found) this.#resolved.set(target, path);
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#maps[Symbol.dispose]();
  }
}

/**
 * Whether the source is wikitext that nothing changed: the wiki's own parser reads both sides alike, and files are the only part
 * that may be missing here.
 */
function isSameText(source: ExpectedPage['source'], { content }: WholePage): boolean {
  return 'language' in source && source.language === 'wikitext' && source.text === content.body;
}

/** `isPartial`: templates may leave out links that they are given. */
function toPage({ old, new: target, isFile }: LinkOutcome, isPartial: boolean): FollowedLinks['links'] {
  if (target === null || isFile) return [];
  const hash = target.indexOf('#');
  // Pages that are put in place are no links, nor do links within the page name it.
  const isInPlace = isPartial || old.startsWith('!') || /^(?:\[\[)?#/.test(old);
  const path = hash < 0 ? target : target.slice(0, hash);
  return [{ old, path, fragment: hash < 0 ? undefined : target.slice(hash + 1), isInPlace }];
}

function kindsOf({ missing, added, moved, parts = [], links }: PageDifference): string[] {
  return [
    ...(missing ? ['missing words'] : []),
    ...(added ? ['added words'] : []),
    ...(moved ? ['words in another order'] : []),
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
