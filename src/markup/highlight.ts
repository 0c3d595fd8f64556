/** Colours code by classes: `highlight.js` escapes the code and adds nothing but `<span class="hljs-…">`. */
import hljs from 'highlight.js/lib/common';

/** Its grammars are regular expressions without a promise about their time, so what is longer stays plain. */
const maxCodeLength = 50_000;

/** HTML for a known language, undefined to show the code plain. */
export function highlight(code: string, language: string): string | undefined {
  if (code.length > maxCodeLength || !hljs.getLanguage(language)) return undefined;
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}
