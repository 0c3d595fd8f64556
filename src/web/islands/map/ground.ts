/** Background of a map below the pins: the bundled world map, or tiles. */

/** The visible part of the world. */
export interface View {
  /** Centre, on the unit square of `world.ts`. */
  x: number;
  y: number;
  /** Zoom level: at 0 the world is 256 pixels wide; each level doubles that. */
  zoom: number;
  /** Size in pixels. */
  width: number;
  height: number;
  /** Whether the reader has interacted with the map; otherwise the fine map is not loaded. */
  isUsed: boolean;
}

export interface Ground {
  readonly element: HTMLElement;
  readonly maxZoom: number;
  /** Attribution in a few words. */
  readonly credit: string;
  draw(view: View): void;
}

/** Size of a tile in pixels at integer zoom levels. */
export const tileSize = 256;
