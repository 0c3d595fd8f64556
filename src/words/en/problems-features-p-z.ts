/** Refusals of features from proposals to webhooks. */
import { message } from '../message.ts';

export const problemsOfFeaturesPToZ = {
  'problem.thePageWasJustMovedReadIt': message('The page was just moved. Read it again.', 'Refusal'),
  'problem.aProposalNeedsATitle': message('A proposal needs a title.', 'Refusal'),
  'problem.atMostCharactersAreAllowedHere': message('At most {most} characters are allowed here.', 'Refusal'),
  'problem.theTimeOfPublishingMustBeIn': message('The time of publishing must be in the future.', 'Refusal'),
  'problem.inviteMembersOneByOneByTheir': message(
    'Invite members one by one by their names, or all of them by ID.',
    'Refusal',
  ),
  'problem.atMostMembersCanBeInvited': message('At most {maxInvited} members can be invited.', 'Refusal'),
  'problem.thereIsNoMemberWithTheName': message('There is no member with the name “{name}”.', 'Refusal'),
  'problem.aParagraphOfTheOriginalChanged': message(
    'A paragraph of the original was changed meanwhile. Look at it again.',
    'Refusal',
  ),
  'problem.severalMembersHaveTheName': message(
    'Several members have the name “{name}”. Give the address of the right one’s page instead, such as {address}.',
    'Refusal',
  ),
  'problem.theAccountOfTheAuthorIsNot': message('The account of the author is not active.', 'Refusal'),
  'problem.theTimeOfPublishingWasChangedMeanwhile': message(
    'The time of publishing was changed meanwhile.',
    'Refusal',
  ),
  'problem.youDoNotHavePermissionToWrite': message(
    'You do not have permission to write all pages of this proposal.',
    'Refusal',
  ),
  'problem.onlyMembersWhoMayMoveCanSee': message(
    'Only members who may move {path} can see it at its new place.',
    'Refusal',
  ),
  'problem.thisProposalCannotBeShownBecauseIt': message(
    'This proposal cannot be shown, because it cannot be merged as it is.',
    'Refusal',
  ),
  'problem.thePageAtNoLongerExists': message('The page at {proposedPath} no longer exists.', 'Refusal'),
  'problem.youHaveUnfinishedProposalsMergeOrWithdraw': message(
    'You have {maxUnfinished} unfinished proposals. Merge or withdraw some first.',
    'Refusal',
  ),
  'problem.onlyTheAuthorOfAProposalCan': message('Only the author of a proposal can change it.', 'Refusal'),
  'problem.writeWhatYouThink': message('Write what you think.', 'Refusal'),
  'problem.aProposalHas1ToChanges': message('A proposal has 1 to {maxChanges} changes.', 'Refusal'),
  'problem.aProposalCanNameEachPageOnly': message(
    'A proposal can name each page only once. Put both changes into one.',
    'Refusal',
  ),
  'problem.theChangesOfAProposalCanHave': message(
    'The changes of a proposal can have at most {megabytes} MB together.',
    'Refusal',
  ),
  'problem.aMoveNeedsANewPathAs': message('A move needs a new path as “to”, a slug or a parent.', 'Refusal'),
  'problem.anEditNeedsAFieldToChange': message('An edit needs a field to change, such as a body.', 'Refusal'),
  'problem.thereIsNoPageWithTheId2': message('There is no page with the ID {parent}.', 'Refusal'),
  'problem.thereIsNoPageAtToBe': message('There is no page at {parentPath} to be the parent.', 'Refusal'),
  'problem.aProposalCanMakeOnlyOnePage': message(
    'A proposal can make only one page at each path.',
    'Refusal',
  ),
  'problem.thereIsNoProposalWithTheId': message('There is no proposal with the ID {id}.', 'Refusal'),
  'problem.toApproveAProposalOrToSet': message(
    'To approve a proposal, or to set the time at which it merges, sign in, or use a token with all rights of its member.',
    'Refusal',
  ),
  'problem.thisProposalWasMergedAlready': message('This proposal was merged already.', 'Refusal'),
  'problem.thisProposalWasWithdrawnItsAuthorCan': message(
    'This proposal was withdrawn. Its author can open it again.',
    'Refusal',
  ),
  'problem.theEndOfAProtectionMustBe': message('The end of a protection must be in the future.', 'Refusal'),
  'problem.onlyAdministratorsMaySetOrLiftThis': message(
    'Only administrators may set or lift this protection.',
    'Refusal',
  ),
  'problem.onlyTheOwnerOfAPageAnd7': message(
    'Only the owner of a page and administrators may change its rule.',
    'Refusal',
  ),
  'problem.aMemberCanHaveTokensRevokeOne': message(
    'A member can have {maxTokens} tokens. Revoke one that is no longer used.',
    'Refusal',
  ),
  'problem.youHaveNoSuchTokenItMay': message(
    'You have no such token. It may have been revoked already.',
    'Refusal',
  ),
  'problem.useTheValueFromTheLinkTo': message(
    'Use the value from the link to the next part, or leave it empty.',
    'Refusal',
  ),
  'problem.thisPageIsNoTranslationOfA': message(
    'This page is no translation of a page that you can see.',
    'Refusal',
  ),
  'problem.theOriginalHasNoChange': message('The original has no change {change}.', 'Refusal'),
  'problem.theTrashHoldsNothingWithTheId': message('The trash holds nothing with the ID {id}.', 'Refusal'),
  'problem.aPageBeneathCouldNotBeRestored': message(
    'A page beneath could not be restored with it. {problem}',
    'Refusal',
  ),
  'problem.feedNotFoundItsAddressMayHave': message(
    'Feed not found. Its address may have been replaced.',
    'Refusal',
  ),
  'problem.youCanWatchThingsEndAWatch': message(
    'You can watch {maxWatches} things. End a watch that you no longer need.',
    'Refusal',
  ),
  'problem.youCanWatchSearchesEndOneThat': message(
    'You can watch {maxSearches} searches. End one that you no longer need.',
    'Refusal',
  ),
  'problem.thisLinkDoesNotBelongToAny': message(
    'This link does not belong to any mail of this wiki.',
    'Refusal',
  ),
  'problem.youHaveNoSuchWatchItMay': message('You have no such watch. It may already have ended.', 'Refusal'),
  'problem.nameOneThingToWatchPageAncestor': message(
    'Name one thing to watch: page, ancestor, tag, search, comments or proposals.',
    'Refusal',
  ),
  'problem.thisFieldIsEmpty': message('This field is empty.', 'Refusal'),
  'problem.thisIsLongerThanCharactersOrContains': message(
    'This is longer than {maxTargetLength} characters, or contains invalid characters.',
    'Refusal',
  ),
  'problem.writeMentionsOrThreads': message('Choose “mentions” or “threads”.', 'Refusal'),
  'problem.writeMine': message('Write mine.', 'Refusal'),
  'problem.noPageExistsAt2': message('No page exists at {path}.', 'Refusal'),
  'problem.writeATagAsKeyValueOr': message(
    'Write a tag as key:value, or write only its key or its value.',
    'Refusal',
  ),
  'problem.thisSearchFindsNothingGiveTheQuery': message(
    'This search finds nothing. Give the query of a search, such as text=oak&type=Place, beneath a page that you may read.',
    'Refusal',
  ),
  'problem.aSecretIsWhsecAndTheBase64': message(
    'A secret is “whsec_” and the base64 of 24 to 64 bytes. Leave it out to get a new one.',
    'Refusal',
  ),
  'problem.aWikiCanHaveWebhooksDeleteOne': message(
    'A wiki can have {maxWebhooks} webhooks. Delete one that is no longer used.',
    'Refusal',
  ),
  'problem.deliveryNotFoundTheLogKeepsOnly': message(
    'Delivery not found. The log keeps only the latest ones.',
    'Refusal',
  ),
  'problem.theWebhooksOwnerMayNotReadThis': message(
    'The webhook’s owner may not read this event any more, so it is not sent.',
    'Refusal',
  ),
  'problem.webhookNotFoundItHasBeenDeleted': message('Webhook not found. It has been deleted.', 'Refusal'),
  'problem.theNameOfATokenHas1': message(
    'The name of a token has 1 to {maxNameLength} characters, without control characters.',
    'Refusal',
  ),
  'problem.aTokenNeedsAtLeastOneOf': message('A token needs at least one of the scopes {scopes}.', 'Refusal'),
  'problem.aTokenThatIsLimitedToA': message(
    'A token that is limited to a page and everything beneath has only the scopes {subtreeScopes}. Leave out {wide}, or the limit.',
    'Refusal',
  ),
  'problem.theExpiryOfATokenMustBe': message('The expiry of a token must be in the future.', 'Refusal'),
  'problem.aTokenWithTheScopePreviewMust': message(
    'A token with the scope preview must expire within {maxPreviewDays} days.',
    'Refusal',
  ),
  'problem.kindsAreLeaveThemOutForAll': message(
    'Kinds are {eventKinds}. Leave them out for all kinds.',
    'Refusal',
  ),
  'problem.formatsAre': message('Formats are {webhookFormats}.', 'Refusal'),
  'problem.aReasonCanHaveUpToCharacters': message(
    'A reason can have up to {maxReasonLength} characters, without control characters.',
    'Refusal',
  ),
  'problem.anAddressCanHaveAtMostCharacters': message(
    'An address can have at most {maxUrlLength} characters.',
    'Refusal',
  ),
  'problem.changesConflict': message(
    '{count, plural, one {The change of {path} conflicts with what happened meanwhile.} other {# changes conflict with what happened meanwhile, the first at {path}.}} Nothing was merged.',
    'Refusal',
  ),
  'problem.aboutAPage': message('{path}: {why}', 'Refusal'),
  'problem.youCannotRestoreThisDeletion': message(
    '{count, plural, one {You cannot restore this deletion, because you do not have permission to edit a page of it. Ask an administrator.} other {You cannot restore this deletion, because you do not have permission to edit # pages of it. Ask an administrator.}}',
    'Refusal',
  ),
  'problem.restoreToAnotherPath': message('Restore to another path, or move that page first.', 'Refusal'),
  'problem.eachMemberCanCommentOnAProposal': message(
    'Each member can comment on a proposal at most {own} times.',
    'Refusal',
  ),
  'problem.filesOfYourProposals': message(
    'Your proposals can have files of at most {megabytes} MB together. Merge or withdraw some first.',
    'Refusal',
  ),
  'problem.onlyACreationOrAnEditCanHaveFiles': message(
    'Only a creation or an edit can have files.',
    'Refusal',
  ),
  'problem.aChangeCanHaveAtMostFiles': message('A change can have at most {most} files.', 'Refusal'),
  'problem.sendTheBytesOfTheFile': message('Send the bytes of the file in base64.', 'Refusal'),
  'problem.twoFilesOfAChange': message('Two files of a change cannot have the same name.', 'Refusal'),
  'problem.atMostMbOfFilesCanBeSent': message(
    'At most {megabytes} MB of files can be sent with a proposal.',
    'Refusal',
  ),
  'problem.theFilesOfAProposal': message(
    'The files of a proposal can have at most {megabytes} MB together.',
    'Refusal',
  ),
  'problem.expectedBase64': message('Expected base64.', 'Refusal'),
  'problem.onlyACommentIsAboutOneChange': message(
    'Only a comment can be about one change. Approve or reject the whole proposal.',
    'Refusal',
  ),
  'problem.theProposalDoesNotChange': message('The proposal does not change {path}.', 'Refusal'),
  'problem.theProposedTextDoesNotHaveTheseWords': message(
    'The proposed text does not have these words. Quote its source.',
    'Refusal',
  ),
  'problem.aProposalCanHaveAtMostComments': message('A proposal can have at most {all} comments.', 'Refusal'),
  'problem.theAuthorHasNoSecondFactor': message(
    'The author has no second factor, which this wiki requires for the rights of an administrator.',
    'Refusal',
  ),
  'problem.membersNeedNoApproval': message(
    'You are signed in. Comment or propose as a member: it needs no approval.',
    'Refusal',
  ),
  'problem.signInToCommentOrPropose': message(
    'Only people who are signed in can comment or propose changes here.',
    'Refusal',
  ),
  'problem.aSubmissionCanHave': message(
    'Without an account, at most {kilobytes} kB can be submitted.',
    'Refusal',
  ),
  'problem.tooMuchFromYourAddressToday': message(
    'Too much was submitted from your network address today. Try again tomorrow.',
    'Refusal',
  ),
  'problem.tooMuchWaitsForApproval': message('Too much waits for approval. Try again tomorrow.', 'Refusal'),
  'problem.nothingWithThisIdWaits': message('Nothing with the ID {id} waits for approval.', 'Refusal'),
  'problem.giveIdsOrFrom': message('Give either the IDs or the sender.', 'Refusal'),
};
