/**
 * Pins for places on a map; overlapping ones are clustered into one pin with their number. Pins are links and buttons in
 * reading order, accessible to keyboard and screen readers.
 */
import { announce, button, element } from '../element.ts';
import { say } from '../words.ts';
import { tileSize } from './ground.ts';
import type { MapView } from './map-view.ts';
import { fromUnit, type Point, toUnit } from './world.ts';

export interface MapPlace extends Point {
  id: number;
  title: string;
  /** Null or empty if the page has no type. */
  type: string | null;
  url: string;
}

interface Cluster extends Point {
  places: MapPlace[];
}

/** Minimum distance of pins in pixels, the width of the largest one; closer pins are clustered. */
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
    // Unchanged places are kept, including open popups. Sorted, so that the order of the input does not matter.
    this.#places = places.toSorted((a, b) => a.id - b.id);
    this.#update();
  }

  /** Highlights a place, such as the hovered one in the list. */
  mark(id: number | undefined): void {
    this.#marked = id;
    for (const { cluster, pin } of this.#drawn)
      pin.classList.toggle('is-marked', id !== undefined && cluster.places.some((place) => place.id === id));
  }

  #update(): void {
    const level = Math.floor(this.#map.zoom * 2) / 2;
    // Clusters all places, not only visible ones, so that moving the map never changes clusters.
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

  /** Clusters with space for names; others show them on hover or focus. */
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
      if (box.right > this.#map.width || taken.some((other) => overlap(other, box))) continue;
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
    const title = cluster.places.length > 3 ? say('scriptPlaceLayer.andMore', { names }) : names;
    const made = button(
      String(cluster.places.length),
      {
        'aria-label': say('scriptPlaceLayer.placesNamed', { count: cluster.places.length, names: title }),
        title,
      },
      () => this.#open(cluster, made),
    );
    made.style.setProperty('--pin-size', `${sizeOf(cluster)}px`);
    return element('div', { class: 'pin is-many' }, made);
  }

  /** Zooms in until the places separate; those that never do are listed. */
  #open(cluster: Cluster, pin: HTMLElement): void {
    const units = cluster.places.map(toUnit);
    const spanOf = (values: number[]) => Math.max(...values) - Math.min(...values);
    const span = Math.max(spanOf(units.map(([x]) => x)), spanOf(units.map(([, y]) => y)));
    if (span > 0 && span * tileSize * 2 ** this.#map.maxZoom > reach) {
      const needed = Math.log2((reach * 4) / (span * tileSize));
      this.#map.show(cluster, Math.min(this.#map.maxZoom, Math.max(this.#map.zoom + 1, needed)));
      announce(say('scriptPlaceLayer.zoomedIn', { count: cluster.places.length }));
      this.#map.root.querySelector<HTMLElement>('.map-surface')?.focus({ preventScroll: true });
      return;
    }
    this.#closePopup();
    const rest = cluster.places.length - listedUpTo;
    this.#popup = element(
      'div',
      {
        class: 'map-popup',
        role: 'dialog',
        'aria-label': say('scriptPlaceLayer.placesHere', { count: cluster.places.length }),
      },
      element(
        'ul',
        {},
        ...cluster.places
          .slice(0, listedUpTo)
          .map((place) => element('li', {}, element('a', { href: place.url }, ...nameOf(place)))),
        rest > 0 && element('li', { class: 'quiet' }, say('scriptPlaceLayer.more', { count: rest })),
      ),
      button(say('scriptPlaceLayer.close'), {}, () => this.#dismissPopup()),
    );
    this.#popupIds = idsOf(cluster);
    pin.after(this.#popup);
    this.#popup.querySelector('a')?.focus({ preventScroll: true });
  }

  /** Focus returns to the pin if the popup had it. */
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

/** Diameter in pixels, growing sublinearly with the number. */
function sizeOf({ places }: Cluster): number {
  return Math.round(Math.min(reach, 24 + 5 * Math.log2(places.length)));
}

type Box = Record<'left' | 'right' | 'top' | 'bottom', number>;

function boxAround(x: number, y: number, half: number): Box {
  return { left: x - half, right: x + half, top: y - half, bottom: y + half };
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

interface Group {
  places: MapPlace[];
  /** Centre of its places, in pixels at the level. */
  x: number;
  y: number;
}

/**
 * Clusters places within `reach` of each other: each joins the nearest cluster, whose centre moves accordingly. Clusters that
 * have come within reach are merged, until no two pins overlap.
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
      // From the north-west, in reading order.
      .sort((a, b) => b.lat - a.lat || a.lon - b.lon)
  );
}

function joined(groups: Group[]): Group[] {
  // Grid for finding neighbours: places within reach are in the same or an adjacent cell.
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
