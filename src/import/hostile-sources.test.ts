/** Sources that are made to take long or to fill the memory: they are refused in a sentence, or cost no more than their length. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectLinear } from '#test/support/cpu.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { plainLinks } from './comparison/plain-links.ts';
import { entitiesIn } from './confluence/entities.ts';
import { readCsv } from './documents/csv.ts';
import type { FileTree } from './documents/file-tree.ts';
import { htmlToMarkdown } from './documents/html.ts';
import { orgToMarkdown } from './documents/org.ts';
import { withLiquidIncludes, withPartials } from './documents/parts.ts';
import { withSnippets } from './documents/snippets.ts';
import { withTitledCode } from './documents/terms/code-titles.ts';
import { fromMkDocs } from './documents/terms/mkdocs.ts';
import { fromWikiJs } from './documents/terms/wikijs.ts';
import { textileToMarkdown } from './documents/textile.ts';
import { freeFilename } from './folder-paths.ts';
import { unpackedBytes } from './mediawiki/decode.ts';
import { readDump } from './mediawiki/dump-reader.ts';
import { unpackEvernote } from './packed/evernote.ts';
import { unpackOdt } from './packed/open-document.ts';
import { toMarkdown } from './packed/tiddlywiki.ts';
import { unpackedTree } from './packed/unpacked-tree.ts';
import { unpackDocx } from './packed/word.ts';
import { withMarkedFormulas } from './packed/word-formulas.ts';

function treeOf(files: Record<string, string>, opened = (_path: string) => {}): FileTree {
  return {
    ...{ paths: Object.keys(files).sort(), leftOut: [], hidden: [] },
    async *open(path) {
      opened(path);
      yield Buffer.from(files[path] ?? '');
    },
    changedAt: async () => 0,
    async [Symbol.asyncDispose]() {},
  };
}

test.each<[string, (length: number) => string, (text: string) => unknown]>([
  ['formulas of Word without an end', (length) => '<m:oMath>'.repeat(length / 9), withMarkedFormulas],
  ['quotes of TiddlyWiki without an end', (length) => '<<<\na\n'.repeat(length / 6), inTiddlyWiki],
  ['macros of TiddlyWiki without an end', (length) => '\\define a\n'.repeat(length / 10), inTiddlyWiki],
  ['cells of TiddlyWiki', (length) => `${'|a'.repeat(length / 2)}|`, inTiddlyWiki],
  ['words of TiddlyWiki', (length) => 'AbC '.repeat(length / 4), inTiddlyWiki],
  ['fences of a block of code', (length) => `${'`'.repeat(length)}x\n`, inDocusaurus],
  ['white space in a page of Wiki.js', (length) => `${' '.repeat(length)}x`, inWikiJs],
  ['comments without an end', (length) => '<!--'.repeat(length / 4), linksOf],
  ['verbatim parts without an end', (length) => '<pre>'.repeat(length / 5), linksOf],
  ['spaces before a line of MkDocs', (length) => ' '.repeat(length), (text) => fromMkDocs(`a\n${text}x`, [])],
  [
    'spaces before a word of Textile',
    (length) => ' '.repeat(length),
    (text) => textileToMarkdown(`a${text}b`),
  ],
  ['marks of CSV that are never closed', (length) => `${'""'.repeat(length / 2)}"a`, (text) => readCsv(text)],
  ['empty elements that nobody knows', (length) => '<foo></foo>'.repeat(length / 50), htmlToMarkdown],
])('%s', (_, made, work) => expectLinear(work, made(50_000), made(200_000)));

test('formatting that every paragraph of HTML opens again', () => {
  const made = (count: number) => Array.from({ length: count }, (_, at) => `<p><font color=c${at}>`).join('');
  expectLinear(htmlToMarkdown, made(500), made(2000));
});

function inTiddlyWiki(text: string): string {
  return toMarkdown(text, new Map());
}

function inDocusaurus(text: string): string {
  return withTitledCode(text, 'docusaurus');
}

function inWikiJs(text: string): string {
  return fromWikiJs(text, []);
}

function linksOf(text: string): unknown {
  return plainLinks({ language: 'wikitext', text } as Parameters<typeof plainLinks>[0]);
}

test('parts that contain each other do not multiply', async () => {
  let opened = 0;
  const tree = treeOf(
    {
      '_includes/a.md': '{% include a.md %} '.repeat(20),
      'docs/a.mdx': Array.from({ length: 20 }, (_, at) => `import A${at} from './a.mdx'\n<A${at} />\n`).join(
        '',
      ),
    },
    () => opened++,
  );
  await withLiquidIncludes(tree, 'docs/a.md', '{% include a.md %}');
  await withPartials(tree, 'docs/b.md', "import A from './a.mdx'\n<A />\n");
  expect(opened).toBeLessThanOrEqual(2000);
});

test('tables in tables whose cells are repeated are refused', async () => {
  const table = (inner: string, times: number): string =>
    `<table:table><table:table-row table:number-rows-repeated="${times}"><table:table-cell table:number-columns-repeated="${times}">${inner}</table:table-cell></table:table-row></table:table>`;
  const names = 'xmlns:table="t" xmlns:text="x" xmlns:office="o"';
  const odt = (content: string) =>
    unpackedTree((to) =>
      unpackOdt(treeOf({ 'content.xml': `<office:text ${names}>${content}</office:text>` }), 'a', to),
    );
  await using tree = await odt(table('<text:p>x</text:p>', 2));
  expect(String(await Array.fromAsync(tree.open('a.md')))).toContain('| x | x |\n| - | - |\n| x | x |');
  await expect(odt(table(table('<text:p>x</text:p>', 100), 100))).rejects.toThrow(
    'The document is damaged: its tables repeat too many cells.',
  );
});

test('elements that are nested too deeply are refused', async () => {
  const deep = '<a>'.repeat(200);
  const folder = await temporaryFolder();
  const file = join(folder, 'a.enex');
  await writeFile(file, `<en-export><note>${deep}`);
  const sentence = 'elements are nested more than 100 deep';
  await expect(unpackedTree((to) => unpackEvernote(file, to))).rejects.toThrow(sentence);
  await expect(Array.fromAsync(readDump(pieces(`<mediawiki>${deep}`)))).rejects.toThrow(sentence);
  await expect(Array.fromAsync(entitiesIn(pieces(Buffer.from(deep))))).rejects.toThrow(sentence);
});

async function* pieces<Piece>(...all: Piece[]): AsyncGenerator<Piece> {
  yield* all;
}

test('a file of bzip2 that would fill the memory is refused', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'a.bz2');
  // 899,000 zeros.
  const packed = Buffer.from('QlpoOTFBWSZTWSSe9J4ABuLAgMAAACAACCAAMMwJqmmSoTaoqE8XckU4UJAknvSe', 'base64');
  await writeFile(file, Buffer.concat([packed, packed]));
  const unpack = (most: number) => Array.fromAsync(unpackedBytes(file, 'bzip2', most));
  expect(Buffer.concat(await unpack(2_000_000))).toHaveLength(1_798_000);
  await expect(unpack(1_000_000)).rejects.toThrow('packed so tightly');
});

test('paths that no folder can have are refused in a sentence', async () => {
  const unpack = (...paths: string[]) =>
    unpackedTree(async (to) => {
      for (const path of paths) await to.add(path, 'x');
    });
  for (const paths of [['../a'], ['/a'], ['a\0'], ['a\\b'], ['a', 'a/b'], ['a/b', 'a'], ['a'.repeat(300)]])
    await expect(unpack(...paths)).rejects.toThrow('The archive is unsafe: it contains the path “');
  await expect(unpack(`${'a/'.repeat(100)}b`)).rejects.toThrow('The archive is unsafe');
});

test('thousands of files or notes of one name find free names at once', async () => {
  expectLinear(
    (paths) => {
      const taken = new Set<string>();
      for (const path of paths.split('\n')) freeFilename(path, taken);
    },
    names(5000),
    names(20_000),
  );
  await using tree = await unpackedTree(async (to) => {
    for (let at = 0; at < 3; at++) await to.add(to.free('', 'Untitled', '.md'), 'x');
  });
  expect(tree.paths).toEqual(['Untitled-2.md', 'Untitled-3.md', 'Untitled.md']);
});

function names(count: number): string {
  return Array.from({ length: count }, (_, at) => `folder/${at}.png`).join('\n');
}

test('documents of so many elements that they would fill the memory are refused', async () => {
  const many = '<p>'.repeat(1_500_001);
  expect(() => htmlToMarkdown(many)).toThrow('it has too many elements');
  for (const [part, unpack] of [
    ['content.xml', unpackOdt],
    ['_rels/.rels', unpackDocx],
  ] as const)
    await expect(unpackedTree((to) => unpack(treeOf({ [part]: many }), 'a', to))).rejects.toThrow(
      'The document is damaged: it has too many elements.',
    );
});

test('documents of very many or very deep lines become little longer, and are read to their end', async () => {
  const lines = 'b\n'.repeat(200_000);
  expect(orgToMarkdown(`${'*'.repeat(100_000)} a\n${lines}`).text.length).toBeLessThan(20_000_000);
  const table = textileToMarkdown(`${'|a'.repeat(50_000)}|\n${'|b|\n'.repeat(50_000)}`);
  expect(table.length).toBeLessThan(2_000_000);
  expect(fromMkDocs(`/// note\n${lines}///\n`, [])).toContain('b\n> b');
  const { text } = await withSnippets(treeOf({ 'b.md': lines }), '--8<-- "b.md"\n');
  expect(text.length).toBe(lines.length);
  const fences = '--8<--\n'.repeat(200_000);
  expect((await withSnippets(treeOf({ 'b.md': 'b' }), fences)).text).toBe('');
});
