/**
 * `<syntaxhighlight lang="js">code</syntaxhighlight>`: code in colours, if the host has any for the language; with `inline` within
 * a line. `<source>` is its old name.
 */
import { escapeText, writeAttributes } from '../html.ts';
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
    const tag = `<code${languageClass(language)}>${inside}</code>`;
    return isInline ? tag : `<div class="mw-highlight"><pre>${tag}</pre></div>`;
  },
};

/** Code blocks of Markdown, in CommonMark's form: every line unchanged, the last line end included. */
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
