/** Fields of a page that callers may set, and the rules for each value. Every bad field is named at once. */

import { hasMoreBytes, hasMoreCharacters } from '../bytes.ts';
import { maxDescriptionLength } from '../content/description.ts';
import { cleanFilename } from '../files/filename.ts';
import { readPermissionCode } from '../permission.ts';
import type { StoredBlob } from '../ports/file-store.ts';
import { type FieldError, invalid, Problem } from '../problem.ts';
import type { Content, Data, Format, Location } from './page.ts';
import { madeSlugOf, readPath } from './path.ts';

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

/** Absent: not given. `null` or `''` for description, type, image: back to what follows from the body. */
export interface PageInput {
  title?: string;
  description?: string | null;
  slug?: string;
  /** Path or ID; `''`, `'/'`, `0`, `null`: root. */
  parent?: string | number | null;
  path?: string;
  body?: string;
  type?: string | null;
  permissions?: number | string;
  data?: Data;
  image?: string | null;
  location?: Location | false | null;
  format?: Format;
  msg?: string;
  files?: Attachment[];
}

/** From which change on all readers of a page may see its history: the one that is being made, or the first. */
export type HistoryShown = 'from now' | 'all';

/** The checked, normalised form. `parent` stays as given: only a transaction can tell whether it exists. */
export interface CheckedInput {
  given: Partial<Omit<Content, 'parent'>>;
  parent?: string | number | null;
  files: Attachment[];
  history?: HistoryShown;
  /** The message of a change that is made without one. */
  defaultMessage?: string;
}

export const maxTitleLength = 255;
const maxTypeLength = 255;
export const maxMessageLength = 1000;
const maxImageLength = 2048;
const maxDataBytes = 1_000_000;
/** A second or two to read, in which nobody else is answered. */
export const maxBodyBytes = 4_000_000;
/** A path parameter longer than this is no path; matching it would be work for nothing. */
const maxReferenceLength = 4096;

type Refuse = (field: string, detail: string) => void;

/** Refuses `invalid`, naming every bad field at once, and `too-large` for a body beyond 4 MB. */
export function checkInput(input: PageInput): CheckedInput {
  const errors: FieldError[] = [];
  const refuse: Refuse = (field, detail) => {
    errors.push({ pointer: `/${field}`, detail });
  };
  const given: CheckedInput['given'] = {};
  if (input.title !== undefined) given.title = readTitle(input.title, refuse);
  if (input.description !== undefined) given.description = readDescription(input.description, refuse);
  if (input.slug?.trim()) given.slug = readSlug(input.slug, refuse);
  if (input.path?.trim()) given.path = readGivenPath(input.path, refuse);
  if (input.body !== undefined) given.body = readBody(input.body);
  if (input.type !== undefined) given.type = readType(input.type, refuse);
  if (input.permissions !== undefined) given.permissions = readPermissions(input.permissions, refuse);
  if (input.data !== undefined) given.data = readData(input.data, refuse);
  if (input.image !== undefined) given.image = readImage(input.image, refuse);
  if (input.location !== undefined) given.location = readLocation(input.location, refuse);
  if (input.format !== undefined) given.format = input.format;
  if (input.msg !== undefined) given.msg = readMessage(input.msg, refuse);
  if (typeof input.parent === 'string' && input.parent.length > maxReferenceLength) {
    refuse('parent', 'No page has a path this long.');
  }
  const files = (input.files ?? []).map((attachment) => ({ ...attachment }));
  for (const { file, thumbnail } of files) {
    checkUpload('files/file', file, refuse);
    if (thumbnail) checkUpload('files/thumbnail', thumbnail, refuse);
  }
  // PostgreSQL holds neither NUL nor unpaired surrogates in text; saying so beats failing later.
  for (const field of ['title', 'description', 'slug', 'body', 'type', 'image', 'msg'] as const) {
    const value = given[field];
    if (value != null && !(value.isWellFormed() && !value.includes('\0'))) {
      refuse(field, 'The text must be well-formed Unicode without NUL characters.');
    }
  }
  if (errors.length > 0) {
    throw new Problem('invalid', errors.map((error) => error.detail).join(' '), { errors });
  }
  return { given, files, ...(input.parent === undefined ? {} : { parent: input.parent }) };
}

function readTitle(text: string, refuse: Refuse): string {
  const title = text.normalize('NFC').trim();
  if (title === '') refuse('title', 'A page needs a title.');
  else if (hasMoreCharacters(title, maxTitleLength))
    refuse('title', `A title can have at most ${maxTitleLength} characters.`);
  else if (/\p{Cc}/u.test(title)) refuse('title', 'A title cannot contain control characters.');
  return title;
}

function readDescription(text: string | null, refuse: Refuse): string | null {
  const description = text?.trim() || null;
  if (description && hasMoreCharacters(description, maxDescriptionLength))
    refuse('description', `A description can have at most ${maxDescriptionLength} characters.`);
  return description;
}

function readSlug(text: string, refuse: Refuse): string {
  const slug = text.normalize('NFC').trim();
  const read = readPath(`/${slug}`);
  if (slug.includes('/')) refuse('slug', 'A slug is one segment of a path and cannot contain “/”.');
  else if ('problem' in read) refuse('slug', read.problem.replace(/^A path/, 'A slug'));
  return slug;
}

function readGivenPath(text: string, refuse: Refuse): string {
  const read = readPath(text);
  if ('path' in read) return read.path;
  refuse('path', read.problem);
  return text;
}

function readBody(text: string): string {
  const body = withPlainLineEnds(text);
  if (hasMoreBytes(body, maxBodyBytes))
    throw new Problem('too-large', 'The body of a page can have at most 4 MB: make several pages of it.');
  return body;
}

function readType(text: string | null, refuse: Refuse): string | null {
  const type = text?.normalize('NFC').trim() || null;
  if (type && (hasMoreCharacters(type, maxTypeLength) || /\p{Cc}/u.test(type)))
    refuse('type', `A type is at most ${maxTypeLength} characters without control characters.`);
  return type;
}

function readPermissions(value: number | string, refuse: Refuse): number {
  const code = readPermissionCode(value);
  if (code !== undefined) return code;
  refuse('permissions', 'Permissions are three octal digits (0–7) for owner, group and world, such as 774.');
  return 0;
}

function readData(data: Data, refuse: Refuse): Data {
  if (hasMoreBytes(JSON.stringify(data), maxDataBytes))
    refuse('data', `Structured data can have at most ${maxDataBytes} bytes as JSON.`);
  return data;
}

function readImage(text: string | null, refuse: Refuse): string | null {
  const image = text?.trim() || null;
  if (image && image.length > maxImageLength)
    refuse('image', `An image address can have at most ${maxImageLength} characters.`);
  return image;
}

function readLocation(location: Location | false | null, refuse: Refuse): Location | false | null {
  if (!location) return location;
  const { lat, lon } = location;
  const isPoint = Number.isFinite(lat) && Number.isFinite(lon) && Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
  if (!isPoint)
    refuse(
      'location',
      'A location is {lat, lon} with lat from −90 to 90 and lon from −180 to 180, or false.',
    );
  return { lat, lon };
}

function readMessage(msg: string, refuse: Refuse): string {
  if (hasMoreCharacters(msg, maxMessageLength))
    refuse('msg', `A message can have at most ${maxMessageLength} characters.`);
  return msg;
}

/** With `\n` alone at line ends. */
export function withPlainLineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
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

function checkUpload(field: string, upload: Upload, refuse: Refuse): void {
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
