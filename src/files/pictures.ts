/** Decodes and shrinks stored pictures, within bounds of pixels, bytes and time. */
import type Sharp from 'sharp';
import type { Metadata } from 'sharp';
import type { FileStore } from '#domain/ports/file-store.ts';

/** Decoded pictures lie in memory whole: so many of four bytes each. */
export const defaultMaxPixels = 50_000_000;
const bytesPerPixel = 4;
/** Files beyond this are no pictures for a wiki page; they are kept, without a thumbnail. */
export const maxImageBytes = 100_000_000;
const secondsPerImage = 10;

/** Formats that sharp decodes here. SVG is left out: drawing it would run code that somebody wrote. */
export const pictures = new Set(
  ['png', 'jpeg', 'gif', 'webp', 'avif', 'tiff'].map((format) => `image/${format}`),
);

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
export async function measure(store: FileStore, hash: string, size: number): Promise<Measured | undefined> {
  const bytes = await read(store, hash, size);
  if (!bytes) return undefined;
  const sharp = await loadSharp();
  try {
    // Dimensions as displayed: EXIF orientations 5 to 8 lie on their side.
    const { autoOrient, ...told } = await sharp(bytes, { limitInputPixels: false }).metadata();
    const { width, height } = autoOrient;
    return { width, height, decodedBytes: decodedBytesOf(told), pages: told.pages ?? 1 };
  } catch {
    // libvips has one error for every way of being no picture.
    return undefined;
  }
}

interface Measured {
  width: number;
  height: number;
  decodedBytes: number;
  /** Frames of an animation, or pages. */
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

/** In memory: pixels × channels × bytes per sample. An AVIF lies there twice, as its decoder holds it and as libvips does. */
function decodedBytesOf({ width, height, channels, depth, format }: Omit<Metadata, 'autoOrient'>): number {
  const decoded = width * height * channels * (bytesPerSample[depth] ?? 16);
  return format === 'heif' ? 2 * decoded : decoded;
}

/** Formats that are written here. */
export type WrittenFormat = 'avif' | 'webp' | 'jpeg' | 'png';

/**
 * AVIF with the least effort: about the time of WebP for a third fewer bytes; more effort would take several times as long for
 * no fewer.
 */
const encoderOptions = {
  avif: { quality: 50, effort: 0 },
  webp: { quality: 80 },
  jpeg: { quality: 80 },
  png: {},
} as const;

/** Fits it into `width` and `height`, never enlarged: one frame, EXIF orientation applied, metadata stripped. */
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
    // One page: an animation's first frame. `rotate` applies EXIF, and writing without `withMetadata` strips it all.
    return await sharp(bytes, { limitInputPixels: maxPixels, pages: 1, failOn: 'error' })
      .rotate()
      .resize({ ...box, fit: 'inside', withoutEnlargement: true })
      .toFormat(format, encoderOptions[format])
      .timeout({ seconds: secondsPerImage })
      .toBuffer({ resolveWithObject: true });
  } catch {
    // Broken, a bomb, or too slow: the file stays as it is.
    return undefined;
  }
}

export async function read(store: FileStore, hash: string, length: number): Promise<Buffer | undefined> {
  if (length === 0) return Buffer.alloc(0);
  const stream = await store.open(hash, { start: 0, end: length - 1 });
  return stream && Buffer.concat(await Array.fromAsync(stream));
}
