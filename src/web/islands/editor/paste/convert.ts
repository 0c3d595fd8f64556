/** Pasted HTML in the language of the page. Loaded when somebody pastes HTML for the first time, with the one language. */

import type { Root } from 'hast';
import { fromDom } from 'hast-util-from-dom';
import type { Format } from '../marks.ts';
import { type TidyOptions, tidied } from './tidy.ts';

interface Converted {
  text: string;
  /** One paragraph, which may stand within another. */
  isInline: boolean;
}

/** Undefined: there is nothing in it but words. */
export async function convert(
  html: string,
  format: Format,
  options: TidyOptions,
): Promise<Converted | undefined> {
  // Nothing runs and nothing is loaded in a document that is only parsed.
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  const tree = tidied({ type: 'root', children: (fromDom(body) as Root).children }, options);
  if (!tree) return undefined;
  const [first, ...rest] = tree.children;
  const isInline = rest.length === 0 && first?.type === 'element' && first.tagName === 'p';
  const write =
    format === 'markdown'
      ? (await import('./to-markdown.ts')).toMarkdown
      : (await import('./to-wikitext.ts')).toWikitext;
  return { text: write(tree), isInline };
}
