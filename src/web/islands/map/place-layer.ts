/**
 * Places on a map as pins; those that would lie on one another as one pin with their number. Pins are links and buttons in
 * reading order, so the keyboard and screen readers reach them like anything else.
 */
import { announce, button, element } from '../element.ts';
import type { MapView } from './map-view.ts';
import { fromUnit, type Point, toUnit } from './world.ts';

export interface Place extends Point {
  id: number;
  title: string;
  url: string;
}

interface Cluster extends Point {
  places: Place[];
}

/** Pixels within which places share a pin. */
const cellSize = 56;
const listedUpTo = 12;

export class PlaceLayer {
  #map: MapView;
  #places: Place[] = [];
  #drawn: { cluster: Cluster; pin: HTMLElement }[] = [];
  #key = '';
  #popup: HTMLElement | undefined;
  /** Of the places that the popup lists. */
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

  show(places: Place[]): void {
    // The same places stay as they are, with what is open among them.
    this.#places = places;
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
    const [west, east] = [-cellSize, this.#map.width + cellSize];
    const visible = this.#places.filter((place) => {
      const { x, y } = this.#map.place(place);
      return x > west && x < east && y > -cellSize && y < this.#map.height + cellSize;
    });
    const key = `${level} ${visible.map(({ id }) => id).join(',')}`;
    if (key !== this.#key) {
      this.#key = key;
      this.#rebuild(clustersOf(visible, level));
    }
    for (const { cluster, pin } of this.#drawn) {
      const { x, y } = this.#map.place(cluster);
      pin.style.transform = `translate(${x}px, ${y}px)`;
    }
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
    // What is listed stays listed as long as it lies together.
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
      cluster.places.length > 1
        ? { left: x - 18, right: x + 18, top: y - 18, bottom: y + 18 }
        : { left: x - 9, right: x + 9, top: y - 9, bottom: y + 9 },
    );
    const named = new Set<Cluster>();
    for (const { cluster, x, y } of pins) {
      const [place] = cluster.places;
      if (!place || cluster.places.length > 1) continue;
      const box = {
        left: x + 9.5,
        right: x + 24 + Math.min(176, [...place.title].length * 8),
        top: y - 10,
        bottom: y + 11,
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
        element('a', { href: place.url }, element('span', { class: 'pin-name', dir: 'auto' }, place.title)),
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
    return element('div', { class: 'pin is-many' }, made);
  }

  /** Goes nearer until they come apart; those that never will are listed. */
  #open(cluster: Cluster, pin: HTMLElement): void {
    const units = cluster.places.map(toUnit);
    const span = Math.max(
      ...[0, 1].map(
        (axis) =>
          Math.max(...units.map((unit) => unit[axis] ?? 0)) -
          Math.min(...units.map((unit) => unit[axis] ?? 0)),
      ),
    );
    if (span > 0 && span * 256 * 2 ** this.#map.maxZoom > cellSize) {
      const needed = Math.log2((cellSize * 3) / (span * 256));
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
          .map(({ title, url }) => element('li', {}, element('a', { href: url, dir: 'auto' }, title))),
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

/**
 * By cells of a grid that is fixed to the earth, so that moving the map never regroups anything. Pins with a number stay
 * near the middle of their cell, so that they never lie on one another.
 */
function clustersOf(places: Place[], level: number): Cluster[] {
  const cells = (256 * 2 ** level) / cellSize;
  const within = (mean: number) => {
    const cell = Math.floor(mean * cells);
    return (cell + Math.max(1 / 3, Math.min(2 / 3, mean * cells - cell))) / cells;
  };
  const groups = Map.groupBy(places, (place) => {
    const [x, y] = toUnit(place);
    return `${Math.floor(x * cells)} ${Math.floor(y * cells)}`;
  });
  return (
    [...groups.values()]
      .map((places) => {
        const [first] = places;
        if (places.length === 1 && first) return { places, lat: first.lat, lon: first.lon };
        const units = places.map(toUnit);
        const x = units.reduce((sum, [x]) => sum + x, 0) / places.length;
        const y = units.reduce((sum, [, y]) => sum + y, 0) / places.length;
        return { places, ...fromUnit(within(x), within(y)) };
      })
      // From the north-west, as one reads.
      .sort((a, b) => b.lat - a.lat || a.lon - b.lon)
  );
}
