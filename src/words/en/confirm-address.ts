/** Words of “confirm address”. */
import { message } from '../message.ts';

export const confirmAddressWords = {
  'confirmAddress.confirmAddress': message('Confirm address', 'Button'),
  'confirmAddress.confirmYourNewAddress': message('Confirm your new address', 'Title of the page'),
  'confirmAddress.itWasAlreadyUsedReplacedByA': message(
    'It was already used, replaced by a newer one, or is older than a day. Ask for a new one under <link>Your account</link>.',
    'Words',
  ),
  'confirmAddress.nameWillSignInWithEmail': message(
    '{name} will sign in with {email} instead of {email2}.',
    'Paragraph',
  ),
  'confirmAddress.theAddressCouldNotBeChanged': message('The address could not be changed', 'Words'),
};
