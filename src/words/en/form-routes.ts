/** Words of “form routes”. */
import { message } from '../message.ts';

export const formRoutesWords = {
  'formRoutes.chooseAnOptionFromTheList': message('Choose an option from the list.', 'Refusal'),
};
