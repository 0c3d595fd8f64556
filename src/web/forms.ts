/**
 * Reads forms sent by browsers: urlencoded, or multipart with files, which are streamed into the file store. Files are only
 * accepted from members who are signed in.
 */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Attachment, Upload } from '#core/model/page-input.ts';
import { formParameters } from '#http/parameters.ts';
import { maxFilesPerRequest } from '#http/request-body/file-parts.ts';
import { partsOf, registerMultipart } from '#http/request-body/multipart.ts';
import type { Site } from './site.ts';

export interface Form {
  /** The field as sent, empty if missing. */
  text(name: string): string;
  has(name: string): boolean;
  /** Returns all fields of the name, such as those of checked boxes. */
  all(name: string): string[];
  /** All fields, for showing the form again. */
  entries(): [string, string][];
  /** Files sent with this form, now or in an earlier submission. */
  files: Attachment[];
  /** Files of a form of operations by field, which are small and not stored: base64. Too large ones are in `tooLarge`. */
  smallFiles: Map<string, string>;
  /** References to these files, for showing the form again. */
  pendingFiles: PendingFile[];
  /** Names of files that were not stored and must be chosen again. */
  leftFiles: string[];
  /** Names of files that are too large. */
  tooLarge: string[];
}

export interface PendingFile {
  filename: string;
  sizeBytes: number;
  reference: string;
}

/** Field names of references to pending files, and of those to be dropped. */
const pendingField = 'pending-file';
const dropField = 'drop-file';

const maxFormBytes = 8_000_000;
const maxSmallBytes = 500_000;
/** Maximum number of text fields: those of the page, and two for each pending file. */
export const maxTexts = 100 + 2 * maxFilesPerRequest;

export async function registerForms(server: FastifyInstance): Promise<void> {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: maxFormBytes },
    async (_request: FastifyRequest, body: Buffer) => formParameters(body),
  );
  await registerMultipart(server);
}

export async function readForm(site: Site, request: FastifyRequest): Promise<Form> {
  if (request.isMultipart()) return readMultipart(site, request);
  const fields = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
  return withPendingFiles(site, request, fields, []);
}

/** Reads the form again after its sender has signed in, including their pending files. */
export function readAgain(site: Site, request: FastifyRequest, form: Form): Promise<Form> {
  return withPendingFiles(site, request, new URLSearchParams(form.entries()), []);
}

async function readMultipart(site: Site, request: FastifyRequest): Promise<Form> {
  const fields = new URLSearchParams();
  const uploads: Upload[] = [];
  const smallFiles = new Map<string, string>();
  const { hasSmallFiles = false } = request.routeOptions.config;
  const leftFiles: string[] = [];
  const tooLarge: string[] = [];
  let left = site.settings.maxUploadBytes;
  for await (const part of partsOf(request, maxTexts)) {
    if (part.type === 'text') {
      fields.append(part.fieldname, part.text);
      continue;
    }
    const filename = part.filename ?? '';
    // An empty file field is sent as a part without a name.
    if (filename === '' || !request.visit.actor) {
      part.file.resume();
      if (filename !== '') leftFiles.push(filename);
      continue;
    }
    if (hasSmallFiles) {
      const taken = upTo(part.file, maxSmallBytes);
      const bytes = Buffer.concat(await Array.fromAsync(taken.bytes));
      if (taken.isCut()) tooLarge.push(filename);
      else smallFiles.set(part.fieldname, bytes.toString('base64'));
      continue;
    }
    const taken = upTo(part.file, left);
    const blob = await site.service.files.store.put(taken.bytes, left);
    if (taken.isCut()) {
      tooLarge.push(filename);
      continue;
    }
    left -= blob.sizeBytes;
    uploads.push({ filename, blob });
  }
  const form = await withPendingFiles(site, request, fields, uploads);
  form.leftFiles.push(...leftFiles);
  form.tooLarge.push(...tooLarge);
  form.smallFiles = smallFiles;
  return form;
}

/** Yields at most `maxBytes`; the rest is read and discarded, so that later fields are not lost. */
function upTo(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): { bytes: AsyncIterable<Uint8Array>; isCut(): boolean } {
  let taken = 0;
  let isCut = false;
  async function* bytes() {
    for await (const chunk of stream) {
      isCut ||= taken + chunk.byteLength > maxBytes;
      if (isCut) continue;
      taken += chunk.byteLength;
      yield chunk;
    }
  }
  return { bytes: bytes(), isCut: () => isCut };
}

/** Adds pending files of earlier submissions, except those replaced by new files of the same name. */
async function withPendingFiles(
  site: Site,
  request: FastifyRequest,
  fields: URLSearchParams,
  uploads: Upload[],
): Promise<Form> {
  const form = formOf(fields);
  const { actor } = request.visit;
  if (!actor) return form;
  const { uploadTickets, files } = site.service;
  const dropped = new Set(fields.getAll(dropField));
  const references = new Set(fields.getAll(pendingField).slice(0, maxFilesPerRequest));
  const newNames = new Set(uploads.map(({ filename }) => filename));
  let left = site.settings.maxUploadBytes - uploads.reduce((sum, { blob }) => sum + blob.sizeBytes, 0);
  for (const reference of references) {
    const upload = dropped.has(reference) ? undefined : await uploadTickets.find(actor.memberId, reference);
    if (!upload || newNames.has(upload.filename)) continue;
    if (upload.blob.sizeBytes > left) form.tooLarge.push(upload.filename);
    else if ((await files.store.find(upload.blob.hash)) === undefined) form.leftFiles.push(upload.filename);
    else {
      left -= upload.blob.sizeBytes;
      form.files.push({ file: upload });
      form.pendingFiles.push({ filename: upload.filename, sizeBytes: upload.blob.sizeBytes, reference });
    }
  }
  for (const upload of uploads) {
    const reference = await uploadTickets.issue(actor.memberId, upload);
    form.files.push({ file: upload });
    form.pendingFiles.push({ filename: upload.filename, sizeBytes: upload.blob.sizeBytes, reference });
  }
  return form;
}

function formOf(fields: URLSearchParams): Form {
  return {
    text: (name) => fields.get(name) ?? '',
    has: (name) => fields.has(name),
    all: (name) => fields.getAll(name),
    entries: () => [...fields.entries()],
    files: [],
    smallFiles: new Map(),
    pendingFiles: [],
    leftFiles: [],
    tooLarge: [],
  };
}

/** The form as if these fields had been sent instead, with its files. */
export function formWith(form: Form, values: Record<string, string>): Form {
  const kept = form.entries().filter(([name]) => !(name in values));
  const { files, pendingFiles, leftFiles, tooLarge } = form;
  const changed = formOf(new URLSearchParams([...kept, ...Object.entries(values)]));
  return { ...changed, files, pendingFiles, leftFiles, tooLarge };
}

/** A form with these fields; of equal names the last one counts. */
export function formFrom(entries: Iterable<[string, string]>): Form {
  return formOf(new URLSearchParams([...new Map(entries)]));
}
