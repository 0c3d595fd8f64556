/**
 * Counts markup that readers see because it was not understood, by kind: markup shown as source, names of missing functions and
 * tags, errors, and elements that an HTML parser has to move, such as parts of tables out of place. Missing templates are links
 * to wanted pages like any others and are not counted. `node bench/languages/broken.ts http://127.0.0.1:8080` reads all pages of a
 * running wiki as an anonymous reader. A kind as a second argument prints where it occurs.
 */
import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';

const [wiki = 'http://127.0.0.1:8080', wanted] = process.argv.slice(2);
const marks: [kind: string, pattern: RegExp][] = [
  ['call as written', /\{\{[^{}]{0,40}|\}\}/g],
  ['table as written', /^\s*(?:\{\||\|\}|\|-)|\{\|/gm],
  ['link as written', /\[\[.{0,40}|\]\]/g],
  ['tag as written', /<\/?[a-z][a-z0-9]*(?=[\s/>])[^<>]{0,40}>?/gi],
  ['emphasis as written', /''+/g],
  ['heading as written', /^=+[^=\n]+=+$/gm],
  ['switch as written', /__[A-Z]+__/g],
  ['strip marker', /\x7f|UNIQ--|QINU/g],
];
/** Largest offset in the page's HTML at which an element so far begins. */
let furthest = 0;
const found = new Map<string, { count: number; pages: Set<string>; samples: Map<string, number> }>();

function add(kind: string, path: string, sample: string): void {
  const entry = found.get(kind) ?? { count: 0, pages: new Set(), samples: new Map() };
  found.set(kind, entry);
  entry.count++;
  entry.pages.add(path);
  entry.samples.set(sample, (entry.samples.get(sample) ?? 0) + 1);
  if (kind === wanted) console.log(`${path}: ${sample}`);
}

function textOf(node: Tree.ChildNode): string {
  if (node.nodeName === '#text') return (node as Tree.TextNode).value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

function look(node: Tree.Node, path: string): void {
  if (node.nodeName === '#text') {
    const { value } = node as Tree.TextNode;
    for (const [kind, pattern] of marks)
      for (const [sample] of value.matchAll(pattern)) add(kind, path, sample.trim());
    return;
  }
  if (/^(?:pre|code|math|annotation|script|style)$/.test(node.nodeName)) return;
  if ('attrs' in node) {
    const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
    const classes = ` ${attributes.class ?? ''} `;
    const text = () => textOf(node).trim().slice(0, 80);
    const start = node.sourceCodeLocation?.startOffset ?? furthest;
    if (start < furthest) add('element out of place', path, `<${node.nodeName}> ${text()}`);
    furthest = Math.max(furthest, start);
    if (classes.includes(' unsupported ')) add('missing function or tag', path, text());
    else if (classes.includes(' error ')) add('error', path, text().replace(/\d+/g, 'N'));
  }
  if ('childNodes' in node) for (const child of node.childNodes) look(child, path);
}

const json = async <T>(url: string) => (await fetch(url)).json() as Promise<T>;
let count = 0;
for (let offset = 0; ; offset += 100) {
  const pages = await json<{ path: string }[]>(`${wiki}/v1/pages?path=/&limit=100&offset=${offset}`);
  for (const { path } of pages) {
    const { markup } = await json<{ markup: string }>(
      `${wiki}/v1/pages${path.split('/').map(encodeURIComponent).join('/')}?history=none`,
    );
    count++;
    const document = parse(`<!doctype html>${markup}`, { sourceCodeLocationInfo: true });
    furthest = 0;
    look(document, path);
  }
  if (pages.length < 100) break;
}
console.log(`${count} pages\n\n| kind | places | pages | most frequent |\n|---|---|---|---|`);
for (const [kind, { count, pages, samples }] of [...found].sort((a, b) => b[1].count - a[1].count)) {
  const top = [...samples].sort((a, b) => b[1] - a[1]).slice(0, 6);
  const shown = top.map(
    ([sample, times]) => `\`${sample.replaceAll('|', '\\|').replaceAll('\n', ' ')}\` ${times}`,
  );
  console.log(`| ${kind} | ${count} | ${pages.size} | ${shown.join(', ')} |`);
}
