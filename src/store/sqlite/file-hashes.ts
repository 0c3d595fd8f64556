/** Hashes of attached files and thumbnails, read without opening the wiki. */
import type { DatabaseSync } from 'node:sqlite';
import { openToRead } from './handle.ts';

export class FileHashes implements Disposable {
  readonly #db: DatabaseSync;

  constructor(file: string) {
    this.#db = openToRead(file);
  }

  /** Hashes of all files, current and replaced, and of those in proposals. */
  all(): Set<string> {
    return hashesIn(this.#db.prepare(`select hash, thumbnail_hash from files ${this.#proposed()}`).iterate());
  }

  /** Hashes of current files uploaded since then, in milliseconds since 1970. */
  since(at: number): Set<string> {
    const recent = this.#db.prepare(`select hash, thumbnail_hash from files
      where until_change_id is null and uploaded_at >= ? order by uploaded_at`);
    return hashesIn(recent.iterate(at));
  }

  /** Copies made by earlier versions have no such files. */
  #proposed(): string {
    const known = this.#db.prepare(`select 1 from sqlite_schema where name = 'proposal_files'`).get();
    return known ? 'union all select hash, thumbnail_hash from proposal_files' : '';
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }
}

function hashesIn(rows: Iterable<Record<string, unknown>>): Set<string> {
  const hashes = new Set<string>();
  for (const { hash, thumbnail_hash } of rows)
    for (const one of [hash, thumbnail_hash]) if (typeof one === 'string') hashes.add(one);
  return hashes;
}
