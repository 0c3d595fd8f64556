/**
 * Writes what follows from a page's content: links, tags, search text, and the counts of wanted links that change
 * with them. Only rows that differ are written.
 */
import { sql } from 'kysely';
import type { Derived, DerivedLink } from '#domain/derive.ts';
import { titleKey } from '#domain/fold.ts';
import { maxPathBytes } from '#domain/path.ts';
import { termsOf } from '#domain/search.ts';
import { type Database, type Engine, type IndexedText, storable } from './engine.ts';
import { indexable } from './rows.ts';
import type { Tables } from './tables.ts';
import { recountWanted } from './wanted.ts';

export async function saveDerived(
  engine: Engine,
  db: Database,
  pageId: number,
  derived: Derived,
  touched: { titles: string[]; paths: string[] },
): Promise<void> {
  const page = await db
    .selectFrom('pages')
    .select(['title', 'audience'])
    .where('id', '=', pageId)
    .executeTakeFirstOrThrow();

  const keys = await saveLinks(engine, db, pageId, page.audience, derived.links);
  await saveTags(db, pageId, derived.tags);

  await engine.saveTexts(db, [textOf(pageId, page.title, derived.terms)]);

  for (const title of touched.titles) keys.add(keyOf(title));
  for (const path of touched.paths) keys.add(keyOf(path));
  if (touched.titles.length + touched.paths.length > 0) {
    // Whoever comes by an old path finds the page, or no longer does, just as by the new one.
    const aliases = await db.selectFrom('aliases').select('path_key').where('page_id', '=', pageId).execute();
    for (const alias of aliases) keys.add(alias.path_key);
  }
  await recountWanted(engine, db, [...keys]);
}

/** What the text index holds of a page: the terms of its title apart from those of its body. */
export function textOf(pageId: number, title: string, terms: string[]): IndexedText {
  const titleTerms = termsOf(title);
  const startsWithTitle = titleTerms.every((term, i) => term === terms[i]);
  return {
    pageId,
    titleTerms: startsWithTitle ? titleTerms : [],
    bodyTerms: startsWithTitle ? terms.slice(titleTerms.length) : terms,
  };
}

/** Returns the keys of wiki links whose wantedness may have changed. */
async function saveLinks(
  engine: Engine,
  db: Database,
  pageId: number,
  audience: number,
  links: DerivedLink[],
): Promise<Set<string>> {
  const now = new Map(linkRowsOf(pageId, audience, links).map((row) => [idOf(row), row]));
  const before = new Map(
    (await db.selectFrom('links').selectAll().where('source_id', '=', pageId).execute()).map((row) => [
      idOf(row),
      row,
    ]),
  );

  const keys = new Set<string>();
  const gone = [...before.values()].filter((row) => !now.has(idOf(row)));
  const written = [...now.values()].filter((row) => {
    const old = before.get(idOf(row));
    return !old || old.count !== row.count || old.audience !== row.audience;
  });
  for (const row of gone) if (row.kind === 'page') keys.add(row.key);
  for (const row of written) {
    const old = before.get(idOf(row));
    if (row.kind === 'page' && old?.audience !== row.audience) keys.add(row.key);
  }

  if (gone.length > 0) {
    const t = engine.rows(
      { kind: 'text', target: 'text' },
      gone.map((row) => [row.kind, row.target]),
    );
    await sql`delete from links where source_id = ${pageId}
      and (kind, target) in (select t.kind, t.target from ${t} as t)`.execute(db);
  }
  if (written.length > 0) {
    const t = engine.rows(
      { kind: 'text', target: 'text', key: 'text', is_path: 'truth', count: 'integer' },
      written.map((row) => [row.kind, row.target, row.key, row.is_path, row.count]),
    );
    await sql`insert into links (source_id, kind, target, key, is_path, count, audience)
      select ${pageId}, t.kind, t.target, t.key, t.is_path, t.count, ${audience} from ${t} as t where 1 = 1
      on conflict (source_id, kind, target) do update set count = excluded.count, audience = excluded.audience`.execute(
      db,
    );
  }
  return keys;
}

/** One row for each kind and target that the store can hold. */
export function linkRowsOf(pageId: number, audience: number, links: DerivedLink[]): Tables['links'][] {
  const rows = new Map<string, Tables['links']>();
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
    const same = rows.get(idOf(row));
    if (same) same.count += row.count;
    else rows.set(idOf(row), row);
  }
  return [...rows.values()];
}

async function saveTags(db: Database, pageId: number, tags: { key: string; value: string }[]): Promise<void> {
  const now = tagRowsOf(pageId, tags);
  const before = await db
    .selectFrom('tags')
    .selectAll()
    .where('page_id', '=', pageId)
    .orderBy('seq')
    .execute();
  const isSame =
    before.length === now.length &&
    now.every((tag, i) => tag.key === before[i]?.key && tag.value === before[i].value);
  if (isSame) return;
  if (before.length > 0) await db.deleteFrom('tags').where('page_id', '=', pageId).execute();
  // A statement takes a limited number of parameters, a body any number of tags.
  for (let i = 0; i < now.length; i += 1000) {
    await db
      .insertInto('tags')
      .values(now.slice(i, i + 1000))
      .execute();
  }
}

export function tagRowsOf(pageId: number, tags: { key: string; value: string }[]): Tables['tags'][] {
  return tags.map(({ key, value }, seq) => {
    const stored = String(storable(value));
    return { page_id: pageId, seq, key: String(storable(key)), value: stored, value_key: indexable(stored) };
  });
}

export function keyOf(target: string): string {
  return String(storable(titleKey(target)));
}

function idOf(link: { kind: string; target: string }): string {
  return `${link.kind} ${link.target}`;
}
