/**
 * Parses multipart forms part by part, with text as strict as in other bodies: invalid UTF-8 is refused. The library would
 * silently replace such characters, so it is told to treat every part as a file.
 */

import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { maxBodyBytes } from '#core/model/page-fields.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import { say } from '#words/say.ts';
import { maxFilesPerRequest, textOf } from './file-parts.ts';

export type Part = { fieldname: string } & (
  | { type: 'text'; text: string; mimetype: string }
  | { type: 'file'; filename: string | undefined; file: MultipartFile['file'] }
);

/**
 * Maximum total size of a form's texts, which are held in memory: only the body is long, and browsers send each line end as two
 * bytes.
 */
const maxTextBytes = 2 * maxBodyBytes;

/** Registered in scopes that accept multipart forms. */
export async function registerMultipart(server: FastifyInstance): Promise<void> {
  await server.register(multipart, {
    throwFileSizeLimit: false,
    isPartAFile: () => true,
    // Limits are enforced here, because the library cannot distinguish texts from files.
    limits: { fileSize: Number.POSITIVE_INFINITY, files: Number.POSITIVE_INFINITY },
  });
}

/**
 * Each file must be consumed before the next part is requested. Refuses `too-large` and `invalid`; the rest of the request is
 * then read and discarded.
 */
export async function* partsOf(request: FastifyRequest, maxTexts: number): AsyncGenerator<Part> {
  let [texts, files, textBytes] = [0, 0, 0];
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') throw new TypeError('The form parser read a file part as text.');
      const { fieldname, filename, mimetype, file } = part;
      // RFC 7578 §4.2: files usually have a name; without one the type decides.
      const isFile = filename !== undefined || mimetype === 'application/octet-stream';
      if (isFile ? ++files > maxFilesPerRequest : ++texts > maxTexts)
        throw new Problem('too-large', say('problem.theFormHasTooManyParts'));
      // The library has replaced undecodable characters.
      if (filename?.includes('\ufffd')) throw invalid(`/${fieldname}`, say('problem.theNameOfTheFileIsNot'));
      if (isFile) yield { type: 'file', fieldname, filename, file };
      else {
        const bytes = await readAll(file, maxTextBytes - textBytes);
        textBytes += bytes.length;
        const text = textOf([bytes]);
        if (text === undefined) throw invalid(`/${fieldname}`, say('problem.theTextIsNotUtf8'));
        yield { type: 'text', fieldname, text, mimetype };
      }
    }
  } catch (error) {
    if (error instanceof Problem || error instanceof TypeError) throw error;
    throw new Problem('invalid', say('problem.theFormIsIncomplete', { why: (error as Error).message }), {
      cause: error,
    });
  } finally {
    dropRest(request);
  }
}

/** A client reads the response only after it has finished sending. */
export function dropRest({ raw }: FastifyRequest): void {
  raw.unpipe();
  raw.resume();
}

async function readAll(stream: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Problem('too-large', say('problem.theFieldsOfTheFormAreLonger'));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
