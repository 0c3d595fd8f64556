/** Counts and checks that reports show. */
import { id, integer, integerOrNull, type TableDefinitions, text, textOrNull } from './column.ts';

export const reportTables = {
  page_reads: {
    meaning:
      'How often the site showed each page, if administrators want counts. Contains nothing about readers.',
    columns: {
      page_id: integer('The page, which may be in the trash.'),
      month: text('Month, such as 2026-03, in UTC.'),
      reads: integer('Number of times.'),
    },
    isLeftOutOfBackups: true,
  },
  vain_searches: {
    meaning:
      'Searches of the site that found nothing, if administrators want counts. Contains nothing about people who search.',
    columns: {
      words: text('The words, in lower case, at most 100 characters.'),
      times: integer('Number of times.'),
      last_at: integer('When they were last searched for, to the minute.'),
    },
    isLeftOutOfBackups: true,
  },
  outside_links: {
    meaning: 'Addresses of other sites to which pages link, as they were when they were last checked.',
    columns: {
      page_id: integer('The page, which may be in the trash.'),
      url: text('The address.'),
      checked_at: integer('When the link was last checked.'),
      problem: textOrNull(
        'A short reason why it could not be reached. Null if it could, or may not be asked.',
      ),
      dead_since: integerOrNull(
        'When the link began to fail; every check since then failed. Null if it works.',
      ),
    },
    isLeftOutOfBackups: true,
  },
  link_rounds: {
    meaning: 'Progress of the check of links to other sites, in one row.',
    columns: {
      id: id('Always 1.'),
      page_id: integer('The last page that was checked. 0 before the first one.'),
      begun_at: integer('When this round through all pages began.'),
      lease_until: integer('Time before which no other process continues the check.'),
    },
    isLeftOutOfBackups: true,
  },
  told_reviews: {
    meaning: 'Pages whose members were told that a review is due.',
    columns: {
      page_id: id('The page, which may be in the trash.'),
      review_by: text('The day of that review.'),
    },
    isLeftOutOfBackups: true,
  },
} satisfies TableDefinitions;
