/**
 * Edits of one word through HTML: how many change that word of the source alone.
 *
 *   node bench/word-edits.ts <export of a MediaWiki, .xml, or folder of .mediawiki files> [edits of each page, 10]
 *
 * Each page is rendered with the places of its elements, a word of its text is replaced in the HTML, and the HTML is written as
 * wikitext again with the source as original. Templates are empty. Table of contents, calls and links are not edited: their text
 * is generated, or is a target too. Prints the first failures.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expand, parse, render } from '@coppice/wikitext';
import { toWikitext } from '@coppice/wikitext/html';
import { mediawiki } from '@coppice/wikitext/mediawiki';

const [place = '', count = '10'] = process.argv.slice(2);
const { rules, address } = mediawiki();
const page = { path: 'A', title: 'A' };
const word = 'changed';

function pagesOf(dump: string): string[] {
  const references: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' };
  return [...readFileSync(dump, 'utf8').matchAll(/<text\b[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) =>
    text.replace(/&(lt|gt|quot|amp);/g, (_, name: string) => references[name] ?? ''),
  );
}

const sources = place.endsWith('.xml')
  ? pagesOf(place)
  : readdirSync(place)
      .filter((name) => name.endsWith('.mediawiki'))
      .map((name) => readFileSync(join(place, name), 'utf8'));

/** Words between two tags of the HTML, outside of what the renderer generates and of links. */
function wordsOf(html: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  const shown = html.replace(
    /<nav class="toc".*?<\/nav>|<a [^>]*>[^<]*<\/a>|<sup[^>]*class="reference".*?<\/sup>|<[^>]*>|&[#\w]+;|\{\{[^{}]*\}\}|https?:\/\/\S+/gs,
    (part) => '\0'.repeat(part.length),
  );
  for (const { 0: text, index } of shown.matchAll(/(?<=[\s\0])[a-z]{4,}(?=[\s\0])/g))
    found.push({ start: index, end: index + text.length });
  return found;
}

/** Whether the source differs from the result by one replaced word. */
function isOneWord(source: string, result: string, old: string): boolean {
  let from = 0;
  while (from < source.length && source[from] === result[from]) from++;
  for (let start = from; start >= Math.max(0, from - word.length); start--)
    if (
      source.startsWith(old, start) &&
      result === source.slice(0, start) + word + source.slice(start + old.length)
    )
      return true;
  return false;
}

let edits = 0;
let alone = 0;
const failures: string[] = [];
for (const [number, source] of sources.entries()) {
  const templates = new Map<string, string>();
  const context = {
    page,
    templates,
    exists: new Map(),
    listings: new Map(),
    now: 0,
    rules,
    tracksOrigins: true,
  };
  let { text, needs, origins = [] } = expand(source, context);
  while (needs.templates.length > 0) {
    for (const name of needs.templates) templates.set(name, '');
    ({ text, needs, origins = [] } = expand(source, context));
  }
  const tree = parse(text, { rules, expanded: true });
  const { html } = render(tree, { pages: new Map(), files: new Map(), page, address, origins });
  const words = wordsOf(html);
  for (let index = 0; index < Math.min(Number(count), words.length); index++) {
    const at = words[Math.floor(((index + 0.5) * words.length) / Math.min(Number(count), words.length))];
    if (!at) continue;
    const old = html.slice(at.start, at.end);
    const edited = html.slice(0, at.start) + word + html.slice(at.end);
    edits++;
    if (isOneWord(source, toWikitext(edited, { rules, original: { source, html } }), old)) alone++;
    else failures.push(`${number}: ${JSON.stringify(html.slice(at.start - 60, at.end + 60))}`);
  }
}
console.log(`${alone} of ${edits} edits (${((alone / edits) * 100).toFixed(1)} %) changed the word alone`);
for (const failure of failures.slice(0, 20)) console.log(failure);
