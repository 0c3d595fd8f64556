/** Current files whose text has all of the words, on pages that the actor may read. */
import { type RawBuilder, sql } from 'kysely';
import { anyContent } from '#cache/dependency.ts';
import type { Visibility } from '#core/model/permission.ts';
import type { FileHit, FileWords } from '#core/ports/file-rows.ts';
import type { Database, Engine } from '../engine.ts';
import { beginsWith, fileOf } from '../rows.ts';
import { rowsOf, type Session } from '../statements.ts';
import type { RowOf } from '../tables.ts';
import { visible } from '../visibility.ts';

/** Pieces of files with the first word that are looked at; with more of them, the words of the search say little. */
const maxLookedAt = 20_000;
/** Look-ups of other words in these pieces, about a millisecond for a thousand. */
const maxLookups = 40_000;

/** The piece with all of the words, of each file the first one. Latest uploads first. `words`: the rarest first. */
export async function filesWithText(
  session: Session,
  visibility: Visibility,
  [rarest, ...others]: readonly FileWords[],
  limit: number,
): Promise<FileHit[]> {
  if (!rarest) return [];
  const ways = others.reduce((sum, { whole, beginnings }) => sum + whole.length + beginnings.length, 0);
  const lookedAt = Math.min(maxLookedAt, Math.ceil(maxLookups / Math.max(1, ways)));
  const hasOthers = others.map(
    (word) => sql` and exists (select 1 from file_terms o where o.hash = m.hash and o.number = m.number
      and ${isOf(sql.ref('o.term'), word)})`,
  );
  const rows = await rowsOf(
    session,
    // Texts are long, so they are read of the hits alone.
    sql<Row>`select h.*, t.text from (select f.*, p.path, p.title, found.number
        from (select m.hash, min(m.number) as number
            from (select hash, number from file_terms where ${isOf(sql.ref('term'), rarest)} limit ${lookedAt}) m
            where 1 = 1${sql.join(hasOthers, sql``)} group by m.hash) found
          join files f on f.hash = found.hash and f.until_change_id is null
          join pages p on p.id = f.page_id and ${visible('p', visibility)}
        order by f.uploaded_at desc, f.name limit ${limit}) h
      join file_text_parts t on t.hash = h.hash and t.number = h.number
      order by h.uploaded_at desc, h.name`,
  );
  return rows.map((row) => ({
    file: fileOf(row),
    page: { id: row.page_id, path: row.path, title: row.title },
    number: Number(row.number),
    text: row.text,
  }));
}

function isOf(column: RawBuilder<unknown>, { whole, beginnings }: FileWords): RawBuilder<boolean> {
  const ways = [
    ...whole.map((term) => sql<boolean>`${column} = ${term}`),
    ...beginnings.map((prefix) => beginsWith(column, prefix)),
  ];
  return sql`(${sql.join(ways, sql` or `)})`;
}

/** Drops searches that showed the files of before: they are kept until the content of some page changes. */
export function invalidateFileTexts(engine: Engine, db: Database): void {
  engine.invalidate(db, [anyContent]);
}

/** Removes texts of bytes that no page has or had any more. */
export async function forgetTextsOf(db: Database, isOfHashes: RawBuilder<unknown>): Promise<void> {
  for (const table of ['file_terms', 'file_text_parts', 'file_texts'] as const)
    await sql`delete from ${sql.table(table)} where ${isOfHashes}
      and not exists (select 1 from files f where f.hash = ${sql.ref(`${table}.hash`)})`.execute(db);
}

type Row = RowOf<'files'> & Pick<RowOf<'pages'>, 'path' | 'title'> & { number: number; text: string };
