/** Words of “template choice”. */
import { message } from '../message.ts';

export const templateChoiceWords = {
  'templateChoice.beginWithATemplateTitle': message(
    'Begin with a template {title}',
    'Title of a part that opens',
  ),
  'templateChoice.emptyPage': message('Empty page', 'Words'),
};
