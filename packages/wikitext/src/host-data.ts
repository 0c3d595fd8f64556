/** Data of the wiki that the host has fetched for a page. Whatever is not there yet is noted as needed. */
import { decodeEntities } from './entities.ts';
import type { ExpandContext, PathOfPage, Rules } from './options.ts';
import type { Expansion, Listing, ListingName } from './tree.ts';

export class HostData {
  readonly #context: ExpandContext;
  readonly #rules: Rules;
  readonly #path: PathOfPage;
  readonly #templates = new Set<string>();
  readonly #exists = new Set<string>();
  readonly #files = new Set<string>();
  readonly #listings = new Map<string, Listing>();

  constructor(context: ExpandContext, rules: Rules, path: PathOfPage) {
    this.#context = context;
    this.#rules = rules;
    this.#path = path;
  }

  needs(): Expansion['needs'] {
    return {
      templates: [...this.#templates],
      exists: [...this.#exists],
      files: [...this.#files],
      listings: [...this.#listings.values()],
    };
  }

  /** Body of a page; null: there is none; undefined: it is not known yet. */
  source(name: string): string | null | undefined {
    const source = this.#context.templates.get(name);
    if (source === undefined) this.#templates.add(name);
    return source;
  }

  /** Address of a file; null where there is none, or as long as it is not known. */
  file(name: string): string | null {
    const known = this.#context.files?.get(name);
    if (known === undefined) this.#files.add(name);
    return known ?? null;
  }

  /** Whether there is a page of that title or path, or a file of that name; false as long as it is not known. */
  exists(written: string): boolean {
    const title = decodeEntities(written).replace(/^:\s*/, '');
    if (title === '') return false;
    const named = this.#rules.link(title, true, this.#path);
    if ((named.kind === 'file' || named.kind === 'media') && this.#context.files)
      return this.file(named.name) !== null;
    const link = this.#rules.link(`:${title}`, true, this.#path);
    if (link.kind !== 'page' || link.target === '') return false;
    const known = this.#context.exists.get(link.target);
    if (known === undefined) this.#exists.add(link.target);
    return known ?? false;
  }

  /** Key of a listing. */
  listing(name: ListingName, values: Readonly<Record<string, string>>): string {
    const sorted = Object.keys(values).sort();
    const query = sorted.map((key) => `${encodeText(key)}=${encodeText(values[key] ?? '')}`).join('&');
    const key = `${name}?${query}`;
    if (!this.#context.listings.has(key)) {
      this.#listings.set(key, {
        key,
        name,
        arguments: Object.fromEntries(sorted.map((key) => [key, values[key] ?? ''])),
      });
    }
    return key;
  }
}

function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
