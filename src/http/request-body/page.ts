/**
 * Bodies of pages: fields with files, as JSON, form or multipart. Files are streamed to the file store, so memory use stays
 * constant; those of refused requests are later removed by `coppice rebuild`, because the file store only knows their content.
 */

import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { StoredBlob } from '#core/model/file.ts';
import { maxBodyBytes } from '#core/model/page-fields.ts';
import type { Attachment, PageInput, Upload } from '#core/model/page-input.ts';
import { type FieldError, invalid, Problem } from '#core/model/problem.ts';
import { refuseUnlessScope } from '#core/operations/token-scope.ts';
import type { FileStore } from '#core/ports/file-store.ts';
import { invalidFields, readFields } from '../schemas/validate.ts';
import type { Server } from '../service.ts';
import { fieldsOf, isForm, refuseUnstorable, registerParsers } from './body.ts';
import { maxFilesPerRequest } from './file-parts.ts';
import { type Keep, putFiles, readJson, StoredUpload, tooLarge, tooManyFiles } from './json.ts';
import { dropRest, type Part, partsOf, registerMultipart } from './multipart.ts';

/** More texts than a page has fields. */
const maxTexts = 100;
/** Maximum size of everything except files: encoded in JSON or a form, a body is longer than its text. */
export const maxTextBytes = 4 * maxBodyBytes;
/**
 * Maximum number of values in JSON, which is free-form in `data`. A page as returned by the API has a few thousand, with its
 * history, and may be sent back. This many distinct names take a twentieth of a second.
 */
export const maxPageValues = 20_000;
/** Iterates over bytes that are in memory already. */
const inMemory = {
  bytes: Number.POSITIVE_INFINITY,
  textBytes: Number.POSITIVE_INFINITY,
  values: maxPageValues,
};

declare module 'fastify' {
  interface FastifyRequest {
    attachments: Attachment[];
  }
}

/** Adds multipart to the accepted types of this scope, and files to all of them. */
export async function registerPageBodies(
  server: Server,
  store: FileStore,
  maxUploadBytes: number,
): Promise<void> {
  server.decorateRequest('attachments');
  // In the longest form, a byte takes four characters: `255,`.
  const limits = {
    bytes: 4 * maxUploadBytes + maxTextBytes,
    textBytes: maxTextBytes,
    values: maxPageValues,
  };
  registerParsers(server, () => ({ limits, keep: keepIn(store, maxUploadBytes) }));
  await registerMultipart(server);
  server.addHook('preValidation', async (request) => {
    const schema = request.routeOptions.schema?.body as TSchema | undefined;
    if (!schema) return;
    if (request.isMultipart()) {
      await readMultipart(request, schema, store, maxUploadBytes);
      return;
    }
    if (isForm(request)) await readFormFiles(request.body, keepIn(store, maxUploadBytes));
    const { files, ...fields } = fieldsOf(request, schema, maxPageValues);
    request.attachments = files === undefined ? [] : attachmentsOf(files);
    request.body = fields;
  });
}

/** Converts validated fields to the input of the core. */
export function pageInputOf(request: FastifyRequest, fields: object): PageInput {
  const { files: _, ...input } = fields as PageInput;
  const { removeFiles = [] } = fields as { removeFiles?: string[] };
  if (request.attachments.length + removeFiles.length > 0) refuseUnlessScope(request.apiToken, 'files');
  return request.attachments.length > 0 ? { ...input, files: request.attachments } : input;
}

async function readMultipart(
  request: FastifyRequest,
  schema: TSchema,
  store: FileStore,
  maxUploadBytes: number,
) {
  const uploads = { file: [] as Upload[], thumbnail: [] as Upload[] };
  const fields: Record<string, unknown> = {};
  const keep = keepIn(store, maxUploadBytes);
  let valuesLeft = maxPageValues;
  if (Number(request.headers['content-length']) > maxUploadBytes + maxBodyBytes) {
    dropRest(request);
    throw tooLarge(maxUploadBytes);
  }
  for await (const part of partsOf(request, maxTexts)) {
    const { fieldname } = part;
    if (part.type === 'file') {
      if (fieldname !== 'file' && fieldname !== 'thumbnail') {
        throw invalid(`/${fieldname}`, 'Only the parts “file” and “thumbnail” can be files.');
      }
      uploads[fieldname].push({ filename: part.filename ?? '', blob: await storePart(part, keep) });
      continue;
    }
    if (fieldname === 'file' || fieldname === 'thumbnail') {
      throw invalid(`/${fieldname}`, 'This part must be a file, with a file name.');
    }
    const [value, values] = await fieldOf(part, valuesLeft);
    valuesLeft -= values;
    fields[fieldname] = Object.hasOwn(fields, fieldname) ? [fields[fieldname], value].flat() : value;
  }
  const { files: _, ...read } = readFields(schema, fields, maxPageValues);
  refuseUnstorable(read);
  request.body = read;
  request.attachments = pair(uploads.file, uploads.thumbnail);
}

