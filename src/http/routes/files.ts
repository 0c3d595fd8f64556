/**
 * Serves attached files. Each request checks that the caller may read the file's page. Files that could execute in a browser
 * are only downloaded, and all are sandboxed by a content security policy.
 */

import type { IncomingMessage } from 'node:http';
import { pipeline, Readable, Transform } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { OpenFile } from '#core/files/open-file.ts';
import { fileReading } from '#core/files/operations.ts';
import type { Actor } from '#core/model/permission.ts';
import { Problem } from '#core/model/problem.ts';
import { oneOf, optionalText, text } from '#core/operations/fields.ts';
import { type PictureWidth, pictureWidths, type VariantFormat } from '#core/ports/picture-variants.ts';
import { say } from '#words/say.ts';
import { mediaRangesOf } from '../accept.ts';
import { asNotModified, isFresh } from '../etag.ts';
import { surrogateKeys } from '../headers.ts';
import { countingGuesses, type Limits } from '../limits.ts';
import { carryFor, descriptionOf, type HttpFace, limitsOf } from '../operation-routes.ts';
import type { Server, Service } from '../service.ts';

/** `openers`: find files that are not attached to pages. */
export async function fileRoutes(
  server: Server,
  service: Service,
  limits: Limits,
  openers: readonly NonNullable<HttpFace['openFile']>[],
): Promise<void> {
  const { files, pictures, isActive } = service;

  server.get(
    '/files/:name',
    {
      config: limitsOf(fileReading),
      schema: {
        ...descriptionOf(fileReading),
        tags: ['Files'],
        params: Type.Object({
          name: text('`name` or `thumbnail` of a file.', '12-9f86d081884c7d65-40-0-rose.jpg'),
        }),
        querystring: Type.Object({
          w: Type.Optional(
            oneOf(
              pictureWidths,
              'Maximum width of the picture in pixels. The picture is never enlarged. It is sent as AVIF or WebP if `Accept` names them, otherwise in its own format, without metadata. Narrower pictures, SVG, animations, pictures of more than 50 megapixels, other files, and GIF or TIFF that would keep their format are sent unchanged. `Range` is ignored.',
              640,
            ),
          ),
          link: optionalText(
            'Secret of a link that shows the page of the file.',
            'pXc3n2gq0l6Zc8m4Jb1r7uKd5tQy9wEaHfVsLoNi2xM',
          ),
        }),
        response: { 200: text('The bytes.', '…') },
        contentType: '*/*',
        problemsAsPages: true,
        headersIn: {
          Accept: {
            description:
              'With `w`, `image/avif` and `image/webp` count if they are named; wildcards do not select them.',
            example: 'image/avif,image/webp,*/*',
          },
          Range: { description: 'One range of bytes.', example: 'bytes=0-1023' },
          'If-None-Match': { description: 'ETag of an earlier response.', example: '"9f86d081884c7d65"' },
        },
        headersOut: {
          'Content-Type': {
            description: '`mime` of the file, with the charset for a text.',
            example: 'text/plain; charset=utf-8',
          },
          ETag: {
            description: 'Hash of the bytes. With `w`, a weak tag of the file’s hash, width and format.',
            example: '"9f86d081884c7d65"',
          },
          'Accept-Ranges': { description: 'Always `bytes`.', example: 'bytes' },
        },
        others: {
          206: 'The bytes in the requested range.',
          304: 'The file still has the ETag that `If-None-Match` names.',
        },
      },
    },
    async (request, reply) => {
      const { name } = request.params;
      const { link } = request.query;
      const carry = carryFor(service, request as FastifyRequest);
      const file =
        link !== undefined
          ? await countingGuesses(limits, request as FastifyRequest, () => carry(fileReading, { name, link }))
          : ((await openOther(request.reader.actor, name)) ?? (await carry(fileReading, { name })));
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
        // RFC 9110 §15.5.17: gives the length of the file.
        reply.header('content-range', `bytes */${sizeBytes}`).header('cache-control', 'no-store');
        throw new Problem('range-not-satisfiable', say('problem.theFileHasBytes', { sizeBytes }));
      }
      // An empty stream, because the length of other bodies would overwrite the file's.
      const bytes = request.method === 'HEAD' ? Readable.from([]) : await files.store.open(file.hash, range);
      if (!bytes) throw new Error(`The bytes of ${request.params.name} are missing from the file store.`);
      // Set last, because a refusal must not have the file's headers.
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

  async function openOther(actor: Actor, name: string): Promise<OpenFile | undefined> {
    // Names of files of pages begin with a digit, those of their thumbnails with another word.
    if (!/^(?:thumb-)?p\d/.test(name)) return undefined;
    for (const open of openers) {
      const file = await open(service.store, actor, name);
      if (file) return file;
    }
    return undefined;
  }

  /** Returns undefined if the file itself should be sent. */
  async function sendNarrow(
    { headers, method }: FastifyRequest,
    reply: FastifyReply,
    file: OpenFile,
    width: PictureWidth,
  ): Promise<FastifyReply | undefined> {
    reply.header('vary', `${reply.getHeader('vary')}, Accept`);
    const format = formatFor(headers.accept);
    const tag = `"${file.hash}-${width}-${format}"`;
    // Only narrower copies have this tag.
    const isKnown = isFresh(headers['if-none-match'], tag);
    const made = isKnown ? undefined : await pictures.narrow(files.store, file, width, format);
    if (!isKnown && !made) return undefined;
    const mime = made?.mime ?? file.mime;
    const filename = mime === file.mime ? file.filename : `${file.filename}.${mime.slice('image/'.length)}`;
    // Weak, because another version of the encoder may produce different bytes.
    setHeaders(reply, { ...file, mime, filename }, `W/${tag}`, isActive(mime));
    reply.header('accept-ranges', 'none');
    if (!made) return asNotModified(reply).send();
    reply.header('content-length', String(made.bytes.length));
    return reply.send(method === 'HEAD' ? Readable.from([]) : made.bytes);
  }
}

/**
 * Only formats that are named count, because programs that support neither send wildcards. AVIF wins if both have the same
 * weight.
 */
function formatFor(accept = ''): VariantFormat {
  const ranges = mediaRangesOf(accept);
  const [best] = (['avif', 'webp'] as const)
    .map((format) => ({ format, weight: ranges.find(({ type }) => type === `image/${format}`)?.weight ?? 0 }))
    .sort((one, other) => other.weight - one.weight);
  return best && best.weight > 0 ? best.format : 'own';
}

/**
 * Changed bytes get a new name, so browsers may keep them for ever. Shared caches must revalidate after a minute, because the
 * page may have been hidden (RFC 9111 §5.2.2.10).
 */
const publicCaching = 'public, max-age=31536000, immutable, s-maxage=60';
class WrongLength extends Error {}

/**
 * Passes on exactly this many bytes. Otherwise it fails, which closes the connection, so that the client neither waits for the
 * rest nor misreads the next response.
 */
function exactly(due: number): Transform {
  let left = due;
  const wrong = (what: string) =>
    new WrongLength(`A stored file is ${what} than its row says. Run coppice check to find all such files.`);
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

/**
 * A script can be executed by any page of this server that references it, but not if it is plain text. Text is UTF-8 unless
 * declared.
 */
function contentTypeOf(mime: string): string {
  if (/(java|ecma)script/i.test(mime)) return 'text/plain; charset=utf-8';
  return /^text\/[\w.+-]+$/.test(mime) ? `${mime}; charset=utf-8` : mime;
}

/**
 * A byte range, or undefined for the whole file. RFC 9110 §14.2: invalid or multiple ranges are ignored; §14.1: units are
 * case-insensitive.
 */
function rangeOf(
  { headers }: { headers: IncomingMessage['headers'] } & Pick<FastifyRequest, 'method'>,
  tag: string,
  sizeBytes: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(headers.range ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  // RFC 9110 §13.1.5: a range can only be combined with the same version of the file.
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
