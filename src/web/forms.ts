/**
 * Reads the forms that browsers send: urlencoded, or multipart with files, which go straight into the file store.
 * Nobody's files are taken who is not signed in.
 */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Attachment, Upload } from '#domain/pages/page-input.ts';
import { formParameters } from '#http/parameters.ts';
import { maxFilesPerRequest } from '#http/request-body/file-parts.ts';
import { partsOf, registerMultipart } from '#http/request-body/multipart.ts';
import type { Site } from './site.ts';

export interface Form {
  /** The field as sent, `''` if it was not. */
  text(name: string): string;
  has(name: string): boolean;
  /** Each field of the name, such as those of the boxes that are ticked. */
  all(name: string): string[];
  /** All fields, for forms that have to be shown again whole. */
  entries(): [string, string][];
  /** Files sent with this form, now or when it was sent before. */
  files: Attachment[];
  /** The same files by reference, for a form that is shown again. */
  pendingFiles: PendingFile[];
  /** Names of files that were chosen but not taken in: they must be chosen again. */
  leftFiles: string[];
  /** Names of files that are more than this wiki takes. */
  tooLarge: string[];
}

export interface PendingFile {
  filename: string;
  sizeBytes: number;
  reference: string;
}

/** Names of the fields with references to pending files, and with references of those that are dropped. */
const pendingField = 'pending-file';
const dropField = 'drop-file';

const maxFormBytes = 8_000_000;
/** Most text fields: those of the page, and two for each pending file. */
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

/** The form for somebody who has signed in since it was read, including their pending files. */
export function readAgain(site: Site, request: FastifyRequest, form: Form): Promise<Form> {
  return withPendingFiles(site, request, new URLSearchParams(form.entries()), []);
}

async function readMultipart(site: Site, request: FastifyRequest): Promise<Form> {
  const fields = new URLSearchParams();
  const uploads: Upload[] = [];
  const leftFiles: string[] = [];
  const tooLarge: string[] = [];
  let left = site.settings.maxUploadBytes;
  for await (const part of partsOf(request, maxTexts)) {
    if (part.type === 'text') {
      fields.append(part.fieldname, part.text);
      continue;
    }
    const filename = part.filename ?? '';
    // An empty file field still sends one part, without a name.
    if (filename === '' || !request.visit.actor) {
      part.file.resume();
      if (filename !== '') leftFiles.push(filename);
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
  return form;
}

/** Yields at most `maxBytes`; reads and drops the rest, so that later fields of the form are not lost. */
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

/** Adds pending files of earlier submissions to those sent now, which replace pending files of the same name. */
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
    pendingFiles: [],
    leftFiles: [],
    tooLarge: [],
  };
}

/** A form with these fields; the later of two equal names counts. */
export function formFrom(entries: Iterable<[string, string]>): Form {
  return formOf(new URLSearchParams([...new Map(entries)]));
}
