/**
 * Page bodies: the fields of a page with files, as JSON, form or multipart. Files go straight into the file store
 * while they arrive, so memory stays flat; those of a request that is refused in the end are swept by
 * `coppice rebuild`, as the file store knows them by content alone.
 */
import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { FileStore } from '#domain/files.ts';
import { type Attachment, maxBodyBytes, type PageInput, type Upload } from '#domain/page-input.ts';
import { type FieldError, invalid, Problem } from '#domain/problem.ts';
import { fieldsOf, refuseUnstorable, registerParsers, tooLarge } from './body.ts';
import { bytesOf, maxFilesPerRequest } from './given-files.ts';
import { createLiftFiles } from './lift-files.ts';
import { dropRest, type Part, partsOf, registerMultipart } from './multipart.ts';
import type { Server } from './service.ts';
import { invalidFields, readFields } from './validate.ts';

/** More than a page has. */
const maxTexts = 100;

declare module 'fastify' {
  interface FastifyRequest {
    attachments: Attachment[];
  }
}

/** Adds multipart to the bodies that this part of the server reads, and files to all of them. */
export async function registerPageBodies(
  server: Server,
  store: FileStore,
  maxUploadBytes: number,
): Promise<void> {
  server.decorateRequest('attachments');
  registerParsers(server, createLiftFiles());
  await registerMultipart(server);
  server.addHook('preValidation', async (request) => {
    const schema = request.routeOptions.schema?.body as TSchema | undefined;
    if (!schema) return;
    if (request.isMultipart()) {
      await readMultipart(request, schema, store, maxUploadBytes);
      return;
    }
    const { files, ...fields } = fieldsOf(request, schema);
    request.attachments = files === undefined ? [] : await storeGiven(files, store, maxUploadBytes);
    request.body = fields;
  });
}

/** What the schema has checked, as the domain takes it. */
export function pageInputOf(request: FastifyRequest, fields: object): PageInput {
  const { files: _, ...input } = fields as PageInput;
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
  let left = maxUploadBytes;
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
      const blob = await storePart(part, store, left, maxUploadBytes);
      left -= blob.sizeBytes;
      uploads[fieldname].push({ filename: part.filename ?? '', blob });
      continue;
    }
    if (fieldname === 'file' || fieldname === 'thumbnail') {
      throw invalid(`/${fieldname}`, 'This part must be a file, with a file name.');
    }
    left -= part.text.length;
    if (left < 0) throw tooLarge(maxUploadBytes);
    const value = fieldOf(part);
    fields[fieldname] = Object.hasOwn(fields, fieldname) ? [fields[fieldname], value].flat() : value;
  }
  const { files: _, ...read } = readFields(schema, fields);
  refuseUnstorable(read);
  request.body = read;
  request.attachments = pair(uploads.file, uploads.thumbnail);
}

/** A part may say of itself that it is JSON. */
function fieldOf({ fieldname, text, mimetype }: Part & { type: 'text' }): unknown {
  if (!/^application\/json/i.test(mimetype)) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(`/${fieldname}`, 'The part is not JSON, though it says so.');
  }
}

async function storePart(
  part: Part & { type: 'file' },
  store: FileStore,
  maxBytes: number,
  maxUploadBytes: number,
) {
  try {
    return await store.put(part.file, maxBytes);
  } catch (error) {
    // The store breaks off what it refuses, which then has not arrived whole, either.
    if (error instanceof Problem) throw error.code === 'too-large' ? tooLarge(maxUploadBytes) : error;
    if (part.file.errored) throw new Problem('invalid', 'The file did not arrive whole.', { cause: error });
    throw error;
  }
}

function pair(files: Upload[], thumbnails: Upload[]): Attachment[] {
  if (thumbnails.length > files.length) throw invalid('/thumbnail', 'A thumbnail belongs to a file.');
  return files.map((file, index) => {
    const thumbnail = thumbnails[index];
    return thumbnail ? { file, thumbnail } : { file };
  });
}

interface GivenFile {
  filename: string;
  bytes: Buffer;
  declaredSizeBytes: number | undefined;
  declaredMd5: string | undefined;
}

/** `files` of a JSON or urlencoded body: one object with `file` and perhaps `thumbnail`, or a list of those. */
async function storeGiven(given: unknown, store: FileStore, maxUploadBytes: number): Promise<Attachment[]> {
  const errors: FieldError[] = [];
  const list = Array.isArray(given) ? given.slice(0, maxFilesPerRequest) : [given];
  const read = list.map((files, index) => {
    const pointer = Array.isArray(given) ? `/files/${index}` : '/files';
    if (typeof files !== 'object' || files === null || Array.isArray(files)) {
      errors.push({ pointer, detail: 'Expected an object with file and, for an image, thumbnail.' });
      return {};
    }
    const { file, thumbnail } = files as Record<string, unknown>;
    return {
      file: readGiven(file, `${pointer}/file`, errors),
      thumbnail: thumbnail == null ? undefined : readGiven(thumbnail, `${pointer}/thumbnail`, errors),
    };
  });
  if (errors.length > 0) throw invalidFields(errors);
  const total = read
    .flatMap(({ file, thumbnail }) => [file, thumbnail])
    .reduce((sum, one) => sum + (one?.bytes.length ?? 0), 0);
  if (total > maxUploadBytes) throw tooLarge(maxUploadBytes);

  const attachments: Attachment[] = [];
  for (const { file, thumbnail } of read) {
    if (!file) continue;
    const upload = await storeOne(file, store);
    attachments.push(
      thumbnail ? { file: upload, thumbnail: await storeOne(thumbnail, store) } : { file: upload },
    );
  }
  return attachments;
}

async function storeOne(
  { filename, bytes, declaredSizeBytes, declaredMd5 }: GivenFile,
  store: FileStore,
): Promise<Upload> {
  const blob = await store.put(bytes, bytes.length);
  return {
    filename,
    blob,
    ...(declaredSizeBytes === undefined ? {} : { declaredSizeBytes }),
    ...(declaredMd5 === undefined ? {} : { declaredMd5 }),
  };
}

function readGiven(given: unknown, pointer: string, errors: FieldError[]): GivenFile | undefined {
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
  const bytes = bytesOf(data);
  if (!bytes) {
    errors.push({
      pointer: `${pointer}/data`,
      detail: 'Expected base64, or {"type":"Buffer","data":[…]} with bytes from 0 to 255.',
    });
  }
  if (errors.length > before || !bytes) return undefined;
  return {
    filename: name as string,
    bytes,
    declaredSizeBytes: (size ?? undefined) as number | undefined,
    declaredMd5: (md5 ?? undefined) as string | undefined,
  };
}
