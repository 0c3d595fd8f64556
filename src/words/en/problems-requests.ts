/** Refusals of requests by their form and size. */
import { message } from '../message.ts';

export const problemsOfRequests = {
  'problem.tooManyReadersAtOnce': message(
    'Too many pages are being read at once. Try again in a few seconds, or sign in: members are always served.',
    'Refusal',
  ),
  'problem.yourAddressHasUsedUpItsComputing': message(
    'Your address has used up its computing time for this minute. Try again in {retryAfter} seconds, or sign in.',
    'Refusal',
  ),
  'problem.tooManyAttemptsTryAgainInSeconds': message(
    'Too many attempts. Try again in {retryAfter} seconds.',
    'Refusal',
  ),
  'problem.tooManyBatchesAreWaiting': message(
    'Too many batches are waiting for their turn. Try again in a minute.',
    'Refusal',
  ),
  'problem.theServerIsAlreadyPreparingTooMany': message(
    'The server is already preparing too many long lists. Try again in a minute.',
    'Refusal',
  ),
  'problem.aFormCanHaveAtMostFields': message('A form can have at most {maxParameters} fields.', 'Refusal'),
  'problem.theFormIsNotUtf8': message('The form is not UTF-8.', 'Refusal'),
  'problem.aQueryCanHaveAtMostParameters': message(
    'A query can have at most {maxQueryParameters} parameters.',
    'Refusal',
  ),
  'problem.tooManyProposalsAreBeingShownTry': message(
    'Too many proposals are being shown. Try again in a moment.',
    'Refusal',
  ),
  'problem.signInToSeeAProposal': message('Sign in to see a proposal.', 'Refusal'),
  'problem.giveTheIdOfOneProposal': message('Give the ID of one proposal.', 'Refusal'),
  'problem.noProposalCanBeShownWithinAn': message(
    'No proposal can be shown within an atomic batch.',
    'Refusal',
  ),
  'problem.theWikiCannotBeShownWithThis': message(
    'The wiki cannot be shown with this proposal, because that takes too long. Look at the differences that it makes instead.',
    'Refusal',
  ),
  'problem.thereIsNothingAtThisAddress': message('There is nothing at this address.', 'Refusal'),
  'problem.isNotSupportedHereSupported': message(
    '{method} is not supported here. Supported: {methods}.',
    'Refusal',
  ),
  'problem.theUrlIsNotValidPercentEncoded': message('The URL is not valid percent-encoded UTF-8.', 'Refusal'),
  'problem.sendTheBodyWithoutContentEncoding': message('Send the body without Content-Encoding.', 'Refusal'),
  'problem.theBodyIsNotUtf8': message('The body is not UTF-8.', 'Refusal'),
  'problem.theBodyMustBeAnObjectOf': message('The body must be an object of fields.', 'Refusal'),
  'problem.theFormHasTooManyParts': message('The form has too many parts.', 'Refusal'),
  'problem.theNameOfTheFileIsNot': message('The name of the file is not UTF-8. Rename the file.', 'Refusal'),
  'problem.theTextIsNotUtf8': message('The text is not UTF-8.', 'Refusal'),
  'problem.theFormIsIncomplete': message('The form is incomplete: {why}.', 'Refusal'),
  'problem.theFieldsOfTheFormAreLonger': message(
    'The fields of the form are longer than this wiki accepts.',
    'Refusal',
  ),
  'problem.aFormWithFilesCanHaveAt': message(
    'A form with files can have at most {maxParts} fields.',
    'Refusal',
  ),
  'problem.theFormDidNotArriveWhole': message('The form did not arrive whole.', 'Refusal'),
  'problem.theServerIsAlreadyCompressingTooMany': message(
    'The server is already compressing too many long responses. Try again in a minute.',
    'Refusal',
  ),
  'problem.noPageExistsAtThePathIn2': message('No page exists at the path in “ancestor”.', 'Refusal'),
  'problem.theSessionOfThisExportHasEnded': message('The session of this export has ended.', 'Refusal'),
  'problem.youAlreadyHaveExportsInProgressWait': message(
    'You already have {mine} exports in progress. Wait until one is finished.',
    'Refusal',
  ),
  'problem.yourAddressAlreadyHasTheMaximumNumber': message(
    'Your address already has the maximum number of exports in progress. Wait until one is finished.',
    'Refusal',
  ),
  'problem.theServerCannotRunAnyMoreExports': message(
    'The server cannot run any more exports at the moment. Try again later.',
    'Refusal',
  ),
  'problem.theFileHasBytes': message('The file has {sizeBytes} bytes.', 'Refusal'),
  'problem.sendOneFile': message('Send one file.', 'Refusal'),
  'problem.thisTookTooLong': message('This took too long and was cancelled.', 'Refusal'),
  'problem.theBodyIsNotValidJson': message('The body is not valid JSON.', 'Refusal'),
  'problem.theRequestIsMalformed': message('The request is malformed.', 'Refusal'),
  'problem.notFound': message('Not found.', 'Refusal'),
  'problem.theBodyIsMalformed': message('The body is malformed.', 'Refusal'),
  'problem.theRequestIsTooLarge': message('The request is larger than this server accepts.', 'Refusal'),
  'problem.bodiesOfThisType': message('This operation does not accept bodies of this type.', 'Refusal'),
  'problem.tooManyRequests': message('Too many requests. Try again later.', 'Refusal'),
  'problem.required': message('Required.', 'Refusal'),
  'problem.notPossibleHere': message('This value is not possible here.', 'Refusal'),
  'problem.proposalsAreBeingShownToYouAlready': message(
    '{held} proposals are being shown to you already. Try again in {retryAfter} seconds.',
    'Refusal',
  ),
};
