/** Checks every language against the English messages. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Key, keys } from './en.ts';
import type { Parsed } from './evaluate.ts';
import { catalogueOf, english, languageLike, negotiated, siteLanguages } from './languages.ts';
import { parseMessage } from './parse.ts';
import { listComma, textOf } from './say.ts';
import { sizeIn } from './size.ts';

interface Used {
  values: Set<string>;
  tags: Set<string>;
  /** `{kind: edited}` for each option of a choice. */
  options: Set<string>;
  plurals: { name: string; categories: string[] }[];
}

/** Placeholders, tags and plurals of a message, at any depth. */
function usedIn(
  parsed: Parsed,
  used: Used = { values: new Set(), tags: new Set(), options: new Set(), plurals: [] },
): Used {
  for (const piece of parsed) {
    if (typeof piece === 'string' || piece === 0) continue;
    const [kind, name] = piece;
    (kind === 't' ? used.tags : used.values).add(name);
    if (kind === 't') usedIn(piece[2], used);
    if (kind === 'v' || kind === 't') continue;
    if (kind !== 's') used.plurals.push({ name, categories: Object.keys(piece[2]) });
    else for (const option of Object.keys(piece[2])) used.options.add(`${name}: ${option}`);
    for (const option of Object.values(piece[2])) usedIn(option, used);
  }
  return used;
}

const all = Object.keys(keys) as Key[];

test('every English message can be parsed', () => {
  for (const key of all) expect(() => parseMessage(keys[key].english), key).not.toThrow();
});

/** Keys of the name and of the words of each button and link that has both. */
const named = /<(?:button|a)\b[^>]*\saria-label="\$\{say\(\s*'([\w.]+)'[^>]*>\s*\$\{\s*say\(\s*'([\w.]+)'/g;
const namedButtons = globSync('src/**/*.ts').flatMap((path) => [
  ...readFileSync(path, 'utf8').matchAll(named),
]);

// WCAG 2.2, 2.5.3: people who speak to their computer say what they see.
test.each(siteLanguages)('the name of a button for screen readers contains its words: $name', ({ tag }) => {
  const catalogue: Readonly<Record<string, string>> = tag === english ? {} : { ...catalogueOf(tag) };
  const inWords = (key = '') => (catalogue[key] ?? keys[key as Key].english).toLowerCase();
  const wrong = namedButtons.filter(([, name, shown]) => !inWords(name).includes(inWords(shown)));
  expect(namedButtons.length).toBeGreaterThan(15);
  expect(wrong.map(([, name, shown]) => [name, shown])).toEqual([]);
});

test('a plural needs all forms of English', () => {
  const wrong = all.filter((key) =>
    usedIn(parseMessage(keys[key].english)).plurals.some(({ categories }) => !categories.includes('other')),
  );
  expect(wrong).toEqual([]);
});

describe.each(siteLanguages.filter(({ tag }) => tag !== english))('$name', ({ tag }) => {
  const catalogue = Object.entries(catalogueOf(tag));

  test('has known keys only', () => {
    expect(catalogue.map(([key]) => key).filter((key) => !Object.hasOwn(keys, key))).toEqual([]);
  });

  test('has the placeholders, choices and tags of English, and those forms of a plural that the language has', () => {
    const forms = new Set([...new Intl.PluralRules(tag).resolvedOptions().pluralCategories]);
    const wrong: string[] = [];
    for (const [key, text] of catalogue) {
      let used: Used;
      try {
        used = usedIn(parseMessage(text));
      } catch (error) {
        wrong.push(`${key}: ${(error as Error).message}`);
        continue;
      }
      const wanted = usedIn(parseMessage(keys[key as Key]?.english ?? ''));
      for (const name of wanted.values) if (!used.values.has(name)) wrong.push(`${key} lacks {${name}}`);
      for (const name of used.values) if (!wanted.values.has(name)) wrong.push(`${key} has {${name}}`);
      for (const name of wanted.options) if (!used.options.has(name)) wrong.push(`${key} lacks {${name}}`);
      for (const name of wanted.tags) if (!used.tags.has(name)) wrong.push(`${key} lacks <${name}>`);
      for (const name of used.tags) if (!wanted.tags.has(name)) wrong.push(`${key} has <${name}>`);
      for (const { name, categories } of used.plurals) {
        const own = categories.filter((one) => !one.startsWith('='));
        const unknown = own.filter((one) => !forms.has(one as Intl.LDMLPluralRule));
        if (unknown.length > 0) wrong.push(`${key}: {${name}} has no form ${unknown.join(', ')}`);
        const lacking = [...forms].filter((one) => !own.includes(one) && !isRare(tag, one));
        if (lacking.length > 0) wrong.push(`${key}: {${name}} lacks the form ${lacking.join(', ')}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

/** Forms for millions, and for fractions, which no message counts. */
function isRare(tag: string, form: string): boolean {
  return form === 'many' && /^(es|fr|it|pt)/.test(tag);
}

test('signs of French stay with their words at the end of a line', () => {
  const loose = Object.entries(catalogueOf('fr')).filter(([, text]) => /\S [;:!?»]|« /.test(text));
  expect(loose).toEqual([]);
});

test('the language of a reader is found by Accept-Language, with its weights and variants', () => {
  expect(negotiated('de-AT,en;q=0.5')).toBe('de');
  expect(negotiated('xx, en;q=0.1')).toBe('en');
  expect(negotiated('en;q=0.2, de;q=0.9')).toBe('de');
  expect(negotiated('xx')).toBeUndefined();
  expect(negotiated('*')).toBeUndefined();
  expect(negotiated('en;q=0')).toBeUndefined();
  expect(negotiated(`${'a,'.repeat(600)}en`)).toBeUndefined();
  expect(negotiated(undefined)).toBeUndefined();
  expect(languageLike('en-x-1-../../etc/passwd')).toBeUndefined();
});

test('sizes of files are in the units of each language', () => {
  const sizes = [638, 1000, 104_900, 999_950, 2_500_000_000].map((bytes) => sizeIn('en-GB', bytes));
  expect(sizes).toEqual(['638 bytes', '1.0 kB', '104.9 kB', '1.0 MB', '2.5 GB']);
  expect(
    [sizeIn('de', 2048), sizeIn('fr', 2048), sizeIn('ar', 638)].map((size) => size.replace(/\s/, ' ')),
  ).toEqual(['2,0 kB', '2,0 ko', '638 بايت']);
});

test('links in a row are parted by the comma of their script', () => {
  const commas = (['en', 'ar', 'he', 'ja'] as const).map((language) => textOf(listComma(), language));
  expect(commas).toEqual([', ', '، ', ', ', '、']);
});
