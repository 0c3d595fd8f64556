/** Words of “device name”. */
import { message } from '../message.ts';

export const deviceNameWords = {
  'deviceName.browserOnSystem': message(
    '{browser} on {system}',
    'A device in the list of sessions: Firefox on Linux',
  ),
  'deviceName.unknownClient': message('Unknown client', 'A device in the list of sessions'),
};
