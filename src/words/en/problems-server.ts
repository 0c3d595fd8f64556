/** Refusals of the store, the files and the site. */
import { message } from '../message.ts';

export const problemsOfServer = {
  'problem.tooManyPicturesAreBeingUploadedAt': message(
    'Too many pictures are being uploaded at this moment. Try again in a minute.',
    'Refusal',
  ),
  'problem.tooManyFilesAreBeingUploadedAt': message(
    'Too many files are being uploaded at this moment. Try again in a minute.',
    'Refusal',
  ),
  'problem.theFileStorageDoesNotRespondTry': message(
    'The file storage does not respond. Try again in a moment.',
    'Refusal',
  ),
  'problem.thisProcessOnlyReadsFilesAndCannot': message(
    'This process only reads files and cannot store any.',
    'Refusal',
  ),
  'problem.aFileCanHaveAtMostBytes': message('A file can have at most {maxBytes} bytes.', 'Refusal'),
  'problem.theFolderOfTheFilesNoLonger': message(
    'The folder of the files no longer exists. The operator has to restore it.',
    'Refusal',
  ),
  'problem.thereIsNoSpaceForFilesAt': message('There is no space for files at the moment.', 'Refusal'),
  'problem.tooManyPicturesAreBeingScaledDown': message(
    'Too many pictures are being scaled down at this moment. Try again in a few seconds.',
    'Refusal',
  ),
  'problem.tooManyLongTextsAreBeingProcessed': message(
    'Too many long texts are being processed at this moment. Try again in a minute.',
    'Refusal',
  ),
  'problem.comparingTheseVersionsTakesTooLongBecause': message(
    'Comparing these versions takes too long because they differ too much.',
    'Refusal',
  ),
  'problem.thisTextTakesTooLongToProcess': message(
    'This text takes too long to process. Divide it into several pages.',
    'Refusal',
  ),
  'problem.thisAccountIsAlreadyLinked': message('This account is already linked.', 'Refusal'),
  'problem.aMemberWithThisEMailAddress': message(
    'A member with this e-mail address already exists.',
    'Refusal',
  ),
  'problem.thisPasskeyHasAlreadyBeenAdded': message('This passkey has already been added.', 'Refusal'),
  'problem.aPageAtOneOfThesePaths': message('A page at one of these paths already exists.', 'Refusal'),
  'problem.thesePagesHaveMoreThanMbOf': message(
    'These pages have more than {megabytes} MB of text. Request fewer at a time with “limit”.',
    'Refusal',
  ),
  'problem.pageNotFound': message('Page not found.', 'Refusal'),
  'problem.theDatabaseBecameUnavailableDuringTheSave': message(
    'The database became unavailable during the save. Please check whether it was saved, and try again in a moment.',
    'Refusal',
  ),
  'problem.theDatabaseIsUnavailablePleaseTryAgain': message(
    'The database is unavailable. Please try again in a moment.',
    'Refusal',
  ),
  'problem.theServerIsShuttingDown': message('The server is shutting down.', 'Refusal'),
  'problem.theDataFolderOfTheWikiNo': message(
    'The data folder of the wiki no longer exists, so nothing can be saved. The operator has to restore it and restart the server.',
    'Refusal',
  ),
  'problem.theDiskFailedDuringThisSaveThe': message(
    'The disk failed during this save. The server accepts no changes until it is restarted. Please check then whether this change was saved.',
    'Refusal',
  ),
  'problem.theWikiIsReadOnlyAtThe': message(
    'The wiki is read-only at the moment: an administrator has paused all changes. Please try again later.',
    'Refusal',
  ),
  'problem.structuredDataMustBeOneJsonObject': message(
    "Structured data must be one JSON object, such as '{'\"population\": 1200'}'.",
    'Refusal',
  ),
  'problem.thereIsNoPageAtThisAddress': message('There is no page at this address.', 'Refusal'),
  'problem.theLongestPathBeneathItWouldHave': message(
    'The longest path beneath it would have {bytes} bytes, but a path can have at most {maxPathBytes}. Choose a path that is shorter by {excess}.',
    'Refusal',
  ),
  'problem.aPathBeneathItWouldHaveSegments': message(
    'The path of a page beneath would have {segments} segments, but a path can have at most {maxPathSegments}. Choose a shorter path.',
    'Refusal',
  ),
  'problem.aPageBeneathItWouldBeLevels': message(
    'A page beneath it would be {depth} levels deep, but pages can be nested at most {maxDepth} levels deep. Choose a parent nearer to the root.',
    'Refusal',
  ),
  'problem.theDatabaseCannotSaveThisNowPlease': message(
    'The database cannot save this now. Please try again in a moment.',
    'Refusal',
  ),
  'problem.nothingCanBeChangedAtTheMoment': message(
    'Nothing can be changed at the moment. Please try again in a moment.',
    'Refusal',
  ),
  'problem.theDatabaseIsUnavailableAtTheMoment': message(
    'The database is unavailable at the moment. Please try again in a moment.',
    'Refusal',
  ),
  'problem.tooManyPeopleAreRequestingListsOf': message(
    'Too many people are requesting lists of pages at this moment. Try again in a minute.',
    'Refusal',
  ),
  'problem.thisIsNotAnAddressUseOne': message(
    'This is not an address. Use one like https://example.org/hook.',
    'Refusal',
  ),
  'problem.onlyHttpsAddressesArePossible': message('Only https addresses are possible.', 'Refusal'),
  'problem.anAddressCannotContainAUserName': message(
    'An address cannot contain a user name or passphrase.',
    'Refusal',
  ),
  'problem.isNotAPublicAddressTheWikis': message(
    '{hostname} is not a public address. The wiki’s operator can permit it with COPPICE_OUTGOING_ALLOW.',
    'Refusal',
  ),
  'problem.onlyHttpsAddressesArePossibleUnlessCoppice': message(
    'Only https addresses are possible, unless COPPICE_OUTGOING_ALLOW names the target.',
    'Refusal',
  ),
  'problem.portIsNotPossibleUse443Or': message(
    'Port {port} is not possible. Use 443, or a port from 1024.',
    'Refusal',
  ),
  'problem.thereIsNoSpaceOnTheDisk': message(
    'There is no space on the disk to save this. Please try again later.',
    'Refusal',
  ),
  'problem.theWikiIsReadOnlyAtThe2': message(
    'The wiki is read-only at the moment, because its data cannot be written. Please try again later.',
    'Refusal',
  ),
  'problem.longTextsOfYoursAreAlreadyBeing2': message(
    '{held} long texts of yours are already being processed. Try again in {retryAfter} seconds.',
    'Refusal',
  ),
};
