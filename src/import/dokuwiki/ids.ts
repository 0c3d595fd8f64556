/** IDs of pages and media in DokuWiki's form: `trees:oak_leaf`, lower case, namespaces before the name. */
import { percentDecoded } from '#core/model/path.ts';

/** Converts a written name to an ID. */
export function cleanId(written: string): string {
  return written
    .normalize('NFC')
    .toLowerCase()
    .replace(/[/;]/g, ':')
    .replace(/[^\p{L}\p{M}\p{N}:._-]+/gu, '_')
    .split(':')
    .map((name) => name.replace(/^[._-]+|[._-]+$/g, '').replace(/__+/g, '_'))
    .filter((name) => name !== '')
    .join(':');
}

/** ID of a link on a page of the namespace; one that ends with a colon is a namespace. */
export function resolveId(namespace: string, written: string): string {
  const name = written.trim().replace(/[/;]/g, ':');
  const end = name.endsWith(':') ? ':' : '';
  if (name.startsWith(':')) return cleanId(name) + end;
  const [, dots = '', rest = ''] = /^((?:\.{1,2}:?)*)(.*)$/s.exec(name) ?? [];
  if (dots === '' && name.includes(':')) return cleanId(name) + end;
  const above = namespace.split(':').filter((part) => part !== '');
  for (let ups = dots.match(/\.\./g)?.length ?? 0; ups > 0; ups--) above.pop();
  return cleanId([...above, rest].join(':')) + (end || (rest === '' ? ':' : ''));
}

export function namespaceOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf(':')));
}

/** ID of a file in the folder of pages or media. DokuWiki percent-encodes non-ASCII characters. */
export function idOfPath(path: string): string {
  return path.split('/').map(percentDecoded).join(':').normalize('NFC');
}
