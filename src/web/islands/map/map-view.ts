/**
 * A map that can be moved and zoomed by pointer, touch, wheel, buttons and keys: the bundled world map, or tiles if configured.
 * Pins are ordinary HTML above it.
 */
import { button, element } from '../element.ts';
import { say } from '../words.ts';
import { type Ground, tileSize } from './ground.ts';
import { TileGround } from './tile-ground.ts';
import { fromUnit, type Point, toUnit } from './world.ts';
import { WorldGround } from './world-ground.ts';

interface MapOptions {
  label: string;
  centre: Point;
  /** Zoom of a `View`. */
  zoom: number;
  /** Whether the map is a small part of a scrolling page: the wheel then zooms only with Ctrl. */
  isSmall?: boolean;
  onPress?(point: Point): void;
  /** Whether the map is the page's main content, so that the fine map is loaded at once. */
  isFine?: boolean;
}

export interface Box {
  south: number;
  west: number;
  north: number;
  east: number;
}

export class MapView {
  readonly root: HTMLElement;
  /** Container of the pins; each is positioned by `place`. */
  readonly layer: HTMLElement;
  #ground: Ground;
  #x: number;
  #y: number;
  #zoom: number;
  #width = 0;
  #height = 0;
  #frame = 0;
  #listeners: (() => void)[] = [];
  #settled: ReturnType<typeof setTimeout> | undefined;
  #settledListeners: (() => void)[] = [];
  #options: MapOptions;
  #pointers = new Map<number, { x: number; y: number }>();
  #animation = 0;
  #isUsed = false;

