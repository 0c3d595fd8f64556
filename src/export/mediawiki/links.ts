/** Wikitext for a MediaWiki: links by title, because MediaWiki has no paths. */

/** Matches `[[/path#part|label]]` and `[[File:/path/name|…]]`. */
const link =
  /\[\[(:?)((?:File|Media):)?(\/[^[\]|#\n]{1,1000})(#[^[\]|\n]{0,300})?(\|[^[\]\n]{0,1000})?\]\]/gi;

/** Returns the paths of pages that links name. */
export function pathsIn(body: string): string[] {
  const paths = [...body.matchAll(link)].flatMap(([, , isFile, path = '']) => (isFile ? [] : [path.trim()]));
  return [...new Set(paths)];
}

/** Replaces paths in links by titles and keeps what the links show. `titleOf`: returns undefined to leave a link as it is. */
export function withTitles(
  body: string,
  paths: readonly string[],
  titleOf: (path: string) => string | undefined,
): string {
  if (paths.length === 0 && !/\[\[:?(?:File|Media):\//i.test(body)) return body;
  return body.replace(link, (...found) => {
    const [all = '', colon = '', isFile = '', path = '', part = '', label = ''] = found as string[];
    if (isFile) return `[[${colon}${isFile}${path.slice(path.lastIndexOf('/') + 1)}${label}]]`;
    const title = titleOf(path.trim());
    return title === undefined ? all : `[[:${title}${part}${label === '' ? `|${path}` : label}]]`;
  });
}
