/**
 * Places on a map as pins; those that would lie on one another as one pin with their number. Pins are links and buttons in
 * reading order, so the keyboard and screen readers reach them like anything else.
 */
import { announce, button, element } from '../element.ts';
import { tileSize } from './ground.ts';
import type { MapView } from './map-view.ts';
import { fromUnit, type Point, toUnit } from './world.ts';

export interface MapPlace extends Point {
  id: number;
  title: string;
  /** Null or empty: none. */
  type: string | null;
  url: string;
}

interface Cluster extends Point {
  places: MapPlace[];
}

/** Pixels between pins, below which they are one: as much as the largest is wide. */
const reach = 46;
const listedUpTo = 12;

export class PlaceLayer {
  #map: MapView;
  #places: MapPlace[] = [];
  #grouped: { places: MapPlace[]; level: number; clusters: Cluster[] } | undefined;
  #drawn: { cluster: Cluster; pin: HTMLElement }[] = [];
  #key = '';
  #popup: HTMLElement | undefined;
  /** IDs of the places that the popup lists. */
  #popupIds = '';
  #marked: number | undefined;

  constructor(map: MapView) {
    this.#map = map;
    map.onMove(() => this.#update());
    map.root.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && this.#popup) {
        event.stopPropagation();
        this.#dismissPopup();
      }
    });
  }

  show(places: MapPlace[]): void {
    // The same places stay as they are, with what is open among them.
    // In one order, however they were listed.
    this.#places = places.toSorted((a, b) => a.id - b.id);
    this.#update();
  }

  /** Lets one place stand out, such as the one pointed at in the list. */
  mark(id: number | undefined): void {
    this.#marked = id;
    for (const { cluster, pin } of this.#drawn)
      pin.classList.toggle('is-marked', id !== undefined && cluster.places.some((place) => place.id === id));
  }

  #update(): void {
    const level = Math.floor(this.#map.zoom * 2) / 2;
    // Group all places, not only those in sight, so that moving the map never regroups anything.
    if (this.#grouped?.places !== this.#places || this.#grouped.level !== level)
      this.#grouped = { places: this.#places, level, clusters: clustersOf(this.#places, level) };
    const visible = this.#grouped.clusters.filter((cluster) => {
      const { x, y } = this.#map.place(cluster);
      return x > -reach && x < this.#map.width + reach && y > -reach && y < this.#map.height + reach;
    });
    const key = `${level} ${visible.map(idsOf).join(' ')}`;
    if (key !== this.#key) {
      this.#key = key;
      this.#rebuild(visible);
    }
    for (const { cluster, pin } of this.#drawn) this.#map.put(pin, cluster);
  }

  #rebuild(clusters: Cluster[]): void {
    const focused = this.#drawn.find(({ pin }) => pin.contains(document.activeElement))?.cluster.places[0]
      ?.id;
    const [popup, popupIds] = [this.#popup, this.#popupIds];
    const popupFocus = popup?.contains(document.activeElement)
      ? (document.activeElement as HTMLElement)
      : undefined;
    this.#closePopup();
    const named = this.#withRoomForNames(clusters);
    this.#drawn = clusters.map((cluster) => ({ cluster, pin: this.#pinOf(cluster, named.has(cluster)) }));
    this.#map.layer.replaceChildren(...this.#drawn.map(({ pin }) => pin));
    this.mark(this.#marked);
    // The popup stays open as long as its places are one cluster.
    const still = popup && this.#drawn.find(({ cluster }) => idsOf(cluster) === popupIds);
    if (still) {
      still.pin.append(popup);
      [this.#popup, this.#popupIds] = [popup, popupIds];
      popupFocus?.focus({ preventScroll: true });
    } else if (focused !== undefined) {
      const again = this.#drawn.find(({ cluster }) => cluster.places.some(({ id }) => id === focused));
      again?.pin.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true });
    }
  }

  /** The others show their names when they are pointed at or have the focus. */
  #withRoomForNames(clusters: Cluster[]): Set<Cluster> {
    const pins = clusters.map((cluster) => ({ cluster, ...this.#map.place(cluster) }));
    const taken = pins.map(({ x, y, cluster }) =>
      boxAround(x, y, cluster.places.length > 1 ? sizeOf(cluster) / 2 + 4 : 9),
    );
    const named = new Set<Cluster>();
    for (const { cluster, x, y } of pins) {
      const [place] = cluster.places;
      if (!place || cluster.places.length > 1) continue;
      const box = {
        left: x + 9.5,
        right: x + 24 + Math.min(176, Math.max([...place.title].length * 8, (place.type ?? '').length * 7)),
        top: y - 11,
        bottom: y + (place.type ? 27 : 11),
      };
      if (
        box.right > this.#map.width ||
        taken.some(
          (other) =>
            other.left < box.right &&
            box.left < other.right &&
            other.top < box.bottom &&
            box.top < other.bottom,
        )
      )
        continue;
      taken.push(box);
      named.add(cluster);
    }
    return named;
  }

  #pinOf(cluster: Cluster, isNamed: boolean): HTMLElement {
    const [place] = cluster.places;
    if (cluster.places.length === 1 && place) {
      return element(
        'div',
        { class: `pin${isNamed ? ' is-named' : ''}` },
        element('a', { href: place.url }, element('span', { class: 'pin-name' }, ...nameOf(place))),
      );
    }
    const names = cluster.places
      .slice(0, 3)
      .map(({ title }) => title)
      .join(', ');
    const more = cluster.places.length > 3 ? ' and more' : '';
    const made = button(
      String(cluster.places.length),
      { 'aria-label': `${cluster.places.length} places: ${names}${more}`, title: `${names}${more}` },
      () => this.#open(cluster, made),
    );
    made.style.setProperty('--pin-size', `${sizeOf(cluster)}px`);
    return element('div', { class: 'pin is-many' }, made);
  }

  /** Goes nearer until they come apart; those that never will are listed. */
  #open(cluster: Cluster, pin: HTMLElement): void {
    const units = cluster.places.map(toUnit);
    const spanOf = (values: number[]) => Math.max(...values) - Math.min(...values);
    const span = Math.max(spanOf(units.map(([x]) => x)), spanOf(units.map(([, y]) => y)));
    if (span > 0 && span * tileSize * 2 ** this.#map.maxZoom > reach) {
      const needed = Math.log2((reach * 4) / (span * tileSize));
      this.#map.show(cluster, Math.min(this.#map.maxZoom, Math.max(this.#map.zoom + 1, needed)));
      announce(`Zoomed in on ${cluster.places.length} places.`);
      this.#map.root.querySelector<HTMLElement>('.map-surface')?.focus({ preventScroll: true });
      return;
    }
    this.#closePopup();
    const rest = cluster.places.length - listedUpTo;
    this.#popup = element(
      'div',
      { class: 'map-popup', role: 'dialog', 'aria-label': `${cluster.places.length} places here` },
      element(
        'ul',
        {},
        ...cluster.places
          .slice(0, listedUpTo)
          .map((place) => element('li', {}, element('a', { href: place.url }, ...nameOf(place)))),
        rest > 0 && element('li', { class: 'quiet' }, `and ${rest} more`),
      ),
      button('Close', {}, () => this.#dismissPopup()),
    );
    this.#popupIds = idsOf(cluster);
    pin.after(this.#popup);
    this.#popup.querySelector('a')?.focus({ preventScroll: true });
  }

  /** By somebody who goes on from the pin that it belonged to. */
  #dismissPopup(): void {
    const pin = this.#popup?.parentElement?.querySelector('button');
    this.#closePopup();
    pin?.focus();
  }

  #closePopup(): void {
    this.#popup?.remove();
    this.#popup = undefined;
  }
}

