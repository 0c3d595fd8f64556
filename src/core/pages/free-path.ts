/**
 * A way out of an address that is taken: the next free one, by a number at its end. `C`, `C++` and `C#` all get the slug `c`, so
 * the second of them is refused and offered `/c-2`.
 */
import { say } from '#words/say.ts';
import { isReserved, readPath } from '../model/path.ts';
import { freeWords } from '../model/path-taken.ts';
import type { Actor } from '../model/permission.ts';
import { Problem } from '../model/problem.ts';
import type { Reader } from '../ports/reader.ts';
import type { Store } from '../ports/store.ts';

/** The highest number that is tried. All candidates are looked up together. */
const maxNumber = 1000;

/**
 * The free address with the lowest number, for a page with or without a subtree. Undefined if all candidates are taken or too
 * long. Hidden pages make an address count as taken, as they do when it is checked; hidden pages beneath it and hidden old
 * addresses do not.
 */
export async function findFreePath(
  reader: Reader,
  path: string,
  { withSubtree = false } = {},
): Promise<string | undefined> {
  const candidates: string[] = [];
  for (let number = 2; number <= maxNumber; number++) {
    const read = readPath(`${path}-${number}`);
    if ('problem' in read) break;
    if (!isReserved(read.path)) candidates.push(read.path);
  }
  return candidates.length === 0 ? undefined : reader.pages.firstFree(candidates, withSubtree);
}

/**
 * Runs `work`, which has a transaction of its own, and adds the next free address to the refusal of one that is taken: as
 * `freePath`, and to the sentence. Within an outer transaction, such as an atomic batch, none is added, because PostgreSQL
 * accepts no statement after one that failed.
 */
export async function offeringFreePath<T>(
  store: Store,
  actor: Actor,
  work: () => Promise<T>,
  { withSubtree = false } = {},
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'path-taken') throw error;
    const { wanted, ...details } = error.details ?? {};
    const free =
      typeof wanted === 'string' && !store.isTransaction
        ? await findFreePath(store.readAs(actor), wanted, { withSubtree })
        : undefined;
    const message =
      free === undefined ? error.words : say('edit.andFree', { exists: error.words, free: freeWords(free) });
    throw new Problem('path-taken', message, {
      details: { ...details, ...(free === undefined ? {} : { freePath: free }) },
      cause: error.cause,
    });
  }
}
