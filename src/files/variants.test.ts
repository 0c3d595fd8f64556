/** Narrower copies of pictures: made once, a few at a time, and never written back to disk after an erasure. */
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { FileStore } from '#core/ports/file-store.ts';
import { pictureWidths } from '#core/ports/picture-variants.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { openDisk } from './disk.ts';
import { openSpillFile } from './spill-file.ts';
import { createVariants } from './variants.ts';

const folder = await temporaryFolder();
const disk = await openDisk(join(folder, 'files'));
let reads = 0;
/** The same store with its reads counted. */
const store: FileStore = {
  ...disk,
  open(...asked) {
    reads++;
    return disk.open(...asked);
  },
};

const keep = async (width: number, height: number) => {
  const picture = sharp({ create: { width, height, channels: 3, background: '#385' } });
  const { hash, sizeBytes } = await disk.put(await picture.png().toBuffer(), 1e9);
  return { hash, mime: 'image/png', sizeBytes };
};
/** Number of reads from the store during `work`. */
const readsOf = async (work: () => Promise<unknown>) => {
  const before = reads;
  await work();
  return reads - before;
};

test('a copy is made once for concurrent requests, and kept for later ones', async () => {
  using spillFile = openSpillFile(join(folder, 'cache'), 10_000_000);
  const variants = createVariants(spillFile);
  const file = await keep(800, 40);
  const ask = () => variants.narrow(store, file, 320, 'webp');
  const once = await readsOf(ask);
  const [kept, first] = [await ask(), await createVariants().narrow(store, file, 320, 'webp')];
  expect(kept).toEqual(first);
  expect(await readsOf(ask)).toBe(0);
  spillFile.empty();
  expect(await readsOf(() => Promise.all([ask(), ask(), ask()]))).toBe(once);
  expect(await readsOf(ask)).toBe(0);
});

test('a file that is served unchanged is not examined again', async () => {
  const variants = createVariants();
  const file = await keep(320, 20);
  const ask = async () => expect(await variants.narrow(store, file, 320, 'webp')).toBeUndefined();
  expect(await readsOf(ask)).toBeGreaterThan(0);
  expect(await readsOf(ask)).toBe(0);
});

test('an incomplete file is examined again, because it may be repaired', async () => {
  const variants = createVariants();
  const file = await keep(800, 30);
  let shorter = 1;
  const damaged: FileStore = {
    ...disk,
    async find(hash) {
      const found = await disk.find(hash);
      return found && { ...found, sizeBytes: found.sizeBytes - shorter };
    },
  };
  expect(await variants.narrow(damaged, file, 320, 'webp')).toBeUndefined();
  shorter = 0;
  expect(await variants.narrow(damaged, file, 320, 'webp')).toBeDefined();
});

test('a copy made during an erasure is not stored on disk', async () => {
  using spillFile = openSpillFile(join(folder, 'cache'), 10_000_000);
  const variants = createVariants(spillFile);
  const file = await keep(900, 40);
  const making = variants.narrow(store, file, 320, 'webp');
  spillFile.empty();
  expect(await making).toMatchObject({ mime: 'image/webp' });
  expect(spillFile.size).toBe(0);
});

test('a picture with more pixels than may be decoded is served unchanged', async () => {
  const file = await keep(400, 100);
  expect(
    await createVariants(undefined, { maxPixels: 39_999 }).narrow(store, file, 320, 'webp'),
  ).toBeUndefined();
  expect(
    await createVariants(undefined, { maxPixels: 40_000 }).narrow(store, file, 320, 'webp'),
  ).toBeDefined();
});

test('when too many wait, the next is refused, and served once the others are done', async () => {
  const variants = createVariants();
  const files = await Promise.all(Array.from({ length: 20 }, (_, index) => keep(2000, 1 + index)));
  const asked = files.flatMap((file) =>
    pictureWidths.map((width) => variants.narrow(store, file, width, 'webp')),
  );
  const answers = await Promise.allSettled(asked);
  const refused = answers.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(35);
  for (const answer of refused) expect(answer).toMatchObject({ reason: { code: 'unavailable' } });
  expect(await variants.narrow(store, files[19] as (typeof files)[0], 1920, 'webp')).toBeDefined();
});
