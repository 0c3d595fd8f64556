/** Links in the place of a template that cannot be put there. */

/** A red link to the template that is missing. Paths and titles with a namespace stand for themselves. */
export function missingTemplate(name: string): string {
  const title = name.replace(/\n.*$/s, '');
  return /^\/|:/.test(title) ? linkTo(name) : `[[:Template:${title}|${title}]]`;
}

/** A link to the page of this name, even if it is like that of a file or marker. */
export function linkTo(name: string): string {
  return `[[:${name.replace(/\n.*$/s, '')}]]`;
}
