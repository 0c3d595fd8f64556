/**
 * Sentences that are stored in English, in reports of imports: `stored.ts` finds them again by these messages. What stands at
 * their placeholders is taken from the stored sentence.
 */
import { message } from '../message.ts';

export const storedWords = {
  'stored.reasonAndCause': message('{reason} ({why}).', 'In the report of an import'),
  'stored.noMemberWithTheAddress': message(
    'There is no member with the address {email}.',
    'In the report of an import',
  ),
  'stored.notAMediawikiExport': message(
    "This is not a MediaWiki export, because it begins with '<'{name}>.",
    'In the report of an import',
  ),
  'stored.aTextInTheFileHasMore': message(
    'A text in the file has more than {maxTextLength} characters.',
    'In the report of an import',
  ),
  'stored.accordingToConfAclAuthPhpVisitors': message(
    'according to conf/acl.auth.php, visitors may not read it',
    'In the report of an import',
  ),
  'stored.anImportCanHaveAtMostBytes': message(
    'An import can have at most {maxImportBytes} bytes.',
    'In the report of an import',
  ),
  'stored.anotherImportIsRunningWaitUntilIt': message(
    'Another import is running. Wait until it ends, or cancel it.',
    'In the report of an import',
  ),
  'stored.arePagesOfAnEarlierImportAnd': message(
    '{where} are pages of an earlier import, {names}, and it is unclear whether this is the same source. Name the source: the earlier name continues that import, another name makes a separate import (--source on the command line, source=… over HTTP).',
    'In the report of an import',
  ),
  'stored.cannotBeReadCompletely': message(
    '{factsFile} cannot be read completely',
    'In the report of an import',
  ),
  'stored.cannotBeThePathOfAPage': message(
    '{path} cannot be the path of a page',
    'In the report of an import',
  ),
  'stored.commentsAreNotImported': message('comments are not imported', 'In the report of an import'),
  'stored.earlierUploadsWereReplacedInTheSource': message(
    '{value} earlier uploads were replaced in the source',
    'In the report of an import',
  ),
  'stored.entitiesXmlIsDamaged': message('entities.xml is damaged: {why}.', 'In the report of an import'),
  'stored.entriesOfTheLogDoNotBelong': message(
    '{logs} entries of the log do not belong to any page',
    'In the report of an import',
  ),
  'stored.filesBelongToTheProgramItsSettings': message(
    '{others} files belong to the program, its settings and caches',
    'In the report of an import',
  ),
  'stored.importNotFound': message('Import {id} not found.', 'In the report of an import'),
  'stored.isAnAddressOfTheWikiItself': message(
    '{parentPath} is an address of the wiki itself. Choose another parent.',
    'In the report of an import',
  ),
  'stored.isNotAKnownKindOfSource': message(
    '{value} is not a known kind of source. Give its kind with “from”, or --from on the command line ({kinds}).',
    'In the report of an import',
  ),
  'stored.itBeginsLikeADump': message('it begins like a dump', 'In the report of an import'),
  'stored.itBeginsLikeAnExportOfEvernote': message(
    'it begins like an export of Evernote',
    'In the report of an import',
  ),
  'stored.itBeginsLikeAnOutlineInOpml': message(
    'it begins like an outline in OPML',
    'In the report of an import',
  ),
  'stored.itBeginsLikeHtml': message('it begins like HTML', 'In the report of an import'),
  'stored.itBelongsToTheProgramThatShowed': message(
    'it belongs to the program that showed the pages',
    'In the report of an import',
  ),
  'stored.itCannotBeRead': message('it cannot be read', 'In the report of an import'),
  'stored.itComesAfterTheEnd': message('it comes after the end', 'In the report of an import'),
  'stored.itContainsDataJsonOfBookstack': message(
    'it contains data.json of BookStack',
    'In the report of an import',
  ),
  'stored.itContainsHtmlAndNoMarkdown': message(
    'it contains HTML and no Markdown',
    'In the report of an import',
  ),
  'stored.itContainsMarkdownAndNoFilesOf': message(
    'it contains Markdown, and no files of a known program',
    'In the report of an import',
  ),
  'stored.itContainsOfAnExport': message(
    'it contains {factsFile} of an export',
    'In the report of an import',
  ),
  'stored.itContainsTheFoldersOfADokuwiki': message(
    'it contains the folders of a DokuWiki',
    'In the report of an import',
  ),
  'stored.itContainsTiddlers': message('it contains tiddlers', 'In the report of an import'),
  'stored.itContainsTiddlywikiInfo': message('it contains tiddlywiki.info', 'In the report of an import'),
  'stored.itCouldNotBeReadWhenThe': message(
    'it could not be read when the export was made',
    'In the report of an import',
  ),
  'stored.itHasMoreThanBytes': message('it has more than {maxBytes} bytes', 'In the report of an import'),
  'stored.itHasNoGroup': message('it has no group', 'In the report of an import'),
  'stored.itHasNoKind': message('it has no “kind”', 'In the report of an import'),
  'stored.itHasNoPermissions': message('it has no permissions', 'In the report of an import'),
  'stored.itHasNoRevision': message('it has no revision', 'In the report of an import'),
  'stored.itHasNoTime': message('it has no time', 'In the report of an import'),
  'stored.itHasNoTitle': message('it has no title', 'In the report of an import'),
  'stored.itHolds': message('it holds {path}', 'In the report of an import'),
  'stored.itIsADocumentOfAWord': message(
    'it is a document of a word processor',
    'In the report of an import',
  ),
  'stored.itIsASymbolicLink': message('it is a symbolic link', 'In the report of an import'),
  'stored.itIsCompressedLikeADump': message('it is compressed like a dump', 'In the report of an import'),
  'stored.itIsDamagedInTheArchive': message(
    'it is damaged in the archive ({why})',
    'In the report of an import',
  ),
  'stored.itIsDamagedOrHasMoreThan': message(
    'it is damaged, or has more than {maxBodyBytes} bytes',
    'In the report of an import',
  ),
  'stored.itIsEncrypted': message('it is encrypted', 'In the report of an import'),
  'stored.itIsInTheSourceTwiceOnly': message(
    'it is in the source twice; only the first is imported',
    'In the report of an import',
  ),
  'stored.itIsNoPictureThatBrowsersShow': message(
    'It is no picture that browsers show.',
    'In the report of an import',
  ),
  'stored.itIsNotA': message('it is not a “{kind}”', 'In the report of an import'),
  'stored.itIsNotAFileOrLies': message('it is not a file, or lies too deep', 'In the report of an import'),
  'stored.itIsNotAFolderAnArchive': message(
    'It is not a folder, an archive or a known kind of document.',
    'In the report of an import',
  ),
  'stored.itIsNotJson': message('it is not JSON', 'In the report of an import'),
  'stored.itIsNotTextIn': message('it is not text in {named}', 'In the report of an import'),
  'stored.itIsNotUtf8TextSave': message(
    'it is not UTF-8 text; save it as UTF-8, and import it again',
    'In the report of an import',
  ),
  'stored.itIsOnlyARedirectSoIts': message(
    'it is only a redirect, so its address redirects here, too; its revisions ({revisions}) contain nothing else',
    'In the report of an import',
  ),
  'stored.itIsPackedWithBzip2': message('it is packed with bzip2', 'In the report of an import'),
  'stored.itLeadsOnTooOften': message('It leads on too often.', 'In the report of an import'),
  'stored.itLiesInDrafts': message('it lies in _drafts', 'In the report of an import'),
  'stored.itNoLongerExists': message('it no longer exists', 'In the report of an import'),
  'stored.itWasDeletedInTheSource': message('it was deleted in the source', 'In the report of an import'),
  'stored.itsBytesAreDamaged': message('its bytes are damaged', 'In the report of an import'),
  'stored.itsBytesAreMissingInTheExport': message(
    'its bytes are missing in the export',
    'In the report of an import',
  ),
  'stored.itsBytesAreNotBase64': message('its bytes are not base64', 'In the report of an import'),
  'stored.itsBytesWereLostBeforeTheExport': message(
    'its bytes were lost before the export',
    'In the report of an import',
  ),
  'stored.itsContentHasTheModel': message('its content has the model {model}', 'In the report of an import'),
  'stored.itsElementsAreNestedMoreThanDeep': message(
    'its elements are nested more than {maxDepth} deep',
    'In the report of an import',
  ),
  'stored.itsFirstLineSaysSo': message('its first line says so', 'In the report of an import'),
  'stored.itsFrontMatterIsNotValidYaml': message(
    'its front matter is not valid YAML, so it stays text',
    'In the report of an import',
  ),
  'stored.itsNameEndsWith': message('its name ends with {ending}', 'In the report of an import'),
  'stored.itsNameEndsWithXml': message('its name ends with .xml', 'In the report of an import'),
  'stored.itsNameIsNotUtf8': message('its name is not UTF-8', 'In the report of an import'),
  'stored.itsPageStaysAtUntilPruning': message(
    'it is now {source} in the source; its page stays at {path} (pruning moves it to {to})',
    'In the report of an import',
  ),
  'stored.itsPageStaysBecause': message('its page {path} stays: {why}', 'In the report of an import'),
  'stored.itsPageStaysUntilPruning': message(
    'the source no longer has it; its page {path} stays (pruning deletes it)',
    'In the report of an import',
  ),
  'stored.itsPageWasChangedHere': message(
    'the source no longer has it; its page {path} was changed here and stays',
    'In the report of an import',
  ),
  'stored.itsPageWasDeletedHereRestoreIt': message(
    'its page {path} was deleted here; restore it from the trash, or import with --force',
    'In the report of an import',
  ),
  'stored.itsPageWasMoved': message(
    'it is now {source} in the source, and its page was moved from {path} to {to}',
    'In the report of an import',
  ),
  'stored.itsPageWasMovedToTheTrash': message(
    'its page {path} was moved to the trash',
    'In the report of an import',
  ),
  'stored.itsParentWasRefused': message('its parent {parentPath} was refused', 'In the report of an import'),
  'stored.itsProtectionIsNotValidInThis': message(
    'its protection is not valid in this wiki',
    'In the report of an import',
  ),
  'stored.itsTextContainsNulCharacters': message(
    'its text contains NUL characters',
    'In the report of an import',
  ),
  'stored.itsTextIsMissingInTheAttic': message(
    'its text is missing in the attic',
    'In the report of an import',
  ),
  'stored.itsTextIsNotValidUnicode': message('its text is not valid Unicode', 'In the report of an import'),
  'stored.itsTextIsTooLong': message('its text is too long', 'In the report of an import'),
  'stored.itsUsersAndGroupsAreNotImported': message(
    'its users and groups are not imported. Pages that visitors may not read there can be read only by the importer and administrators here: {hidden}. Their permissions can be changed together with those of all pages beneath',
    'In the report of an import',
  ),
  'stored.jsonLinesDefineWhereEachPageLies': message(
    'JSON lines define where each page lies and who may read it. Leave “parent” and “permissions” out.',
    'In the report of an import',
  ),
  'stored.lineOfTheFileCannotBeRead': message(
    'Line {number} of the file cannot be read: {why}.',
    'In the report of an import',
  ),
  'stored.linksWithDoubleBrackets': message(
    '{value} links with [[double brackets]]',
    'In the report of an import',
  ),
  'stored.moreThanBytesAreNotFetchedAt': message(
    'More than {bytes} bytes are not fetched at once.',
    'In the report of an import',
  ),
  'stored.moreThanPicturesAreNotFetchedAt': message(
    'More than {pictures} pictures are not fetched at once.',
    'In the report of an import',
  ),
  'stored.mostOfItsDocumentsAreWikitext': message(
    'most of its documents are wikitext',
    'In the report of an import',
  ),
  'stored.namesAnEditorOfWikiJs': message('{value} names an editor of Wiki.js', 'In the report of an import'),
  'stored.namesOfItsFilesEndWithIds': message(
    'names of its files end with IDs of Notion',
    'In the report of an import',
  ),
  'stored.noDataMetaChangesListsEarlierVersions': message(
    'no data/meta/*.changes lists earlier versions',
    'In the report of an import',
  ),
  'stored.noLinkOnThePageLeadsThere': message(
    'no link on the page leads there',
    'In the report of an import',
  ),
  'stored.noPageOfTheDumpDescribesThis': message(
    'no page of the dump describes this file',
    'In the report of an import',
  ),
  'stored.onlyAdministratorsMayImportOtherWikis': message(
    'Only administrators may import other wikis.',
    'In the report of an import',
  ),
  'stored.picturesAreFetchedForMinutesAtMost': message(
    'Pictures are fetched for {value} minutes at most.',
    'In the report of an import',
  ),
  'stored.pruningWouldDeleteOfPagesBecauseThe': message(
    'Pruning would delete {count} of {value} pages, because the source does not have them. If the source is complete, use --prune with --force on the command line; otherwise import without pruning.',
    'In the report of an import',
  ),
  'stored.revisionsHaveMoreThanBytes': message(
    '{long} revisions have more than {maxBodyBytes} bytes',
    'In the report of an import',
  ),
  'stored.signInAsAnAdministratorToImport': message(
    'Sign in as an administrator to import.',
    'In the report of an import',
  ),
  'stored.textThatWasLeftOut': message('text that was left out: {why}', 'In the report of an import'),
  'stored.theAnswerWas': message('The answer was {status}.', 'In the report of an import'),
  'stored.theArchiveContainsMoreThanBytesImport': message(
    'The archive contains more than {maxUnpackedBytes} bytes. Import it in parts.',
    'In the report of an import',
  ),
  'stored.theArchiveIsDamaged': message('The archive is damaged: {why}.', 'In the report of an import'),
  'stored.theArchiveIsDamagedOrUnsafe': message(
    'The archive is damaged or unsafe: {why}.',
    'In the report of an import',
  ),
  'stored.theArchiveIsUnsafeItContainsThe': message(
    'The archive is unsafe: it contains the path “{path}”.',
    'In the report of an import',
  ),
  'stored.theChangeBelongsToAPageThat': message(
    'The change {id} belongs to a page that is not in the file.',
    'In the report of an import',
  ),
  'stored.theComparisonStopped': message(
    'The comparison of pages with their sources stopped after {pages} pages: {why}',
    'In the report of an import',
  ),
  'stored.theContentOfItsElements': message(
    'the content of its elements {leftOut}',
    'In the report of an import',
  ),
  'stored.theDiskIsFullSoNothingWas': message(
    'The disk is full, so nothing was imported.',
    'In the report of an import',
  ),
  'stored.theDocumentIsDamaged': message('The document is damaged: {why}.', 'In the report of an import'),
  'stored.theDumpNamesTheFileButDoes': message(
    'the dump names the file, but does not contain its bytes',
    'In the report of an import',
  ),
  'stored.theEncodingWhichTheFileNamesIs': message(
    'The encoding {named}, which the file names, is not supported.',
    'In the report of an import',
  ),
  'stored.theExportIsDamaged': message('The export is damaged: {why}.', 'In the report of an import'),
  'stored.theFileContainsMoreThanPages': message(
    'The file contains more than {maxPages} pages.',
    'In the report of an import',
  ),
  'stored.theFileContainsNoPage': message('The file contains no page.', 'In the report of an import'),
  'stored.theFileContainsNoneOfItsChanges': message(
    'the file contains none of its changes',
    'In the report of an import',
  ),
  'stored.theFileContainsThePageTwiceExport': message(
    'The file contains the page {path} twice. Export it again.',
    'In the report of an import',
  ),
  'stored.theFileEndsTooEarlyItsLast': message(
    'The file ends too early: its last line is missing.',
    'In the report of an import',
  ),
  'stored.theFileHasMoreThanBytesImport': message(
    'The file has more than {maxWholeBytes} bytes. Import it in parts.',
    'In the report of an import',
  ),
  'stored.theFileIsADumpOfA': message(
    'The file is a dump of a database. Export the wiki that it belongs to, and import the export: for a MediaWiki, use dumpBackup.',
    'In the report of an import',
  ),
  'stored.theFileIsAPictureAttachIt': message(
    'The file is a picture. Attach it to a page, or import the folder with the documents that show it.',
    'In the report of an import',
  ),
  'stored.theFileIsAnSqliteDatabaseExport': message(
    'The file is an SQLite database. Export the wiki that it belongs to, and import the export.',
    'In the report of an import',
  ),
  'stored.theFileIsAndImportTheResult': message(
    'The file is {name}, and import the result.',
    'In the report of an import',
  ),
  'stored.theFileIsCompressedWithButContains': message(
    'The file is compressed with {name}, but contains neither a dump of a MediaWiki nor a tar archive. Unpack it ({command}), and import the content.',
    'In the report of an import',
  ),
  'stored.theFileIsCompressedWithUnpackIt': message(
    'The file is compressed with {name}. Unpack it ({by}), and import the content.',
    'In the report of an import',
  ),
  'stored.theFileIsDamagedOrIncomplete': message(
    'The file is damaged or incomplete: {why}.',
    'In the report of an import',
  ),
  'stored.theFileIsIncomplete': message('The file is incomplete.', 'In the report of an import'),
  'stored.theFileIsIncompleteItAnnouncesPages': message(
    'The file is incomplete: it announces {pages} pages, {changes} changes and {files} files, but contains {size}, {revisions} and {files2}.',
    'In the report of an import',
  ),
  'stored.theFileIsIncompleteMakeOrDownload': message(
    'The file is incomplete; make or download it again',
    'In the report of an import',
  ),
  'stored.theFileIsMissingHere': message('the file is missing here', 'In the report of an import'),
  'stored.theFileIsMissingOrEmpty': message('The file is missing or empty.', 'In the report of an import'),
  'stored.theFileIsNotValidXml': message('The file is not valid XML', 'In the report of an import'),
  'stored.theFileIsSaveItAsAnd': message(
    'The file is {name}. Save it as {to}, and import the result.',
    'In the report of an import',
  ),
  'stored.theFolderDoesNotExist': message(
    'The folder {folder} does not exist.',
    'In the report of an import',
  ),
  'stored.theImportFailedTheLogOfThe': message(
    'The import failed. The log of the server contains the reason.',
    'In the report of an import',
  ),
  'stored.theKindDoesNotExistExpectedOne': message(
    'The kind “{text}” does not exist. Expected one of {kinds}.',
    'In the report of an import',
  ),
  'stored.theNoteIsTooLong': message('The note “{title}” is too long.', 'In the report of an import'),
  'stored.theOutlineIsDamaged': message('The outline is damaged: {why}.', 'In the report of an import'),
  'stored.thePageAboveItCouldNotBe': message(
    'the page above it could not be created',
    'In the report of an import',
  ),
  'stored.thePageAboveItWasDeletedHere': message(
    'the page {parentPath} above it was deleted here',
    'In the report of an import',
  ),
  'stored.thePageAtNoLongerExists': message(
    'The page at {path} no longer exists.',
    'In the report of an import',
  ),
  'stored.thePageHasNoSuchHeading': message('the page has no such heading', 'In the report of an import'),
  'stored.theServerWasStoppedDuringTheImport': message(
    'The server was stopped during the import. Send the same file again, or continue with the upload. Pages that have been written stay.',
    'In the report of an import',
  ),
  'stored.theSourceContainsMoreThanPagesImport': message(
    'The source contains more than {maxPages} pages. Import it in parts.',
    'In the report of an import',
  ),
  'stored.theSourceContainsNoPage': message('The source contains no page.', 'In the report of an import'),
  'stored.theSpaceContainsMoreThanVersionsOf': message(
    'The space contains more than {maxPages} versions of pages.',
    'In the report of an import',
  ),
  'stored.theSpaceIsFor': message('the space is for {viewers}', 'In the report of an import'),
  'stored.theTextOfRevisionsIsHiddenIn': message(
    'the text of {hidden} revisions is hidden in the source',
    'In the report of an import',
  ),
  'stored.theUploadOfThisImportIsNo': message(
    'The upload of this import is no longer stored. Send the file again.',
    'In the report of an import',
  ),
  'stored.thereAreMoreThanFilesImportIt': message(
    'There are more than {most} files: import it in parts.',
    'In the report of an import',
  ),
  'stored.thereAreMoreThanFilesImportIt2': message(
    'There are more than {maxFiles} files. Import it in parts.',
    'In the report of an import',
  ),
  'stored.thereAreMoreThanFilesIn': message(
    'There are more than {maxFiles} files in {folder}.',
    'In the report of an import',
  ),
  'stored.thereIsNoFolderDataPagesOf': message(
    'There is no folder data/pages of a DokuWiki. Give the folder that contains “data”.',
    'In the report of an import',
  ),
  'stored.thereIsNoPageAtToBe': message(
    'There is no page at {parentPath} to be the parent.',
    'In the report of an import',
  ),
  'stored.thereIsNoPageInItsFolder': message(
    'there is no page in its folder to attach it to',
    'In the report of an import',
  ),
  'stored.thisIsNotAnExportInJson': message(
    'This is not an export in JSON lines, because its first line does not say so.',
    'In the report of an import',
  ),
  'stored.thisIsNotAnExportInJson2': message(
    'This is not an export in JSON lines, because one of its lines is far too long.',
    'In the report of an import',
  ),
  'stored.viewingOfIsRestricted': message('viewing of “{value}” is restricted', 'In the report of an import'),
  'stored.whichContainsItsAccessRightsIsMissing': message(
    '{factsFile}, which contains its access rights, is missing',
    'In the report of an import',
  ),
  'stored.whichItEmbedsInItsTextIs': message(
    '{name}, which it embeds in its text, is missing in the source',
    'In the report of an import',
  ),
};
