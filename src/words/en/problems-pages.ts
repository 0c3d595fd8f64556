/** Refusals of changes of pages. */
import { message } from '../message.ts';

export const problemsOfPages = {
  'problem.thereIsNoPageTemplateAt': message('There is no page template at {path}.', 'Refusal'),
  'problem.theTemplateIsWrittenInLeaveThe': message(
    'The template is written in {format}: leave the format out, or give a body.',
    'Refusal',
  ),
  'problem.signInToChangePermissions': message('Sign in to change permissions.', 'Refusal'),
  'problem.giveThePermissionsOrTheGroupThat': message(
    'Give the permissions or the group that the pages are to have.',
    'Refusal',
  ),
  'problem.onlyTheOwnerOfAPageAnd': message(
    'Only the owner of a page and administrators may change its permissions.',
    'Refusal',
  ),
  'problem.signInToCreateAPage': message('Sign in to create a page.', 'Refusal'),
  'problem.signInToDeleteAPage': message('Sign in to delete a page.', 'Refusal'),
  'problem.youDoNotHavePermissionToDelete': message(
    'You do not have permission to delete this page.',
    'Refusal',
  ),
  'problem.thePageHasNoChange': message('The page has no change {id}.', 'Refusal'),
  'problem.signInToEditAPage': message('Sign in to edit a page.', 'Refusal'),
  'problem.cannotBePlacedBeneathItself': message('{path} cannot be placed beneath itself.', 'Refusal'),
  'problem.youDoNotHavePermissionToEdit': message('You do not have permission to edit this page.', 'Refusal'),
  'problem.onlyTheOwnerOfAPageAnd2': message(
    'Only the owner of a page and administrators may change how much of its history others can see.',
    'Refusal',
  ),
  'problem.onlyTheOwnerOfAPageAnd3': message(
    'Only the owner of a page and administrators may change its {field}.',
    'Refusal',
  ),
  'problem.thereIsNoPage': message('There is no page {name}.', 'Refusal'),
  'problem.pagesHaveThisTitleGiveTheId': message(
    '{length} pages have this title. Give the ID of one of them: {ids}.',
    'Refusal',
  ),
  'problem.noPageHasThisTitleSearchFor': message(
    'No page has this title. Search for it, or give the path or the ID.',
    'Refusal',
  ),
  'problem.signInToLikeAPage': message('Sign in to like a page.', 'Refusal'),
  'problem.signInToSeeTheListOf': message('Sign in to see the list of your pages.', 'Refusal'),
  'problem.thereIsNoPageTemplateAt2': message('There is no page template at {template}.', 'Refusal'),
  'problem.thePageHasNoSuchSectionRead': message(
    'The page has no such section. Read it without a section to see its sections.',
    'Refusal',
  ),
  'problem.pagesCanBeNestedAtMostLevels': message(
    'Pages can be nested at most {maxDepth} levels deep.',
    'Refusal',
  ),
  'problem.youAreAGuestOfThisWiki': message(
    'You are a guest of this wiki: guests put pages only beneath pages that they may edit.',
    'Refusal',
  ),
  'problem.pagesBeneathAreSharedWithOthersOnly': message(
    'Pages beneath {path} are shared with others. Only the owner of a page and administrators may move it there.',
    'Refusal',
  ),
  'problem.signInToMoveAPage': message('Sign in to move a page.', 'Refusal'),
  'problem.noPageExistsAtToBeThe': message('No page exists at {named} to be the parent.', 'Refusal'),
  'problem.signInToRestoreAnOlderVersion': message('Sign in to restore an older version.', 'Refusal'),
  'problem.isNotAChangeOfThisPage2': message(
    '{to} is not a change of this page. Its history lists all changes.',
    'Refusal',
  ),
  'problem.changeWasErasedSoNothingOfIt': message(
    'Change {to} was erased, so it cannot be restored.',
    'Refusal',
  ),
  'problem.thisTokenCanOnlyGiveAddressesBeneath': message(
    'This token can only give addresses beneath that of the parent.',
    'Refusal',
  ),
  'problem.aPageCannotBeATranslationOf': message(
    'A page cannot be a translation of itself, or of its own translation.',
    'Refusal',
  ),
  'problem.aPageCanHaveAtMostTranslations': message(
    'A page can have at most {maxInSet} translations.',
    'Refusal',
  ),
  'problem.saySinceWhenAsATimeSuch': message(
    'Say since when, as a time such as 2026-03-14T09:00:00Z.',
    'Refusal',
  ),
  'problem.theTimeMustBeInThePast': message('The time must be in the past.', 'Refusal'),
  'problem.signInAsAModeratorToUndo': message('Sign in as a moderator to undo changes.', 'Refusal'),
  'problem.thePageHasNoChange2': message('The page has no change {version}.', 'Refusal'),
  'problem.thePageAtMovedTo': message('The page at {shown} moved to {movedTo}.', 'Refusal'),
  'problem.noPageExistsAt': message('No page exists at {shown}.', 'Refusal'),
  'problem.thePageAtWasDeleted': message('The page at {shown} was deleted.', 'Refusal'),
  'problem.thePageNoLongerExists': message('The page no longer exists.', 'Refusal'),
  'problem.thisLinkDoesNotExistOrIs': message('This link does not exist, or is no longer valid.', 'Refusal'),
  'problem.aPageCannotBecomeItsOwnAncestor': message('A page cannot become its own ancestor.', 'Refusal'),
  'problem.leaveHistoryOutOrAskTheOwner': message('Leave history out, or ask the owner.', 'Refusal'),
  'problem.leaveOutOrAskTheOwner': message('Leave {field} out, or ask the owner.', 'Refusal'),
  'problem.thePathIsReservedForCoppiceItself': message(
    'The path {path} is reserved for Coppice itself. Choose another address, as a slug or a path.',
    'Refusal',
  ),
  'problem.pagesLieBeneath': message(
    '{count, plural, one {A page lies beneath {path}. Delete it as well (subtree=true), or move it first.} other {# pages lie beneath {path}. Delete them as well (subtree=true), or move them first.}}',
    'Refusal',
  ),
  'problem.pagesBeneathCannotBeDeleted': message(
    '{count, plural, one {A page beneath {path} cannot be deleted with it, because you do not have permission to edit it.} other {# pages beneath {path} cannot be deleted with it, because you do not have permission to edit them.}}',
    'Refusal',
  ),
  'problem.noPageToBe': message(
    '{field, select, parent {{by, select, id {No page exists with the ID {named} to be the parent.} other {No page exists at {named} to be the parent.}}} other {{by, select, id {No page exists with the ID {named} to be the original.} other {No page exists at {named} to be the original.}}}}',
    'Refusal',
  ),
  'problem.thisPageIsOutsideOfTheToken': message(
    'This page is outside of the subtree that this token is limited to.',
    'Refusal',
  ),
  'problem.thePageNeedsAParentWithinTheToken': message(
    'The page needs a parent within the subtree that this token is limited to.',
    'Refusal',
  ),
  'problem.nothingWasSavedMerge': message(
    'Nothing was saved. Merge your version with the current one and send it with base {change}.',
    'Refusal',
  ),
  'problem.nothingWasSavedStartAgain': message(
    'Nothing was saved. Start again from change {change}, or send the edit with “base” in its body instead of If-Match to merge both.',
    'Refusal',
  ),
  'problem.nothingWasDeleted': message(
    'Nothing was deleted. Look at change {change}, and send If-Match with the current entity tag.',
    'Refusal',
  ),
  'problem.notBasedOnThisPage': message(
    '{what, select, deletion {The deletion is not based on a change of this page, which is at change {change}.} other {The edit is not based on a change of this page, which is at change {change}.}}',
    'Refusal',
  ),
  'problem.samePartsWereChanged': message(
    'Somebody has changed the same parts of this page since change {change}: {fields}.',
    'Refusal',
  ),
  'problem.thePageHasChangedSince': message('The page has changed since change {change}.', 'Refusal'),
  'problem.changesHereNeedApprovals': message(
    '{count, plural, one {Changes here need an approval.} other {Changes here need # approvals.}} Propose the change instead (POST /v1/proposals); {who} can approve it.',
    'Refusal',
  ),
  'problem.thePageHasTooManyParts': message(
    'The page has too many parts, links or notes. Divide it into several pages.',
    'Refusal',
  ),
  'problem.givePathOrId': message('Give the path of the page or its ID, but not both.', 'Refusal'),
};
