/** Words of “export”. */
import { message } from '../message.ts';

export const exportWords = {
  'export.allPagesOneAfterTheOtherTo': message(
    'All pages one after the other: to archive, to send, or to print as PDF.',
    'Words',
  ),
  'export.anEBookWithOneChapterForEach': message('An e-book with one chapter for each page.', 'Words'),
  'export.everyChangeAsARevisionEvery': message(
    'Every change as a revision, every file as an upload: for import into a MediaWiki.',
    'Words',
  ),
  'export.everyPageChangeAndFile': message(
    'Every page, change and file without loss: for programs, and for import into another Coppice.',
    'Words',
  ),
  'export.everyTextUnchangedAndAListOf': message(
    'Every text unchanged, and a list of each page’s metadata.',
    'Words',
  ),
  'export.forMdbook': message(
    'Markdown with the order of the pages in SUMMARY.md.',
    'What the export for mdBook and GitBook contains',
  ),
  'export.forMkdocs': message(
    'Markdown with the order of the pages in mkdocs.yml.',
    'What the export for MkDocs contains',
  ),
  'export.forDocusaurus': message(
    'Markdown with the position of each page in its front matter.',
    'What the export for Docusaurus contains',
  ),
  'export.forHugo': message(
    'Markdown with the weight of each page in its front matter.',
    'What the export for Hugo contains; it sorts pages by their “weight”',
  ),
  'export.export': message('Export', 'Title of the page'),
  'export.garden': message('/garden', 'Example in an empty field'),
  'export.jsonLines': message('JSON lines', 'Words'),
  'export.mediawikiXml': message('MediaWiki XML', 'Words'),
  'export.oneFileForEachPageWithIts': message(
    'One file for each page, with its pictures and files: for Obsidian, other wikis and site generators.',
    'Words',
  ),
  'export.oneHtmlFile': message('One HTML file', 'Words'),
  'export.onlyAPageAndThePagesBeneath': message('Only a page and the pages beneath it', 'Label of a field'),
  'export.pageAndAllPagesBeneathIt': message('{page} and all pages beneath it', 'Words'),
  'export.pagesThatLookAsTheyDoHere': message(
    'Pages that look as they do here, with search and map: for any web server, or opened from a disk.',
    'Words',
  ),
  'export.website': message('Website', 'Words'),
  'export.choose': message('Choose', 'Button'),
  'export.asFarAsYouMayRead': message(
    '{what}, as far as you may read it. The file is made while it is sent, so a large wiki takes a while.',
    '{what} is “The whole wiki”, or a page and all beneath it',
  ),
  'export.asFarAsEverybodyMayRead': message(
    '{what}, as far as everybody may read it. The file is made while it is sent, so a large wiki takes a while.',
    '{what} is “The whole wiki”, or a page and all beneath it',
  ),
  'export.noPageExistsAt': message('No page exists at {path}.', 'Refusal'),
};
