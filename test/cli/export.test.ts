/** `coppice export`: a complete file, or a clear refusal and no file. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { engines, startWiki } from '../support/cli.ts';

describe.each(engines)('on %s', (engine) => {
  test('an export writes everything once, and overwrites nothing without --force', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    const folder = join(wiki.folder, 'source');
    mkdirSync(join(folder, 'Garden'), { recursive: true });
    writeFileSync(join(folder, 'Garden.wikitext'), 'A garden with a [[Rose]].');
    writeFileSync(join(folder, 'Garden', 'Rose.wikitext'), 'Red.');
    const imported = await wiki.coppice(['import', folder, '--permissions', '700']);
    expect(imported.code, imported.err).toBe(0);

    const to = join(wiki.folder, 'out.jsonl');
    const { code, out, err } = await wiki.coppice(['export', '--format', 'jsonl', '--to', to, '--json']);
    expect(code, err).toBe(0);
    const lines = readFileSync(to, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const bodies = lines.flatMap(({ body }) => body ?? []);
    expect(bodies).toEqual(expect.arrayContaining([expect.stringContaining('A garden'), 'Red.']));
    const { pages, changes, files } = JSON.parse(out);
    expect(lines.at(-1)).toEqual({ kind: 'end', pages, changes, files });
    expect(pages).toBe(lines.filter(({ kind }) => kind === 'page').length);

    const again = await wiki.coppice(['export', '--format', 'jsonl', '--to', to]);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('--force')]);
    const forced = await wiki.coppice(['export', '--format', 'jsonl', '--to', to, '--force']);
    expect(forced.code, forced.err).toBe(0);
    expect(forced.out).toContain(`Pages: ${pages}, changes: ${changes}`);

    const part = join(wiki.folder, 'part.jsonl');
    const rose = lines.find(({ kind, title }) => kind === 'page' && title === 'Rose');
    const limited = ['export', '--format', 'jsonl', '--to', part, '--ancestor'];
    expect((await wiki.coppice([...limited, '/absent'])).code).toBe(1);
    expect(existsSync(part)).toBe(false);
    expect((await wiki.coppice([...limited, rose.path, '--json'])).out).toContain('"pages": 1,');
  });
});

test('wrong arguments are refused with advice', async () => {
  await using wiki = await startWiki();
  for (const args of [
    ['--to', 'x'],
    ['--format', 'docx', '--to', 'x'],
    ['--format', 'jsonl'],
  ]) {
    const { code, err } = await wiki.coppice(['export', ...args]);
    expect([code, err]).toEqual([2, expect.stringContaining('coppice export --help')]);
  }
  const nowhere = join(wiki.folder, 'absent', 'x');
  const refused = await wiki.coppice(['export', '--format', 'jsonl', '--to', nowhere]);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('The folder')]);
});
