/** Words of “invite”. */
import { message } from '../message.ts';

export const inviteWords = {
  'invite.aTagSuchAsEnDeOrPtBr': message('A tag such as en, de or pt-BR.', 'Words'),
  'invite.createAccount': message('Create account', 'Button'),
  'invite.eitherTheFirstAdministrator': message(
    'Either the first administrator already exists, or this is not the whole link from the log of the wiki.',
    'Words',
  ),
  'invite.everybodyWithinThe': message('Everybody, within the permissions of each page', 'Words'),
  'invite.itWasAlreadyUsedOrRevokedIs': message(
    'It was already used or revoked, is older than seven days, or was made by somebody who is no longer an administrator. Ask an administrator for a new one.',
    'Words',
  ),
  'invite.languageOfItsTexts': message('Language of its texts', 'Words'),
  'invite.nameOfTheWiki': message('Name of the wiki', 'Words'),
  'invite.onlyMembersOthersMustSignIn': message(
    'Only members; others must sign in to read anything',
    'Words',
  ),
  'invite.setUpName': message('Set up {name}', 'Words'),
  'invite.shownOnEveryPage': message('Shown on every page.', 'Words'),
  'invite.theWiki': message('The wiki', 'Heading'),
  'invite.welcomeToName': message('Welcome to {name}', 'Words'),
  'invite.whoMayReadThisWiki': message('Who may read this wiki', 'Label of a group of fields'),
  'invite.youAreInvitedAsAGuestChooseA': message(
    'You are invited as a guest. Choose a name and a passphrase to read what is shared with you.',
    'Words',
  ),
  'invite.youAreInvitedAsAModerator': message('You are invited as a moderator.', 'Words'),
  'invite.youAreInvitedAsAn': message('You are invited as an administrator.', 'Words'),
  'invite.youAreInvitedChooseANameAndA': message(
    'You are invited. Choose a name and a passphrase to read what members can read.',
    'Words',
  ),
  'invite.youAreInvitedChooseANameAndA2': message(
    'You are invited. Choose a name and a passphrase to write.',
    'Words',
  ),
  'invite.youAreTheFirstMemberThis': message(
    'You are the first member. This account is an administrator and can invite others.',
    'Words',
  ),
  'invite.youCanChangeAllOfThisLaterIn': message(
    'You can change all of this later in the settings.',
    'Paragraph',
  ),
  'invite.yourInvitation': message('Your invitation', 'Words'),
  'invite.setUp': message('Set up {wiki}', 'Title of the page'),
};
