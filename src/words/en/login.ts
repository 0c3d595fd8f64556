/** Words of “login”. */
import { message } from '../message.ts';

export const loginWords = {
  'login.beginAgain': message('Begin again', 'Link'),
  'login.code': message('Code', 'Words'),
  'login.eMailAndPassphraseDoNotMatch': message('E-mail and passphrase do not match.', 'Words'),
  'login.ifYouHaveLostAppAndCodesAn': message(
    'If you have lost app and codes, an administrator can reset your second factor.',
    'Paragraph',
  ),
  'login.oneMoreStep': message('One more step', 'Title of the page'),
  'login.signUp': message('Sign up', 'Link'),
  'login.thisCodeIsWrongWasAlready': message(
    'This code is wrong, was already used, or has expired.',
    'Words',
  ),
  'login.thisWikiIsPrivateSignInTo': message('This wiki is private. Sign in to read it.', 'Paragraph'),
  'login.toBecomeAMemberAskAn': message(
    'To become a member, ask an administrator for an invitation link.',
    'Words',
  ),
  'login.youWereSignedOutBecauseYou': message(
    'You were signed out because you were inactive. Sign in to continue where you were.',
    'Paragraph',
  ),
  'login.yourAccountHasASecondFactor': message(
    'Your account has a second factor. Enter the code from your authenticator app, or one of your recovery codes.',
    'Paragraph',
  ),
  'login.newHere': message('New here?', 'Before a link'),
  'login.forgotYourPassphrase': message('Forgot your passphrase?', 'Link'),
};
