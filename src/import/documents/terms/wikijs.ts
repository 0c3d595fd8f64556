/** Attributes of Wiki.js: boxes, sizes of pictures, classes, and IDs of headings on lines of their own. */
import type { Approximation } from '../../source.ts';
import { outsideCode, outsideFences } from './tags.ts';

export const boxes: Readonly<Record<string, string>> = {
  info: 'info',
  success: 'tip',
  warning: 'warning',
  danger: 'danger',
};

/** Drawings of diagrams.net, which Wiki.js shows as pictures. */
export function withDiagrams(text: string): string {
  return text.replace(
    /^```diagram[ \t]*\n([A-Za-z\d+/=\n]{1,2000000})\n```[ \t]*$/gm,
    (_, drawing: string) => `![](data:image/svg+xml;base64,${drawing.replaceAll('\n', '')})`,
  );
}

export function fromWikiJs(text: string, approximated: Approximation[]): string {
  const change =
    (construct: string, pattern: RegExp, replace: (...groups: string[]) => string) => (part: string) =>
      part.replace(pattern, (...match: string[]) => {
        const before = match[0] ?? '';
        const after = replace(...match);
        if (after !== before) approximated.push({ construct, before, after });
        return after;
      });
  const steps = [
    change(
      'box',
      // Takes a whole quotation at once, so that its lines are not tried one by one.
      /^((?:>.*\n)+)(?:\{\.is-(info|success|warning|danger)\}[ \t]*$)?/gm,
      (whole, quote = '', box) =>
        typeof box === 'string' ? `> [!${boxes[box]}]\n${quote.trimEnd()}` : whole,
    ),
    change(
      'size of a picture',
      /!\[([^\]\n|]{0,500})\]\(([^\s()]{1,1000}) =(\d{0,5}%?)(?:x(\d{0,5})%?)?\)/g,
      (...found) => {
        const [, alt = '', address = '', width = '', height] = found as (string | undefined)[];
        // A height alone, and shares of the page, cannot be said here.
        const size = /^\d+$/.test(width) ? `|${width}${height ? `x${height}` : ''}` : '';
        return `![${alt}${size}](${address})`;
      },
    ),
    change('class', /(?<![ \t])[ \t]*\{(?:\.[\w-]+[ \t]*)+\}[ \t]*$/gm, () => ''),
    // An ID belongs to the heading above it; alone, it is a place that links lead to.
    change(
      'ID of a heading',
      /^(#{1,6}[ \t][^\n]*?)[ \t]{0,100}#{0,100}[ \t]{0,100}\n(?:[ \t]*\n)?[ \t]*\{#([^\s{}]{1,200})\}[ \t]*$/gm,
      (_, heading = '', id = '') => `${heading} {#${id}}`,
    ),
    change(
      'ID of a place',
      /^[ \t]*\{#([^\s{}"<>]{1,200})\}[ \t]*$/gm,
      (_, id = '') => `<span id="${id}"></span>`,
    ),
  ];
  const subscript = change(
    'subscript',
    /(?<![~\\])~([^~\s]{1,100})~(?!~)/g,
    (_, words = '') => `<sub>${words}</sub>`,
  );
  const lines = outsideFences(text, (part) => steps.reduce((text, step) => step(text), part));
  return outsideCode(lines, subscript);
}
