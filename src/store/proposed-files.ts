/** Files of proposals, which go with the changes that attach them. */
import { hash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from './engine.ts';

/**
 * Removes the files of these changes, given as a condition on `proposal_changes`; called before the changes are removed. Returns the
 * hashes of their bytes, which others may use as well.
 */
export async function removeProposedFiles(db: Database, changes: RawBuilder<boolean>): Promise<string[]> {
  const { rows } = await sql<{ hash: string; thumbnail_hash: string | null }>`delete from proposal_files
    where (proposal_id, n) in (select proposal_id, n from proposal_changes where ${changes})
    returning hash, thumbnail_hash`.execute(db);
  return [...new Set(rows.flatMap(({ hash, thumbnail_hash }) => [hash, thumbnail_hash ?? []].flat()))];
}

/** Short digest that tells changes with files of the same name apart in the names by which files are served. */
export function digestOf(text: string): string {
  return hash('sha256', text).slice(0, 12);
}
