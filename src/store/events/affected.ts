/**
 * Finds the pages whose responses an event made stale, through the current links: a page that has removed a link since has an
 * event of its own.
 *
 * 1. The page itself, and its descendants if they show it differently.
 * 2. Pages that link to it, call it or show its files by one of its names or old addresses.
 * 3. Pages that call one of these, level by level, because callers show what a template links to.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Visibility } from '#domain/permission.ts';
import type { AffectingNames, EventStore } from '#domain/ports/event-store.ts';
import { titleKey } from '#domain/search/fold.ts';
import { rowsOf, type Session } from '../statements.ts';
import { visible } from '../visibility.ts';

const keysAtOnce = 100;
/** Maximum depth of nested templates that is followed; if there are more, `more` is set. */
const maxLevels = 8;

/** Maximum number of old addresses named for one event. */
const maxAddresses = 100;

interface Found {
  pages: Map<number, string>;
  more: boolean;
}

export async function findAffected(
  session: Session,
  events: readonly AffectingNames[],
  visibility: Visibility,
  limit: number,
): ReturnType<EventStore['affected']> {
  const found: Found[] = events.map(() => ({ pages: new Map(), more: false }));
  const add = (event: number, id: number, path: string) => {
    const { pages } = found[event] as Found;
    if (pages.has(id)) return false;
    if (pages.size >= limit) {
      (found[event] as Found).more = true;
      return false;
    }
    pages.set(id, path);
    return true;
  };
  const ids = [...new Set(events.map(({ pageId }) => pageId))];
  const { engine } = session;
  const aliases = await rowsOf(
    session,
    sql<{
      page_id: number;
      path: string;
      path_key: string;
      shown: number;
    }>`select a.page_id, a.path, a.path_key,
      case when ${visible('p', visibility)} then 1 else 0 end as shown from aliases a left join pages p on p.id = a.page_id
      where ${engine.among(sql.ref('a.page_id'), ids)} order by a.id desc limit 10000`,
  );
  // Descendants, and the page itself.
  await each(session, events.entries().toArray(), ([event, { pageId, changesFacts }]) => {
    const itself = sql`select ${sql.lit(event)} as event, p.id, p.path from pages p where p.id = ${pageId} and ${visible('p', visibility)}`;
    if (!changesFacts) return [itself];
    const trail = sql`(select t.trail || t.id || '/' from pages t where t.id = ${pageId})`;
    const beneath = sql`p.trail <> '/' and p.trail >= ${trail} and p.trail < ${trail} || ':'`;
    return [
      itself,
      sql`select ${sql.lit(event)} as event, p.id, p.path from pages p where ${beneath} and ${visible('p', visibility)} limit ${limit + 1}`,
    ];
  }).then((rows) => rows.map((row) => add(row.event, row.id, row.path)));

  let level = events.flatMap(({ pageId, names, isNamed }, event) => {
    const keys = new Set(names.map(titleKey));
    for (const alias of aliases) if (alias.page_id === pageId) keys.add(alias.path_key);
    return [...keys].map((key) => ({ event, key, isNamed }));
  });
  const asked = new Set<string>();
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === maxLevels) {
      for (const { event } of level) (found[event] as Found).more = true;
      break;
    }
    const rows = await each(session, level, ({ event, key, isNamed }) =>
      linking(event, key, isNamed, visibility, limit),
    );
    const callers = rows.filter(({ event, id, path }) => add(event, id, path));
    level = callers
      .flatMap(({ event, title, path }) =>
        [title ?? '', path].map((name) => ({ event, key: titleKey(name), isNamed: false })),
      )
      .filter(({ event, key }) => {
        const name = `${event} ${key}`;
        return !asked.has(name) && asked.add(name);
      });
  }
  return found.map(({ pages, more }, event) => {
    const leading = aliases.filter(({ page_id, shown }) => shown === 1 && page_id === events[event]?.pageId);
    return {
      pages: [...pages].map(([id, path]) => ({ id, path })),
      oldAddresses: leading.slice(0, maxAddresses).map(({ path }) => path),
      more: more || leading.length > maxAddresses,
    };
  });
}

interface Row {
  event: number;
  id: number;
  path: string;
  title?: string;
}

/** Links and calls by the key, and links to files of the page with this path. */
function linking(
  event: number,
  key: string,
  isNamed: boolean,
  visibility: Visibility,
  limit: number,
): RawBuilder<unknown>[] {
  const kinds = isNamed ? sql`l.kind in ('page', 'template')` : sql`l.kind = 'template'`;
  const select = sql`select ${sql.lit(event)} as event, p.id, p.path, p.title from links l join pages p on p.id = l.source_id`;
  const by = (key: string, kinds: RawBuilder<unknown>) =>
    sql`${select} where l.key = ${key} and ${kinds} and ${visible('p', visibility)} limit ${limit + 1}`;
  // A page of type Module is called by its title, while links name `Module:…`.
  const isCall = sql`l.kind = 'template'`;
  const ways = [by(key, kinds), by(`module:${key}`, isCall)];
  // A page titled `Template:…` is called without the prefix.
  if (key.startsWith('template:')) ways.push(by(key.slice('template:'.length), isCall));
  if (!key.startsWith('/')) return ways;
  // `0` is the character after the slash.
  const files = sql`l.key >= ${`${key}/`} and l.key < ${`${key}0`} and l.kind = 'file'`;
  return [...ways, sql`${select} where ${files} and ${visible('p', visibility)} limit ${limit + 1}`];
}

/** Rows of all queries, several of which share a statement. */
async function each<T>(
  session: Session,
  items: readonly T[],
  build: (item: T) => RawBuilder<unknown>[],
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let from = 0; from < items.length; from += keysAtOnce) {
    const queries = items.slice(from, from + keysAtOnce).flatMap(build);
    const parts = queries.map((query, i) => sql`select * from (${query}) as ${sql.raw(`q${i}`)}`);
    rows.push(...(await rowsOf(session, sql<Row>`${sql.join(parts, sql` union all `)}`)));
  }
  return rows;
}
