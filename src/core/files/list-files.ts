/** The file library: all current files of pages that the actor may read, and the pages that use each. */

import { say } from '#words/say.ts';
import { sortKey } from '../model/fold.ts';
import { invalid, Problem } from '../model/problem.ts';
import {
  type FileCriteria,
  type FileOrder,
  type FilePosition,
  fileOrders,
  type LibraryFile,
} from '../ports/file-rows.ts';
import type { Reader } from '../ports/reader.ts';
import { findReadable } from '../reading/find-page.ts';
import { decodeCursor, encodeCursor } from '../search/cursor.ts';

export interface FileQuery {
  /** Part of the name; case and accents are ignored. */
  q?: string | undefined;
  /** `image` or `image/*`, or `image/png`. */
  mime?: string | undefined;
  /** Path of the page whose files they are. */
  page?: string | undefined;
  /** Path of a page; selects files of its descendants. */
  ancestor?: string | undefined;
  unused?: boolean | undefined;
  sort?: FileOrder | undefined;
  cursor?: string | undefined;
  limit: number;
}

const maxNamePart = 200;
const mimePattern = /^[a-z]+(\/[a-z0-9][a-z0-9.+-]*)?$/;

/** `next`: cursor of the files that follow; undefined at the end. */
export async function listFiles(
  reader: Reader,
  { q, mime, page, ancestor, unused = false, sort = 'name', cursor = '', limit }: FileQuery,
): Promise<{ files: LibraryFile[]; next: string | undefined }> {
  const type = mime?.trim().toLowerCase().replace(/\/\*$/, '');
  if (type !== undefined && (type.length > 100 || !mimePattern.test(type)))
    throw invalid('?mime', say('problem.giveAKindOfFilesSuchAs'));
  const criteria: FileCriteria = {
    ...(q === undefined ? {} : { namePart: sortKey(q.slice(0, maxNamePart)) }),
    ...(type === undefined ? {} : { mime: type }),
    ...(page === undefined ? {} : { page: await pageAt(reader, page, 'page') }),
    ...(ancestor === undefined ? {} : { ancestor: await pageAt(reader, ancestor, 'ancestor') }),
    isUnused: unused,
    order: sort,
    after: readCursor(cursor, sort),
    // One extra row tells whether more follow.
    limit: limit + 1,
  };
  const found = await reader.files.library(criteria);
  const files = found.slice(0, limit);
  const last = files.at(-1);
  const next = found.length > limit && last && encodeCursor([sort, keyOf(last, sort), last.file.name]);
  return { files, next: next || undefined };
}

async function pageAt(reader: Reader, path: string, parameter: string) {
  const page = await findReadable(reader, path);
  if (!page) throw new Problem('not-found', say('problem.noPageExistsAtThePathIn', { parameter }));
  return { id: page.id, trail: page.trail };
}

function keyOf({ file }: LibraryFile, order: FileOrder): string | number {
  if (order === 'name') return sortKey(file.filename);
  return order === 'size' ? file.sizeBytes : file.uploadedAt;
}

/** Returns undefined for the empty cursor, which starts a list. */
function readCursor(text: string, order: FileOrder): FilePosition | undefined {
  if (text === '') return undefined;
  const [of, key, name] = decodeCursor(text);
  const isKey = fileOrders[order].isText ? isText(key) : Number.isSafeInteger(key);
  if (of === order && isKey && isText(name)) return { key: key as string | number, name };
  throw invalid('?cursor', say('problem.theCursorDoesNotBelongToThis'));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
}
