/** Validates input for a page: its fields, parent and files. All invalid fields are reported at once. */

import type { Words } from '#html/html.ts';
import { say } from '#words/say.ts';
import type { StoredBlob } from './file.ts';
import { cleanFilename } from './filename.ts';
import type { Content } from './page.ts';
import { type GivenFields, readGiven } from './page-fields.ts';
import { type CheckedAccess, checkAccess, type GivenAccess } from './page-group.ts';
import { madeSlugOf } from './path.ts';
import { allInvalid, type FieldError, fieldError, invalid } from './problem.ts';

/** A file whose bytes are in the file store already; the caller's statements about them are not verified yet. */
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

/** Absent fields are not changed. */
export interface PageInput extends GivenFields, GivenAccess {
  /** Path or ID; `''`, `'/'`, `0` or `null` for the root. */
  parent?: string | number | null;
  /** Path or ID of the page of which it is a translation; `''`, `'/'`, `0` or `null` for none. */
  translationOf?: string | number | null;
  files?: Attachment[];
}

/** Start of the history that all readers of a page may see: the current edit, or the first change. */
export type HistoryShown = 'from now' | 'all';

/** The validated, normalised form. `parent` is kept as given, because only a transaction can tell whether it exists. */
export interface CheckedInput extends CheckedAccess {
  given: Partial<Omit<Content, 'parent' | 'group' | 'defaults'>>;
  parent?: string | number | null;
  translationOf?: string | number | null;
  files: Attachment[];
  history?: HistoryShown;
  /** Files to remove from the page, by `name` or `filename`. */
  removeFiles?: readonly string[];
  /** Message of the change if none is given. */
  defaultMessage?: string;
}

/** Longest reference that can be a path; anything longer is not parsed. */
const maxReferenceLength = 4096;

/** Refuses `invalid`, naming all invalid fields at once, and `too-large` for a body of more than 4 MB. */
export function checkInput(input: PageInput): CheckedInput {
  const errors: FieldError[] = [];
  const refuse = (field: string, detail: Words) => errors.push(fieldError(`/${field}`, detail));
  const given = readGiven(input, refuse);
  const access = checkAccess(input, refuse);
  for (const field of ['parent', 'translationOf'] as const) {
    const named = input[field];
    if (typeof named === 'string' && named.length > maxReferenceLength)
      refuse(field, say('problem.thisPathIsLongerThanThatOf'));
  }
  const files = (input.files ?? []).map((attachment) => ({ ...attachment }));
  for (const { file, thumbnail } of files) {
    checkUpload('files/file', file, refuse);
    if (thumbnail) checkUpload('files/thumbnail', thumbnail, refuse);
  }
  if (errors.length > 0) throw allInvalid(errors);
  const { parent, translationOf } = input;
  return {
    given,
    files,
    ...access,
    ...(parent === undefined ? {} : { parent }),
    ...(translationOf === undefined ? {} : { translationOf }),
  };
}

/**
 * The slug of a title. A title without letters and digits has none: then the last segment of the given path is used, and
 * without a path the caller has to choose one.
 */
export function slugFor(title: string, givenPath?: string): string {
  const slug = madeSlugOf(title);
  if (slug !== '') return slug;
  if (givenPath !== undefined) return givenPath.slice(givenPath.lastIndexOf('/') + 1);
  throw invalid('/slug', say('problem.thisTitleHasNoLettersOrDigits'));
}

function checkUpload(field: string, upload: Upload, refuse: (field: string, detail: Words) => void): void {
  const { filename, blob, declaredSizeBytes, declaredMd5 } = upload;
  if (declaredSizeBytes !== undefined && declaredSizeBytes !== blob.sizeBytes) {
    refuse(
      `${field}/size`,
      say('problem.theFileHasBytesNotSoIt', { sizeBytes: blob.sizeBytes, declaredSizeBytes }),
    );
  }
  if (declaredMd5 !== undefined && declaredMd5.toLowerCase() !== blob.md5) {
    refuse(`${field}/md5`, say('problem.theMd5HashDoesNotMatchThe'));
  }
  const name = cleanFilename(filename);
  if (name === '') refuse(`${field}/name`, say('problem.aFileNeedsAName'));
  upload.filename = name;
}
