/**
 * Finds the pages whose responses an event made stale, through the current links: a page that has removed a link since has an
 * event of its own.
 *
 * 1. The page itself, and its descendants if they show it differently.
 * 2. The pages of its set of translations, before the event and now, which list each other.
 * 3. Pages that link to it, call it or show its files by one of its names or old addresses. Links to an original lead to its
 *    translations, so pages that link to its original count, too.
 * 4. Pages that call one of these, level by level, because callers show what a template links to.
 *
 * Equal questions of several events are asked once, a few in each statement, which stays compiled because its text is always
 * the same. Others have their turn in between.
 */
import { type RawBuilder, sql } from 'kysely';
import { titleKey } from '#core/model/fold.ts';
import type { Visibility } from '#core/model/permission.ts';
import type { AffectingNames, EventStore } from '#core/ports/event-store.ts';
import { inTimeSlices } from '#scheduling/time-slices.ts';
import type { Placeholder } from '../engine.ts';
import { all, prepareByVisibility, rowsOf, type Session, visibilityParameters } from '../statements.ts';
import { type VisibilityShape, visible } from '../visibility.ts';

/** Number of keys or pages in one statement, some milliseconds in the worst case. */
const askedAtOnce = 8;
const together = { first: askedAtOnce, most: askedAtOnce };
/** Maximum depth of nested templates that is followed; if there are more, `more` is set. */
const maxLevels = 8;
/** CPU time of a database in another process for one key or page, as far as it is charged. */
const askedMs = 0.02;

/** Maximum number of old addresses named for one event. */
const maxAddresses = 100;

interface Found {
  pages: Map<number, string>;
  more: boolean;
}

interface Row {
  asked: number;
  id: number;
  path: string;
  title: string;
}

interface Alias {
  page_id: number;
  path: string;
  path_key: string;
  shown: number;
}

