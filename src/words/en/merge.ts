/** Words of “merge”. */
import { message } from '../message.ts';

export const mergeWords = {
  'merge.chooseWhatToKeep': message(
    '{count, plural, one {Choose what to keep} other {Choose what to keep in each place}}',
    'Heading above both versions of the places that two people changed',
  ),
  'merge.place': message('Place {number} of {count}', 'Heading of a place that two people changed'),
  'merge.youWrote': message('You wrote', 'Above your version of a place'),
  'merge.theyWrote': message(
    '{names} wrote {time}',
    'Above the other version of a place; {time} is like “3 minutes ago”',
  ),
  'merge.othersWrote': message('Somebody else wrote', 'Above the other version of a place'),
  'merge.nothingHere': message('Nothing: this was taken out.', 'A version of a place that is empty'),
  'merge.keepBothInTurn': message('Keep both, one after the other', 'A choice between two versions'),
  'merge.asIWriteItInTheText': message(
    'As I write it in the text below',
    'A choice between two versions: neither as it is',
  ),
  'merge.beforeBoth': message('Before both', 'Words'),
  'merge.field': message('Field', 'Words'),
  'merge.showTheChangesInTheHistory': message('Show the changes in the history', 'Link'),
  'merge.theirs': message('Theirs', 'Words'),
  'merge.they': message('They', 'Words'),
  'merge.yourChanges': message('Your changes', 'Words'),
  'merge.yourOtherWindow': message('Your other window', 'Words'),
  'merge.yours': message('Yours', 'Words'),
  'merge.conflicts': message('Conflicts', 'Title of a part that opens'),
  'merge.alsoChanged': message(
    'This page was saved by {names} {time}, with changes to these fields as well: {fields}. Nothing is lost: the text below contains both versions. Check it and save it.',
    'Above the form after a conflict; {time} is like “3 minutes ago”',
  ),
  'merge.alsoSaved': message(
    'This page was saved by {names} {time}, with changes to it as well. Nothing is lost: the text below contains both versions. Check it and save it.',
    'Above the form after a conflict; {time} is like “3 minutes ago”',
  ),
  'merge.conflictsAreMarked': message(
    '{count, plural, one {# conflict in it is} other {# conflicts in it are}} marked with {yours} and {theirs}. Choose what to keep in each place, or keep the text that you want there and remove the markers.',
    'Above the form after a conflict',
  ),
  'merge.changedBy': message('Changed by {names}', 'Heading of a version'),
  'merge.youInAnotherWindow': message('you in another window', 'Who saved the page'),
};
