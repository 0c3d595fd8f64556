/** Checks that every file named in a change exists; rows of files are never removed. */
import { sql } from 'kysely';
import type { Content } from '#core/model/page.ts';
import type { Database, Engine } from '../engine.ts';
import type { RowOf } from '../tables.ts';

/** A sentence for each name in these changes for which the page has no file. One statement. */
export async function* missingFiles(
  engine: Engine,
  db: Database,
  changes: RowOf<'changes'>[],
): AsyncGenerator<string> {
  const named = changes
    .filter(({ content }) => content.includes('"files":['))
    .flatMap(({ id, page_id, content }) =>
      ((JSON.parse(content) as Content).files ?? []).map((name) => ({ id, page_id, name })),
    );
  if (named.length === 0) return;
  const names = [...new Set(named.map(({ name }) => name))];
  const { rows } = await sql<{ name: string; page_id: number }>`select name, page_id from files
    where ${engine.amongTexts(sql.ref('name'), names)}`.execute(db);
  const pageOf = new Map(rows.map((file) => [file.name, file.page_id]));
  for (const { id, page_id, name } of named) {
    if (pageOf.get(name) !== page_id)
      yield `Change ${id} of page ${page_id} names a file ${name} that the page does not have.`;
  }
}
