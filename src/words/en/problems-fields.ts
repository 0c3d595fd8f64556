/** Refusals of values of pages’ fields and of search criteria. */
import { message } from '../message.ts';

export const problemsOfFields = {
  'problem.tooManyWrongCodesWereSentFor2': message(
    'Too many wrong codes were sent for this account. Sign in from a browser in which you have given a code before, use a recovery code or a passkey, or try again in {time}.',
    'Refusal',
  ),
  'problem.unknownValueOfLogicUseOrTo': message(
    'Unknown value of “logic”. Use “or” to find pages that meet any criterion, or leave it out.',
    'Refusal',
  ),
  'problem.atMostTagsCanBeGivenAt': message('At most {maxTags} tags can be given at once.', 'Refusal'),
  'problem.theNameOfAGroupMustHave': message(
    'The name of a group must have 1 to {maxGroupNameLength} characters.',
    'Refusal',
  ),
  'problem.theNameOfAGroupCannotContain': message(
    'The name of a group cannot contain control characters.',
    'Refusal',
  ),
  'problem.youAreAReaderOfThisWiki': message(
    'You are a reader of this wiki. Readers can like and watch pages, but not write.',
    'Refusal',
  ),
  'problem.theTextMustBeWellFormedUnicode': message(
    'The text must be well-formed Unicode without NUL characters.',
    'Refusal',
  ),
  'problem.aPageNeedsATitle': message('A page needs a title.', 'Refusal'),
  'problem.aTitleCanHaveAtMostCharacters': message(
    'A title can have at most {maxTitleLength} characters.',
    'Refusal',
  ),
  'problem.aTitleCannotContainControlCharacters': message(
    'A title cannot contain control characters.',
    'Refusal',
  ),
  'problem.aDescriptionCanHaveAtMostCharacters': message(
    'A description can have at most {maxDescriptionLength} characters.',
    'Refusal',
  ),
  'problem.aSlugIsOneSegmentOfA': message(
    'A slug is one segment of a path and cannot contain “/”.',
    'Refusal',
  ),
  'problem.theBodyOfAPageCanHave': message(
    'The body of a page can have at most 4 MB. Split it into several pages.',
    'Refusal',
  ),
  'problem.aTypeCanHaveAtMostCharacters': message(
    'A type can have at most {maxTypeLength} characters, without control characters.',
    'Refusal',
  ),
  'problem.permissionsMustBeThreeOctalDigits0': message(
    'Permissions must be three octal digits (0–7) for owner, group and world, such as 774.',
    'Refusal',
  ),
  'problem.structuredDataCanHaveAtMostBytes': message(
    'Structured data can have at most {maxDataBytes} bytes as JSON.',
    'Refusal',
  ),
  'problem.anImageAddressCanHaveAtMost': message(
    'An image address can have at most {maxImageLength} characters.',
    'Refusal',
  ),
  'problem.aDateMustBeADaySuch': message('A date must be a day such as 2026-05-01.', 'Refusal'),
  'problem.aLanguageMustBeABcp47': message(
    'A language must be a BCP 47 tag such as en, de or pt-BR.',
    'Refusal',
  ),
  'problem.aLocationMustBeWithLatFrom': message(
    "A location must be '{'lat, lon'}' with lat from −90 to 90 and lon from −180 to 180, or false.",
    'Refusal',
  ),
  'problem.aMessageCanHaveAtMostCharacters': message(
    'A message can have at most {maxMessageLength} characters.',
    'Refusal',
  ),
  'problem.permissionsMustBeThreeOctalDigits02': message(
    'Permissions must be three octal digits (0–7), such as 774.',
    'Refusal',
  ),
  'problem.thisPathIsLongerThanThatOf': message('This path is longer than the path of any page.', 'Refusal'),
  'problem.thisTitleHasNoLettersOrDigits': message(
    'This title has no letters or digits for an address. Give an address, as a slug or a path.',
    'Refusal',
  ),
  'problem.theFileHasBytesNotSoIt': message(
    'The file has {sizeBytes} bytes, not {declaredSizeBytes}, so it is incomplete.',
    'Refusal',
  ),
  'problem.theMd5HashDoesNotMatchThe': message(
    'The MD5 hash does not match the bytes, so the file is damaged or incomplete.',
    'Refusal',
  ),
  'problem.aFileNeedsAName': message('A file needs a name.', 'Refusal'),
  'problem.aPathNeedsAtLeastOneSegment': message(
    'A path needs at least one segment, such as /welcome.',
    'Refusal',
  ),
  'problem.aPathMustBeWellFormedUnicode': message('A path must be well-formed Unicode.', 'Refusal'),
  'problem.aPathCannotContain': message('A path cannot contain “{character}”.', 'Refusal'),
  'problem.aPathCanHaveAtMostBytes': message('A path can have at most {maxPathBytes} bytes.', 'Refusal'),
  'problem.aPathCanHaveAtMostSegments': message(
    'A path can have at most {maxPathSegments} segments.',
    'Refusal',
  ),
  'problem.aPathCannotContainEmptySegments': message('A path cannot contain empty segments (//).', 'Refusal'),
  'problem.aPathCannotContainTheSegmentsAnd': message(
    'A path cannot contain the segments “.” and “..”.',
    'Refusal',
  ),
  'problem.youAreNotSignedIn': message('You are not signed in.', 'Refusal'),
  'problem.aPictureMustBeAnObjectWith': message(
    'A picture must be an object with its bytes in base64 as `data`.',
    'Refusal',
  ),
  'problem.aPictureCanHaveAtMostKb': message('A picture can have at most {megabytes} kB.', 'Refusal'),
  'problem.aPictureMustBeAPngJpeg': message('A picture must be a PNG, JPEG, WebP, GIF or SVG.', 'Refusal'),
  'problem.atMostPageIdsCanBeGiven': message('At most {maxIds} page IDs can be given at once.', 'Refusal'),
  'problem.expectedLatLonMetresSuchAs52': message(
    'Expected lat,lon,metres, such as 52.5163,13.3777,5000, with at most {maxMetres} metres.',
    'Refusal',
  ),
  'problem.expectedWestSouthEastNorthInDegrees': message(
    'Expected west,south,east,north in degrees, such as 13.1,52.3,13.8,52.7. West may be greater than east, but south not greater than north.',
    'Refusal',
  ),
  'problem.expectedADateADateAndTime': message(
    'Expected a date, a date and time with time zone, such as 2026-03-14T09:26:53Z, or Unix seconds.',
    'Refusal',
  ),
  'problem.thisIsNotAnEMailAddress': message('This is not an e-mail address.', 'Refusal'),
  'problem.aLanguageMustBeATagSuch': message('A language must be a tag such as en, de or pt-BR.', 'Refusal'),
  'problem.thisMustBeTrueOrFalse': message('This must be true or false.', 'Refusal'),
  'problem.aColourMustBeAndSixHexadecimal': message(
    'A colour must be # and six hexadecimal digits, such as #1d6b4f.',
    'Refusal',
  ),
  'problem.thisMustBeOneOf': message('This must be one of {choices}.', 'Refusal'),
  'problem.thisMustBeThePathOfA': message('This must be the path of a page, such as /home.', 'Refusal'),
  'problem.thisMustBeThePathOfA2': message('This must be the path of a page, such as {path}.', 'Refusal'),
  'problem.aLinkMustLeadToAPage': message(
    'A link must lead to a page, such as /handbook, or to an address with https:, http: or mailto:.',
    'Refusal',
  ),
  'problem.aLicenceNeedsItsAddress': message(
    'A licence needs its address as well, such as https://creativecommons.org/licenses/by-sa/4.0/.',
    'Refusal',
  ),
  'problem.thisMustBeAListOfLinks': message('This must be a list of links.', 'Refusal'),
  'problem.thereCanBeAtMostLinks': message('There can be at most {maxLinks} links.', 'Refusal'),
  'problem.theEndOfAnAnnouncementMustBe': message(
    'The end of an announcement must be a time such as 2026-03-14T09:00:00Z.',
    'Refusal',
  ),
  'problem.thisMustBeAStyleSheet': message('This must be a style sheet.', 'Refusal'),
  'problem.aStyleSheetCanHaveAtMost': message(
    'A style sheet can have at most {maxCssLength} characters.',
    'Refusal',
  ),
  'problem.styleSheetsCannotBeImportedPutThe': message(
    'Style sheets cannot be imported. Put the rules here.',
    'Refusal',
  ),
  'problem.anEnvironmentVariableDefinesThisSetting': message(
    'An environment variable defines this setting. Change {variable} and restart the wiki.',
    'Refusal',
  ),
  'problem.youAreBlocked': message(
    'You are blocked until a moderator lifts the block, and can read but not write. Reason: {reason}',
    'Refusal',
  ),
  'problem.youAreBlockedUntil': message(
    'You are blocked until {until}, and can read but not write. Reason: {reason}',
    'Refusal',
  ),
  'problem.thereIsNoGroup': message('There is no group “{name}”.', 'Refusal'),
  'problem.thereIsNoGroupThatYouAreIn': message('There is no group “{name}” that you are in.', 'Refusal'),
  'problem.expectedPageIds': message('Expected page IDs separated by commas, such as 7,12.', 'Refusal'),
  'problem.expectedIdOfAMember': message('Expected the ID of a member, such as 3.', 'Refusal'),
  'problem.aPathCannotContainControlCharacters': message(
    'A path cannot contain control characters.',
    'Refusal',
  ),
  'problem.synonymsMustBeGroups': message(
    'Synonyms must be a list of texts, each with words separated by commas.',
    'Refusal',
  ),
  'problem.tooManyGroupsOfSynonyms': message('There can be at most {most} groups of synonyms.', 'Refusal'),
  'problem.aGroupOfSynonyms': message(
    'A group of synonyms must have at least 2 and at most {most} words or phrases: “{group}”.',
    'Refusal',
  ),
  'problem.aSynonymMustBeWords': message(
    'A synonym must have letters or digits, and at most {most} characters: “{synonym}”.',
    'Refusal',
  ),
  'problem.picturesMustComeFromThisWiki': message(
    'Pictures and fonts must come from this wiki. Use addresses like /files/…',
    'Refusal',
  ),
  'problem.textIsRequired': message(
    '{what, select, name {The name of the wiki is required.} link {The text of a link is required.} licence {The name of the licence is required.} other {The announcement is required.}}',
    'Refusal',
  ),
  'problem.textCanHaveAtMost': message(
    '{what, select, name {The name of the wiki can have at most {maxLength} characters.} link {The text of a link can have at most {maxLength} characters.} licence {The name of the licence can have at most {maxLength} characters.} other {The announcement can have at most {maxLength} characters.}}',
    'Refusal',
  ),
  'problem.textCannotContainControlCharacters': message(
    '{what, select, name {The name of the wiki cannot contain control characters.} link {The text of a link cannot contain control characters.} licence {The name of the licence cannot contain control characters.} other {The announcement cannot contain control characters.}}',
    'Refusal',
  ),
};
