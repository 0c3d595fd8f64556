/** Words of “tokens”. */
import { message } from '../message.ts';

export const tokensWords = {
  'tokens.aNewPassphraseRevokesAllYour': message('A new passphrase revokes all your tokens.', 'Paragraph'),
  'tokens.aTokenLetsAProgramActAsYou': message(
    'A token lets a program act as you, within the rights that you choose. <link>About the API</link>',
    'Paragraph',
  ),
  'tokens.apiTokens': message('API tokens', 'Title of the page'),
  'tokens.attachFilesToPages': message('Attach files to pages', 'Words'),
  'tokens.createAndChangePages': message('Create and change pages', 'Words'),
  'tokens.inviteMembersAsYouMay': message('Invite members, as you may', 'Words'),
  'tokens.itMay': message('It may', 'Label of a group of fields'),
  'tokens.leaveEmptyForTheWholeWiki': message(
    'Leave empty for the whole wiki. Outside this page the token reads what anyone may read, and cannot write.',
    'Words',
  ),
  'tokens.makeToken': message('Make token', 'Button'),
  'tokens.newToken': message('New token', 'Label of a field'),
  'tokens.oneYear': message('One year', 'Words'),
  'tokens.readAndWriteEveryPageAsYou': message('Read and write every page, as you may', 'Words'),
  'tokens.readWhatYouCanRead': message('Read what you can read', 'Words'),
  'tokens.revokeName': message('Revoke: {name}', 'Name for screen readers'),
  'tokens.signInAgain': message('Sign in again', 'Link'),
  'tokens.theTokenNameIsReadyCopyItNow': message(
    'The token {name} is ready. Copy it now; it is not shown again.',
    'Words',
  ),
  'tokens.toMakeATokenYouMustHave': message(
    'To make a token, you must have signed in within the last few minutes.',
    'Paragraph',
  ),
  'tokens.untilItIsRevoked': message('Until it is revoked', 'Words'),
  'tokens.whatTheTokenIsForSuchAsBird': message(
    'The purpose of the token, such as “Bird bot”.',
    'Hint beneath a field',
  ),
  'tokens.worksFor': message('Works for', 'Words'),
  'tokens.youHaveNoTokens': message('You have no tokens.', 'Paragraph'),
  'tokens.revoke': message('Revoke', 'Button'),
  'tokens.theWholeWiki': message('the whole wiki', 'What a token is limited to'),
  'tokens.aPageThatNoLongerExists': message('a page that no longer exists', 'What a token is limited to'),
  'tokens.expired': message('expired', 'State of a token'),
  'tokens.made': message('made {time}', '{time} is like “3 days ago”'),
  'tokens.neverUsed': message('never used', 'State of a token'),
  'tokens.lastUsed': message(
    'last used {time} from {address}',
    '{time} is like “3 days ago”, {address} that of a computer',
  ),
  'tokens.until': message('until {time}', 'When a token expires'),
  'tokens.days': message('{count, plural, one {# day} other {# days}}', 'How long a token works'),
  'tokens.showProposals': message(
    'Show proposals that you can read in the preview of another site',
    'A right of a token',
  ),
};
