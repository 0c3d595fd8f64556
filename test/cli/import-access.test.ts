/** Access that foreign sources state: restricted pages and their files are for the importer alone, and the certificate names them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { engines, startWiki, type TestWiki } from '../support/cli.ts';

const documents: Record<string, string> = {
  'index.md': '# Home\n\nSee [open](notes/open.md) and ![shared](notes/shared.txt).\n',
  'notes/open.md': '# Open\n\nAnyone. ![[plan.txt]]\n',
  'notes/secret.md':
    '---\nvisibility: private\n---\n\n# Secret\n\n![secret](secret.txt) ![shared](shared.txt) [[ledger.txt]]\n',
  'notes/group.md': '---\npermissions: 770\ngroup: Nobody here\n---\n\n# Group\n',
  ...{ 'notes/secret.txt': 'secret', 'notes/ledger.txt': 'ledger', 'notes/shared.txt': 'shared' },
  'notes/plan.txt': 'plan',
  // An export of this wiki, where each file lies in the folder of its page.
  'notes/own.md':
    "---\npermissions: '000'\ncoppice:\n  owner: Ann\n  origin: { page: 4, created: 2026-01-01T00:00:00.000Z, owner: 7 }\n---\nOwn\n",
  'notes/own/own.txt': 'Own',
  'notes/guide.md':
    "---\npermissions: '740'\ncoppice:\n  owner: Ann\n  origin: { page: 5, created: 2026-01-01T00:00:00.000Z, owner: 7 }\n---\n[own](own/own.txt)\n",
  // Everything beneath is restricted, so nobody else may know the names of these folders.
  'closed/deep/a.md': '---\npermissions: 770\n---\nA\n',
  'closed/b.md': '---\ndraft: true\n---\nB\n',
};

async function filesAndAccess(wiki: TestWiki): Promise<Record<string, [number, string[]]>> {
  await using open = await wiki.open();
  const reader = open.store.readAsSystem();
  const found: Record<string, [number, string[]]> = {};
  const notes = ['open', 'secret', 'group', 'own', 'guide'].map((name) => `/notes/${name}`);
  for (const path of ['/notes', '/closed', '/closed/deep', ...notes]) {
    const page = await reader.pages.loadByPath(path, 'none');
    if (page) found[path] = [page.permissions, page.files.map(({ filename }) => filename).sort()];
  }
  return found;
}

describe.each(engines)('on %s', (engine) => {
  test('only the importer can read a restricted page and the files that no other page shows', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    const folder = join(wiki.folder, 'source');
    const plant = (files: Record<string, string>) => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
    };
    plant(documents);
    const run = async () => {
      const { code, out, err } = await wiki.coppice(['import', folder, '--from', 'markdown', '--json']);
      expect(code, err).toBe(0);
      return JSON.parse(out).approximated.list as { page: string; before: string }[];
    };
    const named = await run();
    expect(await filesAndAccess(wiki)).toEqual({
      '/notes': [774, ['plan.txt', 'shared.txt']],
      '/notes/open': [774, []],
      '/notes/secret': [700, ['ledger.txt', 'secret.txt']],
      '/notes/group': [700, []],
      '/closed': [700, []],
      '/closed/deep': [700, []],
      '/notes/own': [0, ['own.txt']],
      '/notes/guide': [740, []],
    });
    expect(named).toContainEqual(
      expect.objectContaining({ page: '/notes/secret', before: 'visibility: private' }),
    );
    expect(named).toContainEqual(
      expect.objectContaining({ page: '/notes/group', before: 'group: Nobody here' }),
    );

    // A later restriction narrows the page at the next import.
    plant({ 'notes/open.md': '---\ndraft: true\n---\n\n# Open\n\nNot any more.\n' });
    await run();
    expect((await filesAndAccess(wiki))['/notes/open']?.[0]).toBe(700);
  });
});
