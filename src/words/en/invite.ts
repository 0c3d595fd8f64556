/** Words of “invite”. */
import { message } from '../message.ts';

export const inviteWords = {
  'invite.createAccount': message('Create account', 'Button'),
  'invite.eitherTheFirstAdministrator': message(
    'Either the first administrator already exists, or this is not the whole link from the log of the wiki.',
    'Words',
  ),
  'invite.everybody': message('Everybody', 'Choice: who may read the wiki'),
  'invite.everybodyFollows': message(
    'Anyone with the address can read, without an account, and search engines can find the pages. Only members write. Each page can still be kept for members, for groups or for yourself.',
    'Hint: what follows from the choice “Everybody”',
  ),
  'invite.itWasAlreadyUsedOrRevokedIs': message(
    'It was already used or revoked, is older than seven days, or was made by somebody who is no longer an administrator. Ask an administrator for a new one.',
    'Words',
  ),
  'invite.languageOfItsTexts': message('Language of its texts', 'Words'),
  'invite.nameOfTheWiki': message('Name of the wiki', 'Words'),
  'invite.languageFollows': message(
    'Searches and screen readers go by it. Each reader chooses the language of menus and buttons. Enter a language or its tag, such as en, de or pt-BR.',
    'Hint of a field: what follows from the language of the wiki',
  ),
  'invite.onlyMembers': message('Only members', 'Choice: who may read the wiki'),
  'invite.onlyMembersFollows': message(
    'Everybody else sees a form to sign in, and search engines find nothing. You invite the members. Single pages can be shown to others by secret links.',
    'Hint: what follows from the choice “Only members”',
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
