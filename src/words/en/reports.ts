/** Words of the reports for administrators. */
import { message } from '../message.ts';

export const reportsWords = {
  'reports.reports': message('Reports', 'Title of the page for administrators'),
  'reports.toBeReviewed': message('Due for review', 'Heading'),
  'reports.nothingIsDue': message('No page is due for review.', 'Words'),
  'reports.pagesAreDue': message(
    '{count, plural, one {# page is due for review.} other {# pages are due for review.}}',
    'Paragraph',
  ),
  'reports.withoutLinks': message('Pages without links to them', 'Heading'),
  'reports.readersFindTheseOnly': message(
    'No other page links to these pages. Readers find them only in the tree and by searching.',
    'Paragraph',
  ),
  'reports.allPagesAreLinked': message('Other pages link to all of these pages.', 'Words'),
  'reports.goOn': message('Look at more pages', 'Link'),
  'reports.deadLinks': message('Dead links to other sites', 'Heading'),
  'reports.linksAreNotChecked': message(
    'Links are not checked. <link>Turn checks on</link>',
    'Paragraph with a link to the settings',
  ),
  'reports.noDeadLinks': message('No link failed when it was last checked.', 'Words'),
  'reports.onPage': message('on {page}', '{page} is a link to the page that has the dead link'),
  'reports.status': message('answered with status {status}', '{status} is a number such as 404'),
  'reports.since': message('since {time}', '{time} is such as “3 days ago”'),
  'reports.mostRead': message('Most read pages', 'Heading'),
  'reports.nothingIsCounted': message(
    'Nothing is counted. <link>Turn counts on</link>',
    'Paragraph with a link to the settings',
  ),
  'reports.nothingCountedYet': message('Nothing has been counted yet.', 'Words'),
  'reports.times': message('{count, plural, one {# time} other {# times}}', 'How often'),
  'reports.searchesInVain': message('Searches without result', 'Heading'),
  'reports.noSearchesInVain': message('No search found nothing.', 'Words'),
};
