/** Words of “import preview”. */
import { message } from '../message.ts';

export const importPreviewWords = {
  'importPreview.aDocxOdtMdHtmlOrCsvFile': message('A .docx, .odt, .md, .html or .csv file', 'Value'),
  'importPreview.aMarkdownExportOfThese': message('A Markdown export of these programs', 'Value'),
  'importPreview.changeKindOrDestination': message(
    'Change kind or destination',
    'Title of a part that opens',
  ),
  'importPreview.codeOrThePageCode2': message('{code}, or the page {code2}', 'Value'),
  'importPreview.deletePagesThatNoLongerExist': message(
    'Delete pages that no longer exist in the source (they stay in the trash for a while), and move those whose files were moved',
    'Label of a field',
  ),
  'importPreview.evernoteTiddlywikiOutlines': message('Evernote, TiddlyWiki, outlines', 'Term'),
  'importPreview.exportAsMarkdownCsvWith': message('Export, as Markdown & CSV, with subpages', 'Value'),
  'importPreview.fetchPicturesOfOtherSites': message(
    'Fetch pictures of other sites, and attach them to the pages that show them',
    'Label of a field',
  ),
  'importPreview.filesOfWikitext': message('Files of wikitext', 'Term'),
  'importPreview.howToGetTheFile': message('How to get the file', 'Title of a part that opens'),
  'importPreview.importBeneath': message('Import beneath', 'Words'),
  'importPreview.itsExportAsJsonLines': message('Its <link>export</link> as JSON lines', 'Value'),
  'importPreview.itsFolderCodeAsAZip': message('Its folder {code}, as a .zip', 'Value'),
  'importPreview.jsonLinesOfCoppice': message('JSON lines of Coppice', 'Words'),
  'importPreview.linksAndMarkupAreConverted': message(
    'Links and markup are converted while it is imported, and each page is then compared with its source: neither has happened yet. The account at the end names every link that leads nowhere, every page on which readers see something else than in the source, all that was adapted, and all that was left out.',
    'Paragraph',
  ),
  'importPreview.lookAgain': message('Look again', 'Button'),
  'importPreview.nameOfTheSource': message('Name of the source', 'Words'),
  'importPreview.obsidianLogseqMkdocsMdbook': message(
    'Obsidian, Logseq, MkDocs, mdBook, Docusaurus, Hugo, Jekyll and others',
    'Term',
  ),
  'importPreview.onlyTheFirstNumberAreShown': message('Only the first {number} are shown.', 'Paragraph'),
  'importPreview.otherMarkdown': message('Other Markdown', 'Words'),
  'importPreview.outlineGitbook': message('Outline, GitBook', 'Term'),
  'importPreview.pagesNumber': message('Pages {number}', 'Heading'),
  'importPreview.pathOfAPageWhichIsCreatedIf': message(
    'Path of a page, which is created if it does not exist. Leave empty for the top of the wiki.',
    'Hint beneath a field',
  ),
  'importPreview.readAsValueBecause': message('Read as {value}, because {recognisedBy}.', 'Paragraph'),
  'importPreview.recogniseByTheFile': message('Recognise by the file', 'Words'),
  'importPreview.removeTheFile': message('Remove the file', 'Button'),
  'importPreview.singleDocuments': message('Single documents', 'Term'),
  'importPreview.source': message('Source', 'Field: which kind of source is imported'),
  'importPreview.spaceSettingsExportSpaceXml': message('Space settings, Export space, XML', 'Value'),
  'importPreview.theEnexHtmlOrJsonOrOpmlFile': message(
    'The .enex, .html or .json, or .opml file itself',
    'Value',
  ),
  'importPreview.theFileWasAlreadyImportedOr': message(
    'The file was already imported or removed. <link>Choose a file</link>',
    'Paragraph',
  ),
  'importPreview.theFolderAsAZip': message('The folder, as a .zip', 'Value'),
  'importPreview.theFolderOfTheVaultOr': message('The folder of the vault or documents, as a .zip', 'Value'),
  'importPreview.theFolderOrRepositoryOfIts': message(
    'The folder or repository of its storage by Git, as a .zip',
    'Value',
  ),
  'importPreview.thePortableZipOfABookChapter': message(
    'The portable ZIP of a book, chapter or page',
    'Value',
  ),
  'importPreview.vitepressOrVuepress': message('VitePress or VuePress', 'Words'),
  'importPreview.wordOrOpendocument': message('Word or OpenDocument', 'Words'),
  'importPreview.import': message('Import', 'Button'),
  'importPreview.nothingWrittenYet': message(
    '{facts}. Nothing has been written yet.',
    'What a file to be imported contains, as a list of counts',
  ),
  'importPreview.isHere': message('is here', 'Beside a page of the source that this wiki has already'),
  'importPreview.sameSource': message(
    'Pages of an earlier import already exist, and it is unclear whether this is the same source. The name {names} continues that import; another name makes a separate import.',
    'Hint beneath a field',
  ),
  'importPreview.newAndKnown': message(
    '{count, plural, one {# new page} other {# new pages}}, {known, plural, one {# page that already exists} other {# pages that already exist}}.',
    'What an import makes',
  ),
  'importPreview.inSource': message(
    'The source has {count, plural, one {# page} other {# pages}}; the others are created above them.',
    'What an import makes',
  ),
};
