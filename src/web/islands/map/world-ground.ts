/** The bundled world map, drawn on a canvas in the site's colours. */
import { element } from '../element.ts';
import { type Ground, tileSize, type View } from './ground.ts';
import { type Detail, loadWorld, toUnit, type World } from './world.ts';

const fineFromZoom = 3.6;

const colourNames = ['water', 'land', 'grid', 'border', 'shore'];

export class WorldGround implements Ground {
  readonly element = element('canvas', { 'aria-hidden': 'true' });
  readonly maxZoom = 11;
  readonly credit = 'Natural Earth';
  #worlds = new Map<Detail, World>();
  #onLoad: () => void;

  /** `onLoad` is called when there is more to draw. */
  constructor(onLoad: () => void) {
    this.#onLoad = onLoad;
    void this.#load('110m');
  }

  draw({ x, y, zoom, width, height, isUsed }: View): void {
    if (isUsed && zoom >= fineFromZoom) void this.#load('50m');
    const world = (zoom >= fineFromZoom ? this.#worlds.get('50m') : undefined) ?? this.#worlds.get('110m');
    const canvas = this.element;
    const context = canvas.getContext('2d');
    if (!context) return;
    const ratio = Math.min(2, devicePixelRatio || 1);
    const [columns, rows] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== columns) canvas.width = columns;
    if (canvas.height !== rows) canvas.height = rows;
    const style = getComputedStyle(canvas);
    // The browser resolves `light-dark()` for a colour of text; the canvas cannot.
    const colour = (name: string) => {
      canvas.style.color = `var(--map-${name})`;
      return style.color;
    };
    const [water = '', land = '', grid = '', border = '', shore = ''] = colourNames.map(colour);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = water;
    context.fillRect(0, 0, columns, rows);
    if (!world) return;
    const size = tileSize * 2 ** zoom * ratio;
    const [left, top] = [columns / 2 - x * size, rows / 2 - y * size];
    // The world repeats horizontally over the width of the map. Land that crosses the antimeridian extends into the next copy.
    for (let copy = Math.floor(-left / size) - 1; left + (copy - 1) * size < columns; copy++) {
      context.setTransform(size, 0, 0, size, left + copy * size, top);
      context.fillStyle = land;
      context.fill(world.land, 'evenodd');
      context.lineWidth = ratio / size;
      context.strokeStyle = grid;
      context.stroke(graticule(zoom));
      context.strokeStyle = border;
      context.stroke(world.borders);
      context.lineWidth = (1.25 * ratio) / size;
      context.strokeStyle = shore;
      context.stroke(world.shores);
    }
  }

  async #load(detail: Detail): Promise<void> {
    if (this.#worlds.has(detail)) return;
    try {
      this.#worlds.set(detail, await loadWorld(detail));
      this.#onLoad();
    } catch {
      // Without the base map, places and list are still shown.
    }
  }
}

const grids = new Map<number, Path2D>();

/** Meridians and parallels on the unit square, dense enough that a few are always visible. */
function graticule(zoom: number): Path2D {
  const step = zoom < 3 ? 30 : zoom < 5 ? 10 : zoom < 7 ? 2 : 0.5;
  const known = grids.get(step);
  if (known) return known;
  const path = new Path2D();
  for (let degrees = -180; degrees < 180; degrees += step) {
    const [x] = toUnit({ lat: 0, lon: degrees });
    path.moveTo(x, 0);
    path.lineTo(x, 1);
    if (Math.abs(degrees) > 85) continue;
    const [, y] = toUnit({ lat: degrees, lon: 0 });
    path.moveTo(0, y);
    path.lineTo(1, y);
  }
  grids.set(step, path);
  return path;
}
