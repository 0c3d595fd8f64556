/** A reader for people who are shown single pages of a wiki that they may not read: by a secret link, or because the settings name them. */
import type { ListReads } from '../ports/list-reads.ts';
import type { LinkReads, PageRow, Reader, ResolvedPage, Target } from '../ports/reader.ts';

export interface Limits {
  /** Whether they are shown the page. */
  isShown(row: PageRow): boolean;
  /** Whether shown pages may contain the text of this page, such as a template. */
  isPart(row: PageRow): boolean;
  /** Whether shown pages may contain its files. */
  hasFiles(row: PageRow): boolean;
}

/**
 * The reads of a rendering, limited to pages that are shown and what may be part of them. Lists of the wiki are empty, and lists that no
 * rendering needs are missing. `own`: what is read before it is limited. `anybody`: reads again where a title leads `own` to a page
 * that is not shown. `shown`: IDs of shown pages that were found, by path.
 */
export function limitedReader(
  own: Reader,
  { isShown, isPart, hasFiles }: Limits,
  { anybody, shown }: { anybody?: Reader; shown: Map<string, number> } = { shown: new Map() },
): Reader {
  const rowsOf = async (pages: Iterable<{ id: number }>) => {
    const ids = [...new Set([...pages].map(({ id }) => id))];
    return new Map((ids.length === 0 ? [] : await own.pages.states(ids)).map((row) => [row.id, row]));
  };
  const resolve: LinkReads['resolve'] = async (targets) => {
    const shownAmong = async (found: Map<Target, ResolvedPage>) => {
      const rows = await rowsOf(found.values());
      return [...found].filter(([, { id, path }]) => {
        const row = rows.get(id);
        if (!row || !isShown(row)) return false;
        shown.set(path, id);
        return true;
      });
    };
    const found = await own.links.resolve(targets);
    const first = new Map(await shownAmong(found));
    const hidden = [...found.keys()].filter((target) => !first.has(target));
    const others = anybody ? await shownAmong(await anybody.links.resolve(hidden)) : [];
    return new Map([...first, ...others]);
  };
  const links: Pick<LinkReads, 'resolve' | 'templates' | 'files' | 'wanted'> = {
    resolve,
    async templates(targets) {
      const found = await own.links.templates(targets);
      const rows = await rowsOf(found.values());
      return new Map(
        [...found].filter(([, { id }]) => {
          const row = rows.get(id);
          return row !== undefined && isPart(row);
        }),
      );
    },
    async files(pageId, names) {
      const found = await own.links.files(pageId, names);
      const rows = await rowsOf([...found.values()].map((file) => ({ id: file.pageId })));
      return new Map(
        [...found].filter(([, file]) => {
          const row = rows.get(file.pageId);
          return file.pageId === pageId || (row !== undefined && hasFiles(row));
        }),
      );
    },
    wanted: async () => [],
  };
  const lists: Pick<ListReads, 'children' | 'search' | 'updates'> = {
    async children(id, range) {
      const found = await own.lists.children(id, range);
      const rows = await rowsOf(found.pages);
      const pages = found.pages.filter((page) => {
        const row = rows.get(page.id);
        return row !== undefined && isShown(row);
      });
      for (const { id, path } of pages) shown.set(path, id);
      return { pages, total: pages.length };
    },
    search: async () => ({ ids: [], total: 0 }),
    updates: async () => [],
  };
  return {
    actor: null,
    trace: own.trace,
    dialect: own.dialect,
    synonyms: own.synonyms,
    derive: own.derive,
    isPrivate: own.isPrivate,
    pages: own.pages,
    links: links as LinkReads,
    lists: lists as ListReads,
    files: own.files,
    changes: own.changes,
    trash: own.trash,
  };
}
