/** Colours code by classes: `highlight.js` escapes the code and adds nothing but `<span class="hljs-…">`. */
import hljs from 'highlight.js/lib/common';
import { type Allowance, createAllowance } from './allowance.ts';

/** Its grammars are regular expressions without a promise about their time, so what is longer stays plain. */
const maxCodeLength = 50_000;
/** Most of them are at their worst within a line: one word of 50,000 letters takes some of them hours. */
const longLine = /.{1001}/;

/** HTML for a known language, undefined to show the code plain. */
export function highlight(
  code: string,
  language: string,
  allowance: Allowance = createAllowance(),
): string | undefined {
  if (code.length > maxCodeLength || longLine.test(code) || !hljs.getLanguage(language)) return undefined;
  return allowance.spend(() => hljs.highlight(code, { language, ignoreIllegals: true }).value);
}