/** `spend` receives the CPU milliseconds of each part of the work. */
export async function findAffected(
  { session, visibility }: { session: Session; visibility: Visibility },
  events: readonly AffectingNames[],
  limit: number,
  spend: (cpuMs: number) => void = () => {},
): ReturnType<EventStore['affected']> {
  const found: Found[] = events.map(() => ({ pages: new Map(), more: false }));
  const add = (event: number, { id, path }: Row) => {
    const { pages } = found[event] as Found;
    if (pages.has(id)) return false;
    if (pages.size >= limit) {
      (found[event] as Found).more = true;
      return false;
    }
    pages.set(id, path);
    return true;
  };
  const slices = async <T>(items: readonly T[], work: (slice: readonly T[]) => unknown, size = {}) => {
    for await (const slice of inTimeSlices(items, size)) {
      const before = process.threadCpuUsage();
      await work(slice);
      const { user, system } = process.threadCpuUsage(before);
      spend((user + system) / 1000);
    }
  };
  /** Rows by question; each is asked once. */
  const answers = new Map<string, Row[]>();
  const ask = async <T extends { question: string }>(items: readonly T[], statement: Statement<T>) => {
    const unknown = new Map<string, T>();
    for (const item of items)
      if (!answers.has(item.question)) {
        answers.set(item.question, []);
        unknown.set(item.question, item);
      }
    await slices(
      [...unknown.values()],
      async (slice) => {
        for (const row of await statement(session, slice, visibility, limit + 1))
          answers.get(slice[row.asked]?.question ?? '')?.push(row);
        spend(slice.length * askedMs);
      },
      together,
    );
    // The order of a plan follows the rows of the table, hidden ones included.
    for (const { question } of unknown.values()) answers.get(question)?.sort((a, b) => a.id - b.id);
  };

  const originals = await originalsOf(session, events, visibility);
  const named = [...events.map(({ pageId }) => pageId), ...[...originals.values()].map(({ id }) => id)];
  const aliases = await aliasesOf(session, [...new Set(named)], visibility);
  const pages = events.map(({ pageId, changesFacts }, event) => ({
    question: `page ${pageId} ${changesFacts}`,
    event,
    pageId,
    changesFacts,
  }));
  await ask(pages, itselfAndBeneath);
  const sets = events.map(({ pageId, originalId }, event) => ({
    question: `set ${pageId} ${originalId}`,
    event,
    pageId,
    originalId,
  }));
  await ask(sets, inSets);
  await slices([...pages, ...sets], (slice) => {
    for (const { event, question } of slice) for (const row of answers.get(question) ?? []) add(event, row);
  });

  let level = events.flatMap(({ pageId, originalId, names, changesFacts, ...given }, event) => {
    // Its language may be among the facts.
    const isChanged = changesFacts || (originals.get(pageId)?.original_id ?? null) !== originalId;
    const isInSet = (answers.get((sets[event] as (typeof sets)[number]).question) ?? []).length > 0;
    const isNamed = given.isNamed || (isChanged && isInSet);
    const meant = isNamed ? [pageId, originalId].map((id) => originals.get(id ?? 0)) : [];
    const all = [...names, ...meant.flatMap((one) => (one?.title ? [one.title, one.path] : []))];
    const keys = new Set(all.map(titleKey));
    for (const id of [pageId, ...meant.flatMap((one) => (one?.title ? [one.id] : []))])
      for (const alias of aliases.get(id) ?? []) keys.add(alias.path_key);
    return [...keys].map((key) => linkedBy(event, key, isNamed));
  });
  const asked = new Set<string>();
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === maxLevels) {
      for (const { event } of level) (found[event] as Found).more = true;
      break;
    }
    await ask(level, linking);
    const next: typeof level = [];
    await slices(level, (slice) => {
      for (const { event, question } of slice)
        for (const row of answers.get(question) ?? []) {
          if (!add(event, row)) continue;
          for (const name of [row.title, row.path]) {
            const caller = linkedBy(event, titleKey(name), false);
            const known = `${event} ${caller.key}`;
            if (asked.has(known)) continue;
            asked.add(known);
            next.push(caller);
          }
        }
    });
    // An event that names as many pages as it may needs no more of them.
    level = next.filter(({ event }) => !found[event]?.more);
  }
  return found.map(({ pages, more }, event) => {
    const leading = (aliases.get(events[event]?.pageId ?? 0) ?? []).filter(({ shown }) => shown === 1);
    return {
      pages: [...pages].map(([id, path]) => ({ id, path })),
      oldAddresses: leading.slice(0, maxAddresses).map(({ path }) => path),
      more: more || leading.length > maxAddresses,
    };
  });
}

interface Original {
  asked: number;
  /** Original of the page that was asked for. */
  original_id: number | null;
  /** The original, or the page itself. */
  id: number;
  /** Null if it is hidden. */
  title: string | null;
  path: string;
}

/** Originals of the pages of events, and those that were it before, by both IDs. One statement. */
async function originalsOf(
  session: Session,
  events: readonly AffectingNames[],
  visibility: Visibility,
): Promise<Map<number, Original>> {
  const ids = new Set(events.flatMap(({ pageId, originalId }) => [pageId, originalId ?? pageId]));
  const rows = await rowsOf(
    session,
    sql<Original>`select p.id as asked, p.original_id, o.id, o.path, case when ${visible('o', visibility)} then o.title end as title
      from pages p join pages o on o.id = coalesce(p.original_id, p.id) where ${session.engine.among(sql.ref('p.id'), [...ids])}`,
  );
  return new Map(rows.map((row) => [row.asked, row]));
}

async function aliasesOf(
  session: Session,
  ids: number[],
  visibility: Visibility,
): Promise<Map<number, Alias[]>> {
  const { engine } = session;
  const rows = await rowsOf(
    session,
    sql<Alias>`select a.page_id, a.path, a.path_key,
      case when ${visible('p', visibility)} then 1 else 0 end as shown from aliases a left join pages p on p.id = a.page_id
      where ${engine.among(sql.ref('a.page_id'), ids)} order by a.id desc limit 10000`,
  );
  return Map.groupBy(rows, ({ page_id }) => page_id);
}

function linkedBy(event: number, key: string, isNamed: boolean) {
  return { question: `key ${isNamed} ${key}`, event, key, isNamed };
}

