/** Round trips: an export reproduces what an import read. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { engines, startWiki, type TestWiki } from '../support/cli.ts';
import { dump, pixel, readDump } from '../support/mediawiki-dump.ts';

const notes: Record<string, string> = {
  'Trees/Oak.md':
    '---\ntags: [tree, "hard wood"]\nheight: 30\n---\n\n# Oak\n\nSee [[Elm]], [[Elm#Bark|its bark]] and ![[oak.png]].\n',
  'Trees/Elm.md':
    '# Elm\n\n## Bark\n\nRough, as [[#Bark]] says, unlike [an oak](Oak.md). [Home](../Welcome.md), `[[Oak]]`.\n',
  'Trees/Small Ones/Hazel.md':
    'Beside the [elm](../Elm.md) — *small*.\n\n| a | b |\n|---|---|\n| [[Oak\\|o]] | 2 |\n',
  'Trees/oak.png': pixel,
  'Welcome.md': 'All of [[Trees/Small Ones/Hazel]], and [[Nothing]].\n',
};

describe.each(engines)('on %s', (engine) => {
  test('a vault is exported as it was imported', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    const vault = plant(wiki, 'vault', notes);
    const certificate = JSON.parse(await succeed(wiki, ['import', vault, '--from', 'obsidian', '--json']));
    const out = join(wiki.folder, 'out');
    await succeed(wiki, ['export', '--format', 'markdown', '--to', out]);
    const texts = textsIn(out);
    expect(Object.keys(texts).sort()).toEqual(Object.keys(notes).sort());
    expect(texts).toEqual(notes);
    const named: { old: string; new: string | null }[] = certificate.links.list;
    expect(named).toContainEqual({ old: '[[Elm#Bark|its bark]]', new: '/trees/elm#bark', count: 1 });

    // A title that neither the name of its file nor the heading gives.
    const odd = plant(wiki, 'odd', { '.obsidian/app.json': '{}', 'Why?.md': '# Because\n' });
    await succeed(wiki, ['import', odd, '--parent', '/odd']);
    const part = join(wiki.folder, 'part');
    await succeed(wiki, ['export', '--format', 'markdown', '--ancestor', '/odd', '--to', part]);
    expect(Object.values(textsIn(part)).join('')).toMatch(/^title: Why\?$/m);
  });

  test('a dump of MediaWiki keeps the text, author and time of every revision, and every upload', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    const source = join(wiki.folder, 'trees.xml');
    writeFileSync(source, dump);
    await succeed(wiki, ['import', source]);
    const out = join(wiki.folder, 'out.xml');
    await succeed(wiki, ['export', '--format', 'mediawiki-xml', '--to', out]);
    // MediaWiki's import stops if the comment is missing.
    expect(readFileSync(out, 'utf8')).toContain('<comment></comment>\n      <filename>Oak.png</filename>');
    const [before, after] = [readDump(dump), readDump(readFileSync(out, 'utf8'))];
    expect(after.get('File:Oak.png')?.uploads).toEqual([{ filename: 'Oak.png', contents: pixel }]);
    for (const [title, page] of before) {
      // The import turned this redirect into an address of its target, as its certificate says.
      if (title !== 'Elm tree') expect(after.get(title), title).toEqual(page);
    }

    await using again = await startWiki(engine);
    await again.administrator();
    await succeed(again, ['import', out]);
    const second = join(again.folder, 'second.xml');
    await succeed(again, ['export', '--format', 'mediawiki-xml', '--to', second]);
    expect(readDump(readFileSync(second, 'utf8'))).toEqual(after);
  });
});

function plant(wiki: TestWiki, name: string, files: Record<string, string>): string {
  const folder = join(wiki.folder, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), path.endsWith('.png') ? Buffer.from(text, 'base64') : text);
  }
  return folder;
}

function textsIn(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    paths.map((path) => [
      relative(folder, path),
      readFileSync(path).toString(path.endsWith('.png') ? 'base64' : 'utf8'),
    ]),
  );
}

async function succeed(wiki: TestWiki, args: string[]): Promise<string> {
  const { code, out, err } = await wiki.coppice(args);
  expect(code, err + out).toBe(0);
  return out;
}
