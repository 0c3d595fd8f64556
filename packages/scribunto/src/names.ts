/** Names of modules, and the place of their programs on a page. */

const prefix = /^\s*(?:module|modul|modulo|módulo|moduł|модуль|モジュール|模块)\s*:/i;

/** `Module:Name` as pages are asked for; undefined where a page cannot be called so. In the other large languages' words, too. */
export function moduleName(written: string): string | undefined {
  const name = written
    .replace(prefix, '')
    .replace(/[\s_]+/g, ' ')
    .trim();
  if (!prefix.test(written) || name === '' || name.length > 255 || /[<>[\]{}|#\u0000-\u001f]/.test(name))
    return undefined;
  return `Module:${name}`;
}

/** At most as many as Wikipedia's largest modules have, several times over. */
const maxNamed = 100;
const loading = /\b(?:require|loadData)\s{0,20}\(?\s{0,20}(?:'([^'\n]{1,255})'|"([^"\n]{1,255})")/g;

/** Modules that a program most likely loads, by their names in its text. */
export function namedModules(source: string): Set<string> {
  const names = new Set<string>();
  for (const [, single, double] of source.matchAll(loading)) {
    const name = moduleName(single ?? double ?? '');
    if (name !== undefined) names.add(name);
    if (names.size === maxNamed) break;
  }
  return names;
}
