/** Converts HTML documents to Markdown: headings with IDs, links and pictures, without scripts and styles. */
import { markdownFromHtml, texFrom, withFormulas } from '@coppice/markdown/from-html';
import { readDocument } from '@coppice/wikitext/html';
import type { Element, ElementContent, Nodes, Root } from 'hast';
import { fromParse5 } from 'hast-util-from-parse5';
import { toHtml } from 'hast-util-to-html';
import { MathMLToLaTeX } from 'mathml-to-latex';
import { Problem } from '#core/model/problem.ts';
import { type Stated, statedInJson } from '../access.ts';
import { type Shown, shownIn } from '../comparison/shown.ts';
import type { Approximation } from '../source.ts';
import { filesInJson, type StatedFile } from './page-facts.ts';

export interface DocumentText {
  text: string;
  /** Title in the document's head, not a heading in the text. */
  title?: string | undefined;
  /** Further data from markup specific to this kind of document. */
  data?: Record<string, string>;
  /** Whether the text begins like front matter but is invalid. */
  hasBadFrontMatter?: boolean;
  /** Access that an export of this wiki states in the document's head. */
  stated?: Stated | undefined;
  /** Whether the document is no page but belongs to an exported site: its tree, its search, its redirects. */
  isOfSite?: boolean;
  /** Files that an exported site says are attached to the page. */
  files?: StatedFile[];
  /** Names of elements that were dropped. */
  leftOut?: string[];
  /** Conversions that a reader may notice. */
  approximated?: Approximation[];
  /** The document as readers of the source see it, if its text is converted. */
  shown?: Shown;
  /** Pictures that stood in the text: name of their file → base64. */
  pictures?: ReadonlyMap<string, string>;
  /** Files that were to be put into the text. */
  missing?: string[];
}

/** Maximum nesting; deeper trees would overflow the stack. */
const maxDepth = 250;
const maxTags = 1_500_000;
export const manyElements = 'it has too many elements';
const isChrome = /^(?:nav|footer|template)$/;
const isFrame = /^i?frame$/;
const isWhole = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;
/** Dropped elements whose content a reader would miss. */
const isMissed = /^(?:script|style|form|object|embed|canvas|svg|iframe|audio|video)$/;
const isProgram = /^(?:script|style|noscript|object|embed|canvas|svg|template|link|meta)$/;

/** `prepare` rewrites what a program has its own elements for, and returns data of the page. */
export function htmlToMarkdown(
  html: string,
  prepare?: (root: Root) => Record<string, string> | undefined,
): DocumentText {
  const root = parsedHtml(html);
  const data = prepare?.(root);
  const title = textOf(find(root, (element) => element.tagName === 'title')).trim();
  const main = ['main', 'article'].flatMap((name) => {
    const found = all(root, (element) => element.tagName === name);
    return found.length === 1 ? found : [];
  })[0];
  const base = find(root, ({ tagName, properties }) => tagName === 'base' && properties.href !== undefined);
  if (base) rebase(root, String(base.properties.href));
  const { isPage, ...facts } = factsInHead(root);
  const text = isPage
    ? find(root, ({ properties }) => [properties.className].flat().includes('markup'))
    : undefined;
  const body = text ?? main ?? find(root, (element) => element.tagName === 'body') ?? root;
  const leftOut = new Set(all(body, ({ tagName }) => isMissed.test(tagName)).map(({ tagName }) => tagName));
  const heading = find(main ?? body, (element) => element.tagName === 'h1');
  const shown = shownIn({ type: 'root', children: body.children as ElementContent[] });
  return {
    ...facts,
    ...(data ? { data } : {}),
    shown,
    ...markdownOf({ type: 'root', children: body.children as ElementContent[] }),
    title: (heading ? textOf(heading).trim() : '') || title || undefined,
    leftOut: [...leftOut].filter((name) => isProgram.test(name) || name === 'form'),
  };
}

/** Statements that `src/export/shown` writes into the head. */
function factsInHead(root: Root): Pick<DocumentText, 'stated' | 'isOfSite' | 'files'> & { isPage: boolean } {
  const metas = all(root, ({ tagName }) => tagName === 'meta');
  const content = (name: string) => {
    const found = metas.find(({ properties }) => properties.name === name)?.properties.content;
    return typeof found === 'string' ? found : undefined;
  };
  const [access, kind, files] = [
    content('coppice-access'),
    content('coppice-kind'),
    content('coppice-files'),
  ];
  return {
    isPage: kind === 'page',
    isOfSite: kind === 'plain',
    ...(access === undefined ? {} : { stated: statedInJson(access) }),
    ...(files === undefined ? {} : { files: filesInJson(files) }),
  };
}

