/** Links in the place of a page that cannot be put there. */

/**
 * A red link to the page that is missing: a template, unless the call means the page itself or a part of it. Paths and titles
 * with a namespace stand for themselves.
 */
export function missingLink(name: string, meansPage: boolean): string {
  const title = name.replace(/\n.*$/s, '');
  // A link to a page of this name, even if it is like that of a file or marker.
  return meansPage || /^\/|[:#]/.test(title) ? `[[:${title}]]` : `[[:Template:${title}|${title}]]`;
}
