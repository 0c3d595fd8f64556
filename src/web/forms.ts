/**
 * Reads the forms that browsers send: urlencoded, or multipart with files, which go straight into the file store.
 * Nobody's files are taken who is not signed in.
 */
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Attachment } from '#domain/page-input.ts';
import { Problem } from '#domain/problem.ts';
import type { Site } from './site.ts';

export interface Form {
  /** The field as sent, `''` if it was not. */
  text(name: string): string;
  has(name: string): boolean;
  /** All fields, for forms that have to be shown again whole. */
  entries(): [string, string][];
  files: Attachment[];
  /** Names of files that were chosen but not taken in: they must be chosen again. */
  leftFiles: string[];
}

const maxFormBytes = 8_000_000;
const maxFieldBytes = 4_000_000;

export async function registerForms(server: FastifyInstance): Promise<void> {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxFormBytes },
    (_request, body, done) => done(null, new URLSearchParams(body as string)),
  );
  await server.register(multipart, {
    throwFileSizeLimit: false,
    limits: {
      fileSize: Number.POSITIVE_INFINITY,
      files: 100,
      fields: 100,
      parts: 200,
      fieldSize: maxFieldBytes,
    },
  });
}

export async function readForm(site: Site, request: FastifyRequest): Promise<Form> {
  if (request.isMultipart()) return readMultipart(site, request);
  return formOf(request.body instanceof URLSearchParams ? request.body : new URLSearchParams());
}

async function readMultipart(site: Site, request: FastifyRequest): Promise<Form> {
  const fields = new URLSearchParams();
  const files: Attachment[] = [];
  const leftFiles: string[] = [];
  const { maxUploadBytes } = site.settings;
  let left = maxUploadBytes;
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        if (part.valueTruncated)
          throw new Problem('too-large', 'One of the fields is longer than this wiki takes.');
        if (typeof part.value === 'string') fields.append(part.fieldname, part.value);
        continue;
      }
      const filename = part.filename ?? '';
      // An empty file field still sends one part, without a name.
      if (filename === '' || !request.visit.actor) {
        part.file.resume();
        if (filename !== '') leftFiles.push(filename);
        continue;
      }
      const blob = await site.service.files.store.put(part.file, left);
      left -= blob.sizeBytes;
      files.push({ file: { filename, blob } });
    }
  } catch (error) {
    request.raw.unpipe();
    request.raw.resume();
    if (error instanceof Problem) throw error;
    if ((error as { statusCode?: number }).statusCode === 413)
      throw new Problem('too-large', 'The form has too many parts.');
    throw new Problem('invalid', 'The form did not arrive whole. Try again.', { cause: error });
  }
  return { ...formOf(fields), files, leftFiles };
}

function formOf(fields: URLSearchParams): Form {
  return {
    text: (name) => fields.get(name) ?? '',
    has: (name) => fields.has(name),
    entries: () => [...fields.entries()],
    files: [],
    leftFiles: [],
  };
}

/** A form as if it had been sent; of fields given twice the later counts. */
export function formFrom(entries: Iterable<[string, string]>): Form {
  return formOf(new URLSearchParams([...new Map(entries)]));
}
