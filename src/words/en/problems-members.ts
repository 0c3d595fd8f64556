/** Refusals about members and signing in. */
import { message } from '../message.ts';

export const problemsOfMembers = {
  'problem.thereIsNoSuchProviderHere': message('There is no such provider here.', 'Refusal'),
  'problem.thisResponseOfDoesNotBelongTo': message(
    'This response of {label} does not belong to a sign-in that this browser started in the last ten minutes. Start again, in one tab.',
    'Refusal',
  ),
  'problem.didNotAskYouToSignIn': message(
    '{label} did not ask you to sign in again, so it does not confirm that it is you. Sign out there and try again, or use your passphrase.',
    'Refusal',
  ),
  'problem.cannotBeReachedAtTheMomentTry': message(
    '{label} cannot be reached at the moment. Try again in a while, or sign in with your passphrase.',
    'Refusal',
  ),
  'problem.doesNotKnowThisWikiTheOperator': message(
    '{label} does not know this wiki. The operator of the wiki has to check its settings.',
    'Refusal',
  ),
  'problem.memberNotFound': message('Member not found.', 'Refusal'),
  'problem.thereIsNoSignUpRequestWith': message('There is no sign-up request with this ID.', 'Refusal'),
  'problem.giveAReasonOf1ToCharacters': message(
    'Give a reason of 1 to {maxReasonLength} characters. The member can read it.',
    'Refusal',
  ),
  'problem.theEndOfABlockMustBe': message('The end of a block must be in the future.', 'Refusal'),
  'problem.youCannotBlockYourself': message('You cannot block yourself.', 'Refusal'),
  'problem.onlyAdministratorsMayBlockAnAdministrator': message(
    'Only administrators may block an administrator.',
    'Refusal',
  ),
  'problem.onlyYouCanSeeYourAccountSign': message('Only you can see your account. Sign in.', 'Refusal'),
  'problem.thePassphraseIsWrong': message('The passphrase is wrong.', 'Refusal'),
  'problem.thisIsAlreadyYourAddress': message('This is already your address.', 'Refusal'),
  'problem.thisLinkWasAlreadyUsedWasReplaced': message(
    'This link was already used, was replaced, or has expired. Ask for a new one under “Your account”.',
    'Refusal',
  ),
  'problem.thisAccountHasASecondFactorSend': message(
    'This account has a second factor. Send `code` as well, from your authenticator app or one of your recovery codes.',
    'Refusal',
  ),
  'problem.recoveryCodesCannotBeUsedNowEach': message(
    'Recovery codes cannot be used now. Each works only once, and the wiki cannot record its use, because its disk is full or read-only. Use a code of your authenticator app or a passkey, or free some disk space.',
    'Refusal',
  ),
  'problem.tooManyWrongCodesWereSentFor': message(
    'Too many wrong codes were sent for this account.',
    'Refusal',
  ),
  'problem.youHaveNoSuchSessionItMay': message(
    'You have no such session. It may already have ended.',
    'Refusal',
  ),
  'problem.thereAreAlreadyOpenInvitationsRevokeSome': message(
    'There are already {maxInvitations} open invitations. Revoke some of them first.',
    'Refusal',
  ),
  'problem.invitationNotFoundOrNoLongerOpen': message('Invitation not found, or no longer open.', 'Refusal'),
  'problem.signInToLinkAnAccount': message('Sign in to link an account.', 'Refusal'),
  'problem.youSignedInAsSomebodyElseMeanwhile': message(
    'You signed in as somebody else meanwhile. Please start again.',
    'Refusal',
  ),
  'problem.thisAccountIsLinkedToAnotherMember': message(
    'This {label} account is linked to another member.',
    'Refusal',
  ),
  'problem.isABotItCannotSignIn': message(
    '{name} is a bot. It cannot sign in and acts only with API tokens.',
    'Refusal',
  ),
  'problem.noMemberHasTheAddress': message('No member has the address {email}.', 'Refusal'),
  'problem.theNameOfAProviderCanHave': message(
    'The name of a provider can have up to 64 letters, digits, dots, underscores and hyphens.',
    'Refusal',
  ),
  'problem.thisIsYourOnlyWayToSign': message(
    'This is your only way to sign in. Choose a passphrase first.',
    'Refusal',
  ),
  'problem.youHavePasskeysWhichIsTheMaximum': message(
    'You have {maxPasskeys} passkeys, which is the maximum. Remove one first.',
    'Refusal',
  ),
  'problem.aNameCanHaveAtMostCharacters': message(
    'A name can have at most {maxPasskeyNameLength} characters, without control characters.',
    'Refusal',
  ),
  'problem.youHaveNoSuchPasskey': message('You have no such passkey.', 'Refusal'),
  'problem.thisWikiRequiresAdministratorsToHaveA': message(
    'This wiki requires administrators to have a second factor. Add one at /account/second-factor, or sign in with a passkey. Until then you have the rights of a writer.',
    'Refusal',
  ),
  'problem.isDeactivatedActivateTheAccountFirst': message(
    '{name} is deactivated. Activate the account first.',
    'Refusal',
  ),
  'problem.youCanChangeYourOwnPassphraseUnder': message(
    'You can change your own passphrase under “Your account”.',
    'Refusal',
  ),
  'problem.thisMemberHasNoOpenResetLink': message('This member has no open reset link.', 'Refusal'),
  'problem.thisLinkWasAlreadyUsedWasRevoked': message(
    'This link was already used, was revoked, or has expired. Ask for a new one.',
    'Refusal',
  ),
  'problem.youAlreadyHaveASecondFactorTurn': message(
    'You already have a second factor. Turn it off before you add another one.',
    'Refusal',
  ),
  'problem.startAddingASecondFactorFirst': message('Start adding a second factor first.', 'Refusal'),
  'problem.thisCodeIsNotValidNowCheck': message(
    'This code is not valid now. Check that the clock of your device is right.',
    'Refusal',
  ),
  'problem.youHaveNoSecondFactor': message('You have no second factor.', 'Refusal'),
  'problem.youHaveNoSecondFactorToTurn': message('You have no second factor to turn off.', 'Refusal'),
  'problem.hasNeitherASecondFactorNorA': message(
    '{name} has neither a second factor nor a passkey.',
    'Refusal',
  ),
  'problem.theseCredentialsCouldNotBeAuthenticated': message(
    'These credentials could not be authenticated.',
    'Refusal',
  ),
  'problem.noAccountOfThisWikiIsLinked': message(
    'No account of this wiki is linked to this {label} account. Sign in with your passphrase and link it under “Your account”. To become a member, you need an invitation link, where you can continue with {label}.',
    'Refusal',
  ),
  'problem.thisAccountIsLinkedToADifferent': message(
    'This {label} account is linked to a different account than the one you are signed in with.',
    'Refusal',
  ),
  'problem.membersOfThisWikiNeedAnInvitation': message(
    'Members of this wiki need an invitation. Ask an administrator for one.',
    'Refusal',
  ),
  'problem.theProofOfWorkIsMissingWrong': message(
    'The proof of work is missing, wrong, already used, or too old. Get a new challenge.',
    'Refusal',
  ),
  'problem.thisIsNotThePassphraseThatYou': message(
    'This is not the passphrase that you chose when you signed up.',
    'Refusal',
  ),
  'problem.tooManyPeopleAreWaitingForApproval': message(
    'Too many people are waiting for approval. Try again another day.',
    'Refusal',
  ),
  'problem.thisLinkWasAlreadyUsedWasReplaced2': message(
    'This link was already used, was replaced, or has expired. Sign up again.',
    'Refusal',
  ),
  'problem.thisAccountIsNotLinkedToYours': message('This account is not linked to yours.', 'Refusal'),
  'problem.aMemberWithThisEMailAddress2': message(
    'A member with this e-mail address, or with a similar-looking one, already exists.',
    'Refusal',
  ),
  'problem.anotherMemberHasThisNameOrA': message(
    'Another member has this name, or a similar-looking one. Add something to distinguish the two.',
    'Refusal',
  ),
  'problem.doesNotSayWhenYouSignedIn': message(
    '{label} does not say when you signed in there, so it cannot confirm that it is you. Use your passphrase. If you have none, ask an administrator for a link to choose one.',
    'Refusal',
  ),
  'problem.wasNotAllowedToSignYouIn': message(
    '{label} was not allowed to sign you in here, so nothing was done.',
    'Refusal',
  ),
  'problem.thisResponseOfWasAlreadyUsedOr': message(
    'This response of {label} was already used or is too old. Start again.',
    'Refusal',
  ),
  'problem.didNotSignYouInStartAgain': message('{label} did not sign you in. Start again.', 'Refusal'),
  'problem.theResponseOfIsInvalidSoNobody': message(
    'The response of {label} is invalid, so nobody was signed in. Start again.',
    'Refusal',
  ),
  'problem.tooManyPeopleAreSigningInAt': message(
    'Too many people are signing in at this moment. Try again in a minute.',
    'Refusal',
  ),
  'problem.thisInvitationWasAlreadyUsedWasRevoked': message(
    'This invitation was already used, was revoked, or has expired. Ask for a new one.',
    'Refusal',
  ),
  'problem.isTheLastActiveAdministratorMakeSomebody': message(
    '{name} is the last active administrator. Make somebody else administrator first.',
    'Refusal',
  ),
  'problem.aNameMustHave1ToCharacters': message(
    'A name must have 1 to {maxNameLength} characters, without control characters.',
    'Refusal',
  ),
  'problem.aPassphraseMustHaveAtLeastCharacters': message(
    'A passphrase must have at least {minPassphraseLength} characters.',
    'Refusal',
  ),
  'problem.aPassphraseCanHaveAtMostCharacters': message(
    'A passphrase can have at most {maxPassphraseLength} characters.',
    'Refusal',
  ),
  'problem.theBrowsersResponseCouldNotBeVerified': message(
    'The browser’s response could not be verified, or came too late. Try again.',
    'Refusal',
  ),
  'problem.thisPassphraseIsOneOfTheMost': message(
    'This passphrase is one of the most common ones. Choose a few words of your own.',
    'Refusal',
  ),
  'problem.thisPassphraseRepeatsItselfOrFollowsThe': message(
    'This passphrase repeats itself or follows the keyboard. Choose a few words of your own.',
    'Refusal',
  ),
  'problem.thisPassphraseIsLittleMoreThanYour': message(
    'This passphrase is little more than your name, your address or the name of the wiki. Choose a few words of your own.',
    'Refusal',
  ),
  'problem.youAreTheLastActiveAdministratorMake': message(
    'You are the last active administrator. Make somebody else administrator before you delete your account.',
    'Refusal',
  ),
  'problem.signInAgainFirst': message(
    'This requires a sign-in with your passphrase, a passkey or a provider within the last few minutes. Sign in again.',
    'Refusal',
  ),
  'problem.signInAsAdministrator': message('Only administrators may do this. Sign in.', 'Refusal'),
  'problem.onlyAdministratorsMayDoThis': message('Only administrators may do this.', 'Refusal'),
  'problem.signInAsModerator': message('Only moderators and administrators may do this. Sign in.', 'Refusal'),
  'problem.onlyModeratorsMayDoThis': message('Only moderators and administrators may do this.', 'Refusal'),
  'problem.rolesNeedTheScopeAdmin': message(
    'Roles from moderator on are given and changed with the scope “admin”, which this token lacks.',
    'Refusal',
  ),
  'problem.groupsNeedTheScopeAdmin': message(
    'Adding members to a group that you are not in requires the scope “admin”, which this token lacks.',
    'Refusal',
  ),
};
