/**
 * The wiki as one actor sees it: each read of the port with this actor's visibility, recorded with what its result depends on.
 * A read without dependencies depends on everything, and one without sharing readers is private to this actor. Reads of links stand in `links/link-reads.ts`.
 */
import {
  anyContent,
  childrenOf,
  type Dependency,
  descendantsOf,
  factsOf,
  leadsTo,
  namesOfPages,
  newPages,
  orderOf,
  placesAround,
  typed,
} from '#cache/dependency.ts';
import { ReadTrace } from '#cache/read-trace.ts';
import { titleKey } from '#core/model/fold.ts';
import type { PageOutline } from '#core/model/page.ts';
import { firstChangeFor, mayRead, readableOf, visibleTo } from '#core/model/page-access.ts';
import { pathsAbove, pathsBesideTree } from '#core/model/path.ts';
import {
  type Actor,
  type Audience,
  may,
  sharedWithReaders,
  type Visibility,
  visibilityOf,
} from '#core/model/permission.ts';
import type { ListReads } from '#core/ports/list-reads.ts';
import type {
  ChangedPage,
  ChangeReads,
  FileReads,
  LinkReads,
  PageReads,
  PageRow,
  Reader,
  TrashReads,
} from '#core/ports/reader.ts';
import type { Store } from '#core/ports/store.ts';
import { linkReads } from './links/link-reads.ts';
import type { Parts } from './parts.ts';
import { dependenciesOf } from './search/criteria.ts';
import type { View } from './visibility.ts';

/** Cheap, because every request makes one: each part is created on first use. */
export function createReader(
  parts: Parts,
  {
    dialect,
    derive,
    isPrivate,
    synonyms,
  }: Pick<Store, 'dialect' | 'derive' | 'isPrivate'> & Pick<Reader, 'synonyms'>,
  actor: Actor,
): Reader {
  const wiki = { isPrivate };
  const view: View = { actor, wiki, visibility: visibilityOf(actor, wiki), trace: new ReadTrace() };
  // Answers to members of a private wiki are never shared with strangers, nor the other way round.
  if (isPrivate) view.trace.record([], actor && actor.role !== 'guest' ? 1 : undefined);
  let pages: PageReads | undefined;
  let changes: ChangeReads | undefined;
  let links: LinkReads | undefined;
  let lists: ListReads | undefined;
  let files: FileReads | undefined;
  let trash: TrashReads | undefined;
  return {
    actor,
    trace: view.trace,
    dialect,
    derive,
    isPrivate,
    synonyms,
    get pages() {
      pages ??= pageReads(parts, view);
      return pages;
    },
    get changes() {
      changes ??= changeReads(parts, view);
      return changes;
    },
    get links() {
      links ??= linkReads(parts, view);
      return links;
    },
    get lists() {
      lists ??= listReads(parts, view);
      return lists;
    },
    get files() {
      files ??= fileReads(parts, view);
      return files;
    },
    get trash() {
      trash ??= trashReads(parts, view);
      return trash;
    },
  };
}

/** Wraps reads whose results only this actor sees. Their dependencies follow from their arguments, or may be anything. */
function ownReads({ visibility, trace }: View) {
  return <Given extends unknown[], Found>(
    read: (visibility: Visibility, ...given: Given) => Promise<Found>,
    dependencies: (...given: Given) => readonly Dependency[] | 'anything' = () => 'anything',
  ) =>
    async (...given: Given): Promise<Found> => {
      trace.record(dependencies(...given), undefined);
      return read(visibility, ...given);
    };
}

