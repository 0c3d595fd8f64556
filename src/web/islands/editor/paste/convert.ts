/** Converts pasted HTML to the language of the page. Loaded on the first paste of HTML, with only that language. */

import { texFrom, withFormulas } from '@coppice/markdown/from-html';
import type { Element, Root } from 'hast';
import { fromDom } from 'hast-util-from-dom';
import type { Format } from '../marks.ts';
import { type TidyOptions, tidied } from './tidy.ts';

interface Converted {
  text: string;
  /** Whether the result is a single paragraph, which may be inserted into another. */
  isInline: boolean;
}

/** Returns undefined if it contains nothing but words. */
export async function convert(
  html: string,
  format: Format,
  options: TidyOptions,
): Promise<Converted | undefined> {
  // Parsing alone runs no scripts and loads nothing.
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  const pasted: Root = { type: 'root', children: (fromDom(body) as Root).children };
  withFormulas(pasted, /<math/i.test(html) ? await mathConverter() : () => undefined);
  const tree = tidied(pasted, options);
  if (!tree) return undefined;
  const [first, ...rest] = tree.children;
  const isInline = rest.length === 0 && first?.type === 'element' && first.tagName === 'p';
  const write =
    format === 'markdown'
      ? (await import('./to-markdown.ts')).toMarkdown
      : (await import('./to-wikitext.ts')).toWikitext;
  return { text: write(tree), isInline };
}

/** Loaded only if there is a formula. */
async function mathConverter(): Promise<(math: Element) => string | undefined> {
  const [{ MathMLToLaTeX }, { toHtml }] = await Promise.all([
    import('mathml-to-latex'),
    import('hast-util-to-html'),
  ]);
  return texFrom((math) => MathMLToLaTeX.convert(toHtml(math, { closeSelfClosing: true })));
}
