/** Words of “reauthenticate”. */
import { message } from '../message.ts';

export const reauthenticateWords = {
  'reauthenticate.codeOfYourSecondFactorIfYou': message(
    'Code of your second factor <span>(if you have one)</span>',
    'Words',
  ),
  'reauthenticate.continueHere': message('continue here', 'Button'),
  'reauthenticate.eMailPassphraseAndCodeDoNot': message(
    'E-mail, passphrase and code do not match. Nothing is lost. Try again.',
    'Words',
  ),
  'reauthenticate.signInAndContinue': message('Sign in and continue', 'Button'),
  'reauthenticate.signInToContinue': message('Sign in to continue', 'Title of the page'),
  'reauthenticate.youHaveBeenSignedOutYourText': message(
    'You have been signed out. Your text is stored on this page, and will be back in the form when you sign in.',
    'Paragraph',
  ),
  'reauthenticate.yourAccountHasASecondFactor': message(
    'Your account has a second factor. Enter its code as well.',
    'Words',
  ),
  'reauthenticate.yourText': message('Your text', 'Label of a field'),
  'reauthenticate.doYouSignInWith': message(
    'Do you sign in with {ways}? <link>Sign in in another tab</link>, then {button}.',
    'Hint; {button} is “continue here”',
  ),
};
