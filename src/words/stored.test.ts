/** Sentences of imports, which are stored in English, in other languages. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { textOf } from './say.ts';
import { stored } from './stored.ts';

test('a stored sentence is said in the language of its reader, with what it names and its reason', () => {
  const german = (text: string) => textOf(stored(text), 'de');
  expect(german('it is encrypted')).toBe('es ist verschlüsselt');
  expect(german('Line 7 of the file cannot be read: it is not JSON.')).toBe(
    'Zeile 7 der Datei kann nicht gelesen werden: sie ist kein JSON.',
  );
  expect(german('its page /a stays: You do not have permission to edit this page.')).toBe(
    'die Seite /a bleibt: Sie dürfen diese Seite nicht bearbeiten.',
  );
  expect(german('something that nobody wrote')).toBe('something that nobody wrote');
  expect(german(`Line ${'1: '.repeat(50_000)} of the file`)).toContain('Line 1:');
});

test('reasons and refusals of imports have messages', () => {
  const written =
    /\b(?:why|reason|recognisedBy): ('[^'\n]+'|`[^`\n]+`)|new Problem\(\s*'[a-z-]+',\s*('[^'\n]+'|`[^`\n]+`)|leftOut\(\s*('[^'\n]+'|`[^`\n]+`)/g;
  const found = globSync('src/import/**/*.ts')
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(written)])
    .map(([, ...texts]) => texts.find((text) => text !== undefined)?.slice(1, -1) ?? '')
    .map((text) => text.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, 'X'))
    // The list of members is a file of the command line.
    .filter((text) => / /.test(text) && !/file of members|outline has not/.test(text));
  expect(found.length).toBeGreaterThan(60);
  expect(found.filter((text) => typeof stored(text) === 'string')).toEqual([]);
});

/** Texts that the source gives as this, with `X` for what is put into them. */
function writtenIn(files: string, written: RegExp): string[] {
  return globSync(files)
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(written)])
    .map(([, text = '']) => text.slice(1, -1).replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, 'X'));
}

test('kinds of markup that imports adapt have messages', () => {
  const found = writtenIn(
    'src/import/**/*.ts',
    /(?:construct: |Construct = |\b(?:named|told|change)\(\s*|approximate\(targets, )('[^'\n]+'|`[^`\n]+`)/g,
    // Names of programs and elements are alike in every language.
  ).filter(
    (text) =>
      !/^(?:Liquid|JavaScript|ri:|X X$|ID of a X|tag <X>, now X|(?:office|evernote|opml|tiddlywiki)$)/.test(
        text,
      ),
  );
  expect(found.length).toBeGreaterThan(30);
  expect(found.filter((text) => typeof stored(text, 'construct') === 'string')).toEqual([]);
  expect(textOf(stored('tag <video>, now a file', 'construct'), 'de')).toBe('Tag <video>, jetzt eine Datei');
  // Each kind has its own messages.
  expect(stored('link')).toBe('link');
});

test('notes of the audit log have messages', () => {
  const found = [
    ...writtenIn('src/{core,features,run}/**/*.ts', /\bnote(?: =|:) ('[^'\n]+'|`[^`\n]+`)/g),
    ...[
      'lifted',
      'moderators, with everything beneath',
      '770 → 700',
      '2 approvals',
      'on',
      'none',
      'by passkey',
      'by provider of example',
      'by reset',
      'since X: 1 page',
    ],
  ].filter((text) => !/^(?:X+|X “X” .*|X, by COPPICE_PRIVATE| .*|.*\$\{.*)$/.test(text));
  expect(found.length).toBeGreaterThan(15);
  expect(found.filter((text) => typeof stored(text, 'auditNote') === 'string')).toEqual([]);
  expect(textOf(stored('as moderator, by invitation 7', 'auditNote'), 'ja')).toBe(
    'モデレーターとして、招待7により',
  );
});
