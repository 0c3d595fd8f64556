/** Words of “session list”. */
import { message } from '../message.ts';

export const sessionListWords = {
  'sessionList.andOlderSession': message(
    'And {count, plural, one {# older session} other {# older sessions}}.',
    'Paragraph',
  ),
  'sessionList.signOut': message('Sign out', 'Button'),
  'sessionList.signOutName': message('Sign out: {name}', 'Name for screen readers'),
  'sessionList.signOutOnAllOtherDevices': message('Sign out on all other devices', 'Button'),
  'sessionList.whereYouAreSignedIn': message('Where you are signed in', 'Heading'),
  'sessionList.thisDevice': message('this device', 'After the name of a device'),
  'sessionList.lastUsed': message('last used {time}', '{time} is like “3 hours ago”'),
  'sessionList.byPassphrase': message('signed in by passphrase {time}', '{time} is like “3 hours ago”'),
  'sessionList.withAPasskey': message('signed in with a passkey {time}', '{time} is like “3 hours ago”'),
  'sessionList.withProvider': message('signed in with {provider} {time}', '{time} is like “3 hours ago”'),
  'sessionList.byHandle': message(
    'a program with a handle of {provider}, signed in {time}',
    '{time} is like “3 hours ago”',
  ),
};
