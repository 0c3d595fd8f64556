/**
 * Measures `coppice import` of a folder: writes the generated wiki's pages (last versions, about 2 kB each) as files, imports
 * them into an empty wiki in a separate process, and prints time and memory. SQLite only.
 *
 *     node bench/imports/import.ts PAGES [CHECKOUT] [NODE OPTION …]
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { runToEnd } from '../processes/process.ts';
import { createWorld } from '../world/world.ts';

const [count = '10000', checkout = '.', ...nodeOptions] = process.argv.slice(2);
const pages = Number(count);
const folder = mkdtempSync(join(tmpdir(), 'coppice-import-'));
try {
  const world = createWorld({ pages, seed: 1 });
  const made = new Set<string>();
  let textBytes = 0;
  for (let number = 0; number < pages; number++) {
    const page = world.page(number);
    const file = join(folder, 'wiki', `${page.path}.wikitext`);
    if (!made.has(dirname(file))) mkdirSync(dirname(file), { recursive: true });
    made.add(dirname(file));
    // The first heading is the title, so that links by titles find their pages.
    const body = `= ${page.title} =\n\n${page.changes.at(-1)?.body ?? ''}`;
    textBytes += Buffer.byteLength(body);
    writeFileSync(file, body);
  }
  const main = resolve(checkout, 'src/main.ts');
  process.env.COPPICE_DATA = join(folder, 'data');
  const member = ['member', 'add', 'ada@example.org', '--admin', '--no-passphrase', '--name', 'Ada'];
  await runToEnd(process.execPath, [main, ...member]);

  const before = childrenCpuSeconds();
  const startedAt = performance.now();
  console.log(await runToEnd(process.execPath, [...nodeOptions, main, 'import', join(folder, 'wiki')]));
  const seconds = (performance.now() - startedAt) / 1000;
  const databaseBytes = statSync(join(folder, 'data/coppice.db')).size;
  const cpuSeconds = childrenCpuSeconds() - before;
  console.log(
    `${pages} pages in ${seconds.toFixed(1)} s: ${Math.round(pages / seconds)} a second, ` +
      `${((1000 * cpuSeconds) / pages).toFixed(2)} ms of CPU each, all threads together; ` +
      `database ${(databaseBytes / textBytes).toFixed(2)} times the ${Math.round(textBytes / 1e6)} MB of text.`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** CPU seconds of processes that have ended: cutime and cstime of proc(5). NaN if the system does not report it (not Linux). */
function childrenCpuSeconds(): number {
  if (!existsSync('/proc/self/stat')) return Number.NaN;
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
