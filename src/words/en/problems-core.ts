/** Refusals of search, files, erasure, mail and events. */
import { message } from '../message.ts';

export const problemsOfCore = {
  'problem.nameWhatToEraseAPageWith': message(
    'Name what to erase: a page with some of its changes or files, or a member.',
    'Refusal',
  ),
  'problem.atMostChangesAndFilesCanBe': message(
    'At most {maxErased} changes and files can be erased at once.',
    'Refusal',
  ),
  'problem.thereIsNoPageWithTheId': message('There is no page with the ID {named}.', 'Refusal'),
  'problem.isNotAChangeOfThisPage': message('{id} is not a change of this page.', 'Refusal'),
  'problem.isNotAFileOfThisPage': message('{name} is not a file of this page.', 'Refusal'),
  'problem.noVersionOfThePageWouldBe': message(
    'No version of the page would be left. Save a new text first, or move the page to the trash and then delete it permanently.',
    'Refusal',
  ),
  'problem.thereIsNoMemberWithTheId': message('There is no member with the ID {id}.', 'Refusal'),
  'problem.giveAReasonOfUpToCharacters': message(
    'Give a reason of up to {maxReasonLength} characters on one line. The audit log keeps it.',
    'Refusal',
  ),
  'problem.onlyModeratorsSeeWhichChangesWereReviewed': message(
    'Only moderators see which changes were reviewed.',
    'Refusal',
  ),
  'problem.thisWikiHasNeverIssuedThisCursor': message(
    'This wiki has never issued this cursor, or has been restored from a backup since. Start again without a cursor.',
    'Refusal',
  ),
  'problem.isNotOneOf': message('“{name}” is not one of {eventKinds}.', 'Refusal'),
  'problem.atMostChangesCanBeMarkedAt': message(
    'At most {maxReviewed} changes can be marked at once.',
    'Refusal',
  ),
  'problem.thePageAtDoesNotHaveThe': message(
    'The page at {path} does not have the file {missing}. Nothing was changed.',
    'Refusal',
  ),
  'problem.giveAKindOfFilesSuchAs': message(
    'Give a kind of files such as “image”, or a type such as “image/png”.',
    'Refusal',
  ),
  'problem.noPageExistsAtThePathIn': message('No page exists at the path in “{parameter}”.', 'Refusal'),
  'problem.theCursorDoesNotBelongToThis': message(
    'The cursor does not belong to this list. Take it from the header “Link” of the previous response, with the same “sort”.',
    'Refusal',
  ),
  'problem.fileNotFound': message('File not found.', 'Refusal'),
  'problem.thisMailHasNoLinkToPass': message('This mail has no link to pass on.', 'Refusal'),
  'problem.nobodyHasThisAddressOrTheLink': message(
    'Nobody has this address, or the link is no longer needed.',
    'Refusal',
  ),
  'problem.mailNotFoundItWasSentOr': message('Mail not found. It was sent or discarded.', 'Refusal'),
  'problem.thisTokenIsLimitedToAPart': message(
    'This token is limited to a part of the wiki, and this request concerns more. Use a token without that limit.',
    'Refusal',
  ),
  'problem.apiTokensCannotDoThisSignIn': message(
    'API tokens cannot do this. Sign in with a passphrase or provider.',
    'Refusal',
  ),
  'problem.thisTokenLacksTheScope': message('This token lacks the scope “{scope}”.', 'Refusal'),
  'problem.aListByRelevanceHasNoCursors': message(
    'A list by relevance has no cursors. Use “offset”, or another order.',
    'Refusal',
  ),
  'problem.theCursorDoesNotBelongToThis2': message(
    'The cursor does not belong to this list. Take it from the header “Link” of the previous response, with the same order.',
    'Refusal',
  ),
  'problem.unknownOrderUseOneOf': message('Unknown order: use one of {searchOrders}.', 'Refusal'),
  'problem.theOrderTreeIsThatOfThe': message(
    'The order “tree” needs the criterion “ancestor”, and no other.',
    'Refusal',
  ),
  'problem.inTheOrderTreeAtMostPages': message(
    'In the order “tree” at most {mostSkippedInTree} pages can be skipped: use “cursor”.',
    'Refusal',
  ),
  'problem.moreThanPagesLinkThereUseV1': message(
    'More than {maxLookedUp} pages link there. Use /v1/backlinks to list them.',
    'Refusal',
  ),
  'problem.moreThanPlacesAreThatNearReduce': message(
    'More than {maxLookedUp} places are that near. Reduce the distance, or use “bbox”.',
    'Refusal',
  ),
  'problem.thePagesWhereThisListWentOn': message(
    'The pages where this list went on are gone: begin again with an empty cursor.',
    'Refusal',
  ),
  'problem.signInToDoThis': message('Sign in to do this.', 'Refusal'),
};
