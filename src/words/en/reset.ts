/** Words of “reset”. */
import { message } from '../message.ts';

export const resetWords = {
  'reset.chooseANewPassphrase': message('Choose a new passphrase', 'Words'),
  'reset.forTheAccountOfNameEmailIt': message(
    'For the account of {name} ({email}). It replaces the old passphrase and signs you out everywhere.',
    'Paragraph',
  ),
  'reset.itWasAlreadyUsedReplacedByA': message(
    'It was already used, replaced by a newer one, or has expired. <link>Ask for a new one</link>.',
    'Words',
  ),
  'reset.newPassphrase': message('New passphrase', 'Words'),
  'reset.setPassphrase': message('Set passphrase', 'Button'),
};
