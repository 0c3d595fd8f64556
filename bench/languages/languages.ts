/**
 * Speed of parsing and rendering of both languages, beside other engines, on real files.
 *
 *   node bench/languages/languages.ts --peers <folder with node_modules> [--dump <export of a MediaWiki, .xml> [--texts 20]] [--markdown <folder of .md files>]
 *
 * Prints megabytes of source per second of CPU time, in one process and on one core. The engines take turns, so that other load
 * affects all of them, and the median of their turns counts. Compare ratios rather than figures. Template calls are not
 * expanded, because no engine has the templates. Peers are not dependencies: run `npm i wikiparser-node markdown-it marked
 * commonmark` in any folder, and name that folder.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { parseMarkdown } from '@coppice/markdown';
import { parse, render } from '@coppice/wikitext';
import { mediawiki } from '@coppice/wikitext/mediawiki';

/** Turns of each engine; the first one warms up and is not counted. */
const turns = 4;
type Engine = { name: string; run: (text: string) => unknown };

const option = (name: string) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};
const peer = createRequire(join(resolve(option('peers') ?? '.'), 'package.json'));
const page = { path: '/a', title: 'A' };
const nothing = new Map<string, never>();
const resolved = { pages: nothing, files: nothing, page };
const { rules, address } = mediawiki();

/** Returns the texts of the pages in an export. */
function pagesOf(dump: string): string[] {
  const references: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' };
  return [...readFileSync(dump, 'utf8').matchAll(/<text\b[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) =>
    text.replace(/&(lt|gt|quot|amp);/g, (_, name: string) => references[name] ?? ''),
  );
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

function milliseconds({ run }: Engine, texts: readonly string[]): number {
  const before = process.cpuUsage();
  for (const text of texts) run(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function compare(title: string, texts: readonly string[], engines: readonly Engine[]): void {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const times = engines.map((): number[] => []);
  for (let turn = 0; turn < turns; turn++)
    for (const [index, engine] of engines.entries()) times[index]?.push(milliseconds(engine, texts));
  console.log(`${title}: ${texts.length} texts, ${(bytes / 1e6).toFixed(2)} MB`);
  const medians = times.map(
    (all) => all.slice(1).toSorted((one, other) => one - other)[(turns - 1) >> 1] ?? 0,
  );
  for (const [index, { name }] of engines.entries()) {
    const time = medians[index] ?? 0;
    const ratio = time / (medians[0] ?? 1);
    console.log(
      `  ${name}: ${(bytes / 1e3 / time).toFixed(2)} MB/s, ${ratio.toFixed(2)} times the time of the first`,
    );
  }
}

const dump = option('dump');
if (dump !== undefined) {
  const wikiparser = peer('wikiparser-node');
  const texts = pagesOf(dump).slice(0, Number(option('texts') ?? 20));
  compare('wikitext, parsed', texts, [
    { name: '@coppice/wikitext', run: (text) => parse(text, { rules }) },
    { name: 'wikiparser-node', run: (text) => wikiparser.parse(text) },
  ]);
  compare('wikitext, to HTML', texts, [
    { name: '@coppice/wikitext', run: (text) => render(parse(text, { rules }), { ...resolved, address }) },
    { name: 'wikiparser-node', run: (text) => wikiparser.parse(text).toHtml() },
  ]);
}

const folder = option('markdown');
if (folder !== undefined) {
  const { marked } = peer('marked');
  const commonmark = peer('commonmark');
  const markdownIt = peer('markdown-it')({ html: true, linkify: true });
  const reader = new commonmark.Parser();
  const writer = new commonmark.HtmlRenderer();
  compare('Markdown, to HTML', filesIn(folder), [
    { name: '@coppice/markdown', run: (text) => render(parseMarkdown(text), resolved) },
    { name: 'markdown-it', run: (text) => markdownIt.render(text) },
    { name: 'marked', run: (text) => marked.parse(text) },
    { name: 'commonmark', run: (text) => writer.render(reader.parse(text)) },
  ]);
}
