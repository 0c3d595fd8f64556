/** Decodes and shrinks stored pictures within limits on pixels, bytes and time. */
import type Sharp from 'sharp';
import type { Metadata } from 'sharp';
import type { FileStore } from '#core/ports/file-store.ts';

/** A decoded picture is in memory as a whole, with four bytes for each pixel. */
export const defaultMaxPixels = 50_000_000;
const bytesPerPixel = 4;
/** Larger files are stored but get no thumbnail. */
export const maxImageBytes = 100_000_000;
const secondsPerImage = 10;

/** Formats that sharp decodes here. SVG is left out because drawing it would interpret untrusted code. */
export const pictures = new Set(
  ['png', 'jpeg', 'gif', 'webp', 'avif', 'tiff'].map((format) => `image/${format}`),
);

let loaded: Promise<typeof Sharp> | undefined;

/** Loaded for the first picture, so a wiki that only serves pictures does not spend the memory. */
function loadSharp(): Promise<typeof Sharp> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    // Each picture is decoded once, so a cache would only use memory.
    sharp.cache(false);
    sharp.concurrency(1);
    // libvips keeps this setting for the whole process: all other decoders stay blocked, whatever a file claims to be.
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({
      operation: ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif', 'Tiff'].map((kind) => `VipsForeignLoad${kind}`),
    });
    return sharp;
  });
  return loaded;
}

/** Reads only the header. Returns undefined if it cannot be read. */
export async function measure(store: FileStore, hash: string, size: number): Promise<Measured | undefined> {
  const bytes = await read(store, hash, size);
  if (!bytes) return undefined;
  const sharp = await loadSharp();
  try {
    // Dimensions as displayed: EXIF orientations 5 to 8 swap width and height.
    const { autoOrient, ...metadata } = await sharp(bytes, { limitInputPixels: false }).metadata();
    const { width, height } = autoOrient;
    return { width, height, decodedBytes: decodedBytesOf(metadata), pages: metadata.pages ?? 1 };
  } catch {
    // libvips throws the same error for everything that it cannot read.
    return undefined;
  }
}

interface Measured {
  width: number;
  height: number;
  decodedBytes: number;
  /** Number of frames of an animation, or of pages. */
  pages: number;
}

export function isTooLarge({ width, height, decodedBytes }: Measured, maxPixels: number): boolean {
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

/**
 * Size in memory: pixels × channels × bytes per sample. An AVIF takes twice as much, because its decoder and libvips each hold
 * a copy.
 */
function decodedBytesOf({ width, height, channels, depth, format }: Omit<Metadata, 'autoOrient'>): number {
  const decoded = width * height * channels * (bytesPerSample[depth] ?? 16);
  return format === 'heif' ? 2 * decoded : decoded;
}

/** Formats that this module writes. */
export type WrittenFormat = 'avif' | 'webp' | 'jpeg' | 'png';

/**
 * AVIF at the lowest effort takes about as long as WebP and a third fewer bytes. More effort takes several times as long and
 * saves nothing more.
 */
const encoderOptions = {
  avif: { quality: 50, effort: 0 },
  webp: { quality: 80 },
  jpeg: { quality: 80 },
  png: {},
} as const;

/**
 * Fits the picture into `width` and `height` without enlarging it. Writes one frame with the EXIF orientation applied and
 * without metadata.
 */
export async function shrink(
  store: FileStore,
  { hash, size }: { hash: string; size: number },
  maxPixels: number,
  { format, ...box }: { width: number; height?: number; format: WrittenFormat },
) {
  const bytes = await read(store, hash, size);
  if (!bytes) return undefined;
  const sharp = await loadSharp();
  try {
    // Reads one page, which is the first frame of an animation. `rotate` applies the EXIF orientation, and sharp drops all
    // metadata unless `withMetadata` is called.
    return await sharp(bytes, { limitInputPixels: maxPixels, pages: 1, failOn: 'error' })
      .rotate()
      .resize({ ...box, fit: 'inside', withoutEnlargement: true })
      .toFormat(format, encoderOptions[format])
      .timeout({ seconds: secondsPerImage })
      .toBuffer({ resolveWithObject: true });
  } catch {
    // The picture is broken, a decompression bomb or too slow to decode; the original file is kept.
    return undefined;
  }
}

export async function read(store: FileStore, hash: string, length: number): Promise<Buffer | undefined> {
  if (length === 0) return Buffer.alloc(0);
  const stream = await store.open(hash, { start: 0, end: length - 1 });
  return stream && Buffer.concat(await Array.fromAsync(stream));
}
