/** Probes stored files: what they are, how large a picture is, how it looks small. */

import type Sharp from 'sharp';
import type { Metadata } from 'sharp';
import type { FileProbe, FileStore } from '#domain/ports/file-store.ts';
import { Problem } from '#domain/problem.ts';
import { limitConcurrency } from '#scheduling/limit-concurrency.ts';
import { encodingOf } from './markup.ts';
import { isInlineImage, isText, octets, sniff, sniffedBytes } from './sniff.ts';

/** Decoded pictures lie in memory whole: so many of four bytes each. */
const defaultMaxPixels = 50_000_000;
const bytesPerPixel = 4;
/** Files beyond this are no pictures for a wiki page; they are kept, without a thumbnail. */
const maxImageBytes = 100_000_000;
const thumbnailPixels = 400;
const secondsPerImage = 10;

/** Formats that sharp decodes here. SVG is left out: drawing it would run code that somebody wrote. */
const pictures = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/tiff']);

/** At most two pictures are worked on at once; others wait in line. */
export function createProbe({ maxPixels = defaultMaxPixels } = {}): FileProbe {
  const limited = limitConcurrency(
    2,
    1000,
    () =>
      new Problem(
        'unavailable',
        'Too many pictures are being uploaded at this moment: try again in a minute.',
      ),
  );

  return {
    async identify(store, hash, filename) {
      const size = (await store.find(hash))?.sizeBytes;
      if (size === undefined) throw new Error(`No bytes are stored under ${hash}.`);
      const head = (await read(store, hash, Math.min(size, sniffedBytes))) ?? Buffer.alloc(0);
      const mime = await sniff(head, filename, size <= sniffedBytes);
      if (mime.startsWith('text/') && size > sniffedBytes && !(await isTextThroughout(store, hash, head))) {
        return { mime: octets, dimensions: null };
      }
      if (!pictures.has(mime) || size > maxImageBytes) return { mime, dimensions: null };
      const measured = await limited(() => measure(store, hash, size));
      // The first bytes of a picture and no picture: it is not served under a name that it does not earn.
      if (!measured) return { mime: isInlineImage(mime) ? octets : mime, dimensions: null };
      const { width, height } = measured;
      return { mime, dimensions: isTooLarge(measured, maxPixels) ? null : { width, height } };
    },
    thumbnail(store, hash) {
      return limited(async () => {
        const size = (await store.find(hash))?.sizeBytes ?? 0;
        if (size === 0 || size > maxImageBytes) return undefined;
        const head = await read(store, hash, Math.min(size, sniffedBytes));
        if (!head || !pictures.has(await sniff(head, '', size <= sniffedBytes))) return undefined;
        const measured = await measure(store, hash, size);
        if (!measured || isTooLarge(measured, maxPixels)) return undefined;
        const small = await shrink(store, hash, size, maxPixels);
        if (!small) return undefined;
        const { data, info } = small;
        const blob = await store.put(data, data.byteLength);
        return { ...blob, mime: 'image/webp', width: info.width, height: info.height };
      });
    },
  };
}

let loaded: Promise<typeof Sharp> | undefined;

/** Loaded for the first picture: a wiki that only serves them has no need of the memory it takes. */
function loadSharp(): Promise<typeof Sharp> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    // Pictures are each seen once: a cache of them would only hold memory.
    sharp.cache(false);
    sharp.concurrency(1);
    // For the whole process, as libvips has it: no other decoder is ever reached, whatever bytes pretend to be.
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({
      operation: ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif', 'Tiff'].map((kind) => `VipsForeignLoad${kind}`),
    });
    return sharp;
  });
  return loaded;
}

/** Reads the header alone; undefined if there is none that can be read. */
async function measure(store: FileStore, hash: string, size: number): Promise<Measured | undefined> {
  const bytes = await read(store, hash, size);
  if (!bytes) return undefined;
  const sharp = await loadSharp();
  try {
    // Dimensions as displayed: EXIF orientations 5 to 8 lie on their side.
    const { autoOrient, ...told } = await sharp(bytes, { limitInputPixels: false }).metadata();
    const { width, height } = autoOrient;
    return { width, height, decodedBytes: decodedBytesOf(told) };
  } catch {
    // libvips has one error for every way of being no picture.
    return undefined;
  }
}

interface Measured {
  width: number;
  height: number;
  decodedBytes: number;
}

function isTooLarge({ width, height, decodedBytes }: Measured, maxPixels: number): boolean {
  return width * height > maxPixels || decodedBytes > maxPixels * bytesPerPixel;
}

/** https://www.libvips.org/API/current/enum.BandFormat.html */
const bytesPerSample: Record<string, number> = {
  uchar: 1,
  char: 1,
  ushort: 2,
  short: 2,
  uint: 4,
  int: 4,
  float: 4,
  double: 8,
  complex: 8,
  dpcomplex: 16,
};

/** In memory: pixels × channels × bytes per sample. An AVIF lies there twice, as its decoder holds it and as libvips does. */
function decodedBytesOf({ width, height, channels, depth, format }: Omit<Metadata, 'autoOrient'>): number {
  const decoded = width * height * channels * (bytesPerSample[depth] ?? 16);
  return format === 'heif' ? 2 * decoded : decoded;
}

async function shrink(store: FileStore, hash: string, size: number, maxPixels: number) {
  const bytes = await read(store, hash, size);
  if (!bytes) return undefined;
  const sharp = await loadSharp();
  try {
    // One page: an animation's first frame. `rotate` applies EXIF, and writing without `withMetadata` strips it all.
    return await sharp(bytes, { limitInputPixels: maxPixels, pages: 1, failOn: 'error' })
      .rotate()
      .resize(thumbnailPixels, thumbnailPixels, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .timeout({ seconds: secondsPerImage })
      .toBuffer({ resolveWithObject: true });
  } catch {
    // Broken, a bomb, or too slow: the file stays, without a thumbnail.
    return undefined;
  }
}

/** A text's head may be followed by anything: all of it is looked at before it is called text. */
async function isTextThroughout(store: FileStore, hash: string, head: Uint8Array): Promise<boolean> {
  const decoder = new TextDecoder(encodingOf(head), { fatal: true });
  const stream = (await store.open(hash)) ?? [];
  for await (const chunk of stream) {
    if (!isText(decodeNext(decoder, chunk) ?? '\0')) return false;
  }
  return decodeNext(decoder) !== undefined;
}

function decodeNext(decoder: TextDecoder, chunk?: Uint8Array): string | undefined {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    return undefined;
  }
}

async function read(store: FileStore, hash: string, length: number): Promise<Buffer | undefined> {
  if (length === 0) return Buffer.alloc(0);
  const stream = await store.open(hash, { start: 0, end: length - 1 });
  if (!stream) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
