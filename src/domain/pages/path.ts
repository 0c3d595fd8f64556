/**
 * Page paths and slugs: what is a path, what it is normalised to, what Coppice keeps for itself.
 * A path is `/` and one or more segments joined by `/`, in NFC, compared exactly (case matters).
 */
import { hasMoreBytes } from '../bytes.ts';
import { fold } from '../search/fold.ts';

export const maxPathBytes = 1024;
export const maxPathSegments = 64;
/** How deep a page may lie below its root; paths given by hand could otherwise nest without end. */
export const maxDepth = 250;

/**
 * The first segments that Coppice serves itself; no page may lie at or beneath `/<segment>`.
 * The one list: a test holds it against every route that exists.
 */
export const reservedSegments = [
  'v1',
  'account',
  'assets',
  'atom',
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
  'preview',
  'protect',
  'readyz',
  'robots.txt',
  'search',
  'setup',
  'sitemap.xml',
  'sitemaps',
  'theme',
  'access',
  'trash',
  'tree',
  'updates',
  'wanted',
  'watch',
] as const;

export type ReadPath = { path: string } | { problem: string };

/** Normalises a path, or says in a sentence for the person why it is not one. Does not look at reserved paths. */
export function readPath(text: string): ReadPath {
  // Trimmed within its slashes, too: as the tail of a URL, without them, it is the same path.
  const path = `/${text.trim().normalize('NFC').replace(/^\//, '').replace(/\/$/, '').trim()}`;
  if (path === '/') return { problem: 'A path needs at least one segment, such as /welcome.' };
  // Unpaired surrogates have no UTF-8 form, so no URL and no PostgreSQL text could hold them.
  if (!path.isWellFormed()) return { problem: 'A path must be well-formed Unicode.' };
  const bad = /[\p{Cc}?#\\]/u.exec(path)?.[0];
  if (bad !== undefined) {
    const shown = /\p{Cc}/u.test(bad) ? 'control characters' : `“${bad}”`;
    return { problem: `A path cannot contain ${shown}.` };
  }
  if (hasMoreBytes(path, maxPathBytes)) {
    return { problem: `A path can have at most ${maxPathBytes} bytes.` };
  }
  const segments = path.slice(1).split('/');
  if (segments.length > maxPathSegments) {
    return { problem: `A path can have at most ${maxPathSegments} segments.` };
  }
  if (segments.some((segment) => segment.trim() === '')) {
    return { problem: 'A path cannot contain empty segments (//).' };
  }
  if (segments.some((segment) => segment === '.' || segment === '..')) {
    return { problem: 'A path cannot contain the segments “.” and “..”.' };
  }
  return { path };
}

/** Whether Coppice serves this path (or something beneath its first segment) itself. */
export function isReserved(path: string): boolean {
  const first = path.slice(1).split('/', 1)[0] ?? '';
  return (reservedSegments as readonly string[]).includes(first);
}

/** Lower case, Latin diacritics folded, letters and digits of every script kept, the rest joined by single hyphens. */
export function slugOf(title: string): string {
  return fold(title)
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}

/** The slug that is made of a title, `''` if it has no letters and digits. A path has room for 1,024 bytes: parents and children need some. */
export function madeSlugOf(title: string): string {
  return [...slugOf(title)].slice(0, 100).join('').replace(/-+$/, '');
}

export function childPath(parentPath: string | null, slug: string): string {
  return `${parentPath ?? ''}/${slug}`;
}

/** Whether `path` lies strictly beneath `ancestorPath`, by its text. */
export function isBeneath(path: string, ancestorPath: string): boolean {
  return path.startsWith(`${ancestorPath}/`);
}

/** Slashes, and what `encodeURIComponent` leaves as it is: most paths, and a page of the site has a hundred. */
const plainPath = /^[\w.~!*'()/-]*$/;

/** A path as it stands in a URL: each segment percent-encoded, the slashes between them not. */
export function encodePath(path: string): string {
  return plainPath.test(path) ? path : path.split('/').map(encodeURIComponent).join('/');
}

/** Text without its percent-encoding; what is encoded in another way stands for itself. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
