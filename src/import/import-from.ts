/** Imports a file or folder of any supported kind. */
import type { Files } from '#core/ports/file-store.ts';
import type { Outgoing } from '#core/ports/outgoing.ts';
import type { Store } from '#core/ports/store.ts';
import type { Certificate } from './certificate.ts';
import { FetchingSource } from './fetching-source.ts';
import { importLines } from './json-lines/import-lines.ts';
import { openSource } from './open-source.ts';
import { type ImportOptions, runImport } from './run.ts';
import type { Kind } from './source.ts';

interface ImportFromOptions extends Omit<ImportOptions, 'onProgress'> {
  kind: Kind;
  /** Observation by which the kind was recognised. */
  recognisedBy: string | undefined;
  /** Folder with the uploaded files of a MediaWiki. */
  filesFolder?: string | undefined;
  /** Name of the file where it comes from. */
  filename?: string | undefined;
  onProgress: (done: number, total: number) => void;
  /** Fetches pictures of other sites; absent: they stay there. */
  outgoing?: Pick<Outgoing, 'get'> | undefined;
}

export async function importFrom(
  wiki: { store: Store; files: Files },
  place: string,
  { kind, recognisedBy, filesFolder, filename, outgoing, ...options }: ImportFromOptions,
): Promise<Certificate> {
  const known = recognisedBy === undefined ? {} : { recognisedBy };
  if (kind === 'jsonl') return { ...(await importLines(wiki, place, options)), ...known };
  const { parentPath, now } = options;
  const opening = { kind, dialect: wiki.store.dialect, filesFolder, filename, parentPath, now };
  await using opened = await openSource(place, opening);
  const { maxFileBytes: maxBytes, clock } = options;
  const source = outgoing ? new FetchingSource(opened, { get: outgoing.get, maxBytes, clock }) : opened;
  return { ...(await runImport(wiki, source, options)), ...known };
}
