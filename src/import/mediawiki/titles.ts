/**
 * Titles of a MediaWiki and what they are called here. There a title belongs to a namespace, which has a name in the wiki's
 * language and one in English; here a page has one title, and templates are called by it.
 */
import type { DumpSite } from './dump-reader.ts';

/** English names, which count in every wiki. */
export const canonicalNamespaces: Readonly<Record<number, string>> = {
  ...{ [-2]: 'Media', [-1]: 'Special', 0: '', 1: 'Talk', 2: 'User', 3: 'User talk', 4: 'Project' },
  ...{ 5: 'Project talk', 6: 'File', 7: 'File talk', 8: 'MediaWiki', 9: 'MediaWiki talk' },
  ...{ 10: 'Template', 11: 'Template talk', 12: 'Help', 13: 'Help talk', 14: 'Category' },
  ...{ 15: 'Category talk', 828: 'Module', 829: 'Module talk' },
};
export const namespace = { media: -2, main: 0, file: 6, template: 10, category: 14, module: 828 } as const;

export interface WikiTitle {
  ns: number;
  /** Without the namespace, with spaces and a capital where MediaWiki has them. */
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
    for (const [ns, name] of site.namespaces) this.#byName.set(name.toLowerCase(), ns);
  }

  /** Undefined for what can be no title. Fragments are taken off first. */
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

  /** Unique for each page of the wiki. */
  keyOf({ ns, name }: WikiTitle): string {
    return `${ns}:${name}`;
  }

  /** A page's title in this wiki. Templates have none of their namespace: they are called by their names alone. */
  titleHere({ ns, name }: WikiTitle): string {
    if (ns === namespace.main || ns === namespace.template) return name;
    return `${this.#prefixHere(ns)}:${name}`;
  }

  /** Names from the top of the tree; the namespace is the first one. */
  placeOf({ ns, name }: WikiTitle): string[] {
    return ns === namespace.main ? [name] : [this.#prefixHere(ns), name];
  }

  /** Its title in MediaWiki's own addresses. */
  addressOf(title: WikiTitle): string {
    const { ns, name } = title;
    const prefix = this.#site.namespaces.get(ns) ?? canonicalNamespaces[ns] ?? '';
    return `${prefix === '' ? '' : `${prefix}:`}${name}`.replaceAll(' ', '_');
  }

  #prefixHere(ns: number): string {
    // Names that this wiki's language knows are the English ones; those of the source alone stay.
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
  // “ß” and the like have no capital of one letter: they stay.
  return [...capital].length === 1 ? capital + name.slice(first.length) : name;
}
