/**
 * The bundled base map as two shapes on a unit square: x from the antimeridian eastwards, y from the north (Web Mercator). The
 * fine one is seven times as large and only loaded when zooming in.
 */

import type { BaseMap } from '#web/base-map.ts';
import { ask } from '../ask.ts';
import { say } from '../words.ts';

export interface World {
  land: Path2D;
  shores: Path2D;
  borders: Path2D;
}

export type Detail = '110m' | '50m';

export interface Point {
  lat: number;
  lon: number;
}

/** Latitude at which the square ends, because Mercator goes to infinity towards the poles. */
const northernmost = 85.0511287798;

export function toUnit({ lat, lon }: Point): [x: number, y: number] {
  const bounded = Math.max(-northernmost, Math.min(northernmost, lat));
  const sine = Math.sin((bounded * Math.PI) / 180);
  return [lon / 360 + 0.5, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
}

export function fromUnit(x: number, y: number): Point {
  const lat = (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;
  return { lat, lon: (x - Math.floor(x) - 0.5) * 360 };
}

const loading = new Map<Detail, Promise<World>>();

export function loadWorld(detail: Detail): Promise<World> {
  const known = loading.get(detail);
  if (known) return known;
  const asked = ask<BaseMap>(`${document.body.dataset.assets ?? '/assets/'}world-${detail}.json`).then(
    (map) => {
      if (!map) throw new Error(say('scriptWorld.theBaseMapCouldNotBeLoaded'));
      return shapesOf(map);
    },
  );
  loading.set(detail, asked);
  asked.catch(() => loading.delete(detail));
  return asked;
}

function shapesOf({ scale, translate, arcs, land, borders }: BaseMap): World {
  const points = arcs.map((steps) => {
    const line: [number, number][] = [];
    let [x, y] = [0, 0];
    for (let i = 0; i < steps.length; i += 2) {
      x += steps[i] ?? 0;
      y += steps[i + 1] ?? 0;
      line.push(toUnit({ lon: x * scale[0] + translate[0], lat: y * scale[1] + translate[1] }));
    }
    return line;
  });
  const world: World = { land: new Path2D(), shores: new Path2D(), borders: new Path2D() };
  for (const ring of land) {
    const line = unrolled(
      ring.flatMap((arc) => (arc < 0 ? (points[~arc] ?? []).toReversed() : (points[arc] ?? []))),
    );
    const [first, last] = [line[0], line.at(-1)];
    if (!first || !last) continue;
    draw(world.shores, line);
    draw(world.land, line);
    // Only Antarctica surrounds the earth: it is closed along the lower edge.
    if (Math.abs(last[0] - first[0]) > 0.5)
      draw(world.land, [last, [last[0], 1.1], [first[0], 1.1], first], true);
    world.land.closePath();
  }
  for (const arc of borders) draw(world.borders, unrolled(points[arc] ?? []));
  return world;
}

/** Rings cross the antimeridian without a cut: they continue beyond the edge instead of jumping to the other side. */
function unrolled(line: [number, number][]): [number, number][] {
  let turns = 0;
  return line.map(([x, y], index) => {
    const before = line[index - 1]?.[0] ?? x;
    if (x - before > 0.5) turns--;
    else if (before - x > 0.5) turns++;
    return [x + turns, y];
  });
}

function draw(path: Path2D, line: [number, number][], goesOn = false): void {
  for (const [index, [x, y]] of line.entries()) {
    if (index === 0 && !goesOn) path.moveTo(x, y);
    else path.lineTo(x, y);
  }
}
