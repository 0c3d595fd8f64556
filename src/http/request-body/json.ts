/**
 * Parses JSON bodies while they arrive. Bytes of files are streamed to storage, so that memory use stays constant. The rest is
 * small, and refused before it is parsed if that would take long because of its length, depth or number of values.
 */

import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { StoredBlob } from '#core/model/file.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import { Base64Decoder, NumbersDecoder } from './byte-decoders.ts';
import { givenFiles, maxFilesPerRequest, textOf } from './file-parts.ts';

/** Maximum nesting within a field. */
export const maxNesting = 100;
/** No field has a longer name. */
const maxNameBytes = 64;

/**
 * Maximum number of bytes of one body that are processed before others get their turn. Otherwise it would be up to 2 MB of each
 * body.
 */
const bytesAtOnce = 256 * 1024;

export type Keep = (bytes: AsyncIterable<Uint8Array>) => Promise<StoredBlob>;

export interface JsonLimits {
  /** Maximum size of the whole body. */
  bytes: number;
  /** Maximum size of everything except files. */
  textBytes: number;
  /** Maximum number of values in objects and lists, which determines the parsing time. Bytes of files do not count. */
  values: number;
}

/** A stored file of a body. A class, because no JSON can produce an instance. */
export class StoredUpload implements StoredBlob {
  readonly hash: string;
  readonly sizeBytes: number;
  readonly md5: string;

  constructor({ hash, sizeBytes, md5 }: StoredBlob) {
    this.hash = hash;
    this.sizeBytes = sizeBytes;
    this.md5 = md5;
  }
}

/** `text`: the JSON with a placeholder for each file's bytes; undefined if it is not UTF-8. */
interface JsonBody {
  text: string | undefined;
  blobs: Map<string, StoredUpload>;
  /** Number of values. */
  values: number;
}

/**
 * `keep`: stores files, if there may be any. Refuses `too-large` and `invalid`. JSON syntax is only checked when the text is
 * parsed. Values that look like bytes but are invalid are not stored. `field`: treats the whole input as the value of this
 * field.
 */
export async function readJson(
  json: Readable,
  limits: JsonLimits,
  keep?: Keep,
  field?: string,
): Promise<JsonBody> {
  const pieces = json.iterator({ destroyOnReturn: false });
  try {
    return await new JsonReader(pieces, limits, keep, field).read();
  } finally {
    await pieces.return?.();
  }
}

/** Replaces the placeholders in the parsed fields by the stored files. */
export function putFiles(fields: unknown, blobs: JsonBody['blobs']): void {
  for (const file of givenFiles(fields)) {
    const { data } = file;
    const { type, data: list } = (data ?? {}) as { type?: unknown; data?: unknown };
    const name = type === 'Buffer' && Array.isArray(list) ? list[0] : data;
    file.data = typeof name === 'string' ? blobs.get(name) : undefined;
  }
}

/** Thrown for a file value that does not represent bytes. */
class NotBytes extends Error {}

const nothing: Buffer = Buffer.alloc(0);
const code = (character: string) => character.charCodeAt(0);
const [quote, backslash, colon, comma] = [code('"'), code('\\'), code(':'), code(',')];
const [brace, braceEnd, bracket, bracketEnd] = [code('{'), code('}'), code('['), code(']')];

class JsonReader {
  readonly #pieces: AsyncIterator<Buffer>;
  readonly #limits: JsonLimits;
  readonly #keep: Keep | undefined;
  readonly #blobs: JsonBody['blobs'] = new Map();
  readonly #text: Buffer[] = [];
  /** Path to the current value: the current field of each open object, null for each open array. */
  readonly #way: (string | null)[];
  #bytes = 0;
  #textBytes = 0;
  #values = 0;
  #files = 0;
  #piece = nothing;
  #at = 0;
  /** Start of the part not copied to the text yet; undefined while nothing is copied. */
  #textFrom: number | undefined = 0;
  #isOver = false;
  #restAt = bytesAtOnce;

