/** Paths and names of files in an imported folder. */
import { cleanFilename } from '#core/model/filename.ts';

/**
 * A file name for `path` that is not taken yet, and is from now on. Files of several folders without pages may share a page; the
 * folder name distinguishes them.
 */
export function freeFilename(path: string, taken: Set<string>): string {
  const base = cleanFilename(path) || 'file';
  const folder = path.split('/').slice(0, -1).join('-');
  let name = base;
  for (let number = 1; taken.has(name); number++)
    name = cleanFilename(number === 1 ? `${folder}-${base}` : `${number}-${folder}-${base}`);
  taken.add(name);
  return name;
}

/** A path without dots and empty segments; undefined if it leads out of the folder. */
export function withoutDots(path: string): string | undefined {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.join('/');
}

/** Folders in which a path lies, longest first, each with a trailing slash. */
export function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
    folders.push(path.slice(0, at + 1));
  return folders;
}