function pageReads({ pages }: Parts, view: View): PageReads {
  const { actor, wiki, visibility, trace } = view;
  const own = ownReads(view);
  /** Returns the page if the actor may read it. `asked`: the dependency that decides whether the page exists. */
  const readable = <P extends { id: number; audience: Audience } & Parameters<typeof mayRead>[1]>(
    page: P | undefined,
    asked: Dependency,
  ): P | undefined => {
    if (page && mayRead(actor, page, wiki)) {
      trace.record([page.id], sharedWithReaders(visibility, [page]));
      trace.showSubject(page);
      return page;
    }
    // A hidden page may be visible to others.
    trace.record([asked], page ? undefined : 0);
    return undefined;
  };
  const whole = <P extends PageOutline>(loaded: P[]): P[] => {
    const pages = readableOf(actor, loaded, wiki);
    if (pages.length < loaded.length) trace.record([], undefined);
    for (const page of pages) recordWhole(page);
    trace.show(pages);
    return pages;
  };
  /** The rows that the actor may read. `asked`: dependencies that decide which rows there are. */
  const shownOf = (rows: PageRow[], asked: Dependency[]): PageRow[] => {
    const shown = rows.filter((page) => mayRead(actor, page, wiki));
    trace.record(asked, shown.length < rows.length ? undefined : sharedWithReaders(visibility, shown));
    trace.show(shown);
    return shown;
  };
  const recordWhole = (page: PageOutline) => {
    const { lineage, aboveByAddress = [], originalId, original } = page;
    trace.record(
      [
        page.id,
        ...page.trail.map(factsOf),
        ...(originalId === null ? [] : [factsOf(originalId)]),
        ...pathsBesideTree(page).map((path) => leadsTo(titleKey(path))),
        ...aboveByAddress.map(({ id }) => id),
      ],
      sharedWithReaders(visibility, [page, ...lineage, ...aboveByAddress, ...(original ? [original] : [])]),
    );
  };
  return {
    findByPath: async (path) => readable(await pages.findByPath(path), leadsTo(titleKey(path))),
    findById: async (id) => readable(await pages.findById(id), id),
    async findByAlias(path) {
      trace.record([leadsTo(titleKey(path))], undefined);
      return readable(await pages.findByAlias(visibility, path), leadsTo(titleKey(path)));
    },
    async oldPaths(some) {
      trace.record('anything', undefined);
      return pages.oldPaths(some.filter((page) => firstChangeFor(actor, page) === 0).map(({ id }) => id));
    },
    async isTaken(path) {
      trace.record([leadsTo(titleKey(path))], 0);
      return (await pages.findByPath(path)) !== undefined;
    },
    async findAccess(path) {
      trace.record('anything', undefined);
      const page = await pages.findByPath(path);
      if (!page) return undefined;
      const { id, trail, permissions, owner, group, granted } = page;
      return { id, trail, permissions, owner, group, ...(granted ? { granted } : {}) };
    },
    async protectedAbove(some) {
      const ids = some.flatMap(({ trail }) => trail);
      const paths = some.flatMap(({ path }) => pathsAbove(path));
      trace.record([...ids.map(factsOf), ...paths.map((path) => leadsTo(titleKey(path)))], undefined);
      const found = await pages.protectedAmong([...new Set(ids)], [...new Set(paths)]);
      return found.map(({ protection, ...page }) => ({
        ...page,
        ...(protection ? { protection: { ...protection, reason: '' } } : {}),
      }));
    },
    async ancestors(trail) {
      trace.record(trail.map(factsOf), undefined);
      return visibleTo(visibility, { lineage: await pages.ancestors(trail) }).lineage;
    },
    firstFree: own(pages.firstFree),
    previewMove: own(pages.previewMove),
    async load(ids, history) {
      trace.record(ids, 0);
      return ids.length === 0 ? [] : whole(await pages.load(ids, history));
    },
    async loadInParts(ids, history, take) {
      trace.record(ids, 0);
      await pages.loadInParts(ids, history, (pages) => take(whole(pages)));
    },
    async outlines(ids) {
      trace.record(ids, 0);
      return whole(await pages.outlines(ids));
    },
    states: async (ids) => shownOf(await pages.states(ids), ids),
    async inSet(id) {
      const rows = await pages.inSet(id);
      return shownOf(rows, [id, ...rows.map((row) => row.id)].map(factsOf));
    },
    async loadByPath(path, history) {
      const page = readable(await pages.loadByPath(path, history), leadsTo(titleKey(path)));
      if (!page) return undefined;
      const shown = visibleTo(visibility, page);
      recordWhole(page);
      trace.show(shown.lineage.filter(({ isHidden }) => !isHidden));
      return shown;
    },
    complete: own(pages.complete),
    alike: own(pages.alike),
  };
}

