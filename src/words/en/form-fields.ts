/** Words of “form fields”. */
import { message } from '../message.ts';

export const formFieldsWords = {
  'formFields.onlyThisPageAndWhatLies': message('Only this page and what lies beneath it', 'Words'),
  'formFields.shownBesideWhatYouWrite': message('Shown beside what you write.', 'Hint beneath a field'),
  'formFields.thePassphrasesDoNotMatch': message('The passphrases do not match.', 'Refusal'),
  'formFields.toSignInWithNeverShownTo': message('To sign in with. Never shown to other members.', 'Words'),
  'formFields.passphraseHint': message(
    'At least {count, plural, one {# character} other {# characters}}. A few words in a row are easy to remember and hard to guess.',
    'Hint beneath a field',
  ),
  'formFields.again': message('{label} again', 'Label of a second field for the same passphrase'),
};
