/** Wiki data that the host has fetched for a page. Data that is missing is recorded as needed. */
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

  /** Returns the body of a page; null if the page does not exist; undefined if the body has not been fetched. */
  source(name: string): string | null | undefined {
    const source = this.#context.templates.get(name);
    if (source === undefined) this.#templates.add(name);
    return source;
  }

  /** Returns the address of a file; null if it does not exist or has not been fetched. */
  file(name: string): string | null {
    const known = this.#context.files?.get(name);
    if (known === undefined) this.#files.add(name);
    return known ?? null;
  }

  /** Whether a page of that title or path, or a file of that name, exists. Returns false if it has not been fetched. */
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

  /** Returns the key of a listing. */
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
