/**
 * The tree that an import creates: a page for each outline and for each missing ancestor; redirects with a target become
 * aliases.
 */

import { withoutInvisible } from '#core/model/invisible.ts';
import { isReserved, madeSlugOf, readPath } from '#core/model/path.ts';
import { textOf } from '#words/say.ts';
import type { LargeMap, LargeMaps } from './large-map.ts';
import type { Outlines } from './outlines.ts';
import type { PlannedPage } from './planned-page.ts';
import type { Omission, PageOutline } from './source.ts';

/** Includes the position of its outline in the source. */
export type PlacedPage = PlannedPage & { order: number };

export class Places {
  /** Keyed by outline; pages without outline by their place, or by path if they are above the import. */
  readonly pages: LargeMap<PlacedPage>;
  /** Path → key of the redirect. */
  readonly redirects: LargeMap<string>;
  readonly taken: LargeMap<true>;
  readonly #outlines: Outlines;
  readonly #parentPath: string | null;
  readonly #leaveOut: (omission: Omission) => void;
  readonly #byPlace: LargeMap<{ key: string; order: number }>;
  /** Place → key of the page there; empty if none is possible. */
  readonly #made: LargeMap<string>;
  /** Path → number of the last page that requested it. */
  readonly #numbers = new Map<string, number>();

  constructor(
    maps: LargeMaps,
    outlines: Outlines,
    parentPath: string | null,
    leaveOut: (omission: Omission) => void,
  ) {
    this.pages = maps.make();
    this.redirects = maps.make();
    this.taken = maps.make();
    this.#byPlace = maps.make();
    this.#made = maps.make();
    this.#outlines = outlines;
    this.#parentPath = parentPath;
    this.#leaveOut = leaveOut;
  }

  fill(): void {
    const { all, finalTarget } = this.#outlines;
    let order = 0;
    for (const { key, place } of all.values()) {
      const name = placeKey(place);
      if (finalTarget(key) === undefined && !this.#byPlace.has(name)) this.#byPlace.set(name, { key, order });
      order++;
    }
    // Missing parents come first; a page for the whole import is created like any other.
    const top = all.get(this.#byPlace.get('')?.key ?? '');
    for (const path of prefixes(this.#parentPath)) {
      this.taken.set(path, true);
      const outline = path === this.#parentPath ? top : undefined;
      const title = outline?.title ?? path.slice(path.lastIndexOf('/') + 1);
      const page = { outline, title, path, wanted: path, order: 0, round: 0, existing: undefined };
      this.pages.set(keyOf(page), { ...page, parentPath: path.slice(0, path.lastIndexOf('/')) || null });
    }
    order = 0;
    for (const outline of all.values()) {
      const { key, place } = outline;
      const isFirst = this.#byPlace.get(placeKey(place))?.key === key;
      if (isFirst) this.#pageAt(place);
      // Its place is taken, so it is placed beside that page.
      else if (finalTarget(key) === undefined)
        this.#add(outline, order, place, this.#pageAt(place.slice(0, -1)));
      order++;
    }
    for (const { key, place, revisions } of all.values()) {
      if (finalTarget(key) === undefined) continue;
      const why = `it is only a redirect, so its address redirects here, too; its revisions (${revisions}) contain nothing else`;
      this.#leaveOut({ source: key, why });
      const above = this.pages.get(this.#made.get(placeKey(place.slice(0, -1))) ?? '');
      const path = this.#freePath(above?.path ?? this.#parentPath, place.at(-1) ?? '');
      this.taken.set(path, true);
      this.redirects.set(path, key);
    }
  }

  /**
   * Returns the page at a place, with its ancestors created; null for the top, undefined if impossible. If its parent comes
   * later, the page is written in a later pass.
   */
  #pageAt(names: readonly string[]): PlacedPage | null | undefined {
    if (names.length === 0) return null;
    const place = placeKey(names);
    const made = this.#made.get(place);
    if (made !== undefined) return this.pages.get(made);
    const divided = this.#divided(names);
    const above = this.#pageAt(
      divided.length === names.length ? names.slice(0, -1) : parentOf(names, divided),
    );
    const found = this.#byPlace.get(place);
    const outline = found && this.#outlines.all.get(found.key);
    const page = this.#add(outline, found?.order ?? 0, divided, above);
    this.#made.set(place, page ? keyOf(page) : '');
    return page;
  }

  #add(
    outline: PageOutline | undefined,
    order: number,
    names: readonly string[],
    above: PlacedPage | null | undefined,
  ): PlacedPage | undefined {
    const refuse = (why: string) => {
      this.#leaveOut({ source: outline?.key ?? names.join('/'), why, isRefusal: true });
      return undefined;
    };
    if (above === undefined) return outline && refuse('the page above it could not be created');
    const name = names.at(-1) ?? '';
    const parentPath = above?.path ?? this.#parentPath;
    const path = this.#freePath(parentPath, name);
    const read = readPath(path);
    if ('problem' in read) return refuse(textOf(read.problem, 'en'));
    this.taken.set(path, true);
    // In each pass, pages without own text are written first.
    const isLater = above?.outline && (!outline || above.order > order);
    const page: PlacedPage = {
      outline,
      title: outline?.title ?? name,
      path,
      wanted: path,
      parentPath,
      order,
      round: (above?.round ?? 0) + (isLater ? 1 : 0),
      existing: undefined,
    };
    this.pages.set(keyOf(page), page);
    return page;
  }

  #freePath(parent: string | null, name: string): string {
    const wanted = `${parent ?? ''}/${segmentOf(name)}`;
    for (let number = this.#numbers.get(wanted) ?? 1; ; number++) {
      const path = number === 1 ? wanted : `${wanted}-${number}`;
      if (this.taken.has(path) || isReserved(path)) continue;
      if (number > 1) this.#numbers.set(wanted, number);
      return path;
    }
  }

  /** Splits a name at slashes if the part before is a page: `AC/DC` is a single name unless there is a page `AC`. */
  #divided(names: readonly string[]): readonly string[] {
    const name = names.at(-1) ?? '';
    const above = names.slice(0, -1);
    for (let slash = name.lastIndexOf('/'); slash > 0; slash = name.lastIndexOf('/', slash - 1)) {
      const parent = [...above, name.slice(0, slash)];
      if (this.#byPlace.has(placeKey(parent))) return [...parent, name.slice(slash + 1)];
    }
    return names;
  }
}

function keyOf({ outline, path }: Pick<PlannedPage, 'outline' | 'path'>): string {
  return outline?.key ?? `\0${path}`;
}

function placeKey(names: readonly string[]): string {
  return names.join('\0');
}

/** Place of the parent of a page whose last name was split. */
function parentOf(names: readonly string[], divided: readonly string[]): string[] {
  return [...names.slice(0, -1), divided.at(-2) ?? ''];
}

function prefixes(path: string | null): string[] {
  if (path === null) return [];
  const segments = path.slice(1).split('/');
  return segments.map((_, index) => `/${segments.slice(0, index + 1).join('/')}`);
}

function segmentOf(name: string): string {
  const slug = madeSlugOf(name);
  if (slug !== '') return slug;
  const bare = withoutInvisible(name).replaceAll('/', '-').trim();
  return 'path' in readPath(`/${bare}`) ? bare : 'page';
}
