/** Looks at stored files: what they are, how large a picture is, how it looks small. */
import sharp from 'sharp';
import type { FileInspector, FileStore } from '#domain/files.ts';
import { takeTurns } from '#domain/turns.ts';
import { sniff, sniffedBytes } from './sniff.ts';

/** Decoded pictures lie in memory whole: four bytes a pixel. */
const defaultMaxPixels = 50_000_000;
/** Files beyond this are no pictures for a wiki page; they are kept, without a thumbnail. */
const maxImageBytes = 100_000_000;
const thumbnailPixels = 400;
const secondsPerImage = 10;

/** What sharp decodes here. SVG is left out: drawing it would run what somebody wrote. */
const pictures = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/apng',
  'image/tiff',
]);

/** At most two pictures are worked on at once; others wait in line. */
export function createInspector({ maxPixels = defaultMaxPixels } = {}): FileInspector {
  // Pictures are each seen once: a cache of them would only hold memory.
  sharp.cache(false);
  sharp.concurrency(1);
  const inTurn = takeTurns(
    2,
    1000,
    'Too many pictures are being uploaded at this moment: try again in a minute.',
  );

  return {
    async identify(store, hash, filename) {
      const size = (await store.sizeOf(hash)) ?? 0;
      const head = await read(store, hash, Math.min(size, sniffedBytes));
      const mime = head ? await sniff(head, filename, size <= sniffedBytes) : 'application/octet-stream';
      if (!pictures.has(mime) || size > maxImageBytes) return { mime, image: null };
      return { mime, image: await inTurn(() => dimensions(store, hash, size, maxPixels)) };
    },
    thumbnail(store, hash) {
      return inTurn(async () => {
        const size = (await store.sizeOf(hash)) ?? 0;
        if (size === 0 || size > maxImageBytes) return undefined;
        const head = await read(store, hash, Math.min(size, sniffedBytes));
        if (!head || !pictures.has(await sniff(head, '', size <= sniffedBytes))) return undefined;
        const small = await shrink(store, hash, size, maxPixels);
        if (!small) return undefined;
        const { data, info } = small;
        const blob = await store.put(data, data.byteLength);
        return { ...blob, mime: 'image/webp', width: info.width, height: info.height };
      });
    },
  };
}

async function dimensions(store: FileStore, hash: string, size: number, maxPixels: number) {
  const bytes = await read(store, hash, size);
  if (!bytes) return null;
  try {
    const {
      width,
      height,
      pageHeight,
      orientation = 1,
    } = await sharp(bytes, { limitInputPixels: false }).metadata();
    const shownHeight = pageHeight ?? height;
    if (width * shownHeight > maxPixels) return null;
    // EXIF orientations 5 to 8 lie on their side.
    return orientation >= 5 ? { width: shownHeight, height: width } : { width, height: shownHeight };
  } catch {
    // Its signature lied, or it is broken: a file like any other.
    return null;
  }
}

async function shrink(store: FileStore, hash: string, size: number, maxPixels: number) {
  const bytes = await read(store, hash, size);
  if (!bytes) return undefined;
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

async function read(store: FileStore, hash: string, length: number): Promise<Buffer | undefined> {
  if (length === 0) return Buffer.alloc(0);
  const stream = await store.open(hash, { start: 0, end: length - 1 });
  if (!stream) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
