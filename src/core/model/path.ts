/**
 * Page paths and slugs: syntax, normalisation, and reserved paths. A path is `/` and one or more segments joined by `/`, in
 * NFC, compared exactly (case matters).
 */
import type { Words } from '#html/html.ts';
import { say } from '#words/say.ts';
import { hasMoreBytes } from './bytes.ts';
import { foldLatin } from './fold.ts';
import { withoutInvisible } from './invisible.ts';

export const maxPathBytes = 1024;
export const maxPathSegments = 64;
/** Maximum depth of a page below its root; explicit paths could otherwise nest without limit. */
export const maxDepth = 250;

/**
 * First segments that are reserved for Coppice; no page may have the path `/<segment>` or one beneath it. This is the only
 * list: a test compares it with all routes.
 */
export const reservedSegments = [
  'v1',
  'account',
  'assets',
  'comments',
  'atom',
  'by-link',
  'delete',
  'edit',
  'erase',
  'export',
  'favicon.ico',
  'feed',
  'files',
  'healthz',
  'history',
  'diff',
  'import',
  'index.php',
  'invite',
  'login',
  'logout',
  'like',
  'llms.txt',
  'llms-full.txt',
  'map',
  'mcp',
  'members',
  'metrics',
  'move',
  'new',
  'order',
  'copy',
  'preview',
  'proposals',
  'protect',
  'readyz',
  'robots.txt',
  'search',
  'secret-links',
  'settings',
  'setup',
  'sitemap.xml',
  'sitemaps',
  'translations',
  'theme',
  'access',
  'trash',
  'verify',
  'tree',
  'updates',
  'wanted',
  'watch',
] as const;

type ReadPath = { path: string } | { problem: Words };

/** Normalises a path, or returns a sentence about why it is invalid. Does not check reserved paths. */
export function readPath(text: string): ReadPath {
  // Trimmed inside its slashes as well, so that it equals the tail of a URL.
  const path = `/${text.trim().normalize('NFC').replace(/^\//, '').replace(/\/$/, '').trim()}`;
  if (path === '/') return { problem: say('problem.aPathNeedsAtLeastOneSegment') };
  // Unpaired surrogates have no UTF-8 form, so neither URLs nor PostgreSQL could hold them.
  if (!path.isWellFormed()) return { problem: say('problem.aPathMustBeWellFormedUnicode') };
  const bad = /[\p{Cc}?#\\]/u.exec(path)?.[0];
  if (bad !== undefined) {
    if (/\p{Cc}/u.test(bad)) return { problem: say('problem.aPathCannotContainControlCharacters') };
    return { problem: say('problem.aPathCannotContain', { character: bad }) };
  }
  if (hasMoreBytes(path, maxPathBytes)) {
    return { problem: say('problem.aPathCanHaveAtMostBytes', { maxPathBytes }) };
  }
  const segments = path.slice(1).split('/');
  if (segments.length > maxPathSegments) {
    return { problem: say('problem.aPathCanHaveAtMostSegments', { maxPathSegments }) };
  }
  if (segments.some((segment) => segment.trim() === '')) {
    return { problem: say('problem.aPathCannotContainEmptySegments') };
  }
  if (segments.some((segment) => segment === '.' || segment === '..')) {
    return { problem: say('problem.aPathCannotContainTheSegmentsAnd') };
  }
  return { path };
}

/** Normalises the address of a new or moved page, which loses invisible characters. Pages that have some keep them. */
export function readNewPath(text: string, current?: string): ReadPath {
  const read = readPath(text);
  return 'problem' in read || read.path === current ? read : readPath(withoutInvisible(read.path));
}

/** Whether this path, or its first segment, is reserved for Coppice. */
export function isReserved(path: string): boolean {
  const first = path.slice(1).split('/', 1)[0] ?? '';
  return (reservedSegments as readonly string[]).includes(first);
}

/**
 * Lower case, with Latin diacritics folded, letters and digits of every script kept, and the rest replaced by single hyphens.
 */
export function slugOf(title: string): string {
  return foldLatin(withoutInvisible(title))
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}

/**
 * Slug made from a title; empty if it has no letters and digits. Shortened, because a path is limited to 1,024 bytes, which
 * parents and children share.
 */
export function madeSlugOf(title: string): string {
  return [...slugOf(title)].slice(0, 100).join('').replace(/-+$/, '');
}

/** Path of a page beneath the parent, or of a root page without one. Neither its length nor its form is checked. */
export function childPath(parentPath: string | null, slug: string): string {
  return `${parentPath ?? ''}/${slug}`;
}

/** Whether the text of `path` lies strictly beneath `ancestorPath`. */
export function isBeneath(path: string, ancestorPath: string): boolean {
  return path.startsWith(`${ancestorPath}/`);
}

/** Addresses above this one, longest first: `/a/b/c` lies beneath `/a/b` and `/a`. */
export function pathsAbove(path: string): string[] {
  const above: string[] = [];
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
    above.push(path.slice(0, end));
  return above;
}

/** Addresses above the page that are not those of its ancestors in the tree, because an address need not follow the tree. */
export function pathsBesideTree(page: { path: string; lineage: readonly { path: string }[] }): string[] {
  return pathsAbove(page.path).filter((path) => page.lineage.every((ancestor) => ancestor.path !== path));
}

/**
 * Slashes and characters that `encodeURIComponent` keeps. Most paths consist of them, and a page of the site contains a
 * hundred.
 */
const plainPath = /^[\w.~!*'()/-]*$/;

/** A path in a URL: each segment is percent-encoded, the slashes are not. */
export function encodePath(path: string): string {
  return plainPath.test(path) ? path : path.split('/').map(encodeURIComponent).join('/');
}

/** Decodes percent-encoding; invalid encoding is kept as it is. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
