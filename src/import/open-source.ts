/** Opens a source of the given kind, or of the kind detected from its files. */
import { open, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Dialect } from '@coppice/wikitext/dialect';
import { Problem } from '#domain/problem.ts';
import { Confluence, entitiesFile } from './confluence/confluence.ts';
import { DocumentSource, kindOfTree, openTree } from './documents/documents.ts';
import { DokuWiki } from './dokuwiki/dokuwiki.ts';
import { dataFolderOf } from './dokuwiki/layout.ts';
import { packingOf } from './mediawiki/decode.ts';
import { openMediaWiki } from './mediawiki/mediawiki.ts';
import { type Kind, kinds, type Source } from './source.ts';

export interface OpenOptions {
  kind: Exclude<Kind, 'jsonl'>;
  dialect: Dialect;
  /** Folder with the uploaded files of a MediaWiki. */
  filesFolder?: string | undefined;
}

export async function openSource(path: string, options: OpenOptions): Promise<Source> {
  const { kind } = options;
  if (kind === 'mediawiki') return openMediaWiki(path, options);
  if (kind === 'confluence') return new Confluence(await openTree(path));
  if (kind === 'dokuwiki') return new DokuWiki(await openTree(path), options.dialect);
  return new DocumentSource(kind, await openTree(path), options.dialect);
}

export function readKind(text: string): Kind {
  const kind = kinds.find((kind) => kind === text);
  if (kind) return kind;
  throw new Problem('invalid', `There is no kind “${text}”: expected one of ${kinds.join(', ')}.`);
}

/** Refuses `invalid` if the source is of no supported kind. */
export async function detectKind(path: string, name = path): Promise<Kind> {
  const kind = await detected(path);
  if (kind) return kind;
  throw new Problem(
    'invalid',
    `${name} is no source that is known: name its kind with “from”, or --from on the command line (${kinds.join(', ')}).`,
  );
}

async function detected(path: string): Promise<Kind | undefined> {
  if ((await stat(path)).isDirectory()) return treeKind(path);
  const beginning = await beginningOf(path);
  if (beginning.startsWith('PK')) return treeKind(path);
  if ((await packingOf(path)) !== 'none') return 'mediawiki';
  if (beginning.startsWith('{"kind":"export"')) return 'jsonl';
  const text = beginning.replaceAll('\0', '');
  if (/<mediawiki\b/.test(text) || (extname(path) === '.xml' && text.includes('<'))) return 'mediawiki';
  return undefined;
}

async function treeKind(path: string): Promise<Kind | undefined> {
  await using tree = await openTree(path);
  if (tree.paths.includes(entitiesFile)) return 'confluence';
  return dataFolderOf(tree.paths) === undefined ? kindOfTree(tree) : 'dokuwiki';
}

async function beginningOf(path: string): Promise<string> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
  return buffer.toString('latin1', 0, bytesRead);
}
