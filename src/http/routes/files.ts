/**
 * Serves attached files. Each request asks whether the caller may read the file's page. What could run something in
 * a browser is only ever downloaded, and nothing is run in any case: sandboxed and without sources.
 */
import type { IncomingMessage } from 'node:http';
import { pipeline, Readable, Transform } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type OpenFile, openFile } from '#domain/files/open-file.ts';
import { type PictureWidth, pictureWidths, type VariantFormat } from '#domain/ports/picture-variants.ts';
import { Problem } from '#domain/problem.ts';
import { mediaRangesOf } from '../accept.ts';
import { asNotModified, isFresh } from '../etag.ts';
import { surrogateKeys } from '../headers.ts';
import { oneOf, text } from '../schemas/fields.ts';
import type { Server, Service } from '../service.ts';

export async function fileRoutes(server: Server, service: Service): Promise<void> {
  const { files, pictures, isActive } = service;

  server.get(
    '/files/:name',
    {
      config: { access: 'optional', scope: 'read' },
      schema: {
        operationId: 'readFile',
        tags: ['Files'],
        summary: 'Read a file',
        description:
          'The bytes of an attached file or thumbnail, for those who may read its page. A replaced file answers as well, as a change of the page names it. Answers to `Range`; files that could run something are sent as attachments.',
        params: Type.Object({
          name: text('`name` or `thumbnail` of a file.', '12-9f86d081884c7d65-40-0-rose.jpg'),
        }),
        querystring: Type.Object({
          w: Type.Optional(
            oneOf(
              pictureWidths,
              'A picture no wider than this, in pixels, and never enlarged: as AVIF or WebP where `Accept` names them, else in its own format, without metadata. Narrower pictures, SVG, GIF that stay GIF, TIFF that stay TIFF, animations, pictures of more than 50 megapixels and other files are answered as they are. `Range` is ignored.',
              640,
            ),
          ),
        }),
        response: { 200: text('The bytes.', '…') },
        contentType: '*/*',
        problemsAsPages: true,
        headersIn: {
          Accept: {
            description:
              'With `w`: `image/avif` and `image/webp` count where they are named; wildcards ask for neither.',
            example: 'image/avif,image/webp,*/*',
          },
          Range: { description: 'One range of bytes.', example: 'bytes=0-1023' },
          'If-None-Match': { description: 'ETag of an earlier answer.', example: '"9f86d081884c7d65"' },
        },
        headersOut: {
          'Content-Type': {
            description: '`mime` of the file; of a text with its charset.',
            example: 'text/plain; charset=utf-8',
          },
          ETag: {
            description:
              'Hash of the bytes; with `w` that of the file, with width and format, as a weak tag.',
            example: '"9f86d081884c7d65"',
          },
          'Accept-Ranges': { description: 'Always `bytes`.', example: 'bytes' },
        },
        others: {
          206: 'The bytes in the range asked for.',
          304: 'The file is still the one that `If-None-Match` names.',
        },
        problems: ['invalid', 'not-found', 'range-not-satisfiable', 'unavailable'],
      },
    },
    async (request, reply) => {
      const file = await openFile(request.reader, request.params.name);
      if (request.query.w !== undefined) {
        const sent = await sendNarrow(
          request as FastifyRequest,
          reply as FastifyReply,
          file,
          request.query.w,
        );
        if (sent) return sent as never;
      }
      const tag = `"${file.hash}"`;
      if (isFresh(request.headers['if-none-match'], tag)) {
        setHeaders(reply, file, tag, isActive(file.mime));
        return asNotModified(reply as FastifyReply).send() as never;
      }
      const sizeBytes = file.sizeBytes ?? (await files.store.find(file.hash))?.sizeBytes;
      if (sizeBytes === undefined)
        throw new Error(`The bytes of ${request.params.name} are missing from the file store.`);
      const range = rangeOf(request, tag, sizeBytes);
      if (range === 'unsatisfiable') {
        // RFC 9110 §15.5.17: says how long the file is.
        reply.header('content-range', `bytes */${sizeBytes}`).header('cache-control', 'no-store');
        throw new Problem('range-not-satisfiable', `The file has ${sizeBytes} bytes.`);
      }
      // An empty stream, as the length of anything else would overwrite the file's.
      const bytes = request.method === 'HEAD' ? Readable.from([]) : await files.store.open(file.hash, range);
      if (!bytes) throw new Error(`The bytes of ${request.params.name} are missing from the file store.`);
      // Not before: a refusal must not look like the file.
      setHeaders(reply, file, tag, isActive(file.mime));
      if (range)
        (reply as FastifyReply)
          .code(206)
          .header('content-range', `bytes ${range.start}-${range.end}/${sizeBytes}`);
      reply.header('content-length', String(range ? range.end - range.start + 1 : sizeBytes));
      if (request.method === 'HEAD') return reply.send(bytes as never);
      const due = range ? range.end - range.start + 1 : sizeBytes;
      const checked = pipeline(bytes, exactly(due), (error) => {
        if (error instanceof WrongLength)
          request.log.error({ file: request.params.name, hash: file.hash, due }, error.message);
      });
      return reply.send(checked as never);
    },
  );

  /** Undefined where the file itself is the answer. */
  async function sendNarrow(
    { headers, method }: FastifyRequest,
    reply: FastifyReply,
    file: OpenFile,
    width: PictureWidth,
  ): Promise<FastifyReply | undefined> {
    reply.header('vary', `${reply.getHeader('vary')}, Accept`);
    const format = formatFor(headers.accept);
    const tag = `"${file.hash}-${width}-${format}"`;
    // Only a copy ever has this tag.
    const isKnown = isFresh(headers['if-none-match'], tag);
    const made = isKnown ? undefined : await pictures.narrow(files.store, file, width, format);
    if (!isKnown && !made) return undefined;
    const mime = made?.mime ?? file.mime;
    const filename = mime === file.mime ? file.filename : `${file.filename}.${mime.slice('image/'.length)}`;
    // Weak: another version of the encoder may write other bytes.
    setHeaders(reply, { ...file, mime, filename }, `W/${tag}`, isActive(mime));
    reply.header('accept-ranges', 'none');
    if (!made) return asNotModified(reply).send();
    reply.header('content-length', String(made.bytes.length));
    return reply.send(method === 'HEAD' ? Readable.from([]) : made.bytes);
  }
}

