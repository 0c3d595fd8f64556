/**
 * Sentences pinned in the histories of real documents and followed, version by version, to the latest one.
 *
 * The truth is made by another way: a comparison of both whole texts word by word, without any limit, by which each word of a sentence
 * keeps its identity from version to version. If at least half of the sentence is left, its place is where these words are. Otherwise
 * it is honest to call it gone, right to point at the very words elsewhere, and right to point at a sentence that shares most words.
 *
 * Beside it stands what a wiki without histories can do: a search for the quote in the latest version, fuzzy and by its context.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { diffArrays } from 'diff';
import { expect, test } from 'vitest';
import { carryQuotes } from '#core/content/carry-quotes.ts';
import { defaultDialect } from '#core/content/dialect.ts';
import { createLanguage } from '#core/content/language.ts';
import { locate, occurrencesOf, quoteAt, type Range, squeeze, withoutSpace } from '#core/content/quotes.ts';
import type { Quote } from '#core/ports/comment-store.ts';
import { textOfMarkup } from '#src/features/comments/page-text.ts';
import { effort } from '../support/effort.ts';

const corpus = process.env.COPPICE_CORPUS;
const documents = effort(16, Number.POSITIVE_INFINITY);
const wanted = effort(1600, 11_000);

interface History {
  file: string;
  versions: string[];
}

interface Pinned extends Quote {
  id: number;
  /** Its words in the text of the version in which it was pinned. */
  words: { first: number; last: number };
  pinning: Pinning;
}

/** Place of each word of the version in which sentences were pinned; −1 once it is removed. */
interface Pinning {
  to: Int32Array;
}

const language = createLanguage();

async function textOf(file: string, body: string): Promise<string> {
  const format = file.endsWith('.md') ? 'markdown' : 'wikitext';
  const text = await language.open({ format, text: body, calls: [], dialect: defaultDialect }, '/page');
  const nothing = { pages: new Map(), files: new Map(), listings: new Map() };
  const { html } = await text.draw({ ...nothing, page: { path: '/page', title: 'Page' } });
  return textOfMarkup(html);
}

const wordPattern = /[\p{L}\p{N}\p{M}]+|\s+|[^\p{L}\p{N}\p{M}\s]/gu;
const properWords = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}\p{M}]{2,}/gu) ?? [];

interface Token {
  word: string;
  at: number;
}

function tokensOf(text: string): Token[] {
  return Array.from(text.matchAll(wordPattern), ({ 0: word, index }) => ({ word, at: index })).filter(
    ({ word }) => word.trim() !== '',
  );
}

/** Index of each word of the first text in the second, or −1. */
function identities(before: string[], after: string[]): Int32Array {
  const found = new Int32Array(before.length).fill(-1);
  let [a, b] = [0, 0];
  for (const { added, removed, count = 0 } of diffArrays(before, after)) {
    if (!added && !removed) for (let i = 0; i < count; i++) found[a + i] = b + i;
    if (!added) a += count;
    if (!removed) b += count;
  }
  return found;
}

function sentencesOf(text: string): Range[] {
  return Array.from(text.matchAll(/[^.!?\s][^.!?\n]*[.!?]?/g), ({ 0: one, index }) => ({
    start: index,
    end: index + one.trimEnd().length,
  })).filter(({ start, end }) => end - start >= 30 && properWords(text.slice(start, end)).length >= 5);
}

function likeness(a: string, b: string): number {
  const [one, other] = [new Set(properWords(a)), new Set(properWords(b))];
  return (2 * one.intersection(other).size) / Math.max(1, one.size + other.size);
}

/** The baseline: the words themselves, else the sentence that shares most words and context, else gone. */
function search(text: string, quote: Quote): Pick<Quote, 'start' | 'end' | 'state'> {
  const exact = locate(squeeze(text), quote);
  if (exact) return { ...exact, state: 'present' };
  let best: { range: Range; score: number } | undefined;
  for (const range of sentencesOf(text)) {
    const score = likeness(text.slice(range.start, range.end), quote.text);
    if (score >= 0.5 && score > (best?.score ?? 0)) best = { range, score };
  }
  return best ? { ...best.range, state: 'changed' } : { start: 0, end: 0, state: 'gone' };
}

type Verdict = 'present' | 'changed' | 'gone' | 'wrong place' | 'missed';

/** The latest text. `origin`: the word of the pinned text that each of its words was; −1 for new ones. */
interface Latest {
  text: string;
  tokens: Token[];
  origin: Int32Array;
}

