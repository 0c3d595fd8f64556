/** Loads complete pages, or pages without contents. Reads only as much text as one response may contain. */

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { AttachedFile, Change, Page, PageOutline, WholePage } from '#core/model/page.ts';
import { pathsBesideTree } from '#core/model/path.ts';
import { Problem } from '#core/model/problem.ts';
import { maxAnswerBytes, maxHistoryBytes } from '#core/pages/response-limits.ts';
import type { HistoryWanted } from '#core/ports/reader.ts';
import { inTimeSlices } from '#scheduling/time-slices.ts';
import { say } from '#words/say.ts';
import type { Engine, Placeholder } from '../engine.ts';
import type { PageRows } from '../parts.ts';
import {
  type AncestorRow,
  ancestorColumns,
  ancestorOf,
  type ChangeRow,
  changeColumns,
  changeOf,
  fileOf,
  type StateRow,
  selectChange,
  selectState,
  stateOf,
} from '../rows.ts';
import {
  all,
  prepare,
  prepareTogether,
  type RawBuilders,
  type Rows,
  type Session,
  together,
} from '../statements.ts';
import type { Tables } from '../tables.ts';

/** Maximum number of complete pages in memory for one response. */
const slices = { first: 50, most: 50 };
/** Characters of a change that take some milliseconds to parse. */
const longContent = 500_000;

type Tag = { page_id: number; key: string; value: string };
type Like = { page_id: number; member_id: number };

type Among<P> = (
  p: (name: keyof P & string) => Placeholder,
  column: RawBuilder<unknown>,
  engine: Engine,
) => RawBuilder<boolean>;
type Pages = (column: string) => RawBuilder<boolean>;
type OutlineRows = [StateRow, Tag, Like, Tables['files'], AncestorRow];

/** Five queries: pages, tags, likes, files, ancestors. */
function outlineQueries(ofPages: Pages): RawBuilders<OutlineRows> {
  return [
    sql`${selectState} where ${ofPages('p.id')}`,
    sql`select page_id, key, value from tags where ${ofPages('page_id')} order by page_id, seq`,
    sql`select page_id, member_id from likes where ${ofPages('page_id')} order by page_id, at, member_id`,
    sql`select * from files where ${ofPages('page_id')} and until_change_id is null order by page_id, filename`,
    // Each ancestor once, even if it is above several pages, and the originals of translations.
    sql`with recursive above (id) as (
        select parent_id from pages where ${ofPages('id')}
        union select q.parent_id from above join pages q on q.id = above.id
      )
      select ${ancestorColumns} from (select id from above
        union select original_id from pages where ${ofPages('id')}) as named
      join pages p on p.id = named.id join members o on o.id = p.owner_id`,
  ];
}

/** Adds a sixth query for the wanted changes, which include the current one. */
function loading<P>(
  among: Among<P>,
  changes: (p: (name: keyof P & string) => Placeholder, ofPages: Pages) => RawBuilder<ChangeRow>,
) {
  return prepareTogether<P, [...OutlineRows, ChangeRow]>((p, engine) => {
    const ofPages = (column: string) => among(p, sql.ref(column), engine);
    return [...outlineQueries(ofPages), changes(p, ofPages)];
  });
}

const ofId: Among<{ ids: number[] }> = (p, column, engine) => engine.among(column, p('ids'));
const atPath: Among<{ path: string }> = (p, column) => sql`${column} = ${ofPathed(p, 'id')}`;
const ofPathed = (p: (name: 'path') => Placeholder, column: string) =>
  sql`(select ${sql.ref(`at.${column}`)} from pages at where at.path = ${p('path')})`;

const outlines = prepareTogether<{ ids: number[] }, OutlineRows>((p, engine) =>
  outlineQueries((column) => ofId(p, sql.ref(column), engine)),
);

const states = prepare<{ ids: number[] }, StateRow>(
  (p, engine) => sql`${selectState} where ${engine.among(sql.ref('p.id'), p('ids'))}`,
);

const wholeByPath = loading(
  atPath,
  (p, ofPages) => sql`${selectChange} where ${ofPages('c.page_id')} and c.id >= ${ofPathed(p, 'history_from')}
    and (${ofPathed(p, 'history_bytes')} <= ${sql.lit(maxHistoryBytes)} or c.id = ${ofPathed(p, 'change_id')})
    order by c.id`,
);
const latestByPath = loading(
  atPath,
  (_, ofPages) => sql`${selectChange} join pages p on p.change_id = c.id where ${ofPages('p.id')}`,
);

