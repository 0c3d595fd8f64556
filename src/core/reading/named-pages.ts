/**
 * Pages that the settings name as imprint and privacy policy. Laws of several countries want them public, so the site shows them to
 * everybody, also in a private wiki, if all members can read them. Nothing else is shown: links to other pages become text, listings
 * are empty, and the API answers strangers as if the pages did not exist.
 */
import type { Page } from '../model/page.ts';
import { readPath } from '../model/path.ts';
import type { Settings } from '../model/settings.ts';
import type { PageRow, Reader } from '../ports/reader.ts';
import type { Store } from '../ports/store.ts';
import { findMoved, findReadable } from './find-page.ts';
import { limitedReader } from './limited-reader.ts';

/** Paths of the pages on this site that the settings name. */
export function namedPaths({ imprint, privacy }: Pick<Settings, 'imprint' | 'privacy'>): string[] {
  return pathsOfTargets([imprint, privacy]);
}

/** Paths of pages to which links of the settings lead. */
export function pathsOfTargets(targets: readonly (string | null)[]): string[] {
  return targets.flatMap((target) => {
    if (!target?.startsWith('/')) return [];
    const [address = ''] = target.split(/[?#]/, 1);
    try {
      const read = readPath(decodeURIComponent(address));
      return 'path' in read ? [read.path] : [];
    } catch {
      // Not percent-encoded UTF-8: no page has such an address.
      return [];
    }
  });
}

interface NamedPages {
  /** The pages that everybody can read, by the path that the settings name. */
  pages: Map<string, Page>;
  /** Reads what a rendering of them needs. */
  reader: Reader;
  isShown(row: Pick<PageRow, 'id'>): boolean;
}

/** The pages that the settings name now, and how they are read. At most four statements. */
export async function namedPages(store: Pick<Store, 'readAs' | 'settings'>): Promise<NamedPages> {
  const members = store.readAs({ memberId: 0, name: '', isAdmin: false });
  const find = async (path: string) => {
    const page = await findReadable(members, path);
    const movedTo = page ? undefined : await findMoved(members, path);
    return page ?? (movedTo === undefined ? undefined : await findReadable(members, movedTo));
  };
  const paths = namedPaths(store.settings.current());
  const found = await Promise.all(paths.map(find));
  const pages = new Map(paths.flatMap((path, index) => (found[index] ? [[path, found[index]]] : [])));
  const ids = new Set([...pages.values()].map(({ id }) => id));
  const isShown = (row: Pick<PageRow, 'id'>) => ids.has(row.id);
  // The text of templates is part of many pages. Their files are not shown.
  const isPart = (row: PageRow) =>
    isShown(row) || (row.audience <= 1 && (row.type === 'Template' || row.type === 'Module'));
  return { pages, isShown, reader: limitedReader(members, { isShown, isPart, hasFiles: isShown }) };
}

/** IDs of the pages among the given ones that the site shows everybody because the settings name them. */
export async function openedBySettings(
  store: Pick<Store, 'readAs' | 'settings'>,
  pages: readonly Pick<Page, 'id'>[],
): Promise<ReadonlySet<number>> {
  if (pages.length === 0 || namedPaths(store.settings.current()).length === 0) return new Set();
  const named = await namedPages(store);
  return new Set(pages.filter(named.isShown).map(({ id }) => id));
}
