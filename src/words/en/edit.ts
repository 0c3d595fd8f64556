/** Words of “edit”. */
import { message } from '../message.ts';

export const editWords = {
  'edit.conflictsLeft': message(
    '{count, plural, one {One place of the text still has} other {# places of the text still have}} both versions. Nothing was saved: choose one in each.',
    'Refusal above the form',
  ),
  'edit.signInToEditAPage': message('Sign in to edit a page.', 'Refusal'),
  'edit.signInToWriteAPage': message('Sign in to write a page.', 'Refusal'),
  'edit.thePageNoLongerExistsOrYou': message(
    'The page no longer exists, or you may not read it any more.',
    'Refusal',
  ),
  'edit.pageAlreadyExists': message('A page at {paths} already exists.', 'Refusal'),
  'edit.notSaved': message(
    '{detail} The request ID is {id}. Your text is still here. Try to save again.',
    'After an unexpected error; {detail} is a sentence',
  ),
  'edit.filesTooLarge': message(
    '{files}: together the files of a page can have at most {size} at once. The rest of the form is unchanged.',
    'Refusal',
  ),
  'edit.noAddress': message('{path} cannot be the address of a page.', 'Refusal'),
  'edit.andFree': message('{exists} {free}', 'Two sentences: an address is taken, and another one is free'),
};
