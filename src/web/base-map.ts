/**
 * Base map for scripts, made from the Natural Earth countries in world-atlas (TopoJSON): shapes are lists of arcs, so each
 * border is stored once. Names and other data that is not drawn are removed.
 */

/** TopoJSON: arcs are sequences of integer steps; a negative number n means arc ~n in reverse. */
interface Topology {
  transform: { scale: [number, number]; translate: [number, number] };
  arcs: [number, number][][];
  objects: { countries: { geometries: Geometry[] }; land: { geometries: Geometry[] } };
}

type Geometry = { type: 'Polygon'; arcs: number[][] } | { type: 'MultiPolygon'; arcs: number[][][] };

export interface BaseMap {
  scale: [number, number];
  translate: [number, number];
  /** Steps of each arc, x and y alternating. */
  arcs: number[][];
  /** Rings of land; holes are rings, too. */
  land: number[][];
  /** Arcs shared by two countries. */
  borders: number[];
}

export function baseMap({ transform, arcs, objects }: Topology): BaseMap {
  const uses = new Map<number, number>();
  for (const ring of objects.countries.geometries.flatMap(ringsOf)) {
    for (const arc of ring) uses.set(arc < 0 ? ~arc : arc, (uses.get(arc < 0 ? ~arc : arc) ?? 0) + 1);
  }
  return {
    scale: transform.scale,
    translate: transform.translate,
    arcs: arcs.map((steps) => steps.flat()),
    land: objects.land.geometries.flatMap(ringsOf),
    borders: [...uses].filter(([, times]) => times > 1).map(([arc]) => arc),
  };
}

function ringsOf(geometry: Geometry): number[][] {
  return geometry.type === 'Polygon' ? geometry.arcs : geometry.arcs.flat();
}
