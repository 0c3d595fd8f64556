/**
 * Counts reads and searches in memory while the wiki is served; the loop stores them once a minute. A process that is killed forgets
 * those of its last minute.
 */
import type { Tally } from '#core/ports/report-store.ts';

/** Most different pages and searches between two looks. Others are not counted. */
const maxDifferent = 5000;
const maxWordsLength = 100;

/** `isOn`: whether administrators want counts. */
export function createTally(isOn: () => boolean): Tally {
  let reads = new Map<string, number>();
  let searches = new Map<string, number>();
  const add = (counts: Map<string, number>, key: string) => {
    if (isOn() && (counts.has(key) || counts.size < maxDifferent))
      counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  return {
    read: (path) => add(reads, path),
    searchedInVain(words) {
      const plain = words
        .replace(/[\p{Cc}\s]+/gu, ' ')
        .trim()
        .toLowerCase();
      if (plain !== '') add(searches, plain.slice(0, maxWordsLength).toWellFormed());
    },
    take() {
      const taken = { reads, searches };
      reads = new Map();
      searches = new Map();
      return taken;
    },
  };
}
