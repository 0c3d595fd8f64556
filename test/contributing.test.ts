/**
 * Checks that each field of a page is known wherever fields are, and the file lists in CONTRIBUTING.md: each names exactly the files
 * that know its example. Checks the install, too.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { comparedFields } from '#core/content/diff.ts';
import { type FieldName, fieldNames, initialContent } from '#core/model/page-fields.ts';
import { proposedFieldNames } from '#core/ports/proposal-store.ts';
import { givenFields, statedFields } from '#http/schemas/page-fields.ts';
import type { LineOf } from '#import/json-lines/records.ts';
import { entriesOf } from '#web/pages/edit/edit-fields.ts';

const root = join(import.meta.dirname, '..');
const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
// Browser scripts handle forms, not pages.
const server = ['src/core', 'src/http', 'src/store', 'src/files', 'src/auth', 'src/cli', 'src/web'];
const pages = ['src/core/model', 'src/web'];

test.each([
  ['An operation', /\brenameGroup\b/, ['src']],
  ['A feature', /features\/groups\/|^ {2}groups: GroupStore;$/m, ['src']],
  ['A search criterion', /titleFragment|\btitle: criterion\(|name: 'title', label/, server],
  ['A wikitext construct', /'external-link'/, ['packages/wikitext/src', 'packages/markdown/src']],
  ['An extension tag', /\bpoem\b/, ['packages/wikitext/src', 'packages/markdown/src']],
  [
    'A web page',
    /wantedRoutes|^ {2}'wanted',$|, 'wanted'\]|href="\/wanted">\$\{say\('common\.wantedPages'\)\}</m,
    pages,
  ],
])('“%s” lists the files of its example', (heading, example, folders) => {
  const section = guide.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const listed = [...section.matchAll(/^- `([^`]+)`: ./gm)].map(([, path]) => path);
  const sources = folders.flatMap(sourcesIn).filter((path) => !path.startsWith('src/web/islands/'));
  const known = sources.filter((path) =>
    example.test(withoutComments(readFileSync(join(root, path), 'utf8'))),
  );
  expect(listed.sort()).toEqual(known.sort());
});

test('each field of a page is in requests, changes, comparisons, proposals, the edit form and exports', () => {
  const content = initialContent({ isPrivate: false });
  const form = entriesOf(content).map(([name]) => name);
  const lacking = (known: readonly string[], elsewhere: readonly FieldName[]) =>
    fieldNames.filter((name) => !known.includes(name) && !elsewhere.includes(name));
  expect(lacking(Object.keys(givenFields), [])).toEqual([]);
  expect(lacking(Object.keys(statedFields), [])).toEqual([]);
  // Bodies are compared line by line, and messages are of the change.
  expect(lacking(comparedFields, ['body', 'msg'])).toEqual([]);
  // Changes of proposals have a path of their own; who looks after a page is not proposed.
  expect(lacking(proposedFieldNames, ['path', 'reviewBy', 'verifiedOn', 'responsible'])).toEqual([]);
  // `place` stands for the location. The form has the address and the message besides, and the page of a review the last.
  const besides = ['location', 'path', 'slug', 'parent', 'msg', 'verifiedOn'] as const;
  expect(lacking(form, besides)).toEqual([]);
  // Does not compile if a line of an export lacks a field.
  const lackedByLines: Record<Exclude<FieldName, keyof LineOf<'change'>>, never> = {};
  expect(lackedByLines).toEqual({});
});

test('a server is installed without development dependencies, and npm warns of an older Node', () => {
  for (const path of ['README.md', 'docs/running.md', 'Dockerfile'])
    expect(readFileSync(join(root, path), 'utf8'), path).toContain('npm ci --omit=dev');
  // Node is installed as a dependency: locked by its hash, and not downloaded by an install script.
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  for (const platform of ['linux-x64', 'linux-arm64', 'darwin-arm64'])
    expect(
      packages[`node_modules/node-${platform}`] ?? packages[`node_modules/node-bin-${platform}`],
    ).toMatchObject({
      optional: true,
      integrity: expect.stringMatching(/^sha512-/),
    });
  expect(packages).not.toHaveProperty('node_modules/node');
  expect(readFileSync(join(root, '.npmrc'), 'utf8')).toMatch(/^loglevel=error$/m);
});

function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
