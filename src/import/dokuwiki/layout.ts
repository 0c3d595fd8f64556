/** Layout of a DokuWiki: pages, change logs, earlier texts and media, and the position of each page in the tree. */
import { gunzipSync } from 'node:zlib';
import { maxBodyBytes } from '#core/model/page-fields.ts';
import { Problem } from '#core/model/problem.ts';
import { bytesOf, type FileTree, textIn, textOf } from '../documents/file-tree.ts';
import type { Author } from '../source.ts';
import { idOfPath, namespaceOf } from './ids.ts';

export interface Layout {
  /** ID → file. */
  pages: Map<string, string>;
  changes: Map<string, string>;
  media: Map<string, string>;
  /** ID and time, joined by a dot → file. */
  attic: Map<string, string>;
  /** Number of other files. */
  others: number;
  /** Path of `conf/acl.auth.php`, if present. */
  accessList: string | undefined;
}

/** A line of a change log. */
export interface Change {
  /** Seconds since 1970, by which DokuWiki names versions. */
  id: number;
  author: Author | null;
  msg: string;
  isDeletion: boolean;
}

const maxChangesBytes = 50_000_000;
const packed = /\.(?:gz|bz2)$/;

/** Folder that contains `pages`; undefined if there is none. */
export function dataFolderOf(paths: readonly string[]): string | undefined {
  const folders = paths.flatMap((path) => /^((?:[^/]+\/)?data\/|)pages\/.+\.txt$/.exec(path)?.[1] ?? []);
  const named = folders.find((folder) => folder !== '');
  if (named !== undefined || folders.length === 0) return named;
  // The folder `data` itself: it holds further folders of a DokuWiki beside its pages.
  return paths.some((path) => /^(?:meta|attic|media|media_meta|media_attic|index|cache|locks)\//.test(path))
    ? ''
    : undefined;
}

export function layoutOf(paths: readonly string[]): Layout {
  const root = dataFolderOf(paths);
  if (root === undefined)
    throw new Problem(
      'invalid',
      'There is no folder data/pages of a DokuWiki. Give the folder that contains “data”.',
    );
  const layout: Layout = {
    pages: new Map(),
    changes: new Map(),
    media: new Map(),
    attic: new Map(),
    others: 0,
    accessList: paths.find((path) => /(?:^|\/)conf\/acl\.auth\.php$/.test(path)),
  };
  for (const path of paths) {
    const [, folder = '', name = ''] = path.startsWith(root)
      ? (/^(pages|meta|attic|media)\/(.+)$/.exec(path.slice(root.length)) ?? [])
      : [];
    if (folder === 'pages' && name.endsWith('.txt')) layout.pages.set(idOfPath(name.slice(0, -4)), path);
    else if (folder === 'meta' && name.endsWith('.changes'))
      layout.changes.set(idOfPath(name.slice(0, -'.changes'.length)), path);
    else if (folder === 'attic' && /\.\d+\.txt(?:\.gz|\.bz2)?$/.test(name))
      layout.attic.set(idOfPath(name.replace(packed, '').slice(0, -4)), path);
    else if (folder === 'media') layout.media.set(idOfPath(name), path);
    else if (folder !== 'meta') layout.others++;
  }
  return layout;
}

/** Oldest first. */
export async function changesOf(tree: FileTree, { changes }: Layout, id: string): Promise<Change[]> {
  const file = changes.get(id);
  if (file === undefined) return [];
  const text = textIn(await bytesOf(tree, file, maxChangesBytes));
  const found = new Map<number, Change>();
  for (const line of text.split('\n')) {
    const [at = '', ip = '', type = '', , user = '', msg = ''] = line.split('\t');
    if (!/^\d{1,11}$/.test(at) || Number(at) === 0) continue;
    const author = user !== '' ? { key: `user:${user}`, name: user } : ip && { key: `ip:${ip}`, name: ip };
    found.set(Number(at), { id: Number(at), author: author || null, msg, isDeletion: type === 'D' });
  }
  return [...found.values()].sort((a, b) => a.id - b.id);
}

/** Text of an earlier version. Refuses `invalid` and `too-large`. */
export async function earlierText(tree: FileTree, path: string): Promise<string> {
  if (path.endsWith('.bz2')) throw new Problem('invalid', 'it is packed with bzip2');
  if (!path.endsWith('.gz')) return await textOf(tree, path);
  const bytes = await bytesOf(tree, path, maxBodyBytes);
  let text: Uint8Array;
  try {
    text = gunzipSync(bytes, { maxOutputLength: maxBodyBytes });
  } catch (error) {
    throw new Problem('invalid', `it is damaged, or has more than ${maxBodyBytes} bytes`, { cause: error });
  }
  return textIn(text);
}

/**
 * Names from the top. The page of a namespace is its `start`, or the page of its own name in it, or the one beside it; the
 * other candidates become its children.
 */
export function placesOf(ids: Iterable<string>): Map<string, string[]> {
  const all = new Set(ids);
  const places = new Map<string, string[]>();
  for (const id of all) {
    const parts = id.split(':');
    const namespace = namespaceOf(id);
    const name = parts.at(-1) ?? '';
    const isStart = name === 'start' && namespace !== '';
    const isOwn = name === parts.at(-2) && !all.has(`${namespace}:start`);
    if (isStart || isOwn) places.set(id, parts.slice(0, -1));
    else if (id === 'start' && !all.has('home')) places.set(id, ['home']);
    else places.set(id, all.has(`${id}:start`) || all.has(`${id}:${name}`) ? [...parts, name] : parts);
  }
  return places;
}
