/** Rows of files that proposals attach. */
import type { ProposedChange, ProposedFile } from '#core/ports/proposal-store.ts';
import { digestOf } from '#store/proposed-files.ts';
import type { RowOf } from '#store/tables.ts';

export type FileRow = RowOf<'proposal_files'>;

/**
 * Files of the change at position `n`. Their names say nothing about the position, from which others could tell how many of the changes
 * before it are hidden from them.
 */
export function fileRowsOf(
  proposalId: number,
  n: number,
  { action, path, files }: ProposedChange,
): FileRow[] {
  return files.map((file, index) => {
    const readable = file.filename
      .normalize('NFKD')
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[-.]+/, '')
      .slice(-60);
    const place = digestOf(`${action}\0${path}\0${file.filename}`);
    return {
      // The names of files of pages begin with a digit.
      name: `p${proposalId}-${String(index).padStart(2, '0')}-${place}-${file.hash.slice(0, 16)}-${readable || 'file'}`,
      proposal_id: proposalId,
      n,
      filename: file.filename,
      hash: file.hash,
      mime: file.mime,
      size_bytes: file.sizeBytes,
      width: file.width,
      height: file.height,
      thumbnail_hash: file.thumbnailHash,
      thumbnail_mime: file.thumbnailMime,
      uploaded_at: file.uploadedAt,
      uploader_id: file.uploaderId,
    };
  });
}

export function fileOf(row: FileRow): ProposedFile {
  const { name, n, filename, hash, mime, width, height } = row;
  return {
    name,
    proposalId: row.proposal_id,
    n,
    filename,
    hash,
    mime,
    sizeBytes: row.size_bytes,
    width,
    height,
    thumbnailHash: row.thumbnail_hash,
    thumbnailMime: row.thumbnail_mime,
    uploadedAt: row.uploaded_at,
    uploaderId: row.uploader_id,
  };
}
