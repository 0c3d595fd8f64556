/** Probes stored files: their type, the dimensions of pictures, and thumbnails. */

import { Problem } from '#core/model/problem.ts';
import type { FileProbe, FileStore } from '#core/ports/file-store.ts';
import { limitConcurrency } from '#scheduling/limit-concurrency.ts';
import { say } from '#words/say.ts';
import { encodingOf } from './markup.ts';
import { defaultMaxPixels, isTooLarge, maxImageBytes, measure, pictures, read, shrink } from './pictures.ts';
import { isInlineImage, isText, octets, sniff, sniffedBytes } from './sniff.ts';

const thumbnailPixels = 400;

/** Works on at most two pictures at once; others wait in a queue. */
export function createProbe({ maxPixels = defaultMaxPixels } = {}): FileProbe {
  const limited = limitConcurrency(
    2,
    1000,
    () => new Problem('unavailable', say('problem.tooManyPicturesAreBeingUploadedAt')),
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
      // The file begins like a picture but is none, so it is not served with a picture's type.
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
        const small = await shrink(store, { hash, size }, maxPixels, {
          width: thumbnailPixels,
          height: thumbnailPixels,
          format: 'webp',
        });
        if (!small) return undefined;
        const { data, info } = small;
        const blob = await store.put(data, data.byteLength);
        return { ...blob, mime: 'image/webp', width: info.width, height: info.height };
      });
    },
  };
}

/** Anything may follow the head of a text, so the whole file is read before it is called text. */
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
