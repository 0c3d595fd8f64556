/**
 * Files that only restricted documents link to. They are attached to such a document instead of the page of their folder, which
 * others may read.
 */
import { percentDecoded } from '#core/model/path.ts';
import { withoutDots } from '../folder-paths.ts';
import type { PageOutline } from '../source.ts';
import { replaceLinks } from './scan.ts';

export class Mentions {
  readonly #byOpen = new Set<string>();
  readonly #byRestricted = new Map<string, PageOutline>();

  /** `path`: of the document. */
  add(outline: PageOutline, path: string, text: string): void {
    const isOpen = !isRestricted(outline);
    for (const name of namesIn(path, text))
      if (isOpen) this.#byOpen.add(name);
      else if (!this.#byRestricted.has(name)) this.#byRestricted.set(name, outline);
  }

  /**
   * The restricted page of a file. Undefined if other pages link to the file, or none does, or the page of its folder is
   * restricted, too. In an export of this wiki, each file lies in the folder of its page, whoever shows it.
   */
  holderOf(path: string, ofFolder: PageOutline | undefined): PageOutline | undefined {
    if (ofFolder && isRestricted(ofFolder)) return undefined;
    const names = [path.toLowerCase(), baseOf(path)];
    if (names.some((name) => this.#byOpen.has(name))) return undefined;
    const holder = names.map((name) => this.#byRestricted.get(name)).find((one) => one !== undefined);
    return ofFolder && holder?.access?.origin ? undefined : holder;
  }
}

function isRestricted({ isHidden, access }: PageOutline): boolean {
  return isHidden === true || access !== undefined;
}

/** Paths that links can mean: from the document, and from the top. Wiki links also mean files anywhere by their names. */
function namesIn(path: string, text: string): Set<string> {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const names = new Set<string>();
  replaceLinks(text, (link) => {
    const written = link.kind === 'wiki' ? link.inside.replace(/[|#].*$/s, '') : link.target;
    const target = percentDecoded(written.replace(/[?#].*$/s, ''))
      .trim()
      .replace(/^\/+/, '');
    for (const one of [folder + target, target]) {
      const name = withoutDots(one)?.toLowerCase();
      if (name) names.add(name);
    }
    if (link.kind === 'wiki') names.add(baseOf(target));
    return undefined;
  });
  return names;
}

function baseOf(path: string): string {
  // A leading colon cannot begin a path here, so names and paths are never confused.
  return `:${path.slice(path.lastIndexOf('/') + 1).toLowerCase()}`;
}
