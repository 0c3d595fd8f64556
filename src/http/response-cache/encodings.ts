/** Encodings of response bodies: negotiation, compression, and headers. */
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { CachedBody } from './bodies.ts';

/** Smaller bodies are not compressed. */
const minCompressedBytes = 1024;
/** Good compression for text, and fast enough to be done while the first client waits. */
const usualQuality = 5;

export type Encoding = 'br' | 'gzip' | 'identity';

/** A body in one encoding, with its headers. */
export interface Representation extends CachedBody {
  tag: string;
  encoding: Encoding;
  /** Names and values of its headers. */
  headers: string[];
}

export function representationOf(
  { tag, type }: { tag: string; type: string },
  length: number,
  encoding: Encoding,
): Representation {
  // RFC 9110 §8.8.1: a strong tag identifies the bytes that are sent, so each encoding has its own.
  const own = encoding === 'identity' ? tag : `${tag.slice(0, -1)}-${encoding}"`;
  // Written out, because a concatenated array reserves twice the space.
  const headers =
    encoding === 'identity'
      ? ['content-type', type, 'content-length', String(length)]
      : ['content-type', type, 'content-length', String(length), 'content-encoding', encoding];
  return { tag: own, length, headers, encoding, place: undefined, readsFromDisk: 0 };
}

/** RFC 9110 §12.5.3. Encodings with `q=0` are never used; among the others the server chooses. */
export function encodingFor({ headers }: Pick<IncomingMessage, 'headers'>, wholeLength: number): Encoding {
  const accepted = headers['accept-encoding'];
  if (typeof accepted !== 'string' || wholeLength < minCompressedBytes) return 'identity';
  for (const encoding of ['br', 'gzip'] as const) {
    const isAccepted = accepted.split(',').some((item) => {
      const [name, ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
      return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    });
    if (isAccepted) return encoding;
  }
  return 'identity';
}

/** `quality`: Brotli quality from 0 to 11. */
export function compress(
  bytes: Buffer | string,
  encoding: 'br' | 'gzip',
  quality = usualQuality,
): Promise<Buffer> {
  return encoding === 'br'
    ? brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
    : zip(bytes);
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
