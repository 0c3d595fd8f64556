/** Words of mail. Sentences after the first line begin in lower case, because they continue it. */
import { message } from '../message.ts';

export const mailWords = {
  'mail.acceptInvitation': message('Accept the invitation', 'Button in a mail'),
  'mail.accessNow': message('{access} now', 'Mail; who can read and edit a page'),
  'mail.addressChanged': message(
    'the e-mail address of your account is now {address}. Mail is no longer sent to this address.',
    'Mail, after “Hello Ada,”',
  ),
  'mail.allNotifications': message('All notifications', 'Button in a mail'),
  'mail.blocked': message(
    '{until, select, none {your account was blocked until somebody lifts the block.} other {your account was blocked until {time}.}} You can sign in and read, but not write. Reason: {reason}',
    'Mail, after “Hello Ada,”',
  ),
  'mail.changeAtOnce': message(
    'If it was not you, choose a new passphrase at once and contact an administrator of the wiki.',
    'Mail, after what happened',
  ),
  'mail.choosePassphrase': message('Choose a new passphrase', 'Button in a mail'),
  'mail.codesGuessed': message(
    'somebody signed in with your passphrase on {time} and gave several wrong codes of the second factor. Further attempts have to wait. Browsers in which you have given a code before, and your recovery codes, are not affected.',
    'Mail, after “Hello Ada,”',
  ),
  'mail.concernsYourAccount': message(
    'You get this mail because it concerns your account at {wiki}.',
    'Last paragraph of a mail',
  ),
  'mail.confirmAddress': message(
    'confirm that you want to use this address for your account at {wiki}. The link works once, within a day:',
    'Mail, after “Hello Ada,”',
  ),
  'mail.confirmAddressAt': message('Confirm your address at {wiki}', 'Subject of a mail'),
  'mail.confirmSignUp': message(
    'open this link and enter the passphrase that you chose when you signed up at {wiki}. The link works once, until {time}:',
    'Mail, after “Hello Ada,”',
  ),
  'mail.confirmThisAddress': message('Confirm this address', 'Button in a mail'),
  'mail.contactAdministrator': message(
    'If you did not ask for it, contact an administrator of the wiki.',
    'Mail, after what happened',
  ),
  'mail.digest': message(
    '{often, select, daily {{wiki}: your daily digest} other {{wiki}: your weekly digest}}',
    'Subject of a mail',
  ),
  'mail.earlierChanges': message(
    '{count, plural, one {# earlier change, and} other {# earlier changes, and}}',
    'Mail; what happened to a page, before the latest changes',
  ),
  'mail.guessesAreHarmless': message(
    'If it was not you, you need not do anything. A passphrase that you use nowhere else stays safe.',
    'Mail, after what happened',
  ),
  'mail.guessesLimited': message(
    'too many wrong passphrases were tried for your account on {time}, so further attempts have to wait. Browsers in which you have signed in before are not affected.',
    'Mail, after “Hello Ada,”',
  ),
  'mail.happened': message(
    '{kind, select, created {{name} created it on {time}} edited {{name} changed it on {time}} moved {{name} moved it on {time}} permissions {{name} changed who may read it on {time}} deleted {{name} deleted it on {time}} restored {{name} restored it on {time}} erased {{name} erased it on {time}} ordered {{name} ordered the pages beneath it on {time}} commented {{name} commented on it on {time}} proposed {{name} proposed a change of it on {time}} reviewed {{name} reviewed a proposal for it on {time}} due {{name} is to review it since {time}} other {{name} merged a proposal for it on {time}}}',
    'Mail; what happened to a page',
  ),
  'mail.happenedWithReason': message(
    '{happened}: {reason}',
    'Mail; what happened to a page, and the message of the change',
  ),
  'mail.hello': message('Hello {name},', 'First line of a mail'),
  'mail.helloNobody': message('Hello,', 'First line of a mail to somebody whose name is unknown'),
  'mail.ignoreForgotten': message(
    'If it was not you, ignore this mail. Your passphrase stays as it is.',
    'Last paragraph of a mail',
  ),
  'mail.invitationTo': message('Invitation to {wiki}', 'Subject of a mail'),
  'mail.invites': message(
    '{who} invites you to become {role, select, guest {a guest} reader {a reader} moderator {a moderator} administrator {an administrator} other {a member}} of {wiki}. The link works once, until {day}:',
    'Mail, after “Hello,”',
  ),
  'mail.mailWorks': message('mail from {wiki} works.', 'Mail, after “Hello,”'),
  'mail.mistakenBlock': message(
    'If you think that this is a mistake, contact a moderator of the wiki.',
    'Mail, after what happened',
  ),
  'mail.moreChangedLines': message(
    '{left, plural, one {# more changed line} other {# more changed lines}}',
    'Mail, after changed lines',
  ),
  'mail.newPassphraseFor': message('Choose a new passphrase for {wiki}', 'Subject of a mail'),
  'mail.newSignIn': message(
    'somebody signed in to your account from a new browser on {time}, from the address {from}. The browser identifies itself as: {browser}',
    'Mail, after “Hello Ada,”',
  ),
  'mail.newsOf': message(
    '{count, plural, one {{wiki}: news of “{title}”} other {{wiki}: news of # pages that you watch}}',
    'Subject of a mail',
  ),
  'mail.noAccountThere': message(
    'If you have no account there, ignore this mail. Nothing happens unless you open the link.',
    'Last paragraph of a mail',
  ),
  'mail.nothing': message('nothing', 'How a browser identifies itself that says nothing'),
  'mail.orOpenAddress': message('Or open this address: {url}', 'Mail, below a button'),
  'mail.passkeyAdded': message(
    'a passkey was added to your account: {name}. It can now be used to sign in.',
    'Mail, after “Hello Ada,”',
  ),
  'mail.passkeyRemoved': message(
    'a passkey was removed from your account: {name}. It can no longer be used to sign in.',
    'Mail, after “Hello Ada,”',
  ),
  'mail.passphraseChanged': message(
    'the passphrase of your account was changed, and all devices were signed out.',
    'Mail, after “Hello Ada,”',
  ),
  'mail.peopleWait': message(
    '{total, plural, one {somebody waits} other {# people wait}} for an administrator’s approval.',
    'Mail, after “Hello Ada,”',
  ),
  'mail.providerLinked': message(
    'an account at {provider} was linked to your account. It can now be used to sign in.',
    'Mail, after “Hello Ada,”',
  ),
  'mail.providerUnlinked': message(
    'an account at {provider} was unlinked from your account. It can no longer be used to sign in.',
    'Mail, after “Hello Ada,”',
  ),
  'mail.requestRefused': message(
    'an administrator of {wiki} has refused your request to join.',
    'Mail, after “Hello Ada,”',
  ),
  'mail.secondFactorAdded': message(
    'from now on, signing in to your account with the passphrase also requires a code.',
    'Mail, after “Hello Ada,”',
  ),
  'mail.secondFactorEnded': message(
    'signing in to your account no longer requires a code. The passphrase is enough.',
    'Mail, after “Hello Ada,”',
  ),
  'mail.secondFactorReset': message(
    'an administrator removed your second factor and your passkeys and signed you out everywhere. Sign in with your passphrase, and add new ones.',
    'Mail, after “Hello Ada,”',
  ),
  'mail.signIn': message('Sign in', 'Button in a mail'),
  'mail.signUpApproved': message(
    'an administrator has approved your request to join. Sign in with this address and the passphrase that you chose.',
    'Mail, after “Hello Ada,”',
  ),
  'mail.signUpRequests': message('Sign-up requests at {wiki}', 'Subject of a mail'),
  'mail.signedUpAgain': message(
    'somebody signed up at {wiki} with this address, which already belongs to your account. If it was you, sign in. If you have forgotten your passphrase, you can choose a new one there.',
    'Mail, after “Hello Ada,”',
  ),
  'mail.somebodyAskedForPassphrase': message(
    'somebody asked for a new passphrase for your account at {wiki}. If it was you, choose one with this link, which works once, within an hour:',
    'Mail, after “Hello Ada,”',
  ),
  'mail.somebodySignedUp': message(
    'Somebody used this address to sign up at {wiki}. If it was not you, ignore this mail. Nothing happens unless you confirm.',
    'Last paragraph of a mail',
  ),
  'mail.subjectOfNotice': message(
    '{kind, select, passphrase_changed {New passphrase at {wiki}} address_changed {New e-mail address at {wiki}} new_sign_in {New sign-in at {wiki}} provider_linked {Account linked at {wiki}} provider_unlinked {Account unlinked at {wiki}} second_factor_added {Second factor added at {wiki}} second_factor_ended {Second factor turned off at {wiki}} second_factor_reset {Second factor reset at {wiki}} sign_up_approved {Your account is ready at {wiki}} blocked {Your account is blocked at {wiki}} passkey_added {Passkey added at {wiki}} passkey_removed {Passkey removed at {wiki}} guesses_limited {Wrong passphrases at {wiki}} other {Wrong codes at {wiki}}}',
    'Subject of a mail',
  ),
  'mail.somebody': message('Somebody', 'Who did something, if the name is not known'),
  'mail.testAsked': message('An administrator of the wiki asked for this mail.', 'Last paragraph of a mail'),
  'mail.testFrom': message('Test from {wiki}', 'Subject of a mail'),
  'mail.theAdministrator': message(
    'The administrator of the wiki',
    'Who invites, at the beginning of a sentence',
  ),
  'mail.thereIsNews': message(
    '{count, plural, one {there is news of “{title}”.} other {there is news of # pages that you watch.}}',
    'Mail, after “Hello Ada,”',
  ),
  'mail.thereIsNewsOfSome': message(
    '{count, plural, one {there is news of “{title}”.} other {there is news of # pages that you watch.}} These are {shown} of them:',
    'Mail, after “Hello Ada,”',
  ),
  'mail.unsubscribe': message('Unsubscribe', 'Link in a mail'),
  'mail.unsubscribeUrl': message('Unsubscribe: {url}', 'Last line of a mail'),
  'mail.welcome': message('Welcome!', 'Mail, after what happened'),
  'mail.whoWaits': message('Who waits', 'Button in a mail'),
  'mail.whyInvited': message(
    'If you do not know why you got this mail, ignore it. Nothing happens unless you open the link.',
    'Last paragraph of a mail',
  ),
  'mail.youAreAdministrator': message(
    'You get this mail because you are an administrator of {wiki}. It is sent at most once a day while requests are waiting.',
    'Last paragraph of a mail',
  ),
  'mail.youAskedToJoin': message(
    'You get this mail because you asked to join {wiki}. The data of your request has been deleted.',
    'Last paragraph of a mail',
  ),
  'mail.youHaveAnAccount': message('You have an account at {wiki}', 'Subject of a mail'),
  'mail.youWatchPages': message(
    'You get this mail because you watch pages of {wiki}.',
    'Last paragraph of a mail',
  ),
  'mail.yourAccount': message('Your account', 'Button in a mail'),
  'mail.yourRequest': message('Your request to join {wiki}', 'Subject of a mail'),
  'mail.submissions': message('Comments and proposals to approve at {wiki}', 'Subject of a mail'),
  'mail.submissionsWait': message(
    'Waiting for a moderator: {total, plural, one {# comment or proposal of a person} other {# comments and proposals of people}} without an account.',
    'Paragraph of a mail',
  ),
  'mail.lookAtThem': message('Look at them', 'Button in a mail'),
  'mail.youAreModerator': message(
    'You get this mail because you are a moderator of {wiki}. It is sent at most once a day.',
    'Foot of a mail',
  ),
};
