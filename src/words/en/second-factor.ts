/** Words of “second factor”. */
import { message } from '../message.ts';

export const secondFactorWords = {
  'secondFactor.addAnAuthenticatorApp': message('Add an authenticator app', 'Button'),
  'secondFactor.enterTheCodeThatItShows': message('Enter the code that it shows', 'Words'),
  'secondFactor.keepTheseRecoveryCodesWhere': message(
    'Keep these recovery codes where you can find them without your phone. Each works once. They are not shown again.',
    'Paragraph',
  ),
  'secondFactor.keyTrim': message('Key: {trim}', 'Paragraph'),
  'secondFactor.makeNewRecoveryCodes': message('Make new recovery codes', 'Button'),
  'secondFactor.qrCodeOfTheKey': message('QR code of the key', 'Name for screen readers'),
  'secondFactor.scanThisWithYour': message(
    'Scan this with your authenticator app, or type the key into it.',
    'Paragraph',
  ),
  'secondFactor.secondFactor': message('Second factor', 'Title of the page'),
  'secondFactor.signingInWithYourPassphrase': message(
    'Signing in with your passphrase requires a code of your authenticator app. You have {codesLeft, plural, one {# recovery code} other {# recovery codes}} left.',
    'Paragraph',
  ),
  'secondFactor.turnItOn': message('Turn it on', 'Button'),
  'secondFactor.turnOffTheSecondFactor': message('Turn off the second factor', 'Button'),
  'secondFactor.withASecondFactorNobodyCan': message(
    'With a second factor, nobody can sign in with your passphrase alone: a code of an app on your phone is needed as well. Linked accounts and API tokens keep working without it.',
    'Paragraph',
  ),
};
