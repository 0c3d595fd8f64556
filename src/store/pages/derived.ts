/**
 * Writes data derived from a page's content: links, tags, search text, and the counts of wanted links. Only rows that differ
 * are written.
 */

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Derived, DerivedLink } from '#core/model/derived.ts';
import { titleKey } from '#core/model/fold.ts';
import type { Page } from '#core/model/page.ts';
import { maxPathBytes } from '#core/model/path.ts';
import { joinedTermsOf } from '#core/model/terms.ts';
import type { StoredDerived } from '#core/ports/store.ts';
import { inTimeSlices } from '#scheduling/time-slices.ts';
import { type Database, type Engine, type IndexedText, storable } from '../engine.ts';
import { insertRows } from '../insert-rows.ts';
import { invalidate } from '../invalidation.ts';
import { type LinkChange, updateWanted } from '../links/wanted-counts.ts';
import { indexable } from '../rows.ts';
import { all, prepare, prepareTogether, type Session, send, together } from '../statements.ts';
import type { Tables } from '../tables.ts';

/** Reading this many links takes one or two milliseconds. */
const manyLinks = 250;
/** Long, because each slice of deleted links scans all links of their pages. */
const deletedAtOnce = 2500;

export async function saveDerived(
  { engine, db }: { engine: Engine; db: Database },
  { id, title, audience }: Pick<Page, 'id' | 'title' | 'audience'>,
  derived: Derived,
  { changed, stored }: { changed: { titles: string[]; paths: string[] }; stored?: StoredDerived | undefined },
): Promise<void> {
  const session = { engine, db, isTransaction: true };
  // Deriving a page with very many links took a while, so others get their turn.
  if (derived.links.length > manyLinks) await yieldToEventLoop();
  const [links, tags] = stored
    ? [stored.links as Tables['links'][], stored.tags as Tables['tags'][]]
    : await together(session, linksAndTagsOf, { id });
  const changes = await saveLinks(session, links, [{ id, audience, links: derived.links }]);
  saveTags(session, tags, id, derived.tags);
  if (!stored?.hasSameText) await engine.saveTexts(db, [textOf(id, title, derived)]);

  const recounted = new Set<string>();
  for await (const names of inTimeSlices([...changed.titles, ...changed.paths]))
    for (const name of names) recounted.add(keyOf(name));
  if (recounted.size > 0) {
    // A page becomes reachable or unreachable by its aliases together with its path.
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
/** By `idOf` among the links of their pages, because scanning these is cheaper than finding each. */
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

/** Entry of the text index for a page, with the terms of its title separate from those of its body; stems follow the words. */
export function textOf(
  pageId: number,
  title: string,
  { terms, stems }: Pick<Derived, 'terms' | 'stems'>,
): IndexedText {
  const { titleTerms, bodyTerms } = wordsOf(title, terms);
  return {
    pageId,
    titleTerms: `${titleTerms} ${stems.title}`.trim(),
    bodyTerms: `${bodyTerms} ${stems.body}`.trim(),
  };
}

function wordsOf(title: string, terms: string): Omit<IndexedText, 'pageId'> {
  const titleTerms = joinedTermsOf(title);
  if (terms === titleTerms) return { titleTerms, bodyTerms: '' };
  const startsWithTitle = titleTerms !== '' && terms.startsWith(`${titleTerms} `);
  if (!startsWithTitle) return { titleTerms: '', bodyTerms: terms };
  return { titleTerms, bodyTerms: terms.slice(titleTerms.length + 1) };
}

/**
 * Replaces the links of several pages, after letting others have their turn. Returns the targets of wiki links that a page lost
 * or gained.
 */
export async function relink(
  engine: Engine,
  db: Database,
  pages: { id: number; links: DerivedLink[] }[],
): Promise<string[]> {
  await yieldToEventLoop();
  // Renderings change even if the rows of links do not.
  engine.invalidate(
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
  const changes = await saveLinks(
    session,
    stored,
    pages.map(({ id, links }) => ({ id, audience: audiences.get(id) ?? 0, links })),
  );
  return [...new Set(changes.map(({ target }) => target))];
}

/**
 * `stored`: all links that these pages have. Returns the input of `updateWanted`. Runs in slices, because a page can have
 * thousands of links.
 */
async function saveLinks(
  session: Session,
  stored: Tables['links'][],
  pages: { id: number; audience: number; links: DerivedLink[] }[],
): Promise<LinkChange[]> {
  const { engine, db } = session;
  const now = new Map<string, Tables['links']>();
  for (const { id, audience, links } of pages)
    for await (const some of inTimeSlices(links))
      for (const row of linkRowsOf(id, audience, some)) addLink(now, row);

  const before = new Map<string, Tables['links']>();
  const [gone, written]: [Tables['links'][], Tables['links'][]] = [[], []];
  const counted = new Set<string>();
  for await (const rows of inTimeSlices(stored))
    for (const row of rows) {
      const id = idOf(row);
      before.set(id, row);
      if (now.has(id)) continue;
      gone.push(row);
      counted.add(askedBy(row));
    }
  for await (const entries of inTimeSlices([...now]))
    for (const [id, row] of entries) {
      const old = before.get(id);
      if (old && isSameLink(old, row)) continue;
      written.push(row);
      if (old?.audience !== row.audience) counted.add(askedBy(row));
    }

  for await (const rows of inTimeSlices(gone, { first: deletedAtOnce })) {
    invalidate({ engine, db }, 'links', 'all', rows);
    const ids = [...new Set(rows.map(({ source_id }) => source_id))];
    send(session, deletingLinks, { ids, links: rows.map(idOf) });
  }
  for await (const rows of inTimeSlices(written)) {
    invalidate({ engine, db }, 'links', 'all', rows);
    send(session, savingLinks, { rows: rows.map(valuesOf) });
  }

  const changes: LinkChange[] = [];
  if (counted.size === 0) return changes;
  for (const [rows, by] of [
    [stored, -1],
    [[...now.values()], 1],
  ] as const)
    for await (const some of inTimeSlices(rows))
      for (const row of some)
        if (row.kind === 'page' && counted.has(askedBy(row))) changes.push({ ...row, by });
  return changes;
}

function valuesOf(row: Tables['links']): unknown[] {
  return [row.source_id, row.kind, row.target, row.key, row.is_path, row.count, row.audience];
}

/** One row for each kind and target that can be stored. */
export function linkRowsOf(
  pageId: number,
  audience: number,
  links: readonly DerivedLink[],
): Tables['links'][] {
  const rows: Tables['links'][] = [];
  let hasChanged = false;
  for (const link of links) {
    const target = String(storable(link.target));
    // No page could have such a title or path, and no index entry could hold it.
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
  // Newly derived rows are distinct already.
  return hasChanged ? merged(rows) : rows;
}

function merged(rows: Tables['links'][]): Tables['links'][] {
  const merged = new Map<string, Tables['links']>();
  for (const row of rows) addLink(merged, row);
  return [...merged.values()];
}

function addLink(links: Map<string, Tables['links']>, row: Tables['links']): void {
  const id = idOf(row);
  const same = links.get(id);
  if (same) same.count += row.count;
  else links.set(id, row);
}

/** Compares two rows for the same target. */
function isSameLink(a: Tables['links'], b: Tables['links']): boolean {
  return (
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
  invalidate({ engine: session.engine, db: session.db }, 'tags', 'all', changed);
  if (before.length > 0) send(session, deletingTags, { id: pageId });
  insertRows({ engine: session.engine, db: session.db }, 'tags', now);
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
