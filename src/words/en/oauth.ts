/** Words of “oauth”. */
import { message } from '../message.ts';

export const oauthWords = {
  'oauth.codeOfYourSecondFactor': message('Code of your second factor', 'Words'),
  'oauth.confirmThatItIsYou': message('Confirm that it is you', 'Title of the page'),
  'oauth.continueToLabel': message('Continue to {label}', 'Link'),
  'oauth.createAccount': message('Create account', 'Button'),
  'oauth.goOn': message('Go on', 'Button'),
  'oauth.neverShownToOtherMembers': message('Never shown to other members.', 'Hint beneath a field'),
  'oauth.onToLabel': message('On to {label}', 'Heading'),
  'oauth.thatDidNotWork': message('That did not work', 'Title of the page'),
  'oauth.thePassphraseIsWrong': message('The passphrase is wrong.', 'Words'),
  'oauth.thePassphraseOrTheCodeIs': message('The passphrase or the code is wrong.', 'Words'),
  'oauth.thisTookLongerThanTenMinutes': message(
    'This took longer than ten minutes. Open the invitation again.',
    'Refusal',
  ),
  'oauth.welcomeToName': message('Welcome to {name}', 'Heading'),
  'oauth.youAreAboutToChangeHowPeople': message(
    'You are about to change how people can sign in to your account. Sign in again as {name}. This is valid for five minutes.',
    'Paragraph',
  ),
  'oauth.youAreBeingRedirectedToLabel': message(
    'You are being redirected to {label} to sign in, and then back here.',
    'Paragraph',
  ),
  'oauth.youHaveNoWayYetToConfirmThat': message(
    'You have no way yet to confirm that it is you. Ask an administrator for a link to choose a passphrase, and continue with it.',
    'Paragraph',
  ),
  'oauth.yourInvitation': message('Your invitation', 'Title of the page'),
  'oauth.continueWith': message('Continue with {provider}', 'Button; {provider} is like “GitHub”'),
  'oauth.cannotBeUsedHere': message(
    '{providers} cannot be used here, because it does not say when you signed in there.',
    'Hint',
  ),
  'oauth.youHaveSignedInWith': message(
    'You have signed in with {provider}, and will sign in here with it. Choose the name that others see.',
    'Paragraph',
  ),
  'oauth.onTo': message('On to {provider}', 'Title of the page'),
};
