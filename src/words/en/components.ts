/** Words of “components”. */
import { message } from '../message.ts';

export const componentsWords = {
  'components.after': message('After →', 'Link'),
  'components.before': message('← Before', 'Link'),
  'components.belowTitle': message('Below {title}', 'Words'),
  'components.breadcrumb': message('Breadcrumb', 'Name for screen readers'),
  'components.pagesBetween': message(
    '{count, plural, one {# page} other {# pages}} between',
    'Name for screen readers',
  ),
  'components.filesAttached': message('Files attached', 'Words'),
  'components.filesReplaced': message('Files replaced', 'Words'),
  'components.pagesBelowThisOne': message('Pages below this one', 'Link'),
  'components.pagesOfThisList': message('Pages of this list', 'Name for screen readers'),
  'components.removedFiles': message('Removed files', 'Words'),
  'components.thePreviousOneOfFilename': message('the previous one<span> of {filename}</span>', 'Link'),
  'components.rangeOfTotal': message('{range} of {total}', 'Which part of a list is shown: 51–100 of 1,204'),
  'components.actions': message('Actions', 'Words'),
};
