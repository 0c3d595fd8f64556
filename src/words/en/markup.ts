/** Words of “markup”. */
import { message } from '../message.ts';

export const markupWords = {
  'markup.editTheSectionTitle': message('Edit the section {title}', 'Name for screen readers'),
  'markup.pictureName': message('Picture: {name}', 'Name for screen readers'),
  'markup.shownAfterThePageIsSaved': message('(shown after the page is saved)', 'Words'),
  'markup.edit': message('Edit', 'Link'),
};
