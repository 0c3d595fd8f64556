/**
 * Writes what follows from a page's content: links, tags, search text, and the counts of wanted links that change
 * with them. Only rows that differ are written.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Derived, DerivedLink } from '#domain/derive.ts';
import { titleKey } from '#domain/fold.ts';
import type { Page } from '#domain/page.ts';
import { maxPathBytes } from '#domain/path.ts';
import { joinedTermsOf } from '#domain/search.ts';
import { linksTo, requestedLinks, tagged } from '#domain/subjects.ts';
import { type Database, type Engine, type IndexedText, storable } from './engine.ts';
import { insertRows } from './insert-rows.ts';
import { indexable } from './rows.ts';
import { all, prepare, prepareTogether, type Session, send, together } from './session.ts';
import { inSlices } from './slices.ts';
import type { Tables } from './tables.ts';
import { type LinkChange, updateWanted } from './wanted.ts';

/** Names that take some milliseconds to fold. */
const namesAtOnce = 500;

export async function saveDerived(
  engine: Engine,
  db: Database,
  { id, title, audience }: Pick<Page, 'id' | 'title' | 'audience'>,
  derived: Derived,
  touched: { titles: string[]; paths: string[] },
): Promise<void> {
  const session = { engine, db, isTransaction: true };
  const [links, tags] = await together(session, linksAndTagsOf, { id });
  const changes = saveLinks(session, links, [{ id, audience, links: derived.links }]);
  saveTags(session, tags, id, derived.tags);
  await engine.saveTexts(db, [textOf(id, title, derived.terms)]);

  const recounted = new Set<string>();
  await inSlices(
    [...touched.titles, ...touched.paths],
    async (names) => {
      for (const name of names) recounted.add(keyOf(name));
    },
    namesAtOnce,
  );
  if (recounted.size > 0) {
    // Whoever comes by an old path finds the page, or no longer does, just as by the new one.
    const aliases = await db.selectFrom('aliases').select('path_key').where('page_id', '=', id).execute();
    for (const alias of aliases) recounted.add(alias.path_key);
  }
  await updateWanted(engine, db, changes, recounted);
}

const audiencesOf = prepare<{ ids: number[] }, { id: number; audience: number }>(
  (p, engine) => sql`select p.id, p.audience from pages p
    where ${engine.among(sql.ref('p.id'), p('ids'))}`,
);
const linksOf = prepare<{ ids: number[] }, Tables['links']>(
  (p, engine) => sql`select l.* from links l where ${engine.among(sql.ref('l.source_id'), p('ids'))}`,
);
/** By what `idOf` calls them, among the links of their pages, which cost less to go through than to find each. */
const deletingLinks = prepare<{ ids: number[]; links: string[] }, unknown>(
  (p, engine) => sql`delete from links where ${engine.among(sql.ref('source_id'), p('ids'))}
    and ${engine.amongTexts(sql`cast(source_id as text) || ' ' || kind || ' ' || target`, p('links'))}`,
);
const savingLinks = prepare<{ rows: unknown[][] }, unknown>((p, engine) => {
  const t = engine.rows(
    {
      source_id: 'integer',
      kind: 'text',
      target: 'text',
      key: 'text',
      is_path: 'truth',
      count: 'integer',
      audience: 'integer',
    },
    p('rows'),
  );
  return sql`insert into links (source_id, kind, target, key, is_path, count, audience)
    select t.source_id, t.kind, t.target, t.key, t.is_path, t.count, t.audience from ${t} as t where 1 = 1
    on conflict (source_id, kind, target) do update set key = excluded.key, is_path = excluded.is_path,
      count = excluded.count, audience = excluded.audience`;
});
const linksAndTagsOf = prepareTogether<{ id: number }, [Tables['links'], Tables['tags']]>((p) => [
  sql`select * from links where source_id = ${p('id')}`,
  sql`select * from tags where page_id = ${p('id')} order by seq`,
]);
const deletingTags = prepare<{ id: number }, unknown>(
  (p) => sql`delete from tags where page_id = ${p('id')}`,
);

/** What the text index holds of a page: the terms of its title apart from those of its body. */
export function textOf(pageId: number, title: string, terms: string): IndexedText {
  const titleTerms = joinedTermsOf(title);
  if (terms === titleTerms) return { pageId, titleTerms, bodyTerms: '' };
  const startsWithTitle = titleTerms !== '' && terms.startsWith(`${titleTerms} `);
  if (!startsWithTitle) return { pageId, titleTerms: '', bodyTerms: terms };
  return { pageId, titleTerms, bodyTerms: terms.slice(titleTerms.length + 1) };
}

/** Replaces the links of several pages, after others had their turn. Returns the targets of wiki links that one of them lost or gained. */
export async function relink(
  engine: Engine,
  db: Database,
  pages: { id: number; links: DerivedLink[] }[],
): Promise<string[]> {
  await nextTurn();
  engine.touch(
    db,
    pages.map(({ id }) => id),
  );
  const session = { engine, db, isTransaction: true };
  const ids = pages.map(({ id }) => id);
  const [rows, stored] = await Promise.all([
    all(session, audiencesOf, { ids }),
    all(session, linksOf, { ids }),
  ]);
  const audiences = new Map(rows.map(({ id, audience }) => [id, audience]));
  const changes = saveLinks(
    session,
    stored,
    pages.map(({ id, links }) => ({ id, audience: audiences.get(id) ?? 0, links })),
  );
  return [...new Set(changes.map(({ target }) => target))];
}

