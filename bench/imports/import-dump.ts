/**
 * How fast `coppice import` takes in a dump of a MediaWiki, and how much memory that needs: writes a dump of many pages with ten
 * revisions each (about 1 kB), or takes one, and imports it into an empty wiki in a process of its own, on SQLite. Linux only.
 *
 *     node bench/imports/import-dump.ts REVISIONS|DUMP [MAXIMUM OF SECONDS]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { runToEnd } from '../processes/process.ts';

const [what = '20000', maxSeconds = '480'] = process.argv.slice(2);
const revisions = Number(what);
const perPage = 10;
const folder = mkdtempSync(join(tmpdir(), 'coppice-dump-'));

function* dump(): Generator<string> {
  yield '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en"><siteinfo><sitename>Made</sitename><dbname>made</dbname><base>http://example.org/wiki/Main_Page</base><namespaces><namespace key="0" case="first-letter" /></namespaces></siteinfo>\n';
  for (let page = 0; page < revisions / perPage; page++) {
    let text = `<page><title>Page ${page}</title><ns>0</ns><id>${page + 1}</id>\n`;
    for (let number = 0; number < perPage; number++) {
      const at = new Date(Date.UTC(2020, 0, 1) + (page * perPage + number) * 60_000).toISOString();
      const body = `== Part ==\nRevision ${number}, see [[Page ${(page * 7919) % (revisions / perPage)}]].\n${`Words of page ${page}, again and again. `.repeat(25)}`;
      text += `<revision><id>${page * perPage + number + 1}</id><timestamp>${at.slice(0, 19)}Z</timestamp><contributor><username>User ${(page + number) % 500}</username><id>${(page + number) % 500}</id></contributor><comment>Edit ${number}</comment><model>wikitext</model><format>text/x-wiki</format><text xml:space="preserve">${body}</text></revision>\n`;
    }
    yield `${text}</page>\n`;
  }
  yield '</mediawiki>\n';
}

try {
  const file = Number.isNaN(revisions) ? resolve(what) : join(folder, 'dump.xml');
  if (!Number.isNaN(revisions)) await pipeline(Readable.from(dump()), createWriteStream(file));
  const main = resolve('src/main.ts');
  process.env.COPPICE_DATA = join(folder, 'data');
  await runToEnd(process.execPath, [
    main,
    ...['member', 'add', 'ada@example.org', '--admin', '--no-passphrase', '--name', 'Ada'],
  ]);
  const child = spawn('bin/coppice', ['import', file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  let out = '';
  child.stdout.on('data', (data) => {
    out += data;
  });
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  let peakMB = 0;
  let toldAt = 0;
  const tell = () => {
    const database = new DatabaseSync(join(folder, 'data/coppice.db'), { readOnly: true });
    const row = database.prepare('select count(*) as changes from changes').get();
    database.close();
    const changes = Number(row?.changes);
    console.log(
      `${seconds().toFixed(0)} s: ${changes} changes, ${Math.round(changes / seconds())} a second, at most ${peakMB} MB`,
    );
  };
  while (child.exitCode === null && child.signalCode === null) {
    await setTimeout(500);
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      peakMB = Math.max(peakMB, Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024));
    } catch {
      break;
    }
    if (seconds() - toldAt > 30) {
      toldAt = seconds();
      tell();
    }
    if (seconds() > Number(maxSeconds)) child.kill('SIGKILL');
  }
  await ended;
  tell();
  console.log(out);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
