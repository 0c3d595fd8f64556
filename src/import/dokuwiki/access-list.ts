/**
 * `conf/acl.auth.php` of a DokuWiki, as far as it says what visitors who are not signed in may read. Rules for named users and groups
 * are not taken over: those do not exist here.
 */
import { namespaceOf } from './ids.ts';

/** True for an ID of a page or file that visitors may not read. */
export type IsRestricted = (id: string) => boolean;

/**
 * The rule of DokuWiki's `auth_aclcheck`: the most specific pattern that says something of a visitor counts, the ID itself before its
 * namespace before those above it. Where none does, visitors may read nothing.
 */
export function readAccessList(text: string): IsRestricted {
  const levels = new Map<string, number>();
  for (const line of text.split(/\r?\n/)) {
    const [, pattern, level] = /^([^\s#]\S*)\s+@ALL\s+(\d+)\s*(?:#.*)?$/.exec(line.trim()) ?? [];
    if (pattern === undefined) continue;
    levels.set(pattern, Math.max(levels.get(pattern) ?? 0, Number(level)));
  }
  return (id) => {
    const own = levels.get(id);
    if (own !== undefined) return own < 1;
    for (let namespace = namespaceOf(id); namespace !== ''; namespace = namespaceOf(namespace)) {
      const level = levels.get(`${namespace}:*`);
      if (level !== undefined) return level < 1;
    }
    return (levels.get('*') ?? 0) < 1;
  };
}
