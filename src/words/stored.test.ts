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