/** `stored`: all that these pages have. Returns what `updateWanted` needs. */
function saveLinks(
  session: Session,
  stored: Tables['links'][],
  pages: { id: number; audience: number; links: DerivedLink[] }[],
): LinkChange[] {
  const { engine, db } = session;
  const now = new Map(
    pages
      .flatMap(({ id, audience, links }) => linkRowsOf(id, audience, links))
      .map((row) => [idOf(row), row]),
  );
  const before = new Map(stored.map((row) => [idOf(row), row]));

  const gone = stored.filter((row) => !now.has(idOf(row)));
  const written = [...now.values()].filter((row) => {
    const old = before.get(idOf(row));
    return !old || !isSameLink(old, row);
  });
  const counted = written.filter((row) => before.get(idOf(row))?.audience !== row.audience);
  const keys = new Set([...gone, ...counted].map(askedBy));
  const changed = (rows: Iterable<Tables['links']>, by: 1 | -1) =>
    [...rows].filter((row) => row.kind === 'page' && keys.has(askedBy(row))).map((row) => ({ ...row, by }));

  if (gone.length + written.length > 0) {
    // How often a page names a target tells how requested links are written.
    engine.touch(db, [requestedLinks, ...[...gone, ...written].map(({ key }) => linksTo(key))]);
  }
  if (gone.length > 0) {
    const ids = [...new Set(gone.map(({ source_id }) => source_id))];
    send(session, deletingLinks, { ids, links: gone.map(idOf) });
  }
  if (written.length > 0) {
    const rows = written.map((row) => [
      row.source_id,
      row.kind,
      row.target,
      row.key,
      row.is_path,
      row.count,
      row.audience,
    ]);
    send(session, savingLinks, { rows });
  }
  return [...changed(stored, -1), ...changed(now.values(), 1)];
}

/** One row for each kind and target that the store can hold. */
export function linkRowsOf(pageId: number, audience: number, links: DerivedLink[]): Tables['links'][] {
  const rows: Tables['links'][] = [];
  let hasChanged = false;
  for (const link of links) {
    const target = String(storable(link.target));
    // No page could ever have such a title or path, and no index entry could hold it.
    if (Buffer.byteLength(target) > maxPathBytes) continue;
    const row = {
      source_id: pageId,
      kind: link.kind,
      target,
      key: keyOf(target),
      is_path: target.startsWith('/'),
      count: link.count,
      audience,
    };
    rows.push(row);
    hasChanged ||= target !== link.target;
  }
  // As derived, all differ.
  return hasChanged ? merged(rows) : rows;
}

function merged(rows: Tables['links'][]): Tables['links'][] {
  const merged = new Map<string, Tables['links']>();
  for (const row of rows) {
    const same = merged.get(idOf(row));
    if (same) same.count += row.count;
    else merged.set(idOf(row), row);
  }
  return [...merged.values()];
}

function isSameLink(a: Tables['links'], b: Tables['links']): boolean {
  return (
    idOf(a) === idOf(b) &&
    a.key === b.key &&
    Boolean(a.is_path) === Boolean(b.is_path) &&
    a.count === b.count &&
    a.audience === b.audience
  );
}

function saveTags(
  session: Session,
  before: Tables['tags'][],
  pageId: number,
  tags: { key: string; value: string }[],
): void {
  const now = tagRowsOf(pageId, tags);
  if (areSameTags(before, now)) return;
  const [had, has] = [new Set(before.map(nameOf)), new Set(now.map(nameOf))];
  const changed = [...before, ...now].filter((tag) => had.has(nameOf(tag)) !== has.has(nameOf(tag)));
  session.engine.touch(
    session.db,
    changed.map(({ value_key }) => tagged(value_key)),
  );
  if (before.length > 0) send(session, deletingTags, { id: pageId });
  insertRows(session.engine, session.db, 'tags', now);
}

function nameOf({ key, value_key }: Tables['tags']): string {
  return `${key} ${value_key}`;
}

export function tagRowsOf(pageId: number, tags: Derived['tags']): Tables['tags'][] {
  return tags.map(({ key, value }, seq) => {
    const stored = String(storable(value));
    return { page_id: pageId, seq, key: String(storable(key)), value: stored, value_key: indexable(stored) };
  });
}

function areSameTags(a: Tables['tags'][], b: Tables['tags'][]): boolean {
  const columns = ['seq', 'key', 'value', 'value_key'] as const;
  return (
    a.length === b.length && a.every((tag, i) => columns.every((column) => tag[column] === b[i]?.[column]))
  );
}

export function keyOf(target: string): string {
  return String(storable(titleKey(target)));
}

function askedBy(link: Tables['links']): string {
  return `${link.source_id} ${link.key}`;
}

function idOf(link: { source_id: number; kind: string; target: string }): string {
  return `${link.source_id} ${link.kind} ${link.target}`;
}