function changeReads({ changes }: Parts, { actor, trace }: View): ChangeReads {
  const markedBy = (marks: readonly { page: ChangedPage; changeId: number }[]) => {
    const ids = marks.map(({ page }) => page.id);
    trace.record(ids, undefined);
    return marks.map(({ page, changeId }) => ({
      pageId: page.id,
      changeId,
      from: firstChangeFor(actor, page),
    }));
  };
  return {
    async find(page, changeId) {
      // A change that not all readers may see is visible to the owner and administrators.
      trace.record([page.id], changeId < page.historyFrom ? undefined : 0);
      return changeId < firstChangeFor(actor, page) ? undefined : changes.find(page.id, changeId);
    },
    countSince: async (marks) => changes.countSince(markedBy(marks)),
    async findBefore(page, changeId) {
      trace.record([page.id], undefined);
      return changeId <= firstChangeFor(actor, page) ? undefined : changes.findBefore(page.id, changeId);
    },
    listBefore: async (marks, maxBytes) => changes.listBefore(markedBy(marks), maxBytes),
    async list(page, range) {
      trace.record([page.id], undefined);
      return changes.list(page.id, range, firstChangeFor(actor, page));
    },
    async listOfPages(pages, after, limit) {
      trace.record(
        pages.map(({ id }) => id),
        undefined,
      );
      const wanted = pages.map((page) => ({ id: page.id, from: firstChangeFor(actor, page) }));
      return changes.listOfPages(wanted, after, limit);
    },
  };
}

function listReads({ lists }: Parts, view: View): ListReads {
  const { trace, visibility } = view;
  const own = ownReads(view);
  const search = own(lists.search, dependenciesOf);
  const updates = own(lists.updates);
  const children = own(lists.children, (parentId) => [childrenOf(parentId)]);
  const childrenOfEach = own(lists.childrenOfEach, (parentIds) => parentIds.map(childrenOf));
  const childCounts = own(lists.childCounts, (ids) => ids.map(childrenOf));
  return {
    async search(criteria) {
      const { dependencies: _, ...found } = await search(criteria);
      return found;
    },
    likely: own(lists.likely, dependenciesOf),
    languages: own(lists.languages, () => [namesOfPages, newPages, anyContent]),
    facets: own(lists.facets),
    placesAround: own(lists.placesAround, placesAround),
    countPlacesWithin: own(lists.countPlacesWithin, (centre, radiiMetres) =>
      placesAround(centre, Math.max(0, ...radiiMetres)),
    ),
    placesNearest: own(lists.placesNearest, (centre, _nearMetres, radiusMetres) =>
      placesAround(centre, radiusMetres),
    ),
    placesIn: own(lists.placesIn),
    async updates(range, belowId) {
      const found = await updates(range, belowId);
      trace.show(found);
      return found;
    },
    async children(parentId, range) {
      const { pages, total } = await children(parentId, range);
      trace.show(pages);
      return { pages, total };
    },
    async childrenOfEach(parentIds, limit) {
      const found = await childrenOfEach(parentIds, limit);
      for (const children of found.values()) trace.show(children);
      return found;
    },
    childCounts,
    behind: own(lists.behind),
    translated: own(lists.translated),
    ownedBy: own(lists.ownedBy),
    editedBy: own(lists.editedBy),
    contributions: own(lists.contributions),
    likedBy: own(lists.likedBy),
    vocabulary: own(lists.vocabulary),
    words: own(lists.words),
    publicPages: own(async (_, ...given) => (view.wiki.isPrivate ? [] : lists.publicPages(...given))),
    inTreeOrder: own(lists.inTreeOrder),
    async neighbours(page) {
      trace.record([...page.trail, page.id].map(orderOf), undefined);
      const { topId, ...found } = await lists.neighbours(visibility, page);
      if (topId !== undefined)
        trace.record([namesOfPages, descendantsOf(topId), typed('Template'), typed('Module')], undefined);
      trace.show(Object.values(found));
      return found;
    },
  };
}

function fileReads({ files }: Parts, view: View): FileReads {
  const { actor, wiki, visibility, trace } = view;
  return {
    withText: ownReads(view)(files.withText, () => [namesOfPages, anyContent]),
    // Files are only ever added, and a name always stands for the same bytes.
    named: (names) => files.named(names),
    everOf: (pageId, limit) => files.everOf(pageId, limit),
    async find(name) {
      trace.record('anything', undefined);
      const found = await files.find(name);
      return found && may(actor, 'read', found.page, wiki) ? found : undefined;
    },
    async library(criteria) {
      trace.record('anything', undefined);
      const found = await files.library(visibility, criteria);
      for (const { page, usedOn } of found) trace.show([page, ...usedOn]);
      return found;
    },
  };
}

/** Rarely used, and refused or private to one member, so nothing is shared. */
function trashReads({ trash }: Parts, view: View): TrashReads {
  const own = ownReads(view);
  const findFile = own(trash.findFile);
  return {
    find: own(trash.find),
    list: own(trash.list),
    findPage: own(trash.findPage),
    findFile: async (name) => (view.actor === null ? undefined : findFile(name)),
    survey: own((_, page) => trash.survey(page)),
  };
}
