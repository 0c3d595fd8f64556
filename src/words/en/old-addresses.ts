/** Words of “old addresses”. */
import { message } from '../message.ts';

export const oldAddressesWords = {
  'oldAddresses.thereIsNothingAtThisAddress': message('There is nothing at this address.', 'Refusal'),
};
