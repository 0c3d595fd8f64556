/**
 * `conf/acl.auth.php` of a DokuWiki: the rules for visitors. Rules for named users and groups are ignored, because they do not
 * exist here.
 */
import { namespaceOf } from './ids.ts';

/** Returns true if visitors may not read this page or file. */
export type IsRestricted = (id: string) => boolean;

/**
 * The rule of DokuWiki's `auth_aclcheck`: the most specific pattern for visitors applies, in the order page, namespace, parent
 * namespaces. Without a pattern, visitors may not read.
 */
export function readAccessList(text: string): IsRestricted {
  const levels = new Map<string, number>();
  for (const line of text.split(/\r?\n/)) {
    const [, pattern, level = ''] = /^([^\s#]\S*)\s+@ALL(?:\s+([^\s#]*))?/.exec(line.trim()) ?? [];
    if (pattern === undefined) continue;
    // A level that is no number permits nothing.
    const allowed = /^\d+$/.test(level) ? Number(level) : 0;
    levels.set(pattern, Math.max(levels.get(pattern) ?? 0, allowed));
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
