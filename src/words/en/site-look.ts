/** Words of “site look”. */
import { message } from '../message.ts';

export const siteLookWords = {
  'siteLook.thereIsNothingAtThisAddress': message('There is nothing at this address.', 'Refusal'),
};