function judge(
  { text, tokens, origin }: Latest,
  { start, end, state }: Pick<Quote, 'start' | 'end' | 'state'>,
  { words, ...quote }: Pinned,
): Verdict {
  const isOwn = (token: number) =>
    (origin[token] ?? -1) >= words.first && (origin[token] ?? -1) <= words.last;
  const letters = (within: Range, isMeant: (token: number) => boolean = () => true) =>
    tokens.reduce(
      (sum, { word, at }, token) =>
        at >= within.start && at < within.end && isMeant(token) ? sum + word.length : sum,
      0,
    );
  const whole = { start: 0, end: text.length };
  const own = letters(whole, isOwn);
  const isKept = own * 2 >= withoutSpace(quote.text).length;
  const isVerbatim = withoutSpace(text.slice(start, end)) === withoutSpace(quote.text);
  // A sentence that stood elsewhere at that time is another one, even with the same words.
  const isOther = (range: Range) =>
    letters(range, (token) => (origin[token] ?? -1) >= 0 && !isOwn(token)) * 2 > letters(range);
  if (state === 'gone') {
    const isThere = occurrencesOf(squeeze(text), quote.text).some((range) => !isOther(range));
    return isKept || isThere ? 'missed' : 'gone';
  }
  if ((state === 'present') !== isVerbatim) return 'wrong place';
  if (isKept) return letters({ start, end }, isOwn) * 2 >= own ? state : 'wrong place';
  if (isOther({ start, end })) return 'wrong place';
  return isVerbatim || likeness(text.slice(start, end), quote.text) >= 0.5 ? state : 'wrong place';
}

/** Follows sentences of three versions to the latest one. */
async function follow(
  { file, versions }: History,
  count: number,
): Promise<{ quotes: Pinned[]; latest: string }> {
  const begins = new Map([
    [0, count / 2],
    [versions.length >> 2, count / 4],
    [versions.length >> 1, count / 4],
  ]);
  const pinnings: Pinning[] = [];
  let quotes: Pinned[] = [];
  let before = '';
  let words: string[] = [];
  for (const [index, body] of versions.entries()) {
    const text = await textOf(file, body);
    const tokens = tokensOf(text);
    const next = tokens.map(({ word }) => word);
    const to = identities(words, next);
    const placed = new Map(
      carryQuotes({ before, after: text }, quotes, index).quotes.map((quote) => [quote.id, quote]),
    );
    quotes = quotes.map((quote) => ({ ...quote, ...placed.get(quote.id) }));
    for (const pinning of pinnings) pinning.to = pinning.to.map((word) => (word < 0 ? -1 : (to[word] ?? -1)));
    [before, words] = [text, next];
    const pinned = begins.get(index);
    if (pinned === undefined || index === versions.length - 1) continue;
    const pinning = { to: Int32Array.from(tokens.keys()) };
    pinnings.push(pinning);
    const sentences = sentencesOf(text);
    const every = Math.max(1, Math.floor(sentences.length / pinned));
    for (const range of sentences.filter((_, at) => at % every === 0).slice(0, pinned)) {
      const own = tokens.flatMap(({ at }, token) => (at >= range.start && at < range.end ? [token] : []));
      const place = { first: own[0] ?? 0, last: own.at(-1) ?? -1 };
      quotes.push({ ...quoteAt(text, range), id: quotes.length, words: place, pinning });
    }
  }
  return { quotes, latest: before };
}

test.runIf(corpus)(
  'sentences of real documents are found again or said to be gone',
  async () => {
    const packed = readFileSync(join(corpus ?? '', '../history/histories.jsonl.gz'));
    const lines = gunzipSync(packed).toString().trimEnd().split('\n');
    const all = lines.map((line) => JSON.parse(line) as History);
    const every = Math.ceil(all.length / Math.min(documents, all.length));
    const some = all.filter((_, index) => index % every === 0);
    const count = (verdicts: Record<string, number>, verdict: Verdict) => {
      verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
    };
    const [carried, searched]: Record<string, number>[] = [{}, {}];
    const failures: string[] = [];
    let total = 0;
    for (const history of some) {
      const { quotes, latest } = await follow(history, Math.ceil(wanted / some.length));
      const tokens = tokensOf(latest);
      const origins = new Map<Pinning, Int32Array>();
      for (const { pinning } of quotes) {
        if (origins.has(pinning)) continue;
        const origin = new Int32Array(tokens.length).fill(-1);
        for (const [word, token] of pinning.to.entries()) if (token >= 0) origin[token] = word;
        origins.set(pinning, origin);
      }
      for (const quote of quotes) {
        const found = { text: latest, tokens, origin: origins.get(quote.pinning) ?? new Int32Array() };
        const verdict = judge(found, quote, quote);
        count(carried ?? {}, verdict);
        count(searched ?? {}, judge(found, search(latest, quote), quote));
        total++;
        if (verdict !== quote.state)
          failures.push(
            `${history.file}: ${verdict}, ${quote.state}: “${quote.text}” → “${latest.slice(quote.start, quote.end)}”`,
          );
      }
    }
    const right = ({ present = 0, changed = 0, gone = 0 }: Record<string, number> = {}) =>
      (present + changed + gone) / total;
    console.log(`${total} sentences in ${some.length} documents`);
    console.log('carried', carried, `${(100 * right(carried)).toFixed(2)} %`);
    console.log('searched', searched, `${(100 * right(searched)).toFixed(2)} %`);
    expect(right(carried), failures.slice(0, 20).join('\n')).toBeGreaterThanOrEqual(0.99);
    expect(right(carried), failures.slice(0, 20).join('\n')).toBeGreaterThanOrEqual(
      right(searched) + effort(0, 0.005),
    );
  },
  600_000,
);
