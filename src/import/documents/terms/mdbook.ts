/** mdBook: listings with captions, formulas of MathJax, and commands in double braces. Files are put in place when the text is read. */
import type { Approximation } from '../../source.ts';
import { boxOf, convertTags, outsideCode, undented } from './tags.ts';

const pattern = /<(?<close>\/)?(?<name>Listing)\b(?<rest>(?:[^<>"']|"[^"]*"|'[^']*'){0,500}?)(?<self>\/)?>/g;

/** Brackets behind two backslashes, within a paragraph. */
const formula = /\\\\\(((?:(?!\n\s*\n).){1,2000}?)\\\\\)|\\\\\[((?:(?!\n\s*\n).){1,2000}?)\\\\\]/gs;

export function fromMdBook(text: string, approximated: Approximation[]): string {
  const shown = convertTags(
    text,
    { pattern, isPaired: () => true, kind: 'element' },
    ({ attributes, inner }) => {
      if (inner === undefined) return undefined;
      const { number, caption } = attributes;
      const file = attributes['file-name'];
      const words = [number && `Listing ${number}`, caption].filter(Boolean).join(': ');
      return `\n\n${file ? `**${file}**\n\n` : ''}${undented(inner)}\n\n${words ? `*${plain(words)}*\n\n` : ''}`;
    },
    approximated,
  );
  const boxed = shown.replace(
    /^<div class="warning">[ \t]*\n((?:(?!<\/?div\b).*\n){1,200}?)<\/div>[ \t]*$/gm,
    (before, inside: string) => {
      const after = boxOf('warning', undefined, inside).trim();
      approximated.push({ construct: 'box', before: before.slice(0, 500), after: after.slice(0, 500) });
      return `\n${after}\n`;
    },
  );
  return outsideCode(boxed, (part) =>
    part
      .replace(formula, (before, inline?: string, display = '') => {
        const after = inline === undefined ? `$$${unescaped(display)}$$` : `\\(${unescaped(inline)}\\)`;
        approximated.push({ construct: 'formula', before, after });
        return after;
      })
      .replace(/\{\{#(?:title|author)\s[^{}\n]{0,500}\}\}\n?/g, (before) => {
        approximated.push({ construct: 'command', before, after: '' });
        return '';
      }),
  );
}

/** MathJax sees formulas without the escapes of Markdown. */
function unescaped(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, '$1');
}

/** Captions are HTML. */
function plain(text: string): string {
  return text
    .replace(/<\/?code>/g, '`')
    .replace(/<[^<>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');
}
