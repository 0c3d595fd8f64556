/** What lies beneath the pins of a map: the bundled map of the world, or tiles. */

/** The part of the world that is shown. */
export interface View {
  /** Of its middle, on the unit square of `world.ts`. */
  x: number;
  y: number;
  /** 0: the world on 256 pixels; each step doubles. */
  zoom: number;
  /** In pixels, as the next. */
  width: number;
  height: number;
  /** Whoever only looks at the page does not pay for the fine map. */
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
