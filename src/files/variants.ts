/**
 * Narrower copies of stored pictures, kept in the spill file. A copy that is erased or overwritten there is made again on
 * request.
 */

import { BoundedCache } from '#cache/bounded-cache.ts';
import type { Extent, SpillFile } from '#cache/spill-file.ts';
import { Problem } from '#core/model/problem.ts';
import { bareType, type FileStore } from '#core/ports/file-store.ts';
import type { PictureVariant, PictureVariants } from '#core/ports/picture-variants.ts';
import { limitConcurrency } from '#scheduling/limit-concurrency.ts';
import { say } from '#words/say.ts';
import {
  defaultMaxPixels,
  isTooLarge,
  maxImageBytes,
  measure,
  pictures,
  shrink,
  type WrittenFormat,
} from './pictures.ts';

/** Maximum number of known entries: copies in the spill file, and files that are served unchanged. */
const maxKnown = 20_000;
/** Each copy holds a decoded picture in memory and one of the four threads that also read files; uploads have two. */
const maxParallel = 1;
/** About as many as one page full of pictures requests. */
const maxWaiting = 64;

/** Without a spill file, each copy is made again for every request. */
export function createVariants(
  spillFile?: SpillFile,
  { maxPixels = defaultMaxPixels } = {},
): PictureVariants {
  /** A `place` of undefined means that the file itself is served. */
  const known = new BoundedCache<{ place: Extent | undefined }>(maxKnown);
  const underWay = new Map<string, Promise<PictureVariant | undefined>>();
  const limited = limitConcurrency(
    maxParallel,
    maxWaiting,
    () => new Problem('unavailable', say('problem.tooManyPicturesAreBeingScaledDown')),
  );

  return {
    async narrow(store, { hash, mime, sizeBytes }, width, wanted) {
      if (!pictures.has(bareType(mime))) return undefined;
      const format = wanted === 'own' ? ownFormat(mime) : wanted;
      if (!format) return undefined;
      const key = `${hash} ${width} ${format}`;
      const kept = known.get(key);
      if (kept && !kept.place) return undefined;
      const bytes = kept?.place && readFrom(spillFile, kept.place);
      if (bytes) return { mime: `image/${format}`, bytes };
      const begun = underWay.get(key);
      if (begun) return begun;
      const emptied = spillFile?.emptied;
      const made = limited(async () => {
        // A missing or incomplete file is not remembered, because a restore from a backup makes it whole again.
        const size = (await store.find(hash))?.sizeBytes;
        if (size === undefined || size !== (sizeBytes ?? size)) return undefined;
        const variant = await make(store, { hash, size }, { width, format }, maxPixels);
        // A picture erased in the meantime must not be written to disk again.
        const place = variant && spillFile?.emptied === emptied ? spillFile?.put(variant.bytes) : undefined;
        if (place || !variant) known.set(key, { place }, 1);
        return variant;
      }).finally(() => underWay.delete(key));
      underWay.set(key, made);
      return made;
    },
  };
}

async function make(
  store: FileStore,
  { hash, size }: { hash: string; size: number },
  { width, format }: { width: number; format: WrittenFormat },
  maxPixels: number,
): Promise<PictureVariant | undefined> {
  if (size === 0 || size > maxImageBytes) return undefined;
  const measured = await measure(store, hash, size);
  if (!measured || measured.width <= width || measured.pages > 1 || isTooLarge(measured, maxPixels))
    return undefined;
  const narrow = await shrink(store, { hash, size }, maxPixels, { width, format });
  return narrow && { mime: `image/${format}`, bytes: narrow.data };
}

function ownFormat(mime: string): WrittenFormat | undefined {
  return (['jpeg', 'png', 'webp', 'avif'] as const).find((format) => bareType(mime) === `image/${format}`);
}

function readFrom(spillFile: SpillFile | undefined, place: Extent): Uint8Array | undefined {
  const bytes = Buffer.allocUnsafeSlow(place.length);
  return spillFile?.read(place, bytes) ? bytes : undefined;
}
