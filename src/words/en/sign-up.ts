/** Words of “sign up”. */
import { message } from '../message.ts';

export const signUpWords = {
  'signUp.aMailIsOnItsWayToEmailIts': message(
    'A mail is on its way to {email}. Its link works once, within a day, with the passphrase that you chose. If no mail arrives within a few minutes, look into the spam folder, or check the address.',
    'Words',
  ),
  'signUp.alreadyAMemberSignIn': message('Already a member? <link>Sign in</link>', 'Paragraph'),
  'signUp.checkYourMail': message('Check your mail', 'Title of the page'),
  'signUp.chooseANameAndAPassphraseTo': message(
    'Choose a name and a passphrase to become a member.',
    'Words',
  ),
  'signUp.confirmYourAddress': message('Confirm your address', 'Title of the page'),
  'signUp.forgottenAlreadySignUpAgain': message(
    'Forgotten already? <link>Sign up again</link>, with another one.',
    'Paragraph',
  ),
  'signUp.itWasAlreadyUsedReplacedByA': message(
    'It was already used, replaced by a newer one, or is older than a day. <link>Sign up again</link>.',
    'Words',
  ),
  'signUp.nameEnterThePassphraseThat': message(
    '{name}, enter the passphrase that you chose when you signed up with {email}.',
    'Paragraph',
  ),
  'signUp.requestReceived': message('Request received', 'Title of the page'),
  'signUp.signUp': message('Sign up', 'Title of the page'),
  'signUp.signUpForName': message('Sign up for {name}', 'Heading'),
  'signUp.signingUpNeedsJavascriptYour': message(
    'Signing up needs JavaScript: your browser does a short calculation, which keeps out spam programs. Without JavaScript, ask an administrator for an invitation.',
    'Paragraph',
  ),
  'signUp.thisWikiSendsNoMailSoTryTo': message(
    'This wiki sends no mail, so try to sign in from time to time.',
    'Words',
  ),
  'signUp.youWillConfirmYourAddressBy': message('You will confirm your address by mail.', 'Words'),
  'signUp.youWillGetAMailWhenItIs': message('You will get a mail when it is approved.', 'Words'),
  'signUp.confirm': message('Confirm', 'Button'),
  'signUp.confirmAndWait': message(
    'You will confirm your address by mail, and an administrator approves your request.',
    'Paragraph',
  ),
  'signUp.waitForApproval': message('An administrator approves your request.', 'Paragraph'),
  'signUp.administratorChecks': message('An administrator checks your request.', 'Paragraph'),
  'signUp.requestExpires': message('A request without a decision expires after 30 days.', 'Paragraph'),
};
