/**
 * Search for a site without a server. It also works from `file://`, where scripts can load other scripts but nothing else. The
 * inverted index is split into small scripts by the first letters of words. Each script calls `coppiceWords` with words and the
 * numbers of their pages.
 */
import { fold, foldRules } from '#core/model/fold.ts';
import { siteLanguageOf } from '#words/languages.ts';
import { say, textOf } from '#words/say.ts';

/** Maximum number of postings (word and page pairs). Larger wikis can only be searched by title. */
const maxPostings = 20_000_000;
const maxWordLength = 40;
const wordsPerPage = 20_000;

export class SiteIndex {
  readonly #words = new Map<string, number[]>();
  readonly #pages: [address: string, title: string, description: string][] = [];
  #postings = 0;

  /** `address`: relative to the top of the site. */
  add(address: string, title: string, description: string, text: string): void {
    const page = this.#pages.push([address, title, description]) - 1;
    const all = this.#postings > maxPostings ? title : `${title} ${text}`;
    for (const word of new Set(wordsOf(all).slice(0, wordsPerPage))) {
      const pages = this.#words.get(word);
      if (pages) pages.push(page);
      else this.#words.set(word, [page]);
      this.#postings++;
    }
  }

  /** Yields scripts with their names. */
  *scripts(): Generator<[name: string, script: string]> {
    yield ['pages.js', `coppicePages(${JSON.stringify(this.#pages)})`];
    const shards = Map.groupBy([...this.#words.keys()].sort(), shardOf);
    for (const [shard, words] of shards) {
      const held = Object.fromEntries(words.map((word) => [word, this.#words.get(word) ?? []]));
      yield [`words-${shard}.js`, `coppiceWords(${JSON.stringify(shard)}, ${JSON.stringify(held)})`];
    }
    yield ['shards.js', `coppiceShards(${JSON.stringify([...shards.keys()])})`];
  }
}

/** Text of scripts that are written without spaces, and Hangul, is indexed by single characters. */
function wordsOf(text: string): string[] {
  const words =
    fold(text).match(
      /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]|[\p{L}\p{N}\p{M}]+|\p{RI}{2}|\p{ExtPict}/gu,
    ) ?? [];
  return words.map((word) => word.slice(0, maxWordLength));
}

/** Encodes the first two characters as numbers, which every file system accepts as names. */
function shardOf(word: string): string {
  return [...word]
    .slice(0, 2)
    .map((character) => character.codePointAt(0)?.toString(36))
    .join('-');
}

/** Maximum number of results that the page shows. */
const maxShown = 200;

/** Script for the browser: `fold` from the same rules, and the same steps as above. It speaks the wiki's language. */
export function searchScript(wikiLanguage: string): string {
  const language = siteLanguageOf(wikiLanguage);
  const number = { count: '{count}', shown: maxShown };
  const messages = {
    empty: textOf(say('exported.enterWords'), language),
    none: textOf(say('exported.nothingFound'), language),
    found: textOf(say('exported.found', number), language),
    more: textOf(say('exported.foundFirst', number), language),
  };
  return `'use strict';\nconst messages = ${JSON.stringify(messages)};
const maxShown = ${maxShown};
${script}`;
}

const script = `const loading = new Map();
let pages = [];
let shards = [];
const words = new Map();
window.coppicePages = (all) => { pages = all; };
window.coppiceShards = (all) => { shards = all; };
window.coppiceWords = (shard, some) => words.set(shard, new Map(Object.entries(some)));
const load = (name) => {
  if (!loading.has(name)) loading.set(name, new Promise((done) => {
    const script = document.createElement('script');
    script.src = '../assets/search/' + name;
    script.onload = script.onerror = done;
    document.head.append(script);
  }));
  return loading.get(name);
};
const letters = ${JSON.stringify(foldRules.letters)};
const folded = (text) => text.normalize('NFKD').toLowerCase().replace(${foldRules.ignored}, '')
  .replace(${foldRules.letter}, (found) => letters[found] ?? found).replace(${foldRules.marks}, '').replace(${foldRules.cyrillicMarks}, '').normalize('NFC');
const wordsOf = (text) => folded(text).match(/[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}]|[\\p{L}\\p{N}\\p{M}]+/gu) ?? [];
const codes = (text) => [...text].slice(0, 2).map((one) => one.codePointAt(0).toString(36)).join('-');
async function find(text) {
  await Promise.all([load('pages.js'), load('shards.js')]);
  const asked = wordsOf(text);
  let found;
  for (const word of asked) {
    const own = codes(word);
    const wanted = shards.filter((shard) => shard === own || ([...word].length === 1 && shard.startsWith(own + '-')));
    await Promise.all(wanted.map((shard) => load('words-' + shard + '.js')));
    const scores = new Map();
    for (const shard of wanted)
      for (const [known, numbers] of words.get(shard) ?? [])
        if (known.startsWith(word))
          for (const number of numbers) scores.set(number, Math.max(scores.get(number) ?? 0, known === word ? 2 : 1));
    found = found
      ? new Map([...found].filter(([number]) => scores.has(number)).map(([number, score]) => [number, score + scores.get(number)]))
      : scores;
  }
  const inTitle = (number) => asked.filter((word) => folded(pages[number][1]).includes(word)).length;
  return [...(found ?? [])]
    .map(([number, score]) => [number, score + 10 * inTitle(number)])
    .sort((a, b) => b[1] - a[1] || pages[a[0]][1].localeCompare(pages[b[0]][1]))
    .map(([number]) => pages[number]);
}
const list = document.querySelector('[data-results]');
const status = document.querySelector('[role=status]');
const input = document.querySelector('#site-search');
let latest = 0;
async function show() {
  const mine = ++latest;
  const text = input.value.trim();
  const results = text === '' ? [] : await find(text);
  if (mine !== latest) return;
  const words = text === '' ? messages.empty : results.length === 0 ? messages.none : results.length > maxShown ? messages.more : messages.found;
  status.textContent = words.replace('{count}', results.length);
  list.replaceChildren(...results.slice(0, maxShown).map(([address, title, description]) => {
    const item = document.createElement('li');
    item.className = 'result';
    const link = document.createElement('a');
    link.href = '../' + address;
    link.textContent = title;
    link.dir = 'auto';
    const more = document.createElement('p');
    more.textContent = description;
    more.className = 'quiet';
    more.dir = 'auto';
    item.append(link, more);
    return item;
  }));
}
input.value = new URLSearchParams(location.search).get('q') ?? '';
input.addEventListener('input', show);
input.form.addEventListener('submit', (event) => { event.preventDefault(); show(); });
show();
`;
