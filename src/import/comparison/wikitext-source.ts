/**
 * Reads a text in wikitext as the wiki shows it that it comes from, as far as its own words go: templates and functions are unknown,
 * because their text stands elsewhere. All pictures count, whether or not their files are in the source.
 */
import { type Node, parse, render } from '@coppice/wikitext';
import { type Dialect, rulesOf } from '@coppice/wikitext/dialect';
import { localNames } from '@coppice/wikitext/locales';
import { readMarkup } from './markup.ts';
import { type Shown, unknownText } from './shown.ts';

/** `language`: of the source, if it is known. */
export function shownInWikitext(source: string, dialect: Dialect, language = dialect.language): Shown {
  const path = '/';
  const tree = parse(source, { path, rules: rulesOf(dialectIn(language, dialect)) });
  withoutCalls(tree.children);
  const { html } = render(tree, {
    pages: new Map(),
    files: new Map(),
    page: { path, title: '' },
    address: { file: () => ({ src: '#' }) },
  });
  return readMarkup(html).shown;
}

/** The parser bounds how deep nodes are nested. */
function withoutCalls(nodes: Node[]): void {
  for (const [at, node] of nodes.entries()) {
    const { start, end } = node;
    if (node.type === 'template') nodes[at] = { type: 'text', value: unknownText, start, end };
    else if (node.type === 'file') withoutCalls(node.caption);
    else if ('children' in node && node.children) withoutCalls(node.children);
  }
}

const dialects = new WeakMap<Dialect, Map<string, Dialect>>();

/** The dialect with the words of another language; always the same object, so that its rules are made once. */
function dialectIn(language: string, dialect: Dialect): Dialect {
  const known = dialects.get(dialect) ?? new Map<string, Dialect>();
  dialects.set(dialect, known);
  const found = known.get(language) ?? { ...dialect, names: localNames(language) };
  known.set(language, found);
  return found;
}