/** Pages that are certainly short enough together; no change is loaded for the others. */
const shortByIds = {
  all: loading<Short>(
    ofId,
    (
      p,
      ofPages,
    ) => sql`select ${changeColumns} from pages p cross join changes c join members e on e.id = c.editor_id
      where ${ofPages('p.id')} and p.history_bytes <= ${p('eachBytes')} and c.page_id = p.id
        and c.id >= p.history_from order by p.id, c.id`,
  ),
  latest: loading<Short>(
    ofId,
    (p, ofPages) => sql`${selectChange} join pages p on p.change_id = c.id
      where ${ofPages('p.id')} and octet_length(c.content) <= ${p('eachBytes')}`,
  ),
};

/** Wanted changes that fit the limit; none if the current ones do not fit. */
const longByIds = {
  all: loading<Long>(
    ofId,
    (p, ofPages) => sql`${selectChange} join pages p on p.id = c.page_id
      where ${ofPages('c.page_id')} and ${currentBytesOf(ofPages)} <= ${p('maxBytes')} and c.id >= p.history_from
        and (c.id = p.change_id or (p.history_bytes <= ${sql.lit(maxHistoryBytes)}
          and (select sum(s.history_bytes) from pages s where ${ofPages('s.id')}) <= ${p('maxBytes')}))
      order by c.id`,
  ),
  latest: loading<Long>(
    ofId,
    (p, ofPages) => sql`${selectChange} join pages p on p.change_id = c.id
      where ${ofPages('p.id')} and ${currentBytesOf(ofPages)} <= ${p('maxBytes')}`,
  ),
};
type Short = { ids: number[]; eachBytes: number };
type Long = { ids: number[]; maxBytes: number };

function currentBytesOf(ofPages: Pages): RawBuilder<number> {
  return sql`(select sum(octet_length(l.content)) from pages s join changes l on l.id = s.change_id
    where ${ofPages('s.id')})`;
}

type PageLoads = Pick<PageRows, 'load' | 'loadInParts' | 'outlines' | 'states' | 'loadByPath'>;

export function pageLoads(session: Session): PageLoads {
  return {
    load: (ids, history) => load(session, ids, history),
    loadInParts: (ids, history, take) => loadInParts(session, ids, history, take),
    outlines: (ids) => loadOutlines(session, ids),
    states: (ids) => loadStates(session, ids),
    loadByPath: (path, history) => loadByPath(session, path, history),
  };
}

async function load(session: Session, ids: number[], history: HistoryWanted): Promise<WholePage[]> {
  const loaded: WholePage[] = [];
  await loadInParts(session, ids, history, async (pages) => void loaded.push(...pages));
  return loaded;
}

async function loadInParts(
  session: Session,
  ids: number[],
  history: HistoryWanted,
  take: (pages: WholePage[]) => Promise<void>,
): Promise<void> {
  let maxBytes = maxAnswerBytes;
  for await (const some of inTimeSlices(ids, slices)) {
    const { rows, isCut } = await loadSlice(
      session,
      [...some],
      history === 'all' ? 'all' : 'latest',
      maxBytes,
    );
    // A single slice is limited by its statement.
    if (some.length < ids.length) for (const { content } of rows[5]) maxBytes -= Buffer.byteLength(content);
    const whole = await wholePages(rows, history);
    const pages = await withAboveByAddress(
      session,
      some.flatMap((id) => whole.get(id) ?? []),
    );
    await take(isCut ? pages.map((page) => ({ ...page, isHistoryCut: true as const })) : pages);
  }
}

async function loadSlice(session: Session, ids: number[], history: 'all' | 'latest', maxBytes: number) {
  const eachBytes = Math.min(maxHistoryBytes, Math.floor(maxBytes / ids.length));
  const short = await together(session, shortByIds[history], { ids, eachBytes });
  if (new Set(short[5].map((change) => change.page_id)).size === short[0].length)
    return { rows: short, isCut: false };
  const long = await together(session, longByIds[history], { ids, maxBytes });
  if (long[0].length > 0 && long[5].length === 0) {
    throw new Problem(
      'too-long',
      say('problem.thesePagesHaveMoreThanMbOf', { megabytes: maxAnswerBytes / 1e6 }),
    );
  }
  return { rows: long, isCut: true };
}

