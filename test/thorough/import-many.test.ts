/** Importing thousands of documents on several threads, also when the import is killed midway. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startWiki } from '../support/cli.ts';
import { effort } from '../support/effort.ts';

const documents = effort(1200, 5000);

function plant(folder: string): string {
  const root = join(folder, 'documents');
  for (let n = 0; n < documents; n++) {
    const place = join(root, `part-${n % 30}`);
    if (n < 30) mkdirSync(place, { recursive: true });
    const next = (n * 7 + 1) % documents;
    const text = `== Document ${n} ==\nSee [[../part-${next % 30}/${next}.wiki#document-${next}|the next]] and [[Lost ${n % 50}]].\n`;
    writeFileSync(join(place, `${n}.wiki`), text);
  }
  writeFileSync(join(root, 'part-3', 'broken.wiki'), Buffer.from([0xff, 0xfe, 0x00]));
  return root;
}

test('an import that is killed leaves only complete pages, and a second run completes it', async () => {
  await using wiki = await startWiki('SQLite');
  await wiki.administrator();
  const folder = plant(wiki.folder);
  const file = join(wiki.env.COPPICE_DATA ?? '', 'coppice.db');
  expect(existsSync(file)).toBe(true);

  const importing = spawn(process.execPath, [resolve('src/main.ts'), 'import', folder], {
    env: { ...process.env, ...wiki.env },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => importing.once('close', resolve));
  const db = new DatabaseSync(file, { readOnly: true });
  const count = db.prepare('select count(*) as pages from pages');
  const pages = () => Number(count.get()?.pages);
  while (pages() < 500) await sleep(2);
  importing.kill('SIGKILL');
  await ended;
  const done = pages();
  expect(done).toBeLessThan(documents);
  expect(await wiki.coppice(['check'])).toMatchObject({ code: 0 });

  const again = await wiki.coppice(['import', folder]);
  const [, pagesNew, parentsNew, unchanged] =
    /^ +([\d,]+) pages(?: and ([\d,]+) parent pages)? new, 0 changed, ([\d,]+) unchanged$/m.exec(again.out) ??
    [];
  const numbers = [pagesNew, parentsNew, unchanged].map((text = '0') => Number(text.replaceAll(',', '')));
  expect([(numbers[0] ?? 0) + (numbers[1] ?? 0), numbers[2]], again.out).toEqual([
    documents + 30 - done,
    done,
  ]);
  expect(again.out).toContain('Refused:    part-3/broken.wiki: it is not UTF-8 text');
  expect(again.out).toContain(`${documents} lead nowhere as in the source`);
  expect(pages()).toBe(documents + 30);
  expect(db.prepare("select count(*) as n from changes where content like '%#Document_%'").get()).toEqual({
    n: documents,
  });
  db.close();
  expect(await wiki.coppice(['check'])).toMatchObject({ code: 0 });
}, 240_000);
