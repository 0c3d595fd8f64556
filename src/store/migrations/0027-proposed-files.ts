/** Files of proposals. */
import type { SchemaWords } from '../engine.ts';

export const name = '0027-proposed-files';

export function statements({ integer, text, rowsByKey }: SchemaWords): string[] {
  return [
    `create table proposal_files (
      name ${text} not null,
      proposal_id ${integer} not null references proposals (id),
      n ${integer} not null,
      filename ${text} not null,
      hash ${text} not null,
      mime ${text} not null,
      size_bytes ${integer} not null,
      width ${integer},
      height ${integer},
      thumbnail_hash ${text},
      thumbnail_mime ${text},
      uploaded_at ${integer} not null,
      uploader_id ${integer} not null references members (id),
      primary key (name)
    )${rowsByKey}`,
    'create index proposal_files_by_proposal on proposal_files (proposal_id, n)',
    'create index proposal_files_by_hash on proposal_files (hash)',
    'create index proposal_files_by_uploader on proposal_files (uploader_id)',
  ];
}
