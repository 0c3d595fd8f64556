/** Words of “account”. */
import { message } from '../message.ts';

export const accountWords = {
  'account.aLinkIsMailedToTheNewAddress': message(
    'A link is mailed to the new address. The address changes when you open the link.',
    'Words',
  ),
  'account.addAPasskeyToSignInWith': message(
    '<link>Add a passkey</link> to sign in with fingerprint, face or PIN.',
    'Words',
  ),
  'account.allPageOfYours': message('All {count, plural, one {# page} other {# pages}} of yours', 'Link'),
  'account.anAdministratorPassesOnALink': message(
    'An administrator passes on a link for the new address to you. The address changes when you open the link.',
    'Words',
  ),
  'account.apiTokensLetProgramsActAsYou': message(
    '<link>API tokens</link> let programs act as you, within the rights that you give them.',
    'Paragraph',
  ),
  'account.asThoseOfAFormerMember': message('as those of a former member', 'Label of a field'),
  'account.changeAddress': message('Change address', 'Button'),
  'account.changeName': message('Change name', 'Button'),
  'account.changePassphrase': message('Change passphrase', 'Button'),
  'account.changingItSignsYouOutOnEvery': message(
    'Changing it signs you out on every other device, and revokes API tokens and the handles that programs sign in with. Linked accounts and passkeys keep working; remove below those that are not yours.',
    'Paragraph',
  ),
  'account.chooseWhetherYourNameStays': message('Choose whether your name stays.', 'Refusal'),
  'account.currentPassphrase': message('Current passphrase', 'Words'),
  'account.deleteMyAccount': message('Delete my account', 'Button'),
  'account.downloadMyDataAccountSignIns': message(
    '<link>Download my data</link>: account, sign-ins, watches, likes, favourites, and your contributions that you can still read, as one JSON file.',
    'Paragraph',
  ),
  'account.eMailAddressForSigningIn': message('E-mail address for signing in', 'Words'),
  'account.forPrograms': message('For programs', 'Heading'),
  'account.historyOfTitle': message('History of {title}', 'Name for screen readers'),
  'account.myDrafts': message('My drafts', 'Heading'),
  'account.myPages': message('My pages', 'Title of the page'),
  'account.myPagesTotal': message('My pages {total}', 'Heading'),
  'account.newPassphrase': message('New passphrase', 'Words'),
  'account.pageThatYouCreatedMost': message(
    '{count, plural, one {# page} other {# pages}} that you created, most recently changed first.',
    'Paragraph',
  ),
  'account.requireACodeAsWellWhen': message(
    '<link>Require a code as well</link> when somebody signs in with your passphrase.',
    'Words',
  ),
  'account.secondFactor': message('Second factor', 'Heading'),
  'account.shownBesideWhatYouWrite': message('Shown beside what you write', 'Words'),
  'account.signOut': message('Sign out', 'Button'),
  'account.signOutEverywhere': message('Sign out everywhere', 'Button'),
  'account.signingInWithYourPassphrase': message(
    'Signing in with your passphrase also requires a code. <link>Make recovery codes or turn it off</link>',
    'Words',
  ),
  'account.textsNotSavedYet': message('Texts that you have not saved yet. Only you see them.', 'Paragraph'),
  'account.underMyName': message('under my name', 'Label of a field'),
  'account.whatYouWatch': message('What you watch', 'Link'),
  'account.youCanSignInWithTheLockOf': message(
    'You can sign in with the lock of your device. <link>See your passkeys</link>',
    'Words',
  ),
  'account.youHaveNotCreatedAnyPagesYet': message('You have not created any pages yet.', 'Paragraph'),
  'account.youHaveNotWrittenAnythingYet': message(
    'You have not written anything yet. <link>Write a page</link>, or see <link2>what is wanted</link2>.',
    'Paragraph',
  ),
  'account.yourAddressPassphraseLinked': message(
    'Your address, passphrase, linked accounts, devices, API tokens and watches are deleted permanently. Your contributions stay.',
    'Paragraph',
  ),
  'account.yourData': message('Your data', 'Heading'),
  'account.yourLatestChanges': message('Your latest changes', 'Heading'),
  'account.notifications': message('Notifications', 'Link'),
  'account.favourites': message('Favourites', 'Link'),
  'account.eMail': message('E-mail', 'Heading'),
  'account.passkeys': message('Passkeys', 'Heading'),
  'account.leave': message('Leave', 'Heading'),
  'account.signedInAs': message('Signed in as {name} ({email}).', 'Paragraph'),
  'account.signedInAsAdministrator': message('Signed in as {name} ({email}), an administrator.', 'Paragraph'),
  'account.changed': message('changed {time}', '{time} is like “3 hours ago”'),
  'account.byYou': message('by you {time}', 'When you changed a page; {time} is like “3 hours ago”'),
};
