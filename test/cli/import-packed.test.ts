/** `coppice import` of packed files: what can be read, and what everything else is named as. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { expect, test } from 'vitest';
import { startWiki } from '../support/cli.ts';
import { load, plant } from '../support/import-source.ts';
import { zipOf } from '../support/zip.ts';

async function tarOf(files: Record<string, string>): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, content);
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const bzip2 = (bytes: Buffer) => execFileSync('bzip2', ['-c'], { input: bytes });

test('tar archives are read with gzip, bzip2, Zstandard or no compression', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const tar = await tarOf({ 'notes/Oak.md': 'An oak', 'notes/Elm.md': 'An elm' });
  const all = {
    'a.tar': tar,
    'b.tar.gz': gzipSync(tar),
    'c.tar.zst': zstdCompressSync(tar),
    'd.tar.bz2': bzip2(tar),
  };
  for (const [name, bytes] of Object.entries(all)) {
    const file = join(wiki.folder, name);
    writeFileSync(file, bytes);
    const parent = `/${name.slice(0, 1)}`;
    const { code, err } = await wiki.coppice(['import', file, '--parent', parent]);
    expect([code, err], name).toEqual([0, '']);
    expect((await load(wiki, `${parent}/oak`))?.content.body, name).toBe('An oak');
  }
});

test.each([
  ['a.7z', Buffer.from('377abcaf271c0004', 'hex'), '7-Zip (.7z)', '7z x'],
  ['wiki.xml.7z', Buffer.from('377abcaf271c0004', 'hex'), '7-Zip (.7z)', '7z x'],
  ['a.tar.xz', Buffer.from('fd377a585a000004', 'hex'), 'xz (.xz)', 'xz -d'],
  ['a.rar', Buffer.from('526172211a0701003392b5e5', 'hex'), 'RAR (.rar)', 'unrar'],
  ['a.md.gz', gzipSync('# A page'), 'gzip (.gz)', 'gzip -d'],
  ['a.md.bz2', bzip2(Buffer.from('# A page')), 'bzip2 (.bz2)', 'bzip2 -d'],
  ['a.md.zst', zstdCompressSync(Buffer.from('# A page')), 'Zstandard (.zst)', 'zstd -d'],
  ['a.lz4', Buffer.from('04224d186440a7', 'hex'), 'LZ4 (.lz4)', 'lz4 -d'],
  ['a.pdf', Buffer.from('%PDF-1.7\n'), 'a PDF', '.docx'],
  ['a.doc', Buffer.from('d0cf11e0a1b11ae10000', 'hex'), 'Microsoft Office', '.docx'],
  ['a.rtf', Buffer.from('{\\rtf1 x}'), 'RTF', '.docx'],
  ['a.sql', Buffer.from('-- MySQL dump 10.13\n'), 'dump of a database', 'dumpBackup'],
  ['a.db', Buffer.from('SQLite format 3\0'), 'SQLite', 'export'],
  [
    'a.xlsx',
    zipOf(['[Content_Types].xml', 'xl/workbook.xml'].map((name) => ({ name, content: '<x/>' }))),
    'spreadsheet',
    '.csv',
  ],
])('%s is named with its format and advice', async (name, bytes, form, advice) => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const file = join(plant(wiki, { [name]: bytes }, 'packed'), name);
  for (const more of [[], ['--from', 'confluence']]) {
    const { code, err } = await wiki.coppice(['import', file, ...more]);
    expect(code, name).toBe(1);
    // A package that a given kind does not expect is no tree of files either.
    if (more.length === 0 || !/gz|bz2|zst/.test(name)) expect(err).toContain(form);
    if (more.length === 0 || !/gz|bz2|zst/.test(name)) expect(err).toContain(advice);
    expect(await load(wiki, '/a')).toBeUndefined();
  }
});

test('an import beneath an address of the wiki itself is refused', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const { code, err } = await wiki.coppice([
    'import',
    plant(wiki, { 'Oak.md': 'An oak' }),
    '--parent',
    '/search',
  ]);
  expect([code, err]).toEqual([1, expect.stringContaining('Choose another parent')]);
});