/** Value of a part, and the number of values in it; a part may declare that it is JSON. */
async function fieldOf(
  { fieldname, text, mimetype }: Part & { type: 'text' },
  maxValues: number,
): Promise<[value: unknown, values: number]> {
  if (!/^application\/json/i.test(mimetype)) return [text, 0];
  const limits = { ...inMemory, values: maxValues };
  const { values } = await readJson(Readable.from([Buffer.from(text)]), limits);
  try {
    return [JSON.parse(text), values];
  } catch {
    throw invalid(`/${fieldname}`, 'The part is declared as JSON, but is not valid JSON.');
  }
}

async function storePart({ file }: Part & { type: 'file' }, keep: Keep): Promise<StoredBlob> {
  try {
    return await keep(file);
  } catch (error) {
    // The store aborts uploads that it refuses, which looks like an incomplete upload.
    if (error instanceof Problem || !file.errored) throw error;
    throw new Problem('invalid', 'The file is incomplete.', { cause: error });
  }
}

function pair(files: Upload[], thumbnails: Upload[]): Attachment[] {
  if (thumbnails.length > files.length) throw invalid('/thumbnail', 'A thumbnail needs a file.');
  return files.map((file, index) => {
    const thumbnail = thumbnails[index];
    return thumbnail ? { file, thumbnail } : { file };
  });
}

/** Parses a form's `files` as JSON. Refuses `invalid`. */
async function readFormFiles(fields: unknown, keep: Keep): Promise<void> {
  const form = fields as { files?: unknown };
  if (typeof form.files !== 'string' || form.files.trim() === '') return;
  const { text, blobs } = await readJson(Readable.from([Buffer.from(form.files)]), inMemory, keep, 'files');
  try {
    form.files = JSON.parse(text ?? '');
  } catch {
    throw invalid('/files', 'Expected the files as JSON.');
  }
  putFiles(form, blobs);
}

/** Stores all files of a request, at most `maxUploadBytes` in total. */
function keepIn(store: FileStore, maxUploadBytes: number): Keep {
  let left = maxUploadBytes;
  return async (bytes) => {
    try {
      const blob = await store.put(bytes, left);
      left -= blob.sizeBytes;
      return blob;
    } catch (error) {
      throw error instanceof Problem && error.code === 'too-large' ? tooLarge(maxUploadBytes) : error;
    }
  };
}

/**
 * Attachments from `files` of a JSON or urlencoded body, whose bytes are stored: an object with `file` and optionally
 * `thumbnail`, or a list of those.
 */
function attachmentsOf(given: unknown): Attachment[] {
  const errors: FieldError[] = [];
  const list = Array.isArray(given) ? given : [given];
  if (list.length > maxFilesPerRequest) throw tooManyFiles();
  const attachments = list.flatMap((files, index): Attachment[] => {
    const pointer = Array.isArray(given) ? `/files/${index}` : '/files';
    if (typeof files !== 'object' || files === null || Array.isArray(files)) {
      errors.push({ pointer, detail: 'Expected an object with file and, for an image, thumbnail.' });
      return [];
    }
    const { file: givenFile, thumbnail: givenThumbnail } = files as Record<string, unknown>;
    const file = readGiven(givenFile, `${pointer}/file`, errors);
    const thumbnail =
      givenThumbnail == null ? undefined : readGiven(givenThumbnail, `${pointer}/thumbnail`, errors);
    return file ? [thumbnail ? { file, thumbnail } : { file }] : [];
  });
  if (errors.length > 0) throw invalidFields(errors);
  return attachments;
}

function readGiven(given: unknown, pointer: string, errors: FieldError[]): Upload | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    errors.push({ pointer, detail: 'Expected an object with name and data.' });
    return undefined;
  }
  const { name, data, size, encoding, mimetype, md5 } = given as Record<string, unknown>;
  const before = errors.length;
  if (typeof name !== 'string') errors.push({ pointer: `${pointer}/name`, detail: 'Expected a string.' });
  for (const [field, value] of Object.entries({ encoding, mimetype, md5 })) {
    if (value != null && typeof value !== 'string')
      errors.push({ pointer: `${pointer}/${field}`, detail: 'Expected a string.' });
  }
  if (size != null && !Number.isInteger(size))
    errors.push({ pointer: `${pointer}/size`, detail: 'Expected an integer.' });
  if (!(data instanceof StoredUpload)) {
    errors.push({
      pointer: `${pointer}/data`,
      detail: 'Expected base64, or {"type":"Buffer","data":[…]} with bytes from 0 to 255.',
    });
  }
  if (errors.length > before || !(data instanceof StoredUpload)) return undefined;
  return {
    filename: name as string,
    blob: data,
    ...(size == null ? {} : { declaredSizeBytes: size as number }),
    ...(md5 == null ? {} : { declaredMd5: md5 as string }),
  };
}
