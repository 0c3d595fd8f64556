/** Colours code by classes: `highlight.js` escapes the code and adds nothing but `<span class="hljs-…">`. */
import { createContext, Script } from 'node:vm';
import hljs from 'highlight.js/lib/common';

/** Its grammars are regular expressions without a promise about their time, so what is longer stays plain. */
const maxCodeLength = 50_000;
/** Most of them are at their worst within a line: one word of 50,000 letters takes some of them hours. */
const longLine = /.{1001}/;
/** What takes longer still stays plain. */
const patienceMs = 1000;
/** While everybody else waits. */
const patienceHereMs = 30;

/** Says that another thread had better do it. */
export class TakesLong extends Error {}

/** HTML for a known language, undefined to show the code plain. */
export function highlight(code: string, language: string): string | undefined {
  return highlightWithin(patienceMs, code, language);
}

/** As `highlight`, on the thread that answers requests: throws `TakesLong` rather than keep it. */
export function highlightHere(code: string, language: string): string | undefined {
  return highlightWithin(patienceHereMs, code, language, () => {
    throw new TakesLong();
  });
}

function highlightWithin(
  timeout: number,
  code: string,
  language: string,
  giveUp: () => undefined = () => undefined,
): string | undefined {
  if (code.length > maxCodeLength || longLine.test(code) || !hljs.getLanguage(language)) return undefined;
  context.work = () => hljs.highlight(code, { language, ignoreIllegals: true }).value;
  try {
    return script.runInContext(context, { timeout });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return giveUp();
    throw error;
  } finally {
    context.work = undefined;
  }
}

/** No protection from code, only the one way to end a regular expression that takes too long. */
const context: { work?: (() => string) | undefined } = {};
createContext(context);
const script = new Script('work()');
