/** Text of a document in Markdown, converted from its format. */
import { readFrontMatter } from '@coppice/markdown';
import { stringify } from 'yaml';
import { maxBodyBytes } from '#core/model/page-fields.ts';
import type { Kind } from '../source.ts';
import { bytesOf, type FileTree, textOf } from './file-tree.ts';
import { type DocumentText, decodedHtml, htmlToMarkdown } from './html.ts';
import { withIncludes } from './includes.ts';
import { withInlinePictures } from './inline-pictures.ts';
import { inMarkdownTerms, readNotionPage, tableOf, withoutId } from './notion.ts';
import { factsIn, isFacts } from './settings.ts';
import { withFrontMatter } from './terms/logseq.ts';

/** Matches lines `name: value` between two lines of hyphens, and `name = value` between two lines of plus signs. */
const startsAsFacts =
  /^(?:---[ \t]*\n(?:.*\n){0,1000}?[\w-]+:(?:[ \t].*)?\n(?:.*\n){0,1000}?---|\+\+\+[ \t]*\n(?:.*\n){0,1000}?[\w-]+[ \t]*=.*\n(?:.*\n){0,1000}?\+\+\+)[ \t]*(?:\n|$)/;

/** Refuses `too-large` and `invalid`, with the end of a sentence. */
export async function documentText(tree: FileTree, path: string, kind: Kind): Promise<DocumentText> {
  return withInlinePictures(await convertedText(tree, path, kind));
}

async function convertedText(tree: FileTree, path: string, kind: Kind): Promise<DocumentText> {
  if (/\.html?$/i.test(path)) {
    const html = decodedHtml(await bytesOf(tree, path, maxBodyBytes));
    return htmlToMarkdown(html, kind === 'notion' ? inMarkdownTerms : undefined);
  }
  // Besides the filtered table, Notion exports one with all rows.
  const whole = path.replace(/\.csv$/, '_all.csv');
  const written = await textOf(tree, kind === 'notion' && tree.paths.includes(whole) ? whole : path);
  const text = inYaml(kind === 'logseq' ? withFrontMatter(written) : written);
  if (kind === 'csv') return tableOf(text, () => undefined);
  if (kind === 'mdbook') return withIncludes(tree, path, text);
  if (kind !== 'notion')
    return { text, hasBadFrontMatter: startsAsFacts.test(text) && !readFrontMatter(text) };
  if (!path.endsWith('.csv')) return readNotionPage(text);
  const folder = `${withoutId(path.replace(/\.csv$/, ''))}/`;
  const rows = new Map<string, string>();
  for (const other of tree.paths) {
    const above = other.slice(0, other.lastIndexOf('/') + 1);
    if (!/\.(?:md|html)$/.test(other) || plain(above) !== plain(folder)) continue;
    rows.set(withoutId(other.slice(above.length).replace(/\.(?:md|html)$/, '')), other);
  }
  return tableOf(text, (name) => {
    const row = rows.get(name);
    return row === undefined ? undefined : `/${row}`;
  });
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
