/**
 * `<syntaxhighlight lang="js">code</syntaxhighlight>`: code, highlighted if the host supports the language; `inline` puts it
 * within a line. `line` numbers the lines, starting at `start`, and `highlight="1,4-6"` marks some. `<source>` is the old name.
 */
import { escapeText, writeAttributes } from '../html.ts';
import { safeAttributes } from '../sanitize.ts';
import type { Attributes } from '../tree.ts';
import type { Extension } from './extension.ts';

export const syntaxhighlight: Extension = {
  name: 'syntaxhighlight',
  isBlock: (attributes) => attributes.inline === undefined,
  bringsLinks: false,
  render({ resolved }, { attributes, body = '' }) {
    const isInline = attributes.inline !== undefined;
    const language = attributes.lang ?? '';
    const code = isInline ? body.trim() : body.replace(/^\n+/, '').trimEnd();
    const inside = resolved.highlight?.(code, language) ?? escapeText(code);
    const { class: name, id, style } = safeAttributes('div', attributes);
    const own = (first: string) => [first, name ?? ''].filter((one) => one !== '').join(' ') || undefined;
    if (isInline) {
      const written = { class: own(language && `language-${language}`), id, style };
      return `<code${writeAttributes(written)}>${inside}</code>`;
    }
    const tag = `<code${languageClass(language)}>${lines(inside, attributes)}</code>`;
    return `<div${writeAttributes({ class: own('mw-highlight'), id, style })}><pre>${tag}</pre></div>`;
  },
};

/** Adds line numbers and marks lines, in MediaWiki's form. Marked lines are counted from the first line of the code. */
function lines(inside: string, { line, linenos, start = '1', highlight = '' }: Attributes): string {
  const isNumbered = line !== undefined || linenos !== undefined;
  const ranges = [...highlight.matchAll(/(\d{1,7})\s*(?:-\s*(\d{1,7}))?/g)]
    .slice(0, mostRanges)
    .map(([, from, to = from]) => [Number(from), Number(to)] as const);
  if (!isNumbered && ranges.length === 0) return inside;
  const first = /^\d{1,9}$/.test(start) ? Number(start) : 1;
  const open: string[] = [];
  return inside
    .split('\n')
    .map((text, index) => {
      const isMarked = ranges.some(([from, to]) => from <= index + 1 && index + 1 <= to);
      // Highlighters wrap a comment of several lines in one element, which must be closed and reopened on each line.
      const before = open.join('');
      for (const [tag] of text.matchAll(/<\/?span[^>]*>/g)) tag[1] === '/' ? open.pop() : open.push(tag);
      const whole = before + text + '</span>'.repeat(open.length);
      const number = isNumbered ? `<span class="linenos" data-line="${first + index}"></span>` : '';
      return number + (isMarked ? `<span class="hll">${whole}</span>` : whole);
    })
    .join('\n');
}

const mostRanges = 100;

/** Code blocks of Markdown, in CommonMark's form: all lines unchanged, including the last line end. */
export const codeBlock: Extension = {
  name: 'code-block',
  isBlock: true,
  render({ resolved }, { attributes, body = '' }) {
    const language = attributes.lang ?? '';
    const inside = language === '' ? undefined : resolved.highlight?.(body, language);
    return `<pre><code${languageClass(language)}>${inside ?? escapeText(body)}</code></pre>`;
  },
};

function languageClass(language: string): string {
  return writeAttributes({ class: language === '' ? undefined : `language-${language}` });
}
