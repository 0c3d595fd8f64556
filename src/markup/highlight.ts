/** Colours code by classes: `highlight.js` escapes the code and adds nothing but `<span class="hljs-…">`. */
import { createContext, Script } from 'node:vm';
import hljs from 'highlight.js/lib/common';

/** Its grammars are regular expressions without a promise about their time, so what is longer stays plain. */
const maxCodeLength = 50_000;
/** Most of them are at their worst within a line: one word of 50,000 letters takes some of them hours. */
const longLine = /.{1001}/;
/** What takes longer still stays plain; nobody else is answered meanwhile. */
const patienceMs = 1000;

/** HTML for a known language, undefined to show the code plain. */
export function highlight(code: string, language: string): string | undefined {
  if (code.length > maxCodeLength || longLine.test(code) || !hljs.getLanguage(language)) return undefined;
  context.work = () => hljs.highlight(code, { language, ignoreIllegals: true }).value;
  try {
    return script.runInContext(context, { timeout: patienceMs });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  } finally {
    context.work = undefined;
  }
}

/** No protection from code, only the one way to end a regular expression that takes too long. */
const context: { work?: (() => string) | undefined } = {};
createContext(context);
const script = new Script('work()');
