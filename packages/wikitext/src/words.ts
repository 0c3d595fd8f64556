/** Names that the engine itself defines: `{{PAGENAME}}`, `{{#if:…}}`, `{{lc:…}}`, `{{Children}}`. */
import { caselessWords, listings, variables } from './constructs.ts';
import { isFunction } from './functions/run.ts';
import type { Rules } from './options.ts';

/** Whether `{{name…}}` is built in, rather than the inclusion of a page. */
export function isBuiltIn(written: string, hasArguments: boolean, rules: Rules): boolean {
  const name = rules.word?.(written) ?? written;
  const colon = name.indexOf(':');
  if (colon < 0) {
    if (rules.listings && listings.has(name)) return true;
    const isVariable = variables.has(name) || caselessWords.has(name.toLowerCase());
    return name.startsWith('#') || (isVariable && !hasArguments);
  }
  const word = name.slice(0, colon);
  if (word.startsWith('#')) return true;
  return variables.has(word) || isFunction(word.toLowerCase());
}
