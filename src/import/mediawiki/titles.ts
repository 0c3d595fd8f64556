/**
 * Titles of a MediaWiki and their counterparts here. There a title belongs to a namespace, which has a localised and an English
 * name; here a page has a single title, and templates are called by it.
 */
import { localNames } from '@coppice/wikitext/locales';
import { standardNamespaces } from '@coppice/wikitext/mediawiki';
import type { DumpSite } from './dump-reader.ts';

/** English names, which work in every wiki, with those of Scribunto. */
export const canonicalNamespaces: Readonly<Record<number, string>> = {
  ...standardNamespaces,
  0: '',
  828: 'Module',
  829: 'Module talk',
};
export const namespace = { media: -2, main: 0, file: 6, template: 10, category: 14, module: 828 } as const;

export interface WikiTitle {
  ns: number;
  /** Without namespace, with MediaWiki's spaces and capitalisation. */
  name: string;
}

export class WikiTitles {
  readonly #byName = new Map<string, number>();
  readonly #site: DumpSite;

  constructor(site: DumpSite) {
    this.#site = site;
    for (const [ns, name] of Object.entries(canonicalNamespaces))
      this.#byName.set(name.toLowerCase(), Number(ns));
    this.#byName.set('image', namespace.file);
    // Dumps list no other names of a namespace, such as “Bild” for “Datei”.
    for (const [name, kind] of Object.entries(localNames(site.language).namespaces))
      if (kind !== 'page')
        this.#byName.set(name, namespace[kind as 'file' | 'media' | 'category' | 'template']);
    for (const [ns, name] of site.namespaces) this.#byName.set(name.toLowerCase(), ns);
  }

  /** Returns undefined for an invalid title. Fragments are removed. */
  read(written: string): WikiTitle | undefined {
    const text = written
      .replace(/[_\s]+/g, ' ')
      .trim()
      .replace(/^:\s*/, '');
    const colon = text.indexOf(':');
    const ns = colon > 0 ? this.#byName.get(text.slice(0, colon).trim().toLowerCase()) : undefined;
    const name = ns === undefined ? text : text.slice(colon + 1).trim();
    return name === '' ? undefined : { ns: ns ?? namespace.main, name: capitalised(name) };
  }

  /** Unique for each page. */
  keyOf({ ns, name }: WikiTitle): string {
    return `${ns}:${name}`;
  }

  /** Title in this wiki. Templates have no namespace, because they are called by name. */
  titleHere({ ns, name }: WikiTitle): string {
    if (ns === namespace.main || ns === namespace.template) return name;
    return `${this.#prefixHere(ns)}:${name}`;
  }

  /** Names from the top of the tree, beginning with the namespace. */
  placeOf({ ns, name }: WikiTitle): string[] {
    return ns === namespace.main ? [name] : [this.#prefixHere(ns), name];
  }

  /** Title in MediaWiki's URLs. */
  addressOf(title: WikiTitle): string {
    const { ns, name } = title;
    const prefix = this.#site.namespaces.get(ns) ?? canonicalNamespaces[ns] ?? '';
    return `${prefix === '' ? '' : `${prefix}:`}${name}`.replaceAll(' ', '_');
  }

  #prefixHere(ns: number): string {
    // English names are known in this wiki; localised ones of the source are kept.
    const isKnown = [namespace.file, namespace.template, namespace.category, namespace.module].some(
      (known) => known === ns,
    );
    const local = this.#site.namespaces.get(ns);
    return (isKnown ? canonicalNamespaces[ns] : (local ?? canonicalNamespaces[ns])) || `Namespace ${ns}`;
  }
}

function capitalised(name: string): string {
  const [first = ''] = name;
  const capital = first.toUpperCase();
  // “ß” and similar letters have no single capital letter, so they stay.
  return [...capital].length === 1 ? capital + name.slice(first.length) : name;
}
