/** Resolves addresses and names in a folder of documents to pages and files, relative to a document. */
import { cleanFilename } from '#domain/files/filename.ts';
import { percentDecoded } from '#domain/pages/path.ts';
import { withoutDots } from '../folder-paths.ts';
import type { Flavour } from './flavour.ts';

export type Meant = { page: string } | { file: string };

const endings = [
  '',
  '.md',
  '.mdx',
  '.markdown',
  '/index.md',
  '/README.md',
  '/_index.md',
  '/readme.md',
  '/index.mdx',
  '.html',
  '/index.html',
  '/index.htm',
];

export class DocumentLinks {
  readonly #exact = new Set<string>();
  /** Path in lower case → path. */
  readonly #documents = new Map<string, string>();
  readonly #files = new Map<string, string>();
  /** File name in lower case → paths, shortest first. */
  readonly #documentsByName = new Map<string, string[]>();
  readonly #filesByName = new Map<string, string[]>();
  /** Path on the generated site, in lower case → key. */
  readonly #byPlace: ReadonlyMap<string, string>;
  readonly #flavour: Flavour;

  constructor(
    documents: Iterable<string>,
    files: Iterable<string>,
    byPlace: ReadonlyMap<string, string>,
    flavour: Flavour,
  ) {
    this.#byPlace = byPlace;
    this.#flavour = flavour;
    for (const path of documents) {
      this.#exact.add(path);
      this.#documents.set(path.toLowerCase(), path);
      add(this.#documentsByName, nameOf(path).replace(/\.(?:md|mdx|markdown)$/i, ''), path);
    }
    for (const path of files) {
      this.#files.set(path.toLowerCase(), path);
      add(this.#filesByName, nameOf(path), path);
      add(this.#filesByName, cleanFilename(path), path);
    }
  }

  /** Resolves an address as a browser or a site generator does. */
  address(from: string, written: string): Meant | undefined {
    const name = percentDecoded(written).replace(/\?.*$/, '').replace(/\/+$/, '');
    if (name === '') return undefined;
    const { root, publicFolders } = this.#flavour;
    const folder = from.slice(0, from.lastIndexOf('/') + 1);
    const candidates = name.startsWith('/')
      ? [root, ...publicFolders].map((base) => base + name.slice(1))
      : [folder + name, `${from.replace(/\.(?:md|mdx|markdown)$/i, '')}/${name}`, root + name];
    for (const candidate of candidates) {
      const path = normalised(candidate);
      if (path === undefined) continue;
      const found = this.#at(path);
      if (found) return found;
    }
    const shown = normalised(name.startsWith('/') ? name.slice(1) : `${folder.slice(root.length)}${name}`);
    const key = shown === undefined ? undefined : this.#placed(shown);
    return key === undefined ? undefined : { page: key };
  }

  /**
   * Resolves a name in double brackets: a path from the top or from the document, or else the file with that name and the
   * shortest path.
   */
  name(from: string, written: string): Meant | undefined {
    const name = written.trim().replaceAll('\\', '/').normalize('NFC');
    if (name === '') return undefined;
    const folder = from.slice(0, from.lastIndexOf('/') + 1);
    for (const candidate of [name.replace(/^\//, ''), folder + name]) {
      const path = normalised(candidate);
      const found = path === undefined ? undefined : this.#at(path);
      if (found) return found;
    }
    const last = nameOf(name).toLowerCase();
    const end = `/${name.replace(/^\.*\//, '')}`.toLowerCase();
    const page = this.#documentsByName
      .get(last.replace(/\.md$/, ''))
      ?.find((path) =>
        `/${path.toLowerCase()}`.replace(/\.(?:md|mdx|markdown)$/, '').endsWith(end.replace(/\.md$/, '')),
      );
    if (page !== undefined) return { page };
    const file = this.#filesByName.get(last)?.find((path) => `/${path.toLowerCase()}`.endsWith(end));
    return file === undefined ? undefined : { file };
  }

  #at(path: string): Meant | undefined {
    for (const ending of endings) {
      if (this.#exact.has(path + ending)) return { page: path + ending };
      const document = this.#documents.get((path + ending).toLowerCase());
      if (document !== undefined) return { page: document };
    }
    const file = this.#files.get(path.toLowerCase());
    return file === undefined ? undefined : { file };
  }

  /** Paths may begin with a language code. */
  #placed(shown: string): string | undefined {
    const place = shown.replace(/\.(?:html?|md)$/i, '').toLowerCase();
    return this.#byPlace.get(place) ?? this.#byPlace.get(place.replace(/^[a-z]{2}(?:-[a-z]{2})?\//, ''));
  }
}

function add(names: Map<string, string[]>, name: string, path: string): void {
  const key = name.normalize('NFC').toLowerCase();
  const paths = names.get(key);
  if (!paths) names.set(key, [path]);
  else if (!paths.includes(path)) {
    paths.push(path);
    paths.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Undefined for paths outside the folder. */
function normalised(path: string): string | undefined {
  return withoutDots(path)?.normalize('NFC');
}
