/** Background of a map, beneath the pins: the bundled map of the world, or tiles. */

/** The part of the world that is shown. */
export interface View {
  /** Centre, on the unit square of `world.ts`. */
  x: number;
  y: number;
  /** 0: the world on 256 pixels; each step doubles. */
  zoom: number;
  /** In pixels, as the next. */
  width: number;
  height: number;
  /** Readers who only look at the page do not load the fine map. */
  isUsed: boolean;
}

export interface Ground {
  readonly element: HTMLElement;
  readonly maxZoom: number;
  /** Whose map it is, in a few words. */
  readonly credit: string;
  draw(view: View): void;
}

/** In pixels, at whole steps of the zoom. */
export const tileSize = 256;
