/**
 * A Docusaurus: documents, their earlier versions, blogs and single pages, and translations of each. Every part has a folder, and
 * a place on the site:
 *
 *   docs/trees/oak.md                                               trees/oak, published at docs/trees/oak
 *   versioned_docs/version-1.0/trees/oak.md                         1.0/trees/oak
 *   blog/2021-08-26-oak.md                                          blog/oak
 *   src/pages/about.md                                              about
 *   i18n/de/docusaurus-plugin-content-docs/current/trees/oak.md     de/trees/oak
 */
import { assigned, textIn } from './settings.ts';
import { folderAddress, folderOf, type SiteDocument, withoutDay, withoutNumber } from './site-address.ts';

export interface Part {
  /** Matches the folder, with the language and the version as groups. */
  folder: RegExp;
  /** Folder of the originals, with a slash at the end. */
  original: string;
  /** Place on the site, with a slash at the end if it is not the top. */
  place: string;
}

export interface Placed {
  locale: string | undefined;
  /** From the top of the site, without the language. */
  path: string;
  /** Beginning of the path, with a slash at the end, from which addresses in front matter start. */
  top: string;
  /** The document in the language of the site. */
  original: string;
}

const locales = 'i18n/(?<locale>[^/]+)/docusaurus-plugin-content-';
const version = '/version-(?<version>[^/]+)';

/** The path at which Docusaurus looks for the translation of a file within the folder of the documents. */
export function i18nPath(language: string, file: string): string {
  return `i18n/${language}/docusaurus-plugin-content-docs/current/${file}`;
}

/** `base`: folder of the settings. `root`: that of the documents. `has`: whether there are files beneath a folder. */
export function docusaurusParts(
  program: string,
  base: string,
  root: string,
  has: (folder: string) => boolean,
): Part[] {
  const part = (folder: string, place: string, original: string): Part => ({
    folder: new RegExp(`^${escaped(base)}${folder}(?:/|$)`),
    place,
    original,
  });
  const blogSettings = settingsOf(program, 'blog');
  const blog = bare(assigned(blogSettings, 'path') ?? 'blog');
  const ofBlog = withSlash(assigned(blogSettings, 'routeBasePath') ?? 'blog');
  const parts = [
    part('src/pages', '', `${base}src/pages/`),
    part(`${locales}pages`, '', `${base}src/pages/`),
    part(`versioned_docs${version}`, '', root),
    part(`${locales}docs${version}`, '', root),
    part(`${locales}docs/current`, '', root),
    part(escaped(blog), ofBlog, `${base}${blog}/`),
    part(`${locales}blog`, ofBlog, `${base}${blog}/`),
  ];
  for (const own of furtherPlugins(program)) {
    const id = assigned(own, 'id');
    const folder = bare(assigned(own, 'path') ?? '');
    if (id === undefined || folder === '' || !has(`${base}${folder}/`)) continue;
    const place = withSlash(assigned(own, 'routeBasePath') ?? folder);
    const original = `${base}${folder}/`;
    parts.push(
      part(escaped(folder), place, original),
      part(`${locales}docs-${escaped(id)}/current`, place, original),
      part(`${locales}blog-${escaped(id)}`, place, original),
      part(`${escaped(id)}_versioned_docs${version}`, place, original),
    );
  }
  return parts;
}

/** Undefined for what lies in the folder of the documents, or in none that is shown. */
export function placedIn(parts: readonly Part[], path: string): Placed | undefined {
  for (const { folder, place, original } of parts) {
    const match = folder.exec(path);
    if (!match) continue;
    const { locale, version } = match.groups ?? {};
    const within = path.slice(match[0].length);
    const top = place + (version === undefined ? '' : `${version}/`);
    return {
      locale,
      path: `${top}${within}`.replace(/\/$/, ''),
      top,
      original: `${original}${within}`,
    };
  }
  return undefined;
}

/** Names from the top. Dates before names define addresses and order only. */
export function docusaurusPlace(parts: readonly Part[], path: string): string[] {
  const { locale, path: own } = placedIn(parts, path) ?? { locale: undefined, path };
  return [...(locale === undefined ? [] : [locale]), ...own.split('/').filter(Boolean)].map((name) =>
    withoutDay(name),
  );
}

export function docusaurusAddresses({ path, facts }: SiteDocument, placed: Placed | undefined): string[] {
  const own = placed?.path ?? path;
  const { locale, top = '' } = placed ?? {};
  const addresses = dated.test(own) ? ofPost(own, facts, top) : ofDocument(own, facts, top);
  // Pages are published without a slash at the end.
  return addresses
    .flatMap((one) => (locale === undefined ? [one] : [`${locale}/${one}`, `${locale}/docs/${one}`]))
    .map((one) => one.replace(/\/$/, '') || '/');
}

const dated = /(?:^|\/)(\d{4})[-/](\d{2})[-/](\d{2})[-/]([^/]+?)(?:\/index)?(?:\.mdx?)?$/;

/** Posts are published by their date, unless they state a slug. */
function ofPost(path: string, facts: SiteDocument['facts'], top: string): string[] {
  const [, year, month, day, name] = dated.exec(path) ?? [];
  const slug = textIn(facts, 'slug')?.replace(/^\.?\//, '');
  const own = `${year}/${month}/${day}/${name}`;
  return [`${top}${slug ?? own}`, `${top}${own}`, `${top}${name}`, own];
}

function ofDocument(path: string, facts: SiteDocument['facts'], top: string): string[] {
  const plain = path.split('/').map(withoutNumber).join('/');
  const folder = folderOf(plain);
  const own = /(?:^|\/)([^/]+)\/\1\.mdx?$/i.test(plain)
    ? folder
    : folderAddress(plain, /^(?:index|readme)$/i);
  const id = textIn(facts, 'id');
  const slug = textIn(facts, 'slug');
  const shown = slug?.startsWith('/') ? top + slug.slice(1) : slug && `${folder}${slug.replace(/^\.\//, '')}`;
  const byId = id === undefined ? own : `${folder}${id}`;
  return [shown ?? byId, byId, own];
}

/** The text between the braces after a name; empty if there are none. */
export function settingsOf(program: string, name: string): string {
  const start = new RegExp(`\\b${name}\\s*:\\s*\\{`).exec(program);
  return start === null ? '' : upToEnd(program, start.index + start[0].length);
}

/** Settings of plugins for further documents and blogs. */
function furtherPlugins(program: string): string[] {
  return [...program.matchAll(/plugin-content-(?:docs|blog)["'`]\)?\s*,\s*\{/g)].map(({ 0: start, index }) =>
    upToEnd(program, index + start.length),
  );
}

/** The text from a place within braces up to their end. */
function upToEnd(program: string, from: number): string {
  let depth = 1;
  let at = from;
  for (; at < program.length && depth > 0; at++)
    if (program[at] === '{') depth++;
    else if (program[at] === '}') depth--;
  return program.slice(from, at);
}

function bare(folder: string): string {
  return folder.replace(/^\.?\/|\/+$/g, '');
}

function withSlash(place: string): string {
  const path = place.replace(/^\/+|\/+$/g, '');
  return path === '' ? '' : `${path}/`;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
