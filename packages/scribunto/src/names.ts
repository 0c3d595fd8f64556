/** Names of modules, and locating the program on a module's page. */

const prefix = /^\s*(?:module|modul|modulo|módulo|moduł|модуль|モジュール|模块)\s*:/i;

/**
 * Returns `Module:Name`, the form in which pages are requested, or undefined if no page can have that name. Also understands
 * the prefix in other major languages.
 */
export function moduleName(written: string): string | undefined {
  const name = written
    .replace(prefix, '')
    .replace(/[\s_]+/g, ' ')
    .trim();
  if (!prefix.test(written) || name === '' || name.length > 255 || /[<>[\]{}|#\u0000-\u001f]/.test(name))
    return undefined;
  return `Module:${name}`;
}

/** Several times as many as Wikipedia's largest modules name. */
const maxNamed = 100;
const loading = /\b(?:require|loadData)\s{0,20}\(?\s{0,20}(?:'([^'\n]{1,255})'|"([^"\n]{1,255})")/g;

/** Names of the modules that a program most likely loads, found in its source. */
export function namedModules(source: string): Set<string> {
  const names = new Set<string>();
  for (const [, single, double] of source.matchAll(loading)) {
    const name = moduleName(single ?? double ?? '');
    if (name !== undefined) names.add(name);
    if (names.size === maxNamed) break;
  }
  return names;
}
