/** Text of a document in Markdown, converted from its format. */
import { readFrontMatter } from '@coppice/markdown';
import type { Element } from 'hast';
import { stringify } from 'yaml';
import { maxBodyBytes } from '#core/model/page-fields.ts';
import type { Approximation, Kind } from '../source.ts';
import { asBoxes } from './bookstack-boxes.ts';
import { readCsv, separatorOf } from './csv.ts';
import { bytesOf, type FileTree, textOf } from './file-tree.ts';
import { all, type DocumentText, decodedHtml, htmlToMarkdown } from './html.ts';
import { withIncludes } from './includes.ts';
import { withInlinePictures } from './inline-pictures.ts';
import { readNotionPage, tableOf, withoutId } from './notion.ts';
import { inMarkdownTerms } from './notion-html.ts';
import { orgToMarkdown } from './org.ts';
import { withIncludedBlocks, withLiquidIncludes, withPartials } from './parts.ts';
import { factsIn, isFacts } from './settings.ts';
import { withSnippets } from './snippets.ts';
import { fromJekyll } from './terms/jekyll.ts';
import { withFrontMatter } from './terms/logseq.ts';
import { boxes, withDiagrams } from './terms/wikijs.ts';
import { textileToMarkdown } from './textile.ts';

/** Matches lines `name: value` between two lines of hyphens, and `name = value` between two lines of plus signs. */
const startsAsFacts =
  /^(?:---[ \t]*\n(?:.*\n){0,1000}?[\w-]+:(?:[ \t].*)?\n(?:.*\n){0,1000}?---|\+\+\+[ \t]*\n(?:.*\n){0,1000}?[\w-]+[ \t]*=.*\n(?:.*\n){0,1000}?\+\+\+)[ \t]*(?:\n|$)/;

/** Refuses `too-large` and `invalid`, with the end of a sentence. */
export async function documentText(tree: FileTree, path: string, kind: Kind): Promise<DocumentText> {
  const document = withInlinePictures(await convertedText(tree, path, kind));
  return listsBeneath(path, kind) ? { ...document, text: withList(document.text) } : document;
}

/** Hugo and Zola list the pages of a section beneath the text of its index. */
function listsBeneath(path: string, kind: Kind): boolean {
  return (kind === 'hugo' || kind === 'zola') && /\/_index\.\w+$/.test(path);
}

/** Pages without a text would be empty here. */
function withList(text: string): string {
  const end = readFrontMatter(text)?.end ?? 0;
  return text.slice(end).trim() === ''
    ? `${text.slice(0, end).replace(/(?<=[^\n])$/, '\n')}{{Children}}\n`
    : text;
}