type Statement<T> = (
  session: Session,
  items: readonly T[],
  visibility: Visibility,
  limit: number,
) => Promise<Row[]>;

/** A statement that answers up to `askedAtOnce` questions; missing ones have null parameters, which match nothing. */
function asking<T extends object>(
  valuesOf: (item: T | undefined) => Record<string, string | number | null>,
  build: (parameter: (name: string) => Placeholder, visibility: VisibilityShape) => RawBuilder<unknown>[],
): Statement<T> {
  const prepared = prepareByVisibility<Record<string, string | number | null>, Row>((p, visibility) => {
    const parameter = p as (name: string) => Placeholder;
    const limit = parameter('limit');
    const parts = Array.from({ length: askedAtOnce }, (_, asked) =>
      build((name) => parameter(`${name}${asked}`), visibility).map(
        (rows) => sql`select ${sql.lit(asked)} as asked, f.* from (${rows} limit ${limit}) as f`,
      ),
    ).flat();
    return sql`${sql.join(parts, sql` union all `)}`;
  });
  return (session, items, visibility, limit) => {
    const values: Record<string, string | number | null> = { limit };
    for (let asked = 0; asked < askedAtOnce; asked++)
      for (const [name, value] of Object.entries(valuesOf(items[asked]))) values[`${name}${asked}`] = value;
    return all(session, prepared(visibility), { ...values, ...visibilityParameters(visibility) });
  };
}

const itselfAndBeneath = asking<{ pageId: number; changesFacts: boolean }>(
  (item) => ({ page: item?.pageId ?? null, above: item?.changesFacts ? item.pageId : null }),
  (parameter, visibility) => {
    const select = sql`select p.id, p.path, p.title from pages p`;
    const trail = sql`(select t.trail || t.id || '/' from pages t where t.id = ${parameter('above')})`;
    const beneath = sql`p.trail <> '/' and p.trail >= ${trail} and p.trail < ${trail} || ':'`;
    return [
      sql`${select} where p.id = ${parameter('page')} and ${visible('p', visibility)}`,
      sql`${select} where ${beneath} and ${visible('p', visibility)}`,
    ];
  },
);

/** Pages of the set that the page was in, of the one that it is in, and its translations. */
const inSets = asking<{ pageId: number; originalId: number | null }>(
  (item) => ({ page: item?.pageId ?? null, before: item?.originalId ?? null }),
  (parameter, visibility) => {
    const page = parameter('page');
    const now = sql`(select t.original_id from pages t where t.id = ${page})`;
    return [
      ...[parameter('before'), now].map((original) => sql`p.id = ${original}`),
      ...[page, parameter('before'), now].map((original) => sql`p.original_id = ${original}`),
    ].map(
      (isIn) => sql`select p.id, p.path, p.title from pages p where ${isIn} and ${visible('p', visibility)}`,
    );
  },
);

/** Links and calls by the key, and links to files of the page with this path. */
const linking = asking<{ key: string; isNamed: boolean }>(
  (item) => ({
    key: item?.key ?? null,
    named: item?.isNamed ? item.key : null,
    // A page of type Module is called by its title, while links name `Module:…`.
    module: item ? `module:${item.key}` : null,
    // A page titled `Template:…` is called without the prefix.
    bare: item?.key.startsWith('template:') ? item.key.slice('template:'.length) : null,
    // `0` is the character after the slash.
    from: item?.key.startsWith('/') ? `${item.key}/` : null,
    until: item?.key.startsWith('/') ? `${item.key}0` : null,
  }),
  (parameter, visibility) => {
    const select = sql`select p.id, p.path, p.title from links l join pages p on p.id = l.source_id`;
    const by = (name: string, kind: string) =>
      sql`${select} where l.key = ${parameter(name)} and l.kind = ${sql.lit(kind)} and ${visible('p', visibility)}`;
    const files = sql`l.key >= ${parameter('from')} and l.key < ${parameter('until')} and l.kind = 'file'`;
    return [
      by('named', 'page'),
      by('key', 'template'),
      by('module', 'template'),
      by('bare', 'template'),
      sql`${select} where ${files} and ${visible('p', visibility)}`,
    ];
  },
);
