/** Refusals of features from access to order. */
import { message } from '../message.ts';

export const problemsOfFeaturesAToO = {
  'problem.onlyTheOwnerOfAPageAnd4': message(
    'Only the owner of a page and administrators may see and change who can read it.',
    'Refusal',
  ),
  'problem.thereIsNoPageAt': message('There is no page at {path}.', 'Refusal'),
  'problem.somebodyElseHasChangedWithWhomThe': message(
    'Somebody else has changed with whom the page is shared. Nothing was saved: look at it as it is now, and try again.',
    'Refusal',
  ),
  'problem.togetherWithThePagesAboveItWould': message(
    'With the grants of the pages above, the page would be shared with more than {maxGranted} groups and people. Make a group of them instead.',
    'Refusal',
  ),
  'problem.aPageCanBeSharedWithAt': message(
    'A page can be shared with at most {maxGrants} groups and people: make a group.',
    'Refusal',
  ),
  'problem.aGrantNamesEitherAGroupOr': message('A grant names either a group or a member.', 'Refusal'),
  'problem.thereIsNoMemberWithTheId2': message('There is no member with the ID {member}.', 'Refusal'),
  'problem.nameEachGroupAndEachMemberOnce': message('Name each group and each member once.', 'Refusal'),
  'problem.guestsCannotSearchForMembers': message('Guests cannot search for members.', 'Refusal'),
  'problem.thereIsNoSuchMemberNameA': message(
    'There is no such member. Name a member by ID, or `stranger`.',
    'Refusal',
  ),
  'problem.isNotOneOf2': message('“{unknown}” is not one of: {auditKinds}.', 'Refusal'),
  'problem.thereIsNoComment': message('There is no comment {id}.', 'Refusal'),
  'problem.writeSomething': message('Write something.', 'Refusal'),
  'problem.aCommentCanHaveAtMostCharacters': message(
    'A comment can have at most {maxCommentLength} characters.',
    'Refusal',
  ),
  'problem.atMostCharactersCanBeQuoted': message(
    'At most {maxQuoteLength} characters can be quoted.',
    'Refusal',
  ),
  'problem.quoteSomeWordsOfThePageOr': message(
    'Quote some words of the page, or leave quote out.',
    'Refusal',
  ),
  'problem.thePageDoesNotHaveTheseWords': message(
    'The page does not have these words. Quote its text as readers see it.',
    'Refusal',
  ),
  'problem.theCursorDoesNotBelongToThis3': message(
    'The cursor does not belong to this list. Take it from the header “Link” of the previous response.',
    'Refusal',
  ),
  'problem.nameThePageToCommentOn': message('Name the page to comment on.', 'Refusal'),
  'problem.commentBelongsToAnotherPage': message('Comment {replyTo} belongs to another page.', 'Refusal'),
  'problem.giveTheIdOfAMemberOr': message('Give the ID of a member, or “me”.', 'Refusal'),
  'problem.aReplyIsAboutTheWordsOf': message('A reply is about the words of its thread.', 'Refusal'),
  'problem.atMostCommentsCanQuoteAPage': message('At most {maxQuotes} comments can quote a page.', 'Refusal'),
  'problem.thePageIsBeingChangedTryAgain': message('The page is being changed. Try again.', 'Refusal'),
  'problem.giveANewTextOrWhetherThe': message(
    'Send a new text, or say whether the thread is resolved.',
    'Refusal',
  ),
  'problem.aReplyHasNoStateOfIts': message(
    'A reply has no state of its own. Resolve comment {replyTo}.',
    'Refusal',
  ),
  'problem.onlyItsAuthorAndModeratorsMayChange': message(
    'Only its author and moderators may change a comment.',
    'Refusal',
  ),
  'problem.atMostPagesCanBeCopiedAt': message(
    'At most {maxCopied} pages can be copied at once: copy parts of the subtree.',
    'Refusal',
  ),
  'problem.thesePagesAreTooLongToBe': message(
    'These pages are too long to be copied at once: copy some of them.',
    'Refusal',
  ),
  'problem.theCopyOfWouldBeAt': message('The copy of {path} would be at {path2}: {problem}', 'Refusal'),
  'problem.aDraftCanHaveAtMostMb': message('A draft can have at most {megabytes} MB.', 'Refusal'),
  'problem.youHaveNoSuchDraftItMay': message(
    'You have no such draft. It may have been saved or discarded.',
    'Refusal',
  ),
  'problem.youHaveStarredPagesAlreadyRemoveThe': message(
    'You have starred {maxFavourites} pages already. Remove the star from one that you no longer need.',
    'Refusal',
  ),
  'problem.isTheGroupOfAllMembersWhich': message(
    '“{allMembers}” is the group of all members, which always exists.',
    'Refusal',
  ),
  'problem.groupNotFound': message('Group not found.', 'Refusal'),
  'problem.thereIsNoGroupCoppiceGroupList': message(
    'There is no group “{name}”. `coppice group list` lists all groups.',
    'Refusal',
  ),
  'problem.aWikiCanHaveGroupsDeleteOne': message(
    'A wiki can have {maxGroups} groups. Delete one that is no longer used.',
    'Refusal',
  ),
  'problem.aMemberCanBeInAtMost': message(
    'A member can be in at most {maxGroupsOfMember} groups.',
    'Refusal',
  ),
  'problem.aGroupWithThisNameAlreadyExists': message('A group with this name already exists.', 'Refusal'),
  'problem.thereIsNoSuchLinkItMay': message(
    'There is no such link. It may have been revoked already.',
    'Refusal',
  ),
  'problem.theEndOfALinkMustBe': message(
    'The end of a link must be a time in the future, such as 2027-01-01T00:00:00Z.',
    'Refusal',
  ),
  'problem.onlyTheOwnerOfAPageAnd5': message(
    'Only the owner of a page and administrators may make links to it.',
    'Refusal',
  ),
  'problem.aPageCanHaveLinksRevokeOne': message(
    'A page can have {maxLinks} links. Revoke one that is no longer used.',
    'Refusal',
  ),
  'problem.onlyTheOwnerOfAPageAnd6': message(
    'Only the owner of a page and administrators may see links to it.',
    'Refusal',
  ),
  'problem.theLinkDoesNotShowThisPage': message('The link does not show this page.', 'Refusal'),
  'problem.youDoNotHavePermissionToOrder': message(
    'You do not have permission to order these pages.',
    'Refusal',
  ),
  'problem.readersAndGuestsMayNotOrderThe': message(
    'Readers and guests may not order the root pages.',
    'Refusal',
  ),
  'problem.isNotOneOfThesePagesOr': message(
    '{path} is not one of these pages, or is named twice.',
    'Refusal',
  ),
  'problem.commentsAreTurnedOffOnThisPage': message('Comments are turned off on this page.', 'Refusal'),
  'problem.onlyMembersWhoMayEditThisPage': message(
    'Only members who may edit this page may comment on it.',
    'Refusal',
  ),
  'problem.pagesAreOfTheGroup': message(
    '{count, plural, one {A page is of the group “{name}”. Choose another group for it first.} other {# pages are of the group “{name}”. Choose another group for them first.}}',
    'Refusal',
  ),
  'problem.pagesAreOfTheGroupAlsoInTrash': message(
    '{count, plural, one {A page in the trash is of the group “{name}”. Choose another group for it first.} other {# pages are of the group “{name}”, {trashed} of them in the trash. Choose another group for them first.}}',
    'Refusal',
  ),
};
