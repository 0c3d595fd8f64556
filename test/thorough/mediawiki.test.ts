/**
 * Round trip of exports through MediaWiki (Debian packages mediawiki, php-cli and php-sqlite3): importDump.php reads them,
 * dumpBackup.php returns them.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { passphrase, startWiki, type TestWiki } from '../support/cli.ts';
import { dump, pixel, type ReadPage, readDump } from '../support/mediawiki-dump.ts';

const mediaWiki = process.env.COPPICE_MEDIAWIKI ?? '/usr/share/mediawiki';
const missing =
  spawnSync('php', ['-m'], { encoding: 'utf8' }).stdout?.includes('pdo_sqlite') !== true
    ? 'php with pdo_sqlite is not installed'
    : existsSync(join(mediaWiki, 'maintenance/importDump.php'))
      ? undefined
      : `there is no MediaWiki in ${mediaWiki}: install it, or name its folder in COPPICE_MEDIAWIKI`;

const texts: Record<string, string> = {
  'Garden.wikitext': 'See [[/garden/rose]], [[/garden/rose#Care|care]] and [[Oak]].\r\n\r\n\n',
  'Garden/Rose.wikitext': '\n== Care ==\n<nowiki>]]></nowiki> &amp; &#13; \u{1F339} \u00E9 {{Box|a}}~~~~\t',
  'Garden/what? #1 {a_b} [c].wikitext': "'''Odd''' title.",
  'Garden/special.wikitext': 'x'.repeat(3_000),
};

test('a wiki exported to MediaWiki and back keeps every revision and upload', async (context) => {
  context.skip(missing !== undefined, missing);
  await using wiki = await startWiki();
  await wiki.administrator();
  const source = join(wiki.folder, 'trees.xml');
  writeFileSync(source, dump);
  await succeed(wiki, ['import', source]);
  const folder = join(wiki.folder, 'texts');
  mkdirSync(join(folder, 'Garden'), { recursive: true });
  for (const [path, text] of Object.entries(texts)) writeFileSync(join(folder, path), text);
  writeFileSync(join(folder, 'Garden/rose.png'), Buffer.from(pixel, 'base64'));
  await succeed(wiki, ['import', folder]);
  const notes = join(wiki.folder, 'notes');
  mkdirSync(notes);
  writeFileSync(join(notes, 'Notes.md'), '# Notes\n\n*Starred*, `<b>` and [[Oak]]\n');
  await succeed(wiki, ['import', notes, '--from', 'markdown']);
  const before = await exported(wiki, 'before.xml');

  const there = join(wiki.folder, 'there.xml');
  writeFileSync(there, throughMediaWiki(wiki.folder, join(wiki.folder, 'before.xml'), before));
  await using again = await startWiki();
  // Grace, not Ada, as authors do not become members of the same name.
  const grace = ['member', 'add', 'grace@example.org', '--name', 'Grace', '--admin', '--passphrase-stdin'];
  expect((await again.coppice(grace, `${passphrase}\n`)).code).toBe(0);
  await succeed(again, ['import', there]);
  const after = await exported(again, 'after.xml');
  expect(after.delete('Main Page')).toBe(true);
  for (const { revisions, uploads } of after.values()) {
    // MediaWiki adds a revision of its own for each file.
    if (uploads.length > 0) expect(revisions.pop()?.comment).toContain(' uploaded [[File:');
  }
  expect(after).toEqual(before);
});

/** Dump of a new MediaWiki after it imported the file. */
function throughMediaWiki(folder: string, file: string, pages: Map<string, ReadPage>): string {
  const php = (script: string, ...args: string[]) =>
    execFileSync('php', [join(mediaWiki, 'maintenance', script), ...args], {
      encoding: 'utf8',
      stdio: 'pipe',
      env: { PATH: process.env.PATH, MW_CONFIG_FILE: join(folder, 'LocalSettings.php') },
    });
  const database = ['--dbtype', 'sqlite', '--dbpath', join(folder, 'mediawiki'), '--confpath', folder];
  const address = ['--server', 'http://localhost', '--scriptpath', ''];
  php('install.php', ...database, ...address, '--pass', passphrase, 'Trees', 'Root');
  const uploads = join(folder, 'uploads');
  mkdirSync(uploads);
  const settings = `$wgEnableUploads = true; $wgUploadDirectory = '${uploads}'; $wgFileExtensions[] = 'png';\n`;
  writeFileSync(join(folder, 'LocalSettings.php'), settings, { flag: 'a' });
  const authors = [...pages.values()].flatMap(({ revisions }) => revisions.map(({ author }) => author));
  for (const author of new Set(authors))
    if (!/^\d/.test(author)) php('createAndPromote.php', author, passphrase);
  php('importDump.php', '--uploads', file);
  return php('dumpBackup.php', '--full', '--uploads', '--include-files', '--quiet');
}

async function exported(wiki: TestWiki, name: string): Promise<Map<string, ReadPage>> {
  const file = join(wiki.folder, name);
  await succeed(wiki, ['export', '--format', 'mediawiki-xml', '--to', file]);
  return readDump(readFileSync(file, 'utf8'));
}

async function succeed(wiki: TestWiki, args: string[]): Promise<void> {
  const { code, out, err } = await wiki.coppice(args);
  expect(code, err + out).toBe(0);
}
