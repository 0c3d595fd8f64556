/** Words of “assets”. */
import { message } from '../message.ts';

export const assetsWords = {
  'assets.thereIsNothingAtThisAddress': message('There is nothing at this address.', 'Refusal'),
};
