import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textOf } from '#words/say.ts';
import { isReserved, madeSlugOf, readNewPath, readPath, slugOf } from './path.ts';

test.each([
  ['a', '/a'],
  ['/a/', '/a'],
  ['/2nd-edition', '/2nd-edition'],
  ['/A/b c/ü', '/A/b c/ü'],
  ['/cafe\u0301', '/café'],
  [' / a b /c\u00a0/ ', '/a b /c'],
])('%j is the path %j', (text, path) => {
  expect(readPath(text)).toEqual({ path });
});

test.each([
  '',
  '/',
  '//',
  '/a//b',
  '/a/ /b',
  '/.',
  '/a/../b',
  '/a?b',
  '/a#b',
  '/a\\b',
  '/a\u0000b',
  '/a\u009fb',
  '/\ud800',
  `/${'a'.repeat(1024)}`,
  '/a'.repeat(65),
])('%j is not a path, and the refusal says why', (text) => {
  const read = readPath(text);
  expect('problem' in read && textOf(read.problem, 'en')).toMatch(/^A path .*\.$/);
});

test.each([
  ['/a\u202eb', '/ab'],
  ['/a\u200bb\ufeff\u2060c', '/abc'],
  ['/\u2066a\u2069', '/a'],
  ['/a\u200cb\u200dc', '/abc'],
  ['/so\u00adft', '/soft'],
  ['/نمی\u200cخواهم', '/نمی\u200cخواهم'],
  ['/क्\u200dष', '/क्\u200dष'],
  ['/അവന്\u200d', '/അവന്\u200d'],
  ['/👩\u200d🌾', '/👩\u200d🌾'],
  ['/❤\ufe0f', '/❤\ufe0f'],
])(
  'invisible characters are removed from a new path, joiners that a script needs are kept: %j',
  (text, path) => {
    expect(readNewPath(text)).toEqual({ path });
    // Pages that have one since before stay readable.
    expect([readPath(text), readNewPath(text, text)]).toEqual([{ path: text }, { path: text }]);
    expect(slugOf(text.slice(1))).not.toMatch(/[\u202e\u200b\u2066]/);
  },
);

test('a new path of only invisible characters is refused', () => {
  expect(readNewPath('/\u200b')).toHaveProperty('problem');
  expect(readNewPath('/a/\u200b/b')).toHaveProperty('problem');
});

test('a path of 64 segments and 1,024 bytes is valid', () => {
  expect(readPath('/a'.repeat(64))).toHaveProperty('path');
  expect(readPath(`/${'a'.repeat(1023)}`)).toHaveProperty('path');
  expect(readPath(`/${'ü'.repeat(512)}`)).toHaveProperty('problem');
});

test('parsing a normalised path changes nothing, also as the tail of a URL, without its slash', () => {
  const unit = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 1 }),
    fc.constantFrom('/', ' ', '\u00a0', 'a'),
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
      const read = readPath(text);
      if (!('path' in read)) return;
      expect(readPath(read.path)).toEqual(read);
      expect(readPath(read.path.slice(1))).toEqual(read);
    }),
  );
});

test('paths that Coppice serves are reserved with everything beneath, and no others', () => {
  expect(isReserved('/v1')).toBe(true);
  expect(isReserved('/v1/pages')).toBe(true);
  expect(isReserved('/new/x')).toBe(true);
  expect(isReserved('/newer')).toBe(false);
  expect(isReserved('/places/new')).toBe(false);
});

test.each([
  ['The Old Mill', 'the-old-mill'],
  ['  Crème -- Brûlée!  ', 'creme-brulee'],
  ['2nd edition', '2nd-edition'],
  ['Straße nach Łódź', 'strasse-nach-lodz'],
  ['東京 タワー', '東京-タワー'],
  ['हिन्दी', 'हिन्दी'],
  ['Йод', 'йод'],
  ['A/B & C', 'a-b-c'],
  ['…!', ''],
])('the slug of %j is %j', (title, slug) => {
  expect(slugOf(title)).toBe(slug);
});

test('a slug made from a title has at most 100 whole characters, and does not end in a hyphen', () => {
  expect(madeSlugOf('𠀀'.repeat(101))).toBe('𠀀'.repeat(100));
  expect(madeSlugOf(`${'a'.repeat(99)} b`)).toBe('a'.repeat(99));
});

test('a title with any letter or digit has a slug, and the slug is one segment', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (title) => {
      const slug = slugOf(title);
      if (/[\p{L}\p{N}]/u.test(title)) expect(slug).not.toBe('');
      expect(slug).not.toMatch(/^-|-$|--|[\s/?#\\]/);
      if (slug) expect(readPath(`/${slug}`)).toEqual({ path: `/${slug}` });
    }),
  );
});