function idsOf({ places }: Cluster): string {
  return places.map(({ id }) => id).join(',');
}

/** Title and type, for labels and lists. */
function nameOf({ title, type }: MapPlace): (HTMLElement | string)[] {
  const name = element('span', { dir: 'auto' }, title);
  return type ? [name, ' ', element('span', { class: 'pin-type', dir: 'auto' }, type)] : [name];
}

/** Pixels across: it grows with the number, and ever less so. */
function sizeOf({ places }: Cluster): number {
  return Math.round(Math.min(reach, 24 + 5 * Math.log2(places.length)));
}

function boxAround(x: number, y: number, half: number) {
  return { left: x - half, right: x + half, top: y - half, bottom: y + half };
}

interface Group {
  places: MapPlace[];
  /** In pixels at the level, of the middle of its places. */
  x: number;
  y: number;
}

/**
 * Groups places that lie within `reach` of each other: each joins the nearest group, whose middle moves with it, so that a
 * pin stands where its places are. Groups that have come within reach are joined again, until no two pins overlap.
 */
function clustersOf(places: MapPlace[], level: number): Cluster[] {
  const size = tileSize * 2 ** level;
  let groups = places.map((place): Group => {
    const [x, y] = toUnit(place);
    return { places: [place], x: x * size, y: y * size };
  });
  for (let before = groups.length + 1; groups.length < before; ) {
    before = groups.length;
    groups = joined(groups);
  }
  return (
    groups
      .map(({ places, x, y }) => ({ places, ...fromUnit(x / size, y / size) }))
      // From the north-west, as one reads.
      .sort((a, b) => b.lat - a.lat || a.lon - b.lon)
  );
}

function joined(groups: Group[]): Group[] {
  // Within reach means: in the same cell of this grid or in one beside it.
  const cells = new Map<string, Group[]>();
  const result: Group[] = [];
  for (const group of groups) {
    const [column, row] = [Math.floor(group.x / reach), Math.floor(group.y / reach)];
    let nearest: Group | undefined;
    let least = reach;
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        for (const other of cells.get(`${column + dx} ${row + dy}`) ?? []) {
          const apart = Math.hypot(other.x - group.x, other.y - group.y);
          if (apart < least) [nearest, least] = [other, apart];
        }
      }
    }
    if (nearest) {
      const share = group.places.length / (group.places.length + nearest.places.length);
      nearest.x += (group.x - nearest.x) * share;
      nearest.y += (group.y - nearest.y) * share;
      nearest.places.push(...group.places);
      continue;
    }
    const own = { ...group, places: [...group.places] };
    result.push(own);
    const key = `${column} ${row}`;
    cells.set(key, [...(cells.get(key) ?? []), own]);
  }
  return result;
}