/** Resolves addresses against the document's base URL; for a full URL, against the document's own location. */
function rebase(root: Root, base: string): void {
  const folder = base.slice(0, base.lastIndexOf('/') + 1);
  if (isWhole.test(base)) return;
  for (const { properties } of all(root, () => true))
    for (const name of ['href', 'src']) {
      const address = properties[name];
      if (typeof address === 'string' && !isWhole.test(address) && !/^[#/]/.test(address))
        properties[name] = folder + address;
    }
}

/** Modifies the tree. */
export function markdownOf(root: Root): { text: string; approximated: Approximation[] } {
  withFormulas(root, texOf);
  tidy(root);
  const { markdown, flattened } = markdownFromHtml(root);
  const approximated = flattened.map(({ text }) => {
    const [before, after] = [text, text.replace(/(?<!\s)\s*\n\s*/g, ' ')].map((one) => one.slice(0, 500));
    return { construct: 'blocks in a table cell, now lines', before: before ?? '', after: after ?? '' };
  });
  return { text: markdown, approximated };
}

const texOf = texFrom((math) => MathMLToLaTeX.convert(toHtml(math, { closeSelfClosing: true })));

/** Removes elements that are no text, and makes the first row of a table its required header. */
function tidy(node: Root | Element): void {
  const kept = (node.children as ElementContent[]).filter(
    (child) => child.type !== 'element' || !(isProgram.test(child.tagName) || isChrome.test(child.tagName)),
  );
  node.children = kept;
  const row = kept.find((child) => child.type === 'element' && child.tagName === 'tr') as Element | undefined;
  for (const cell of row?.children ?? [])
    if (cell.type === 'element' && cell.tagName === 'td') cell.tagName = 'th';
  for (const child of kept) {
    if (child.type !== 'element') continue;
    if (child.tagName === 'frameset') child.tagName = 'div';
    // A tick in a label belongs to the item of the list.
    if (child.tagName === 'li') withoutLabels(child);
    tidy(child);
    // A framed page becomes a link.
    const { src, title } = child.properties;
    if (!isFrame.test(child.tagName) || typeof src !== 'string') continue;
    const link = { type: 'element' as const, tagName: 'a', properties: { href: src } };
    const children = [{ ...link, children: [{ type: 'text' as const, value: String(title ?? src) }] }];
    Object.assign(child, { tagName: 'p', properties: {}, children });
  }
}

function withoutLabels(item: Element): void {
  item.children = item.children.flatMap((child) =>
    child.type === 'element' && child.tagName === 'label' ? child.children : [child],
  );
}

export function all(node: Nodes, isWanted: (element: Element) => boolean): Element[] {
  const own = node.type === 'element' && isWanted(node) ? [node] : [];
  return 'children' in node ? [...own, ...node.children.flatMap((child) => all(child, isWanted))] : own;
}

export function find(node: Nodes, isWanted: (element: Element) => boolean): Element | undefined {
  return all(node, isWanted)[0];
}

export function textOf(node: Nodes | undefined): string {
  if (!node) return '';
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map((child) => textOf(child)).join('') : '';
}

/** Whether reading the markup would fill the memory, a kilobyte for each tag. */
export function hasManyTags(markup: string): boolean {
  let tags = 0;
  for (let at = markup.indexOf('<'); at >= 0; at = markup.indexOf('<', at + 1))
    if (++tags > maxTags) return true;
  return false;
}

/** Refuses `invalid` for excessive nesting, and for too many elements. */
function parsedHtml(html: string): Root {
  if (hasManyTags(html)) throw new Problem('invalid', manyElements);
  try {
    // Deeper elements are refused below.
    const root = fromParse5(readDocument(html, 2 * maxDepth)) as Root;
    refuseDepth(root);
    return root;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw tooDeep();
  }
}

function tooDeep(): Problem {
  return new Problem('invalid', `its elements are nested more than ${maxDepth} deep`);
}

/** Refuses `invalid`. */
export function refuseDepth(root: Root): void {
  let level: Nodes[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) throw tooDeep();
    level = level.flatMap((node) => ('children' in node ? (node.children as Nodes[]) : []));
  }
}

/** Decodes a document in its declared encoding, or UTF-8. Refuses `invalid`. */
export function decodedHtml(bytes: Uint8Array): string {
  const beginning = Buffer.from(bytes.subarray(0, 2048)).toString('latin1');
  const mark = /^(?:(\xff\xfe)|(\xfe\xff))/.exec(beginning);
  const byMark = mark && (mark[1] ? 'utf-16le' : 'utf-16be');
  const [, stated = 'utf-8'] = /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(beginning) ?? [];
  const named = byMark ?? stated;
  try {
    return new TextDecoder(named, { fatal: true }).decode(bytes);
  } catch {
    throw new Problem('invalid', `it is not text in ${named}`);
  }
}
