/** Words of “passkeys”. */
import { message } from '../message.ts';

export const passkeysWords = {
  'passkeys.needHostName': message(
    'Passkeys need a host name, but this wiki was opened by an IP address. Open it as http://localhost on this machine, or set COPPICE_URL to an address with a name.',
    'Sentence',
  ),
  'passkeys.needHttps': message('Browsers support passkeys only for https:// addresses.', 'Sentence'),
  'passkeys.addAPasskey': message('Add a passkey', 'Button'),
  'passkeys.confirmFirstThatItIsYou': message('Confirm first that it is you', 'Link'),
  'passkeys.nameExample': message('Phone', 'Example in the empty field of the name of a passkey'),
  'passkeys.nameToRecogniseItBy': message('Name, to recognise it by', 'Words'),
  'passkeys.newNameOfName': message('New name of {name}', 'Name for screen readers'),
  'passkeys.passkeys': message('Passkeys', 'Title of the page'),
  'passkeys.removeName': message('Remove: {name}', 'Name for screen readers'),
  'passkeys.removingAPasskeySignsOutAll': message(
    'Removing a passkey signs out all devices that signed in with it.',
    'Paragraph',
  ),
  'passkeys.thisBrowserDoesNotSupport': message(
    'This browser does not support passkeys, or JavaScript is off.',
    'Paragraph',
  ),
  'passkeys.thisPasskeyDidNotWorkItDoes': message(
    'This passkey did not work: it does not belong to this account, or the response came too late. Try again.',
    'Words',
  ),
  'passkeys.withAPasskeyYouSignInByThe': message(
    'With a passkey you sign in by the lock of your device: fingerprint, face or PIN. No passphrase and no code are needed, and no other site can steal it.',
    'Paragraph',
  ),
  'passkeys.remove': message('Remove', 'Button'),
  'passkeys.rename': message('Rename', 'Button'),
  'passkeys.added': message('added {time}', '{time} is a day'),
  'passkeys.notUsedYet': message('not used yet', 'State of a passkey'),
  'passkeys.lastUsed': message('last used {time}', '{time} is like “3 hours ago”'),
  'passkeys.onSeveralDevices': message('on several devices', 'State of a passkey'),
};