  constructor(pieces: AsyncIterator<Buffer>, limits: JsonLimits, keep?: Keep, field?: string) {
    this.#way = field === undefined ? [] : [field];
    this.#pieces = pieces;
    this.#limits = limits;
    this.#keep = keep;
  }

  async read(): Promise<JsonBody> {
    const way = this.#way;
    let isValue = way.length > 0;
    while (this.#at < this.#piece.length || (await this.#more())) {
      const byte = this.#piece[this.#at++];
      if (byte === quote) {
        if (typeof way.at(-1) === 'string' && !isValue) way[way.length - 1] = await this.#name();
        else if (this.#isFiles('data')) await this.#liftString();
        else for await (const _ of this.#string());
      } else if (byte === brace || byte === bracket) {
        this.#count();
        way.push(byte === brace ? '' : null);
        if (way.length > maxNesting + 2) throw tooDeep(way[0] ? `/${way[0]}` : '');
        isValue = false;
        if (byte === bracket && this.#isFiles('data', 'data', null)) await this.#liftNumbers();
      } else if (byte === braceEnd || byte === bracketEnd) way.pop();
      else if (byte === colon) isValue = true;
      else if (byte === comma) {
        this.#count();
        isValue = false;
      }
    }
    return { text: textOf(this.#text), blobs: this.#blobs, values: this.#values };
  }

  /** Whether the path ends like this within a file or its thumbnail. */
  #isFiles(...end: (string | null)[]): boolean {
    const way = this.#way;
    if (!this.#keep || way[0] !== 'files' || way.at(-1) !== end.at(-1)) return false;
    const [kind, ...rest] = way.slice(way[1] === null ? 2 : 1);
    return (kind === 'file' || kind === 'thumbnail') && JSON.stringify(rest) === JSON.stringify(end);
  }

  #count(): void {
    if (++this.#values > this.#limits.values) throw tooManyValues(this.#limits.values);
  }

  async #liftString(): Promise<void> {
    const name = await this.#lift(this.#base64());
    // Includes the quote.
    this.#goOn(name ?? '', this.#at - 1);
  }

  async #liftNumbers(): Promise<void> {
    const decoder = new NumbersDecoder();
    const name = await this.#lift(this.#numbers(decoder));
    // Other values are left to the parser.
    this.#goOn(name === undefined ? decoder.read : `"${name}"`, this.#at);
  }

  /** Stores the bytes and returns a placeholder for the text; undefined if they are invalid. */
  async #lift(bytes: AsyncIterable<Uint8Array>): Promise<string | undefined> {
    // Each file may have a thumbnail.
    if (++this.#files > 2 * maxFilesPerRequest) throw tooManyFiles();
    this.#addText(this.#piece.subarray(this.#textFrom, this.#at));
    this.#textFrom = undefined;
    const name = randomUUID();
    try {
      this.#blobs.set(name, new StoredUpload(await (this.#keep as Keep)(bytes)));
      return name;
    } catch (error) {
      if (error instanceof NotBytes) return undefined;
      throw error;
    }
  }

  #goOn(text: string, from: number): void {
    this.#addText(Buffer.from(text));
    this.#textFrom = Math.max(from, 0);
  }

  async *#base64(): AsyncGenerator<Buffer> {
    let decoder: Base64Decoder | undefined = new Base64Decoder();
    for await (const piece of this.#string()) {
      const bytes: Buffer | undefined = decoder?.decode(piece);
      if (bytes) yield bytes;
      else decoder = undefined;
    }
    const last = this.#isOver ? undefined : decoder?.end();
    if (!last) throw new NotBytes();
    yield last;
  }

  async *#numbers(decoder: NumbersDecoder): AsyncGenerator<Buffer> {
    do {
      const { bytes, end } = decoder.decode(this.#piece, this.#at);
      this.#at = end;
      yield bytes;
    } while (this.#at === this.#piece.length && (await this.#more()));
    if (decoder.read !== 'all') throw new NotBytes();
  }

  /** Returns only the beginning of a name that is longer than any field's. */
  async #name(): Promise<string> {
    let raw = '';
    for await (const piece of this.#string())
      if (raw.length <= maxNameBytes) raw += piece.toString('latin1', 0, maxNameBytes + 1);
    try {
      return String(JSON.parse(`"${raw}"`));
    } catch {
      return '';
    }
  }

  /** Raw text between quotes; the opening quote has been read. */
  async *#string(): AsyncGenerator<Buffer> {
    let isEscaped = false;
    do {
      const piece = this.#piece;
      const begin = this.#at;
      const from: number = begin + Number(isEscaped);
      const end = endOfString(piece, from);
      this.#at = end === -1 ? piece.length : end + 1;
      isEscaped = end === -1 && backslashesBefore(piece, from, piece.length) % 2 === 1;
      yield piece.subarray(begin, end === -1 ? undefined : end);
      if (end !== -1) return;
    } while (await this.#more());
  }

  /** Advances to the next piece when this one is used up; returns false at the end. */
  async #more(): Promise<boolean> {
    if (this.#bytes >= this.#restAt) {
      this.#restAt = this.#bytes + bytesAtOnce;
      await yieldToEventLoop();
    }
    if (this.#textFrom !== undefined) {
      this.#addText(this.#piece.subarray(this.#textFrom));
      this.#textFrom = 0;
    }
    do {
      const { value, done } = await this.#next();
      this.#isOver = done === true;
      this.#piece = this.#isOver ? nothing : value;
    } while (this.#piece.length === 0 && !this.#isOver);
    this.#at = 0;
    this.#bytes += this.#piece.length;
    if (this.#bytes > this.#limits.bytes) throw tooLarge(this.#limits.bytes);
    return !this.#isOver;
  }

  async #next(): Promise<IteratorResult<Buffer>> {
    try {
      return await this.#pieces.next();
    } catch (cause) {
      throw notWhole(cause);
    }
  }

  #addText(piece: Buffer): void {
    this.#textBytes += piece.length;
    if (this.#textBytes > this.#limits.textBytes)
      throw tooLarge(this.#limits.textBytes, 'The request without its files');
    this.#text.push(piece);
  }
}

/** Whether JSON in memory has more than `max` values, without parsing it. */
export function hasMoreValues(json: Buffer, max: number): boolean {
  // Each value takes at least two bytes.
  if (json.length <= 2 * max) return false;
  let values = 0;
  for (let at = 0; at < json.length && values <= max; at++) {
    const byte = json[at];
    if (byte === quote) {
      const end = endOfString(json, at + 1);
      if (end === -1) break;
      at = end;
    } else if (byte === brace || byte === bracket || byte === comma) values++;
  }
  return values > max;
}

/** End of the string that continues at `from`; -1 if it is not in this piece. */
function endOfString(piece: Buffer, from: number): number {
  for (let at = from; ; at++) {
    at = piece.indexOf(quote, at);
    if (at === -1 || backslashesBefore(piece, from, at) % 2 === 0) return at;
  }
}

function backslashesBefore(piece: Buffer, from: number, at: number): number {
  let first = at;
  while (first > from && piece[first - 1] === backslash) first--;
  return at - first;
}

export function tooLarge(maxBytes: number, what = 'A request'): Problem {
  const size =
    maxBytes < 1_000_000 ? `${Math.floor(maxBytes / 1000)} kB` : `${Math.floor(maxBytes / 100_000) / 10} MB`;
  return new Problem('too-large', `${what} can have at most ${size}.`);
}

/** `cause` is no bug of ours, and the client is gone. */
export function notWhole(cause: unknown): Problem {
  return new Problem('invalid', 'The body is incomplete.', { cause });
}

export function tooManyFiles(): Problem {
  return new Problem('too-large', `A request can have at most ${maxFilesPerRequest} files.`);
}

export function tooManyValues(max: number): Problem {
  return new Problem('too-large', `A body can have at most ${max} values.`);
}

export function tooDeep(pointer: string): Problem {
  return invalid(pointer, `The body is nested more than ${maxNesting} levels deep.`);
}
