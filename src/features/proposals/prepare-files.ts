/**
 * Files of a proposal: stored once, kept while the proposal is open, attached to pages by the merge. A file that is named without its
 * bytes stays from the changes that are replaced.
 */

import { prepareFiles } from '#core/files/attach-files.ts';
import { type StoredBlob, StoredBytes } from '#core/model/file.ts';
import { checkInput } from '#core/model/page-input.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import type { Files } from '#core/ports/file-store.ts';
import {
  maxFilesOfChange,
  type NewFile,
  type ProposedChange,
  type ProposedFile,
} from '#core/ports/proposal-store.ts';
import { say } from '#words/say.ts';

/** Maximum size of the files of a proposal, and of those in all proposals of a member. */
export const maxFileBytes = { proposal: 100_000_000, member: 500_000_000 };
/** Maximum size of files that are sent as text. */
export const maxSentBytes = 10_000_000;

/** `data`: base64, or bytes that the site has stored already. */
export interface GivenFile {
  file: { name: string; data?: string | StoredBytes };
}

/** A file that a change of the proposal has already. */
export type ProposedUpload = Pick<ProposedFile, keyof NewFile>;

type Before = Pick<ProposedChange, 'pageId' | 'path'> & { files: readonly ProposedUpload[] };

/** Changes with their files, whose bytes are stored. Refuses `invalid` and `too-large`. */
export async function withFiles(
  { files, now }: { files: Files; now: number },
  asked: readonly { change: ProposedChange; given: readonly GivenFile[] | undefined }[],
  before: readonly Before[],
  uploaderId: number,
): Promise<ProposedChange[]> {
  let sent = 0;
  const checked = asked.map(({ change, given = [] }, n) => {
    if (given.length > maxFilesOfChange)
      throw invalid(
        `/changes/${n}/files`,
        say('problem.aChangeCanHaveAtMostFiles', { most: maxFilesOfChange }),
      );
    const kept = before.find(({ pageId, path }) =>
      change.pageId === null ? pageId === null && path === change.path : pageId === change.pageId,
    );
    const uploads = given.map(({ file: { name, data } }, index) => {
      const pointer = `/changes/${n}/files/${index}`;
      const earlier = kept?.files.find(({ filename }) => filename === name);
      if (data === undefined && !earlier)
        throw invalid(`${pointer}/file/data`, say('problem.sendTheBytesOfTheFile'), 'required');
      const bytes = bytesOf(data, `${pointer}/file/data`);
      if (bytes instanceof Uint8Array) sent += bytes.length;
      return { name, bytes, earlier };
    });
    const filenames = uploads.map(({ name }) => name);
    if (new Set(filenames).size < filenames.length)
      throw invalid(`/changes/${n}/files`, say('problem.twoFilesOfAChange'));
    return { change, uploads };
  });
  if (sent > maxSentBytes)
    throw new Problem(
      'too-large',
      say('problem.atMostMbOfFilesCanBeSent', { megabytes: maxSentBytes / 1e6 }),
    );
  const found: ProposedChange[] = [];
  for (const { change, uploads } of checked) {
    const own: NewFile[] = [];
    for (const { name, bytes, earlier } of uploads) {
      if (bytes === undefined) {
        if (earlier) own.push(newFileOf(earlier));
        continue;
      }
      const blob = bytes instanceof Uint8Array ? await files.store.put(bytes, maxSentBytes) : bytes;
      const upload = { file: { filename: name, blob } };
      // Cleans the name.
      const { files: cleaned } = checkInput({ files: [upload] });
      own.push(...(await prepareFiles(files, cleaned, uploaderId, now)));
    }
    found.push({ ...change, files: own });
  }
  const total = found.flatMap((change) => change.files).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (total > maxFileBytes.proposal)
    throw new Problem(
      'too-large',
      say('problem.theFilesOfAProposal', { megabytes: maxFileBytes.proposal / 1e6 }),
    );
  return found;
}

function newFileOf(file: ProposedUpload): NewFile {
  const { filename, hash, mime, sizeBytes, width, height, uploadedAt, uploaderId } = file;
  const { thumbnailHash, thumbnailMime } = file;
  return {
    filename,
    hash,
    mime,
    sizeBytes,
    width,
    height,
    thumbnailHash,
    thumbnailMime,
    uploadedAt,
    uploaderId,
  };
}

function bytesOf(data: unknown, pointer: string): Uint8Array | StoredBlob | undefined {
  if (data === undefined) return undefined;
  if (data instanceof StoredBytes) return data.blob;
  if (typeof data === 'string' && /^[A-Za-z0-9+/_-]*={0,2}$/.test(data)) return Buffer.from(data, 'base64');
  throw invalid(pointer, say('problem.expectedBase64'));
}
