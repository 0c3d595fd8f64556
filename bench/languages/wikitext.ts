/**
 * Speed of parsing and rendering of the wikitext engine, beside wikiparser-node if it is installed.
 *
 *   node bench/languages/wikitext.ts [--peer <folder of wikiparser-node>] [--corpus <folder of .mediawiki files>]
 *
 * Prints megabytes of source per second of CPU time on one core, including garbage collection and compilation, so that other
 * work on the machine does not count. Both engines parse and render to HTML, each in its own process, so that neither pays for
 * the other's memory. They take turns, so that other load affects both, and the median of their turns counts. The fastest turn
 * is printed as well, because other load only makes turns slower. Each engine warms up first. The article is generated here: 20
 * kB with links, templates, tables, lists and notes. The peer is not a dependency: install it in any folder (`npm i
 * wikiparser-node`) and name the folder.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { type ExpandContext, expand, parse, render } from '@coppice/wikitext';

/** Turns of each engine on each kind of source. */
const rounds = 9;

const option = (name: string) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};

const paragraph = (index: number) => `== Section ${index} ==
The '''oak''' is a ''tree'' of [[forest|forests]] and [[park]]s in [[Europe]].<ref name="n${index}">{{Cite|title=Trees ${index}|year=19${index % 90}}}</ref>
It grows [[Height|${index} m]] high, see [https://example.org/${index} its page] and https://example.com/oak.
Another line says {{Note|''much'' more}} and again.<ref name="n${index}"/>

* one [[leaf]]
** two ''leaves''
# three

{| class="wikitable"
|+ Growth
! Year !! Height !! Place
|-
| 19${index % 90} || ${index} m || [[Place ${index}|here]]
|-
| colspan="2" | '''all''' || <small>of it</small>
|}

`;
const article = Array.from({ length: 40 }, (_, index) => paragraph(index))
  .join('')
  .slice(0, 20_000);
const templates = new Map([
  ['Cite', '[[{{{title}}}]] ({{{year|}}})'],
  ['Note', '<span class="note">{{{1}}}</span>'],
]);
const nothing = new Map<string, never>();
const context: ExpandContext = {
  page: { title: 'Oak', path: '/oak' },
  templates,
  exists: nothing,
  listings: nothing,
  now: 0,
};
const resolved = { pages: nothing, files: nothing, page: { path: '/oak', title: 'Oak' } };

/** All steps of a page view: template expansion, parsing and HTML. */
function view(source: string): string {
  const { text } = expand(source, context);
  return render(parse(text, { path: '/oak', expanded: true }), resolved).html;
}

/** CPU time of one run in milliseconds, averaged over as many runs as take `atLeast` milliseconds. */
function turn(run: () => void, atLeast: number): number {
  let runs = 0;
  const start = process.cpuUsage();
  const end = performance.now() + atLeast;
  do {
    run();
    runs++;
  } while (performance.now() < end);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / runs;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

type Source = { name: string; texts: string[] };

function sources(): Source[] {
  const list = [{ name: 'an article of 20 kB', texts: [article] }];
  const folder = option('corpus');
  if (folder !== undefined) {
    const names = readdirSync(folder).filter((name) => name.endsWith('.mediawiki'));
    const texts = names.map((name) => readFileSync(join(folder, name), 'utf8'));
    list.push({ name: `${names.length} real documents`, texts });
  }
  return list;
}

/** Runs in the other process: answers each `{ source, atLeast }` with the milliseconds of one run. */
function serve(engine: (source: string) => string): void {
  const all = sources();
  process.on('message', ({ source, atLeast }: { source: number; atLeast: number }) => {
    const texts = all[source]?.texts ?? [];
    // Asking for the length in bytes forces the engine to flatten the string, so no work is deferred.
    const time = turn(() => {
      for (const text of texts) Buffer.byteLength(engine(text));
    }, atLeast);
    process.send?.(time);
  });
}

function peerIn(folder: string): (source: string) => string {
  const peer = createRequire(resolve(folder, 'package.json'))(resolve(folder));
  return (source) => peer.parse(source).toHtml();
}

async function main(): Promise<void> {
  const names = option('peer') === undefined ? ['coppice'] : ['coppice', 'wikiparser-node'];
  const engines = names.map((name) => ({
    name,
    process: fork(import.meta.filename, [...process.argv.slice(2), '--serve', name]),
  }));
  const ask = async (engine: ChildProcess, source: number, atLeast: number): Promise<number> => {
    engine.send({ source, atLeast });
    const [time] = await once(engine, 'message');
    return time;
  };
  for (const [index, { name, texts }] of sources().entries()) {
    const size = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    const times = engines.map((): number[] => []);
    for (const engine of engines) await ask(engine.process, index, 3000);
    for (let round = 0; round < rounds; round++) {
      for (const [at, engine] of engines.entries()) times[at]?.push(await ask(engine.process, index, 700));
    }
    const medians = times.map(median);
    for (const [at, engine] of engines.entries()) {
      const time = medians[at] ?? Number.NaN;
      const speed = (ms: number) => (size / 1e3 / ms).toFixed(2);
      const fastest = speed(Math.min(...(times[at] ?? [])));
      console.log(
        `${name}: ${engine.name} ${time.toFixed(2)} ms, ${speed(time)} MB/s, ${fastest} at its fastest`,
      );
    }
    const [ours, theirs] = medians;
    if (ours !== undefined && theirs !== undefined)
      console.log(`${name}: ${(theirs / ours).toFixed(0)} times faster`);
  }
  for (const engine of engines) engine.process.disconnect();
}

const served = option('serve');
if (served === undefined) await main();
else serve(served === 'coppice' ? view : peerIn(option('peer') ?? '.'));
