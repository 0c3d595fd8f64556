/** Resolves addresses and names in a folder of documents to pages and files, relative to a document. */
import { cleanFilename } from '#core/model/filename.ts';
import { percentDecoded } from '#core/model/path.ts';
import { withoutDots } from '../folder-paths.ts';
import type { Flavour } from './flavour.ts';
import { addressKey } from './site-address.ts';

export type Meant = { page: string } | { file: string };

/** How the program of the source finds documents, besides by their files. */
export interface Published {
  /** Key → address of the page, where its relative links start. */
  addresses: ReadonlyMap<string, string>;
  /** Address, as compared → key. */
  byAddress: ReadonlyMap<string, string>;
  /** Name in lower case → key. */
  byName: ReadonlyMap<string, string>;
  /** Beginnings of addresses that mean the top of the site. */
  bases: readonly string[];
  /** Address within the site of a whole one that names a page by its ID. */
  addressIn?: ((address: string) => string | undefined) | undefined;
}

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
  readonly #published: Published;
  readonly #flavour: Flavour;

  constructor(
    { documents, files }: { documents: Iterable<string>; files: Iterable<string> },
    byPlace: ReadonlyMap<string, string>,
    published: Published,
    flavour: Flavour,
  ) {
    this.#byPlace = byPlace;
    this.#published = published;
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

  /** Whether the address, which names a scheme, is one of the site itself. */
  isOwn(written: string): boolean {
    const { bases, byAddress, addressIn } = this.#published;
    return (
      bases.some((base) => /^(?:[a-z]+:|@)/i.test(base) && isBeneath(written, base)) ||
      byAddress.has(addressIn?.(written) ?? '/')
    );
  }

  /** Resolves an address as a browser or a site generator does. */
  address(from: string, written: string): Meant | undefined {
    const name = percentDecoded(written).replace(/\?.*$/, '');
    if (name.replace(/\/+$/, '') === '') {
      const home = name === '/' ? this.#published.byAddress.get(addressKey('')) : undefined;
      return home === undefined ? undefined : { page: home };
    }
    // A document's file is meant by its path. Everything else is an address of the site first.
    const isFile = /\.(?:md|mdx|markdown)$/i.test(name);
    const found =
      (isFile ? undefined : this.#page(from, name)) ??
      this.#file(from, name) ??
      this.#page(from, name) ??
      this.#shown(from, name);
    // Without a translation, the document in the language of the site is shown.
    const placed = found ? undefined : this.#flavour.placedIn?.(from);
    return placed?.locale === undefined ? found : this.address(placed.original, written);
  }

  /** The page at this address of the site. */
  #page(from: string, name: string): Meant | undefined {
    const { addresses, byAddress, byName, bases, addressIn } = this.#published;
    const known = byAddress.get(addressIn?.(name) ?? '/');
    if (known !== undefined) return { page: known };
    const base = bases.find((base) => isBeneath(name, base) || isBeneath(name, `/${base}`));
    const isFromTop = base !== undefined || name.startsWith('/');
    const own = addresses.get(from);
    if (!isFromTop && own === undefined) return undefined;
    const candidates = [name.replace(/^\//, ''), ...(base === undefined ? [] : [afterBase(name, base)])];
    if (!isFromTop) candidates.splice(0, 1, `${own?.slice(0, own.lastIndexOf('/') + 1)}${name}`);
    for (const candidate of candidates) {
      const path = normalised(candidate);
      const page = path === undefined ? undefined : byAddress.get(addressKey(path));
      if (page !== undefined) return { page };
    }
    const page = byName.get(folded(name.replace(/\/+$/, '')));
    return page === undefined ? undefined : { page };
  }

  /** The document or file at this path of the source. */
  #file(from: string, written: string): Meant | undefined {
    const { root, publicFolders } = this.#flavour;
    const name = written.replace(/\/+$/, '');
    const folder = from.slice(0, from.lastIndexOf('/') + 1);
    const base = this.#published.bases.find((base) => isBeneath(name, base) || isBeneath(name, `/${base}`));
    const fromTop = (path: string) => [root, ...publicFolders].map((top) => top + path);
    const candidates = name.startsWith('/')
      ? fromTop(name.slice(1))
      : [
          folder + name,
          ...(/^[./]*$/.test(name)
            ? []
            : [`${from.replace(/\.(?:md|mdx|markdown)$/i, '')}/${name}`, root + name]),
        ];
    if (base !== undefined) candidates.push(...fromTop(afterBase(name, base)));
    for (const candidate of candidates) {
      const path = normalised(candidate);
      if (path === undefined) continue;
      const found = this.#at(path);
      if (found) return found;
    }
    return undefined;
  }

  /** The page at this place in the tree. */
  #shown(from: string, written: string): Meant | undefined {
    const { root } = this.#flavour;
    const name = written.replace(/\/+$/, '');
    const folder = from.slice(root.length, Math.max(root.length, from.lastIndexOf('/') + 1));
    const shown = normalised(name.startsWith('/') ? name.slice(1) : `${folder}${name}`);
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
    if (file !== undefined) return { file };
    const named = this.#published.byName.get(folded(name));
    return named === undefined ? undefined : { page: named };
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

export function folded(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}

function isBeneath(name: string, base: string): boolean {
  return name.startsWith(base) || name === base.slice(0, -1);
}

function afterBase(name: string, base: string): string {
  return name.replace(/^\/(?=.)/, '').startsWith(base.slice(0, -1)) && !name.startsWith(base)
    ? name.slice(base.length + 1)
    : name.slice(base.length);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Undefined for paths outside the folder. */
function normalised(path: string): string | undefined {
  return withoutDots(path)?.normalize('NFC');
}
