/** Words of “import account”. */
import { message } from '../message.ts';

export const importAccountWords = {
  'importAccount.pages': message('Pages', 'Row of a table of numbers'),
  'importAccount.revisions': message('Revisions', 'Row of a table of numbers'),
  'importAccount.authors': message('Authors', 'Row of a table of numbers'),
  'importAccount.files': message('Files', 'Row of a table of numbers'),
  'importAccount.redirects': message('Redirects', 'Row of a table of numbers'),
  'importAccount.missingWords': message(
    '{count, plural, one {missing word: {examples}} other {missing # words: {examples}}}',
    'How a page differs from its source',
  ),
  'importAccount.addedWords': message(
    '{count, plural, one {added word: {examples}} other {added # words: {examples}}}',
    'How a page differs from its source',
  ),
  'importAccount.movedWords': message(
    '{count, plural, one {# word in another order: {examples}} other {# words in another order: {examples}}}',
    'How a page differs from its source',
  ),
  'importAccount.partDiffers': message(
    '{part}: {source} in the source, {here} here',
    'How a page differs from its source: numbers of something, such as headings',
  ),
  'importAccount.linkDiffers': message('{old} to {target}: {why}', 'A link that differs from the source'),
  'importAccount.adapted': message('Adapted', 'Title of the page'),
  'importAccount.after': message('After', 'Words'),
  'importAccount.allLinks': message('All links', 'Title of the page'),
  'importAccount.allNumber': message('All {number}', 'Link'),
  'importAccount.before': message('Before', 'Words'),
  'importAccount.deadLinksOfTheSource': message('Dead links of the source', 'Title of the page'),
  'importAccount.differsFromTheSource': message('Differs from the source', 'Title of the page'),
  'importAccount.downloadEverythingAsJson': message('Download everything as JSON', 'Link'),
  'importAccount.editedHereAndInTheSourceThe': message(
    'Edited here and in the source; the page here was kept.',
    'Words',
  ),
  'importAccount.editedHereMeanwhile': message('Edited here meanwhile', 'Title of the page'),
  'importAccount.editsMadeHereWereMergedWith': message(
    'Edits made here were merged with the source.',
    'Words',
  ),
  'importAccount.elsewhere': message('Elsewhere', 'Title of the page'),
  'importAccount.everythingThatWasAdaptedOr': message(
    'Everything that was adapted or left out is listed below.',
    'Words',
  ),
  'importAccount.everythingWasImported': message('Everything was imported unchanged.', 'Words'),
  'importAccount.here': message('Here', 'Words'),
  'importAccount.importId': message('Import {id}', 'Link'),
  'importAccount.inTheSource': message('In the source', 'Words'),
  'importAccount.isAt': message('Is at', 'Words'),
  'importAccount.leadsTo': message('Leads to', 'Words'),
  'importAccount.leftOut': message('Left out', 'Title of the page'),
  'importAccount.linksThatLeadNowhereInThe': message(
    'Links that also lead nowhere in the source. They work as soon as somebody writes the page.',
    'Words',
  ),
  'importAccount.linksThatLeadSomewhere': message('Links that lead somewhere', 'Words'),
  'importAccount.linksThatWorkInTheSourceAnd': message(
    'Links that work in the source and lead nowhere here.',
    'Words',
  ),
  'importAccount.lostLinks': message('Lost links', 'Title of the page'),
  'importAccount.markupThatThisWikiWrites': message(
    'Markup that this wiki writes differently or supports only partly.',
    'Words',
  ),
  'importAccount.missingInTheSource': message('Missing in the source', 'Title of the page'),
  'importAccount.numberMoreAreCountedButNot': message(
    '{number} more are counted but not listed.',
    'Paragraph',
  ),
  'importAccount.openParent': message('Open {parent}', 'Link'),
  'importAccount.page': message('Page', 'Words'),
  'importAccount.pageComparedWithTheSourceAs': message(
    '{pages, plural, one {# page} other {# pages}} compared with the source as readers see both: {number} equal.',
    'Paragraph',
  ),
  'importAccount.pagesOfAnEarlierImportThat': message(
    'Pages of an earlier import that the source no longer has, or has elsewhere.',
    'Words',
  ),
  'importAccount.pagesOnWhichReadersSee': message(
    'Pages on which readers see something different than in the source: words, headings, tables, pictures, links.',
    'Words',
  ),
  'importAccount.pagesThatWereEditedInThis': message(
    'Pages that were edited in this wiki since they were imported.',
    'Words',
  ),
  'importAccount.pagesWhoseAddressBelongsTo': message(
    'Pages whose address belongs to another page.',
    'Words',
  ),
  'importAccount.partsOfTheSourceThatCouldNot': message(
    'Parts of the source that could not be imported.',
    'Words',
  ),
  'importAccount.partsOfTheSourceThatThisWiki': message(
    'Parts of the source that this wiki cannot store.',
    'Words',
  ),
  'importAccount.refused': message('Refused', 'Title of the page'),
  'importAccount.replacedByTheSource': message('Replaced by the source.', 'Words'),
  'importAccount.result': message('Result', 'Words'),
  'importAccount.thisImportHasNoSuchList': message('This import has no such list.', 'Refusal'),
  'importAccount.times': message('Times', 'Words'),
  'importAccount.wanted': message('Wanted', 'Words'),
  'importAccount.whatDiffers': message('What differs', 'Words'),
  'importAccount.whereEveryLinkLeads': message('Where every link leads.', 'Words'),
  'importAccount.whereEveryLinkLeads2': message('Where every link leads', 'Link'),
  'importAccount.why': message('Why', 'Words'),
  'importAccount.nowhere': message('nowhere', 'A link of the source leads to no page'),
  'importAccount.pagesOfTheImport': message(
    '{created, plural, one {# new page} other {# new pages}}, {changed} changed, {unchanged} unchanged.',
    'What an import made',
  ),
  'importAccount.pagesAndParents': message(
    '{created, plural, one {# new page} other {# new pages}} and {parents, plural, one {# parent page} other {# parent pages}}, {changed} changed, {unchanged} unchanged.',
    'What an import made: parent pages stand above those of the source',
  ),
};