/** Formats count where they are named: wildcards are sent by programs that know neither. AVIF, where both weigh the same. */
function formatFor(accept = ''): VariantFormat {
  const ranges = mediaRangesOf(accept);
  const [best] = (['avif', 'webp'] as const)
    .map((format) => ({ format, weight: ranges.find(({ type }) => type === `image/${format}`)?.weight ?? 0 }))
    .sort((one, other) => other.weight - one.weight);
  return best && best.weight > 0 ? best.format : 'own';
}

/**
 * New bytes get a new name, so a browser that was given them may keep them for ever. Caches that others share ask each minute,
 * as the page may have been hidden (RFC 9111 §5.2.2.10).
 */
const publicCaching = 'public, max-age=31536000, immutable, s-maxage=60';
class WrongLength extends Error {}

/**
 * Passes on so many bytes. Of more or fewer it makes an error, for which the connection is closed: otherwise the reader would wait
 * for the rest, or take it for the next answer.
 */
function exactly(due: number): Transform {
  let left = due;
  const wrong = (what: string) =>
    new WrongLength(`A stored file is ${what} than its row says: coppice check tells which are.`);
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      left -= chunk.length;
      if (left < 0) done(wrong('longer'));
      else done(null, chunk);
    },
    flush: (done) => done(left > 0 ? wrong('shorter') : null),
  });
}

function setHeaders(reply: FastifyReply, file: OpenFile, tag: string, isActive: boolean): void {
  reply
    .type(contentTypeOf(file.mime))
    .header('etag', tag)
    .header('accept-ranges', 'bytes')
    .header('cache-control', file.isPublic ? publicCaching : 'private, no-store')
    .headers(file.isPublic ? surrogateKeys([file.pageId]) : {})
    .header('content-security-policy', "sandbox; default-src 'none'; frame-ancestors 'none'")
    .header('cross-origin-resource-policy', file.isPublic ? 'cross-origin' : 'same-origin')
    .header(
      'content-disposition',
      contentDisposition(file.filename, { type: isActive ? 'attachment' : 'inline' }),
    );
}

/** A script is one to whatever page of this server loads it; as plain text it never is. Text is UTF-8 unless marked. */
function contentTypeOf(mime: string): string {
  if (/(java|ecma)script/i.test(mime)) return 'text/plain; charset=utf-8';
  return /^text\/[\w.+-]+$/.test(mime) ? `${mime}; charset=utf-8` : mime;
}

/** One range of bytes, undefined for the whole file. RFC 9110 §14.2: what is no valid single range is ignored; §14.1: units compare without regard to case. */
function rangeOf(
  { headers }: { headers: IncomingMessage['headers'] } & Pick<FastifyRequest, 'method'>,
  tag: string,
  sizeBytes: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(headers.range ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  // RFC 9110 §13.1.5: only a range of the very same bytes can be joined to what the client has.
  if (headers['if-range'] !== undefined && headers['if-range'] !== tag) return undefined;
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? 'unsatisfiable' : { start: sizeBytes - length, end: sizeBytes - 1 };
  }
  const start = Number(first);
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= sizeBytes ? 'unsatisfiable' : { start, end };
}
