/**
 * Markdown for a MediaWiki, from which it may come back: links by title and files by name, because MediaWiki has no paths.
 *
 *   [an oak](/trees/oak#bark)     [[:Oak#bark|an oak]]          ![](/trees/oak.png "T")     ![](oak.png "T")
 *   [[/trees/oak]]                [[:Oak|/trees/oak]]           [[Media:/trees/a.pdf|a]]    [[Media:a.pdf|a]]
 */
import { encodePath, percentDecoded } from '#core/model/path.ts';
import { replaceLinks } from '#import/documents/scan.ts';
import { pathsIn, withTitles } from './links.ts';

/** Returns the paths of pages that links name. */
export function pathsInMarkdown(body: string): string[] {
  const paths = new Set<string>();
  replaceLinks(body, (link) => {
    if (link.kind === 'wiki') for (const path of pathsIn(`[[${link.inside}]]`)) paths.add(path);
    else if (/^\/(?!\/)/.test(link.target)) paths.add(pathOf(link.target));
    return undefined;
  });
  return [...paths];
}

/** `titleOf`: returns undefined to leave a link as it is. */
export function markdownWithTitles(
  body: string,
  paths: readonly string[],
  titleOf: (path: string) => string | undefined,
): string {
  return replaceLinks(body, (link) => {
    if (link.kind === 'wiki') {
      const written = `[[${link.inside}]]`;
      const [, embedded = '', label = ''] =
        /^\/(?:[^|]*\/)?([^/|]+\.\w{1,9})(\\?\|.*)?$/s.exec(link.inside) ?? [];
      const isFile =
        link.isEmbed &&
        embedded !== '' &&
        titleOf(pathOf(link.inside.replace(/\\?\|.*$/s, ''))) === undefined;
      const changed = isFile ? `[[${embedded}${label}]]` : withTitles(written, paths, titleOf);
      return changed === written ? undefined : `${link.isEmbed ? '!' : ''}${changed}`;
    }
    if (!/^\/(?!\/)/.test(link.target)) return undefined;
    const path = pathOf(link.target);
    const title = titleOf(path);
    if (title === undefined) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      if (!/\.\w{1,9}$/.test(name)) return undefined;
      if (link.kind === 'tag') return encodePath(name);
      if (link.isDefinition) return `[${link.text}]: ${encodePath(name)}`;
      return `${link.isImage ? '!' : ''}[${link.text}](${encodePath(name)}${link.more})`;
    }
    if (link.kind === 'tag' || link.isImage || link.isDefinition || /[[\]|\n]/.test(link.text))
      return undefined;
    const hash = link.target.indexOf('#');
    return `[[:${title}${hash < 0 ? '' : link.target.slice(hash)}|${link.text}]]`;
  });
}

function pathOf(address: string): string {
  return percentDecoded(address.replace(/[?#].*$/s, ''));
}
