/**
 * Reads multipart forms part by part, text as strictly as other bodies: what is not UTF-8 is refused. The parser would put other
 * characters in its place, and a word be lost without anybody hearing of it; so it treats every part as a file.
 */
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { maxBodyBytes } from '#domain/pages/page-fields.ts';
import { invalid, Problem } from '#domain/problem.ts';
import { maxFilesPerRequest, textOf } from './file-parts.ts';

export type Part = { fieldname: string } & (
  | { type: 'text'; text: string; mimetype: string }
  | { type: 'file'; filename: string | undefined; file: MultipartFile['file'] }
);

/**
 * Maximum length of all texts of a form together, which wait in memory: the body is the only long one, and browsers send
 * each line end as two bytes.
 */
const maxTextBytes = 2 * maxBodyBytes;

/** To be registered where forms of this kind are read. */
export async function registerMultipart(server: FastifyInstance): Promise<void> {
  await server.register(multipart, {
    throwFileSizeLimit: false,
    isPartAFile: () => true,
    // Limits are enforced here, because the parser can no longer tell text from files.
    limits: { fileSize: Number.POSITIVE_INFINITY, files: Number.POSITIVE_INFINITY },
  });
}

/**
 * Each file must be read before the next part is asked for. Refuses `too-large` and `invalid`; the rest of the
 * request is then read and dropped.
 */
export async function* partsOf(request: FastifyRequest, maxTexts: number): AsyncGenerator<Part> {
  let [texts, files, textBytes] = [0, 0, 0];
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') throw new TypeError('The parser took a part for text.');
      const { fieldname, filename, mimetype, file } = part;
      // RFC 7578 §4.2: a file has a name, if any; without one its type decides.
      const isFile = filename !== undefined || mimetype === 'application/octet-stream';
      if (isFile ? ++files > maxFilesPerRequest : ++texts > maxTexts)
        throw new Problem('too-large', 'The form has too many parts.');
      // The parser has put this in the place of what it could not read.
      if (filename?.includes('\ufffd'))
        throw invalid(`/${fieldname}`, 'The name of the file is not UTF-8: rename it.');
      if (isFile) yield { type: 'file', fieldname, filename, file };
      else {
        const bytes = await readAll(file, maxTextBytes - textBytes);
        textBytes += bytes.length;
        const text = textOf([bytes]);
        if (text === undefined) throw invalid(`/${fieldname}`, 'The text is not UTF-8.');
        yield { type: 'text', fieldname, text, mimetype };
      }
    }
  } catch (error) {
    if (error instanceof Problem || error instanceof TypeError) throw error;
    throw new Problem('invalid', `The form did not arrive whole: ${(error as Error).message}.`, {
      cause: error,
    });
  } finally {
    dropRest(request);
  }
}

/** A client that is sending hears the answer only when it is done. */
export function dropRest({ raw }: FastifyRequest): void {
  raw.unpipe();
  raw.resume();
}

async function readAll(stream: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new Problem('too-large', 'The fields of the form are longer than this wiki takes.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
