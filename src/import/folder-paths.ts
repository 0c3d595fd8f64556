/** Paths and names of files in a folder that is imported. */
import { cleanFilename } from '#domain/files/filename.ts';

/** A name for the file at `path` that no other has. Files of folders without pages meet on one page: the folder tells them apart. */
export function freeFilename(path: string, others: readonly { filename: string }[]): string {
  const base = cleanFilename(path) || 'file';
  const taken = new Set(others.map(({ filename }) => filename));
  const folder = path.split('/').slice(0, -1).join('-');
  let name = base;
  for (let number = 1; taken.has(name); number++)
    name = cleanFilename(number === 1 ? `${folder}-${base}` : `${number}-${folder}-${base}`);
  return name;
}

/** A path without dots and empty segments; undefined for one that leads out of the folder. */
export function withoutDots(path: string): string | undefined {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.join('/');
}
