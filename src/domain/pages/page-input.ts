/** Checks input for a page: its fields, parent and files. Every bad field is named at once. */

import { cleanFilename } from '../files/filename.ts';
import type { StoredBlob } from '../ports/file-store.ts';
import { type FieldError, invalid, Problem } from '../problem.ts';
import type { Content } from './page.ts';
import { type GivenFields, readGiven } from './page-fields.ts';
import { type CheckedAccess, checkAccess, type GivenAccess } from './page-group.ts';
import { madeSlugOf } from './path.ts';

/** A file whose bytes are already in the file store; what the caller declared of them is still to be checked. */
export interface Upload {
  filename: string;
  blob: StoredBlob;
  declaredSizeBytes?: number;
  declaredMd5?: string;
}

export interface Attachment {
  file: Upload;
  thumbnail?: Upload;
}

/** Absent: not given. */
export interface PageInput extends GivenFields, GivenAccess {
  /** Path or ID; `''`, `'/'`, `0`, `null`: root. */
  parent?: string | number | null;
  files?: Attachment[];
}

/** From which change on all readers of a page may see its history: the one that is being made, or the first. */
export type HistoryShown = 'from now' | 'all';

/** The checked, normalised form. `parent` stays as given: only a transaction can tell whether it exists. */
export interface CheckedInput extends CheckedAccess {
  given: Partial<Omit<Content, 'parent' | 'group' | 'defaults'>>;
  parent?: string | number | null;
  files: Attachment[];
  history?: HistoryShown;
  /** Files to take from the page: their `name` or their `filename`. */
  removeFiles?: readonly string[];
  /** The message of a change that is made without one. */
  defaultMessage?: string;
}

/** A path parameter longer than this is no path; matching it would be work for nothing. */
const maxReferenceLength = 4096;

/** Refuses `invalid`, naming every bad field at once, and `too-large` for a body beyond 4 MB. */
export function checkInput(input: PageInput): CheckedInput {
  const errors: FieldError[] = [];
  const refuse = (field: string, detail: string) => errors.push({ pointer: `/${field}`, detail });
  const given = readGiven(input, refuse);
  const access = checkAccess(input, refuse);
  if (typeof input.parent === 'string' && input.parent.length > maxReferenceLength) {
    refuse('parent', 'No page has a path this long.');
  }
  const files = (input.files ?? []).map((attachment) => ({ ...attachment }));
  for (const { file, thumbnail } of files) {
    checkUpload('files/file', file, refuse);
    if (thumbnail) checkUpload('files/thumbnail', thumbnail, refuse);
  }
  if (errors.length > 0) {
    throw new Problem('invalid', errors.map((error) => error.detail).join(' '), { errors });
  }
  return { given, files, ...access, ...(input.parent === undefined ? {} : { parent: input.parent }) };
}

/**
 * The slug that a title gives. A title without letters and digits gives none: then the last segment of a given path
 * serves, and without one the caller has to say what the address shall be.
 */
export function slugFor(title: string, givenPath?: string): string {
  const slug = madeSlugOf(title);
  if (slug !== '') return slug;
  if (givenPath !== undefined) return givenPath.slice(givenPath.lastIndexOf('/') + 1);
  throw invalid(
    '/slug',
    'This title has no letters or digits to make an address from: give an address yourself, as a slug or a path.',
  );
}

function checkUpload(field: string, upload: Upload, refuse: (field: string, detail: string) => void): void {
  const { filename, blob, declaredSizeBytes, declaredMd5 } = upload;
  if (declaredSizeBytes !== undefined && declaredSizeBytes !== blob.sizeBytes) {
    refuse(
      `${field}/size`,
      `The file has ${blob.sizeBytes} bytes, not ${declaredSizeBytes}: it did not arrive whole.`,
    );
  }
  if (declaredMd5 !== undefined && declaredMd5.toLowerCase() !== blob.md5) {
    refuse(`${field}/md5`, 'The MD5 hash does not match the bytes: the file did not arrive whole.');
  }
  const name = cleanFilename(filename);
  if (name === '') refuse(`${field}/name`, 'A file needs a name.');
  upload.filename = name;
}
