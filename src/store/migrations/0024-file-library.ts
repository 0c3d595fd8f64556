/** The list of all files: its orders, the versions of a file, and the pages that show it. */

import type { SchemaWords } from '../engine.ts';
import { fillFileKeys } from '../pages/file-keys.ts';

export const name = '0024-file-library';

export function statements({ text }: SchemaWords): string[] {
  return [
    `alter table files add column sort_key ${text} not null default ''`,
    ...['sort_key', 'size_bytes', 'uploaded_at'].map(
      (column) => `create index files_by_${column} on files (${column}, name) where until_change_id is null`,
    ),
    'create index files_ever on files (page_id, filename)',
    // Few of all links are to files, and they are found as written: paths and names of files have their case.
    "create index links_to_files on links (target, source_id, audience) where kind = 'file'",
  ];
}

export const finish = fillFileKeys;