async function convertedText(tree: FileTree, path: string, kind: Kind): Promise<DocumentText> {
  if (/\.html?$/i.test(path)) {
    const html = decodedHtml(await bytesOf(tree, path, maxBodyBytes));
    if (kind === 'wikijs') return wikiJsHtml(html.replace(/\r\n?/g, '\n'));
    if (kind !== 'hugo' && kind !== 'jekyll')
      return htmlToMarkdown(html, kind === 'notion' ? inMarkdownTerms : asBoxes);
    // Pages of a generator begin with front matter.
    const text = html.replace(/\r\n?/g, '\n');
    const approximated: Approximation[] = [];
    const written =
      kind === 'hugo' ? inYaml(text) : fromJekyll(await withLiquidIncludes(tree, path, text), approximated);
    const front = written.slice(0, readFrontMatter(written)?.end ?? 0);
    const document = htmlToMarkdown(written.slice(front.length));
    approximated.push(...(document.approximated ?? []));
    // Shortcodes within text are marks of Hugo, not words.
    const body = kind === 'hugo' ? document.text.replace(/\{\\\{(?=[<%])/g, '{{') : document.text;
    return { ...document, text: `${front}${body}`, approximated };
  }
  // Besides the filtered table, Notion exports one with all rows.
  const whole = path.replace(/\.csv$/, '_all.csv');
  const written = await textOf(tree, kind === 'notion' && tree.paths.includes(whole) ? whole : path);
  if (/\.org$/i.test(path)) {
    const { text, approximated } = orgToMarkdown(written);
    return { text: withFrontMatter(text), approximated };
  }
  const text = inYaml(kind === 'logseq' ? withFrontMatter(written) : written);
  if (kind === 'csv') return tableOf(text, () => undefined, separatorOf(text));
  if (kind === 'mdbook') return withIncludes(tree, path, text);
  if (kind === 'jekyll' && /\.textile$/i.test(path)) {
    const included = await withLiquidIncludes(tree, path, text);
    const converted = textileToMarkdown(included);
    const approximated = [
      { construct: 'document in Textile', before: included.slice(0, 500), after: converted.slice(0, 500) },
    ];
    return { text: converted, approximated };
  }
  if (kind === 'jekyll') return { text: await withLiquidIncludes(tree, path, text) };
  if (kind === 'gitbook') return { text: await withIncludedBlocks(tree, path, text) };
  if (kind === 'docusaurus' || kind === 'nextjs') return { text: await withPartials(tree, path, text) };
  if (kind === 'wikijs') return { text: withDiagrams(text) };
  if (kind !== 'notion') {
    const document = kind === 'mkdocs' ? await withSnippets(tree, text) : { text };
    return { ...document, hasBadFrontMatter: startsAsFacts.test(text) && !readFrontMatter(text) };
  }
  if (!path.endsWith('.csv')) return readNotionPage(text, await columnsAbove(tree, path));
  return await databaseOf(tree, path, text);
}

const truths: Readonly<Record<string, boolean>> = { true: true, false: false };

/** Wiki.js states the facts of a page of its visual editor in a comment on top. */
function wikiJsHtml(html: string): DocumentText {
  const [comment = '', lines = ''] = /^\s*<!--[ \t]*\n([\s\S]{0,20000}?)\n-->/.exec(html) ?? [];
  const facts = Object.fromEntries(
    lines.split('\n').flatMap((line) => {
      const [, name, value = ''] = /^([A-Za-z]\w*):[ \t]*(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, truths[value.trim()] ?? value.trim()]];
    }),
  );
  const document = htmlToMarkdown(html.slice(comment.length), (root) => {
    for (const mark of all(root, isHeadingMark)) Object.assign(mark, { tagName: 'span', children: [] });
    for (const quote of all(root, ({ tagName }) => tagName === 'blockquote')) asBox(quote);
    return undefined;
  });
  return comment === '' ? document : { ...document, text: `---\n${stringify(facts)}---\n\n${document.text}` };
}

/** Boxes are quotes with a class: `<blockquote class="is-warning">`. */
function asBox(quote: Element): void {
  const names = [quote.properties.className].flat().map(String);
  const kind = names.map((name) => boxes[name.replace(/^is-/, '')]).find(Boolean);
  if (kind === undefined) return;
  const mark: Element = {
    type: 'element',
    tagName: 'x-raw',
    properties: { value: `[!${kind}]` },
    children: [],
  };
  quote.children.unshift({ type: 'element', tagName: 'p', properties: {}, children: [mark] });
}

/** The sign beside a heading that leads to it. */
function isHeadingMark({ properties }: Element): boolean {
  return [properties.className].flat().includes('toc-anchor');
}

/** Names of the columns of the database to which a page belongs. */
async function columnsAbove(tree: FileTree, path: string): Promise<Set<string> | undefined> {
  const folder = plain(path.slice(0, path.lastIndexOf('/') + 1));
  const table = tree.paths.findLast(
    (other) => other.endsWith('.csv') && `${plain(other.replace(/(?:_all)?\.csv$/, ''))}/` === folder,
  );
  if (table === undefined) return undefined;
  const [head = []] = readCsv(await textOf(tree, table)) ?? [];
  return new Set(head);
}

/** A database as a table whose rows lead to their pages. */
async function databaseOf(tree: FileTree, path: string, csv: string): Promise<DocumentText> {
  const folder = `${plain(path.replace(/\.csv$/, ''))}/`;
  const pages = new Map<string, { path: string; data: Readonly<Record<string, string>> }[]>();
  for (const other of tree.paths) {
    const above = other.slice(0, other.lastIndexOf('/') + 1);
    if (!/\.(?:md|html)$/.test(other) || plain(above) !== folder) continue;
    const name = rowKey(withoutId(other.slice(above.length).replace(/\.(?:md|html)$/, '')));
    pages.set(name, [...(pages.get(name) ?? []), { path: other, data: {} }]);
  }
  // Pages of the same name are told apart by their properties.
  for (const same of pages.values())
    for (const page of same.length > 1 ? same : [])
      page.data = (await convertedText(tree, page.path, 'notion')).data ?? {};
  const columns = readCsv(csv)?.[0] ?? [];
  return tableOf(csv, (row) => {
    const key = rowKey(row[columns[0] ?? ''] ?? '') || 'untitled';
    let same = pages.get(key);
    // Names of files are cut off.
    for (let length = Math.min(key.length, 60); !same && length >= 30; length--)
      same = pages.get(key.slice(0, length));
    if (!same) return undefined;
    const equal = ({ data }: { data: Readonly<Record<string, string>> }) =>
      columns.filter((name) => (data[name] ?? '') === (row[name] ?? '').trim()).length;
    const best = same.reduce((a, b) => (equal(b) > equal(a) ? b : a));
    if (same.length > 1) same.splice(same.indexOf(best), 1);
    return `/${best.path}`;
  });
}

/** Letters and digits: other characters of a title are changed in the name of its file. */
function rowKey(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
}

/** Front matter in TOML, between lines of plus signs, as Hugo and Zola write it. */
function inYaml(text: string): string {
  const [whole, toml = ''] = /^\+\+\+[ \t]*\n([\s\S]{0,20000}?)^\+\+\+[ \t]*(?:\n|$)/m.exec(text) ?? [];
  if (whole === undefined || !text.startsWith(whole)) return text;
  const facts = factsIn(toml, true);
  if (!facts) return text;
  const { taxonomies, extra, ...others } = facts;
  const inner = [extra, taxonomies].filter(isFacts);
  return `---\n${stringify(Object.assign({}, ...inner, others))}---\n${text.slice(whole.length)}`;
}

function plain(folder: string): string {
  return folder.split('/').map(withoutId).join('/');
}