  constructor(container: HTMLElement, options: MapOptions) {
    this.#options = options;
    [this.#x, this.#y] = toUnit(options.centre);
    this.#zoom = options.zoom;
    this.#isUsed = options.isFine ?? false;
    const { tiles } = document.body.dataset;
    this.#ground = tiles ? new TileGround(tiles) : new WorldGround(() => this.#draw());
    this.layer = element('div', { class: 'map-layer' });
    const surface = element(
      'div',
      {
        class: 'map-surface',
        tabindex: 0,
        role: 'group',
        'aria-roledescription': 'map',
        'aria-label': options.label,
        'aria-describedby': 'map-keys',
      },
      this.#ground.element,
    );
    this.root = element(
      'div',
      { class: `map${options.isSmall ? ' is-small' : ''}` },
      surface,
      this.layer,
      element(
        'div',
        { class: 'map-buttons', role: 'group', 'aria-label': say('scriptMapView.zoom') },
        button('+', { 'aria-label': say('scriptMapView.zoomIn'), title: say('scriptMapView.zoomIn') }, () =>
          this.zoomBy(1),
        ),
        button('−', { 'aria-label': say('scriptMapView.zoomOut'), title: say('scriptMapView.zoomOut') }, () =>
          this.zoomBy(-1),
        ),
      ),
      element('p', { class: 'map-credit' }, this.#ground.credit),
    );
    // One hint for all maps of a page.
    if (!document.querySelector('#map-keys')) {
      this.root.append(
        element('p', { id: 'map-keys', class: 'unseen' }, say('scriptMapView.arrowKeysMoveTheMapPlusAnd')),
      );
    }
    container.replaceChildren(this.root);
    this.#listen(surface);
    new ResizeObserver(() => this.#measure()).observe(this.root);
    this.#measure();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#draw());
    addEventListener('coppice:theme', () => this.#draw());
  }

  get zoom(): number {
    return this.#zoom;
  }

  get width(): number {
    return this.#width;
  }

  get height(): number {
    return this.#height;
  }

  get centre(): Point {
    return fromUnit(this.#x, this.#y);
  }

  get maxZoom(): number {
    return this.#ground.maxZoom;
  }

  /** Calls the listener at every frame in which the map moves. */
  onMove(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Calls the listener when the map has come to rest. */
  onSettled(listener: () => void): void {
    this.#settledListeners.push(listener);
  }

  /** Position of a place in pixels; of its repetitions around the world, the one nearest to the centre. */
  place(point: Point): { x: number; y: number } {
    const [unitX, y] = toUnit(point);
    const x = unitX + Math.round(this.#x - unitX);
    const size = this.#size();
    return { x: (x - this.#x) * size + this.#width / 2, y: (y - this.#y) * size + this.#height / 2 };
  }

  /** Positions an element of the layer at a place. Call for every frame to keep it there while the map moves. */
  put(pin: HTMLElement, point: Point): void {
    const { x, y } = this.place(point);
    pin.style.transform = `translate(${x}px, ${y}px)`;
  }

  pointAt(x: number, y: number): Point {
    const size = this.#size();
    return fromUnit(this.#x + (x - this.#width / 2) / size, this.#y + (y - this.#height / 2) / size);
  }

  box(): Box {
    const size = this.#size();
    const [northWest, southEast] = [this.pointAt(0, 0), this.pointAt(this.#width, this.#height)];
    const isWhole = this.#width >= size;
    return {
      south: Math.max(-90, southEast.lat),
      north: Math.min(90, northWest.lat),
      west: isWhole ? -180 : northWest.lon,
      east: isWhole ? 180 : southEast.lon,
    };
  }

  show(centre: Point, zoom = this.#zoom): void {
    this.#flyTo(...toUnit(centre), zoom);
  }

  /** Zooms to the smallest view that contains all of these points with a margin. */
  fit(points: Point[], atMostZoom = 6): void {
    if (points.length === 0) return;
    const units = points.map(toUnit);
    const xs = bestSpan(units.map(([x]) => x));
    const ys = units.map(([, y]) => y);
    const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
    const room = Math.max(0.1, 1 - 96 / Math.min(this.#width || 1000, this.#height || 1000));
    const zoomFor = (pixels: number, span: number) =>
      span <= 0 ? atMostZoom : Math.log2((pixels * room) / (span * tileSize));
    const zoom = Math.min(
      atMostZoom,
      zoomFor(this.#width, xs.to - xs.from),
      zoomFor(this.#height, bottom - top),
    );
    this.#jumpTo((xs.from + xs.to) / 2, (top + bottom) / 2, zoom);
  }

  zoomBy(steps: number, at?: { x: number; y: number }): void {
    const zoom = this.#bounded(this.#zoom + steps);
    this.#flyTo(...this.#around(at ?? { x: this.#width / 2, y: this.#height / 2 }, zoom), zoom);
  }

  /** Width of the whole world in pixels. */
  #size(zoom = this.#zoom): number {
    return tileSize * 2 ** zoom;
  }

  /** Returns the centre that keeps a point of the map, such as the one under the pointer, in place at another zoom. */
  #around({ x, y }: { x: number; y: number }, zoom: number): [x: number, y: number] {
    const [dx, dy] = [x - this.#width / 2, y - this.#height / 2];
    const [size, next] = [this.#size(), this.#size(zoom)];
    return [this.#x + dx / size - dx / next, this.#y + dy / size - dy / next];
  }

  /** Position on the map in pixels. */
  #at({ clientX, clientY }: MouseEvent): { x: number; y: number } {
    const { left, top } = this.root.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  #bounded(zoom: number): number {
    // The world is at least as high as the map, so that there is no blank space above the poles.
    const least = Math.max(0, Math.log2(Math.max(1, this.#height) / tileSize));
    return Math.min(this.maxZoom, Math.max(least, zoom));
  }

  #jumpTo(x: number, y: number, zoom: number): void {
    this.#zoom = this.#bounded(zoom);
    this.#x = x - Math.floor(x);
    const half = this.#height / 2 / this.#size();
    this.#y = half >= 0.5 ? 0.5 : Math.min(1 - half, Math.max(half, y));
    this.#draw();
    clearTimeout(this.#settled);
    this.#settled = setTimeout(() => {
      for (const listener of this.#settledListeners) listener();
    }, 180);
  }

  #flyTo(x: number, y: number, zoom: number): void {
    cancelAnimationFrame(this.#animation);
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.#jumpTo(x, y, zoom);
      return;
    }
    const from = { x: this.#x, y: this.#y, zoom: this.#zoom };
    const to = { x: x + Math.round(from.x - x), y, zoom };
    const began = performance.now();
    const step = (now: number) => {
      const part = Math.min(1, (now - began) / 200);
      const eased = 1 - (1 - part) ** 3;
      // The position is interpolated with the scale, so that a fixed point stays fixed.
      const nowZoom = from.zoom + (to.zoom - from.zoom) * eased;
      const share =
        from.zoom === to.zoom ? eased : (1 - 2 ** (from.zoom - nowZoom)) / (1 - 2 ** (from.zoom - to.zoom));
      this.#jumpTo(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share, nowZoom);
      if (part < 1) this.#animation = requestAnimationFrame(step);
    };
    this.#animation = requestAnimationFrame(step);
  }

  #listen(surface: HTMLElement): void {
    // The fine map is only loaded after interaction.
    for (const kind of ['pointerdown', 'wheel', 'keydown']) {
      this.root.addEventListener(kind, () => (this.#isUsed = true), { passive: true, capture: true });
    }
    surface.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      cancelAnimationFrame(this.#animation);
      surface.setPointerCapture(event.pointerId);
      this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      const began = { x: event.clientX, y: event.clientY };
      let farthest = 0;
      const move = (moved: PointerEvent) => {
        if (moved.pointerId !== event.pointerId) return;
        farthest = Math.max(farthest, Math.hypot(moved.clientX - began.x, moved.clientY - began.y));
        this.#drag(moved);
      };
      const end = (ended: PointerEvent) => {
        if (ended.pointerId !== event.pointerId) return;
        surface.removeEventListener('pointermove', move);
        surface.removeEventListener('lostpointercapture', end);
        this.#pointers.delete(event.pointerId);
        surface.classList.remove('is-dragged');
        const { x, y } = this.#at(event);
        if (farthest < 5) this.#options.onPress?.(this.pointAt(x, y));
      };
      surface.addEventListener('pointermove', move);
      surface.addEventListener('lostpointercapture', end);
    });
    surface.addEventListener('dblclick', (event) => {
      if (!this.#options.onPress) this.zoomBy(1, this.#at(event));
    });
    this.root.addEventListener(
      'wheel',
      (event) => {
        if (this.#options.isSmall && !event.ctrlKey) return;
        event.preventDefault();
        const lines = event.deltaMode === 1 ? 18 : 1;
        cancelAnimationFrame(this.#animation);
        const zoom = this.#bounded(this.#zoom - (event.deltaY * lines) / (event.ctrlKey ? 120 : 300));
        this.#jumpTo(...this.#around(this.#at(event), zoom), zoom);
      },
      { passive: false },
    );
    surface.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const share = (event.shiftKey ? 240 : 80) / this.#size();
      const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (by) this.#flyTo(this.#x + (by[0] ?? 0) * share, this.#y + (by[1] ?? 0) * share, this.#zoom);
      else if (event.key === '+' || event.key === '=') this.zoomBy(1);
      else if (event.key === '-' || event.key === '_') this.zoomBy(-1);
      else if (event.key === 'Enter' && this.#options.onPress) this.#options.onPress(this.centre);
      else return;
      event.preventDefault();
    });
  }

  /** One pointer moves the map, two also zoom it. */
  #drag(event: PointerEvent): void {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const [, other] = [...this.#pointers].find(([id]) => id !== event.pointerId) ?? [];
    const size = this.#size();
    this.root.querySelector('.map-surface')?.classList.add('is-dragged');
    let zoom = this.#zoom;
    let share = 1;
    if (other) {
      const apart = (at: { x: number; y: number }) =>
        Math.max(20, Math.hypot(at.x - other.x, at.y - other.y));
      zoom = this.#bounded(
        this.#zoom + Math.log2(apart({ x: event.clientX, y: event.clientY }) / apart(before)),
      );
      share = 0.5;
    }
    const [dx, dy] = [event.clientX - before.x, event.clientY - before.y];
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.#jumpTo(this.#x - (dx * share) / size, this.#y - (dy * share) / size, zoom);
  }

  #measure(): void {
    const { width, height } = this.root.getBoundingClientRect();
    if (width === this.#width && height === this.#height) return;
    [this.#width, this.#height] = [width, height];
    this.#jumpTo(this.#x, this.#y, this.#zoom);
  }

  #draw(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      this.#ground.draw({
        x: this.#x,
        y: this.#y,
        zoom: this.#zoom,
        width: this.#width,
        height: this.#height,
        isUsed: this.#isUsed,
      });
      for (const listener of this.#listeners) listener();
    });
  }
}

/** The shortest range that contains all points may cross the antimeridian: the largest gap is left out. */
function bestSpan(xs: number[]): { from: number; to: number } {
  const sorted = [...xs].sort((a, b) => a - b);
  let [gap, after] = [1 - (sorted.at(-1) ?? 0) + (sorted[0] ?? 0), 0];
  for (let i = 1; i < sorted.length; i++) {
    const between = (sorted[i] ?? 0) - (sorted[i - 1] ?? 0);
    if (between > gap) [gap, after] = [between, i];
  }
  const from = sorted[after] ?? 0;
  const to = (sorted[(after + sorted.length - 1) % sorted.length] ?? 0) + (after === 0 ? 0 : 1);
  return { from, to };
}
