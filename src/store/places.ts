/** Places by where they lie, as the numbers of `cells.ts` tell it. */
import { type RawBuilder, sql } from 'kysely';
import type { ListStore } from '#domain/list-store.ts';
import type { Location, PageName } from '#domain/page.ts';
import type { Sight } from '#domain/permission.ts';
import { type CellRange, cellsAround, cellsIn, cellsWithin, without } from './cells.ts';
import type { Engine } from './engine.ts';
import { rowsOf, type Session, visible } from './session.ts';

type PlaceLists = Pick<ListStore, 'placesAround' | 'countPlacesWithin' | 'placesAtEdge' | 'placesIn'>;

export function placeLists(session: Session): PlaceLists {
  const { engine, db } = session;
  return {
    placesAround: (centre, radiusMetres, sight, limit) =>
      placesOf(session, cellsAround(centre, radiusMetres), sight, limit),

    async countPlacesWithin(centre, radii, sight) {
      const ranges = radii.flatMap((radius, i) =>
        cellsWithin(centre, radius).map(([first, last]) => [i, first, last]),
      );
      const t = engine.rows({ i: 'integer', first: 'integer', last: 'integer' }, ranges);
      const counted = await rowsOf(
        session,
        sql<{ i: number; count: number }>`select i, cast(sum(count) as bigint) as count from (
          select t.i, (select count(*) from pages p where p.cell between t.first and t.last and ${visible('p', sight)}) as count
          from ${t} as t) as counted group by i`,
      );
      const counts = new Map(counted.map(({ i, count }) => [i, count]));
      return radii.map((_, i) => counts.get(i) ?? 0);
    },

    placesAtEdge(centre, radiusMetres, sight) {
      const around = cellsAround(centre, radiusMetres);
      return placesOf(session, around && without(around, cellsWithin(centre, radiusMetres)), sight);
    },

    async placesIn(box, sight, limit) {
      const crosses = box.west > box.east;
      const between = crosses
        ? sql`(p.lon >= ${box.west} or p.lon <= ${box.east})`
        : sql`p.lon between ${box.west} and ${box.east}`;
      const found = await sql<PageName & { lat: number; lon: number; type: string | null }>`
        select p.id, p.title, p.path, p.type, p.lat, p.lon ${placesFrom(engine, cellsIn(box))}
          and p.lat between ${box.south} and ${box.north} and ${between} and ${visible('p', sight)}
        order by p.id limit ${limit}`.execute(db);
      return found.rows.map(({ lat, lon, ...page }) => ({ ...page, location: { lat, lon } }));
    },
  };
}

async function placesOf(
  session: Session,
  ranges: CellRange[] | undefined,
  sight: Sight,
  limit?: number,
): Promise<{ id: number; location: Location }[]> {
  const found = await rowsOf(
    session,
    sql<{
      id: number;
      lat: number;
      lon: number;
    }>`select p.id, p.lat, p.lon ${placesFrom(session.engine, ranges)}
      and ${visible('p', sight)} ${limit === undefined ? sql`` : sql`limit ${limit}`}`,
  );
  return found.map(({ id, lat, lon }) => ({ id, location: { lat, lon } }));
}

/** Places in the given ranges of cells, or all places. */
function placesFrom(engine: Engine, ranges: CellRange[] | undefined): RawBuilder<unknown> {
  // Without ranges: everywhere.
  if (!ranges) return sql`from pages p where p.cell is not null`;
  const t = engine.rows({ first: 'integer', last: 'integer' }, ranges);
  return sql`from ${t} as t cross join pages p where p.cell between t.first and t.last`;
}