async function loadOutlines(session: Session, ids: number[]): Promise<PageOutline[]> {
  const loaded: PageOutline[] = [];
  for await (const some of inTimeSlices(ids, slices)) {
    const found = outlinesOf(await together(session, outlines, { ids: [...some] }));
    loaded.push(
      ...(await withAboveByAddress(
        session,
        some.flatMap((id) => found.get(id) ?? []),
      )),
    );
  }
  return loaded;
}

/** Only rows, in the order of `ids`. */
async function loadStates(session: Session, ids: number[]): Promise<Omit<Page, 'content'>[]> {
  const rows = ids.length === 0 ? [] : await all(session, states, { ids });
  const found = new Map(rows.map((row) => [row.id, stateOf(row)]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

async function loadByPath(
  session: Session,
  path: string,
  history: HistoryWanted,
): Promise<WholePage | undefined> {
  const statement = history === 'all' ? wholeByPath : latestByPath;
  const found = await wholePages(await together(session, statement, { path }), history);
  const [whole] = await withAboveByAddress(session, [...found.values()]);
  return whole;
}

/** One statement if an address does not follow the tree, otherwise none. */
async function withAboveByAddress<P extends PageOutline>(session: Session, pages: P[]): Promise<P[]> {
  const paths = [...new Set(pages.flatMap(pathsBesideTree))];
  if (paths.length === 0) return pages;
  const found = (await all(session, protectedAt, { paths })).map(ancestorOf);
  if (found.length === 0) return pages;
  return pages.map((page) => {
    const beside = pathsBesideTree(page);
    const aboveByAddress = found.filter(({ path }) => beside.includes(path));
    return aboveByAddress.length === 0 ? page : { ...page, aboveByAddress };
  });
}

const protectedAt = prepare<{ paths: string[] }, AncestorRow>(
  (p, engine) => sql`select ${ancestorColumns} from pages p join members o on o.id = p.owner_id
    where ${engine.amongTexts(sql.ref('p.path'), p('paths'))} and (p.protection is not null or p.rule is not null)`,
);

async function wholePages(
  [...rows]: Rows<[...OutlineRows, ChangeRow]>,
  history: HistoryWanted,
): Promise<Map<number, WholePage>> {
  const changes: Change[] = [];
  for (const row of rows[5]) {
    if (row.content.length >= longContent) await yieldToEventLoop();
    changes.push(changeOf(row));
  }
  const changesOf = groupBy(changes, (change) => change.pageId);
  const whole = new Map<number, WholePage>();
  for (const [id, page] of outlinesOf(rows)) {
    const made = changesOf.get(id) ?? [];
    const latest = made.findLast((change) => change.id === page.changeId);
    if (!latest) throw new Error(`Page ${id} has no change ${page.changeId}.`);
    whole.set(id, { ...page, content: latest.content, history: history === 'none' ? [] : made });
  }
  return whole;
}

function outlinesOf([pages, tags, likes, files, ancestors]:
  | Rows<OutlineRows>
  | Rows<[...OutlineRows, ChangeRow]>): Map<number, PageOutline> {
  const tagsOf = groupBy(tags, (tag) => tag.page_id);
  const likesOf = groupBy(likes, (like) => like.page_id);
  const filesOf = groupBy(files, (file) => file.page_id);
  const ancestorsById = new Map(ancestors.map((row) => [row.id, ancestorOf(row)]));
  return new Map(
    pages.map((row) => {
      const page = stateOf(row);
      const original = page.originalId === null ? undefined : ancestorsById.get(page.originalId);
      return [
        page.id,
        {
          ...page,
          tags: valuesByKey(tagsOf.get(page.id) ?? []),
          likes: (likesOf.get(page.id) ?? []).map((like) => like.member_id),
          files: (filesOf.get(page.id) ?? []).map((file): AttachedFile => fileOf(file)),
          lineage: page.trail.flatMap((id) => ancestorsById.get(id) ?? []),
          ...(original ? { original } : {}),
        },
      ];
    }),
  );
}

function valuesByKey(tags: Tag[]): Record<string, string[]> {
  // A tag may be named `__proto__`, so own properties are defined.
  const grouped = groupBy(tags, (tag) => tag.key);
  return Object.fromEntries([...grouped].map(([key, same]) => [key, same.map((tag) => tag.value)]));
}

function groupBy<T, K>(items: T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
