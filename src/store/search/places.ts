/** Queries of places by the cell numbers of `cells.ts`. */
import { type RawBuilder, sql } from 'kysely';
import type { Location } from '#core/model/page.ts';
import type { Visibility } from '#core/model/permission.ts';
import type { MapPlace } from '#core/ports/list-reads.ts';
import type { Engine } from '../engine.ts';
import type { ListRows } from '../parts.ts';
import { rowsOf, type Session } from '../statements.ts';
import { visible } from '../visibility.ts';
import { type CellRange, cellsAround, cellsIn, cellsWithin, subtractRanges } from './cells.ts';

type PlaceLists = Pick<ListRows, 'placesAround' | 'countPlacesWithin' | 'placesNearest' | 'placesIn'>;

export function placeLists(session: Session): PlaceLists {
  const { engine } = session;
  return {
    async placesAround(visibility, centre, radiusMetres, limit) {
      const from = placesFrom(engine, cellsAround(centre, radiusMetres));
      const found = await rowsOf(
        session,
        sql<PlaceRow>`select p.id, p.lat, p.lon ${from} and ${visible('p', visibility)}
          ${limit === undefined ? sql`` : sql`limit ${limit}`}`,
      );
      return found.map(placeOf);
    },

    async countPlacesWithin(visibility, centre, radii) {
      const ranges = radii.flatMap((radius, i) =>
        cellsWithin(centre, radius).map(([first, last]): [number, number, number] => [i, first, last]),
      );
      const counted = await rowsOf(
        session,
        sql<{ i: number; count: number }>`select i, cast(sum(count) as bigint) as count
          from ${countedIn(engine, ranges, visibility)} as counted group by i`,
      );
      const counts = new Map(counted.map(({ i, count }) => [i, count]));
      return radii.map((_, i) => counts.get(i) ?? 0);
    },

    async placesNearest(visibility, centre, nearMetres, radiusMetres) {
      const [around, within] = [cellsAround(centre, radiusMetres), cellsWithin(centre, radiusMetres)];
      const of = (part: string, ranges: CellRange[] | undefined) =>
        sql`select ${sql.lit(part)} as part, p.id, p.lat, p.lon ${placesFrom(engine, ranges)} and ${visible('p', visibility)}`;
      const found = await rowsOf(
        session,
        sql<PlaceRow & { part: 'near' | 'edge' | 'counted' }>`${of('near', cellsAround(centre, nearMetres))}
          union all ${of('edge', around && subtractRanges(around, within))}
          union all select 'counted', cast(coalesce(sum(count), 0) as bigint), 0, 0
            from ${countedIn(
              engine,
              within.map(([first, last]) => [0, first, last]),
              visibility,
            )} as counted`,
      );
      const { near = [], edge = [], counted } = Object.groupBy(found, ({ part }) => part);
      return { near: near.map(placeOf), edge: edge.map(placeOf), counted: counted?.[0]?.id ?? 0 };
    },

    async placesIn(visibility, box, limit) {
      const crosses = box.west > box.east;
      const between = crosses
        ? sql`(p.lon >= ${box.west} or p.lon <= ${box.east})`
        : sql`p.lon between ${box.west} and ${box.east}`;
      const found = await rowsOf(
        session,
        sql<Omit<MapPlace, 'location' | 'originalId'> & Location & { original_id: number | null }>`
        select p.id, p.title, p.path, p.type, p.language, p.original_id, p.lat, p.lon ${placesFrom(engine, cellsIn(box))}
          and p.lat between ${box.south} and ${box.north} and ${between} and ${visible('p', visibility)}
        order by p.id limit ${limit}`,
      );
      return found.map(({ lat, lon, original_id: originalId, ...page }) => ({
        ...page,
        originalId,
        location: { lat, lon },
      }));
    },
  };
}

interface PlaceRow {
  id: number;
  lat: number;
  lon: number;
}

function placeOf({ id, lat, lon }: PlaceRow): { id: number; location: Location } {
  return { id, location: { lat, lon } };
}

/** Number of places in each range of cells; `i` identifies the range. */
function countedIn(
  engine: Engine,
  ranges: [i: number, ...CellRange][],
  visibility: Visibility,
): RawBuilder<unknown> {
  const t = engine.rows({ i: 'integer', first: 'integer', last: 'integer' }, ranges);
  return sql`(select t.i, (select count(*) from pages p where p.cell between t.first and t.last and ${visible('p', visibility)}) as count
    from ${t} as t)`;
}

/** Places in the given ranges of cells, or all places. */
function placesFrom(engine: Engine, ranges: CellRange[] | undefined): RawBuilder<unknown> {
  // Without ranges, all places.
  if (!ranges) return sql`from pages p where p.cell is not null`;
  const t = engine.rows({ first: 'integer', last: 'integer' }, ranges);
  return sql`from ${t} as t cross join pages p where p.cell between t.first and t.last`;
}
