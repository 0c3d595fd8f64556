/** Highlights code by classes. `highlight.js` escapes the code and adds only `<span class="hljs-…">`. */
import hljs from 'highlight.js/lib/common';
import { type Allowance, createAllowance } from './allowance.ts';

/** Its grammars are regular expressions without bounds on time, so longer code stays plain. */
const maxCodeLength = 50_000;
/** Most grammars are slowest within one line: a word of 50,000 letters takes some of them hours. */
const longLine = /.{1001}/;

/** Returns HTML for a known language, or undefined to show the code plain. */
export function highlight(
  code: string,
  language: string,
  allowance: Allowance = createAllowance(),
): string | undefined {
  if (code.length > maxCodeLength || longLine.test(code) || !hljs.getLanguage(language)) return undefined;
  return allowance.spend(() => hljs.highlight(code, { language, ignoreIllegals: true }).value);
}
