/** Reports for administrators: what needs care, what is read, and what readers look for in vain. */
import { Type } from 'typebox';
import { dayOf } from '#core/model/date-words.ts';
import { isoTime } from '#core/model/iso-time.ts';
import type { PageName } from '#core/model/page.ts';
import {
  component,
  count,
  flag,
  idField,
  integer,
  object,
  objects,
  orNull,
  text,
  time,
} from '#core/operations/fields.ts';
import { converted, operation } from '#core/operations/operation.ts';
import type { DeadLink, SearchWithoutResults } from '#core/ports/report-store.ts';
import { pathsOfTargets } from '#core/reading/named-pages.ts';
import { findPages } from '#core/search/search-pages.ts';
import { monthOf } from './loop.ts';

/** Entries of each list. */
export const mostListed = 100;
/** Pages that one request looks at for those without links to them. */
const lookedAt = 20_000;
/** Months that count for the most read pages, with the present one. */
const countedMonths = 3;

const page = {
  id: idField('Page ID.', 12),
  path: text('Path of the page.', '/garden/roses'),
  title: text('Title.', 'Roses'),
};
const Reports = component('Reports', 'Reports for administrators. Each list has at most 100 entries.', {
  review: objects('Pages that are due for review, longest first.', page),
  reviewTotal: count('Number of pages that are due for review.', 3),
  orphans: objects('Pages to which no other page and no setting links, in order of creation.', page),
  nextOrphans: orNull(
    Type.Integer(),
    'Value of `after` for the following pages without links. Null if there are none.',
    null,
  ),
  checksLinks: flag('Whether links to other sites are checked: the setting `checkLinks`.', true),
  deadLinks: objects('Links to other sites that failed when they were last checked, longest first.', {
    page: object('The page that has the link.', page),
    url: text('The address.', 'https://example.org/gone'),
    problem: text('Why the link could not be reached.', 'Status 404'),
    since: time('When the link began to fail; every check since then failed'),
    checkedAt: time('When the link was last checked'),
  }),
  counts: flag('Whether reads and searches are counted: the setting `statistics`.', true),
  mostRead: objects('Pages that the site showed most often in this month and the two before it.', {
    page: object('The page.', page),
    reads: count('Number of times.', 417),
  }),
  searches: objects('Searches of the site in the last 90 days that found nothing, most frequent first.', {
    words: text('The words, in lower case.', 'opening hours'),
    times: count('Number of times.', 12),
    lastAt: time('When somebody last searched for these words'),
  }),
});

interface FoundReports {
  review: PageName[];
  reviewTotal: number;
  orphans: PageName[];
  nextOrphans: number | null;
  checksLinks: boolean;
  deadLinks: (Omit<DeadLink, 'pageId'> & { page: PageName })[];
  counts: boolean;
  mostRead: { page: PageName; reads: number }[];
  searches: SearchWithoutResults[];
}

export const readReports = operation({
  name: 'reports',
  summary: 'Read reports about the wiki',
  description:
    'For administrators: pages that are due for review, pages without links to them, dead links to other sites, the most read pages, and searches that found nothing. Links are checked, and reads and searches counted, only while the settings `checkLinks` and `statistics` say so.',
  access: 'administrator',
  scope: 'admin',
  input: Type.Object({
    after: Type.Optional(
      integer('Lists pages without links to them after this page ID.', 20_000, { minimum: 0 }),
    ),
  }),
  output: converted(Reports, ({ deadLinks, searches, ...found }: FoundReports) => ({
    ...found,
    deadLinks: deadLinks.map(({ since, checkedAt, ...link }) => ({
      ...link,
      since: isoTime(since),
      checkedAt: isoTime(checkedAt),
    })),
    searches: searches.map(({ lastAt, ...search }) => ({ ...search, lastAt: isoTime(lastAt) })),
  })),
  ports: ['store', 'reader'],
  async run({ store, reader }, { input: { after = 0 }, now }): Promise<FoundReports> {
    const { reports } = store;
    const { home, menu, footer, imprint, privacy, checkLinks, statistics } = store.settings.current();
    // Readers begin there, or find a link on every page.
    const linked = [home, imprint, privacy, ...[...menu, ...footer].map(({ to }) => to)];
    const onEveryPage = new Set(pathsOfTargets(linked));
    const [due, orphans, deadLinks, mostRead, searches] = await Promise.all([
      findPages(reader, { dueBy: dayOf(now), limit: mostListed, offset: 0 }),
      reports.orphans(after, lookedAt, mostListed),
      reports.deadLinks(mostListed),
      reports.mostRead(monthOf(now, countedMonths - 1), mostListed),
      reports.vainSearches(mostListed),
    ]);
    const named = [...due.ids, ...orphans.ids, ...[...deadLinks, ...mostRead].map(({ pageId }) => pageId)];
    const outlines = await reader.pages.outlines([...new Set(named)]);
    const byId = new Map(
      outlines.map(({ id, path, title }): [number, PageName] => [id, { id, path, title }]),
    );
    const pagesOf = (ids: readonly number[]) => ids.flatMap((id) => byId.get(id) ?? []);
    return {
      review: pagesOf(due.ids),
      reviewTotal: due.total,
      orphans: pagesOf(orphans.ids).filter(({ path }) => !onEveryPage.has(path)),
      nextOrphans: orphans.next,
      checksLinks: checkLinks,
      deadLinks: deadLinks.flatMap(({ pageId, ...link }) =>
        pagesOf([pageId]).map((page) => ({ page, ...link })),
      ),
      counts: statistics,
      mostRead: mostRead.flatMap(({ pageId, reads }) => pagesOf([pageId]).map((page) => ({ page, reads }))),
      searches,
    };
  },
});
