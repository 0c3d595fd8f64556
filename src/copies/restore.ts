/** Restores the database of a continuous copy as it was at a time. */
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { Problem } from '#core/model/problem.ts';
import type { CopyPlace } from '#core/ports/copy-place.ts';
import { baseName, changesName, planRestore, readRuns, runsPrefix } from './names.ts';
import { decodeChanges, type PageChanges } from './page-changes.ts';

/** Objects that are read ahead. */
const ahead = 16;

/**
 * Writes `file` anew, durably, as the database was at `until`, in milliseconds since 1970, or a moment before. Returns that
 * moment. Refuses `not-found` if the place has no such state.
 */
export async function restoreDatabase(place: CopyPlace, until: number, file: string): Promise<number> {
  const runs = await readRuns(place.list(runsPrefix));
  const plan = planRestore(runs, until);
  if (!plan) {
    const first = [...runs.values()].flatMap(({ bases }) => bases[0]?.at ?? []).sort((a, b) => a - b)[0];
    throw new Problem(
      'not-found',
      first === undefined
        ? 'There is no copy of a wiki, or it is not complete yet.'
        : `The copy begins at ${new Date(first).toISOString()}.`,
    );
  }
  const { base, changes, at } = plan;
  await using handle = await open(file, 'w', 0o600);
  const content = await wanted(place, baseName(base));
  await pipeline(content, createZstdDecompress(), (pages: AsyncIterable<Uint8Array>) =>
    handle.writeFile(pages),
  ).catch((error: NodeJS.ErrnoException) => {
    throw error.code?.startsWith('ZSTD') ? damaged(baseName(base), 'cannot be read', error) : error;
  });
  let pending: PageChanges[] = [];
  for await (const one of decoded(
    place,
    changes.map((one) => changesName(base.run, one)),
  )) {
    pending.push(one);
    // Changes of an unfinished commit count only together with the rest.
    if (one.databasePages === 0) continue;
    for (const { pages, pageBytes } of pending)
      for (const [number, page] of pages) await handle.write(page, 0, page.length, (number - 1) * pageBytes);
    await handle.truncate(one.databasePages * one.pageBytes);
    pending = [];
  }
  await handle.sync();
  return at;
}

/** In order, some of them read ahead. */
async function* decoded(place: CopyPlace, names: readonly string[]): AsyncIterable<PageChanges> {
  const reading: Promise<PageChanges>[] = [];
  const read = async (name: string) => {
    try {
      return await decodeChanges(await buffer(Readable.from(await wanted(place, name))));
    } catch (error) {
      if (error instanceof Problem) throw error;
      throw damaged(name, 'cannot be read', error);
    }
  };
  for (const [i, name] of names.entries()) {
    reading.push(read(name));
    reading.at(-1)?.catch(() => {});
    if (i >= ahead - 1) yield (await reading.shift()) as PageChanges;
  }
  for (const one of reading) yield await one;
}

async function wanted(place: CopyPlace, name: string): Promise<AsyncIterable<Uint8Array>> {
  const found = await place.open(name);
  if (!found) throw damaged(name, 'is missing');
  return found;
}

function damaged(name: string, how: string, cause?: unknown): Problem {
  return new Problem('invalid', `The copy is damaged: ${name} ${how}.`, { cause });
}
