/** Words of “import”. */
import { message } from '../message.ts';

export const importWords = {
  'import.aDumpOfAMediawikiXmlAlsoBz2': message(
    'A dump of a MediaWiki (.xml, also .bz2, .gz or .zst), JSON lines of Coppice, a single document, or a .zip or .tar.gz of anything else.',
    'Hint beneath a field',
  ),
  'import.cancel': message('Cancel', 'Words'),
  'import.cancelled': message('Cancelled', 'Words'),
  'import.chooseAFile': message('Choose a file', 'Link'),
  'import.chooseAKindFromTheList': message('Choose a kind from the list.', 'Refusal'),
  'import.continueTheImport': message('Continue the import', 'Words'),
  'import.failed': message('Failed', 'Words'),
  'import.file': message('File', 'Words'),
  'import.import': message('Import', 'Title of the page'),
  'import.importAnotherWikiWithIts': message(
    'Import another wiki with its history, authors, files and links. You see a preview before anything is written.',
    'Paragraph',
  ),
  'import.importId': message('Import {id}', 'Link'),
  'import.imported': message('Imported', 'Title of the page'),
  'import.importing': message('Importing', 'Words'),
  'import.latestImports': message('Latest imports', 'Heading'),
  'import.numberOfNumber2PagesHaveBeen': message('{number} of {number2} pages have been written.', 'Words'),
  'import.numberPagesHaveBeenWritten': message('{number} pages have been written and stay.', 'Words'),
  'import.pagesThatTheImportWould': message('Pages that the import would create', 'Title of the page'),
  'import.readingName': message('Reading {name}.', 'Words'),
  'import.readingTheFile': message('Reading the file', 'Words'),
  'import.running': message('Running', 'Words'),
  'import.stateBegunTime': message('{state} · begun {time}', 'Words'),
  'import.theImportFailed': message('The import failed', 'Words'),
  'import.theImportWasCancelled': message('The import was cancelled', 'Words'),
  'import.youMayLeaveThisPageTheImport': message(
    'You may leave this page. The import continues, and its report is listed under Import.',
    'Paragraph',
  ),
  'import.preview': message('Preview', 'Button'),
  'import.previewOfPages': message(
    'Preview: {count, plural, one {# page} other {# pages}}',
    'State of an import',
  ),
  'import.importedPages': message(
    'Imported: {count, plural, one {# page} other {# pages}}',
    'State of an import',
  ),
  'import.theFile': message('the file', 'Instead of the name of a file that is being read'),
  'import.nameTooLong': message(
    'The name can have at most {count, plural, one {# character} other {# characters}}.',
    'Refusal',
  ),
};
