/**
 * BM25 without what an index says of pages that the reader cannot see. SQLite's `bm25` uses how many pages have a word, and how long
 * all texts are on average: both count hidden pages, so the order of results would tell what they contain. Here a page's rank follows
 * from its own text alone.
 *
 * With `f` occurrences in a text of length `d`, `bm25` is `rarity * f * (k + 1) / (f + K)`, where `K = k * (1 - b + b * d / average)`.
 * Its ratio for tiny and for endless weights is `f / K`, from which the known average gives `f` back.
 */
import type { DatabaseSync } from 'node:sqlite';
import { type RawBuilder, sql } from 'kysely';

const k = 1.2;
const b = 0.75;
/** Length of a usual text, in place of the average. */
const usualLength = 300;
export const titleWeight = 5;
const tiny = 1e-9;
const endless = 1e12;

/** Share of 1 that the phrases of a query on `page_text` have in the text of the page. `d`: its row of `page_text_docsize`. */
export const textShare: RawBuilder<number> = sql`text_share(
  bm25(page_text, ${sql.lit(titleWeight * tiny)}, ${sql.lit(tiny)}) / bm25(page_text, ${sql.lit(endless)}, ${sql.lit(endless)}),
  d.sz, (select text_average(block) from page_text_data where id = 1))`;

/**
 * Makes known to a connection: `textShare`; the same as `word_shares` from numbers of occurrences, summed up, those in titles times
 * `titleWeight`; and the table `page_words`.
 */
export function addTextShare(db: DatabaseSync): void {
  // https://sqlite.org/fts5.html#the_fts5vocab_virtual_table_module: every occurrence of every term.
  db.exec('create virtual table temp.page_words using fts5vocab(main, page_text, instance)');
  db.function('word_shares', { deterministic: true, varargs: true }, (size, ...occurrences) => {
    const saturation = saturationAt(sumOf(numbersIn(size as Uint8Array)), usualLength);
    return sumOf(occurrences.map((count) => Number(count) / (Number(count) + saturation)));
  });
  // https://sqlite.org/fts5.html#the_table_of_averages_: number of texts, then the length of all of each column.
  db.function('text_average', { deterministic: true }, (averages) => {
    const [texts = 1, ...lengths] = numbersIn(averages as Uint8Array);
    return sumOf(lengths) / Math.max(1, texts);
  });
  db.function('text_share', { deterministic: true }, (ratio, size, average) => {
    const length = sumOf(numbersIn(size as Uint8Array));
    const occurrences = Math.round((Number(ratio) / tiny) * saturationAt(length, Number(average)));
    return occurrences / (occurrences + saturationAt(length, usualLength));
  });
}

function saturationAt(length: number, average: number): number {
  return k * (1 - b + (b * length) / average);
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** Reads whole numbers in SQLite's encoding: seven bits a byte, highest first, the eighth bit set in all but the last. */
function numbersIn(bytes: Uint8Array): number[] {
  const found: number[] = [];
  let number = 0;
  for (const byte of bytes) {
    number = number * 128 + (byte & 127);
    if (byte & 128) continue;
    found.push(number);
    number = 0;
  }
  return found;
}
