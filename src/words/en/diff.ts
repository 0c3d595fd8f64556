/** Words of “diff”. */
import { message } from '../message.ts';

export const diffWords = {
  'diff.after': message('After', 'Words'),
  'diff.asItLooks': message('As it looks', 'Words'),
  'diff.before': message('Before', 'Words'),
  'diff.bothVersionsLookAlike': message('Both versions look alike.', 'Paragraph'),
  'diff.field': message('Field', 'Words'),
  'diff.inOneColumn': message('In one column', 'Words'),
  'diff.lineAfter': message('Line after', 'Heading of a column'),
  'diff.lineBefore': message('Line before', 'Heading of a column'),
  'diff.nothingBecauseThisIsTheFirst': message('Nothing, because this is the first version.', 'Paragraph'),
  'diff.previousChange': message('← Previous change', 'Link'),
  'diff.restoreThePreviousVersion': message('Restore the previous version', 'Button'),
  'diff.sideBySide': message('Side by side', 'Words'),
  'diff.thereAreNoDifferences': message('There are no differences.', 'Paragraph'),
  'diff.whatChanged': message('What changed', 'Heading'),
  'diff.history': message('History', 'Link'),
  'diff.text': message('Text', 'Heading of a column'),
  'diff.line': message('Line', 'Heading of a column'),
  'diff.removed': message('Removed:', 'For screen readers, before a removed line'),
  'diff.added': message('Added:', 'For screen readers, before an added line'),
  'diff.whatChangedIn': message('What changed in {title}', 'Title of the page'),
};
