/** Words of “passkey button”. */
import { message } from '../message.ts';

export const passkeyButtonWords = {
  'passkeyButton.signInWithAPasskey': message('Sign in with a passkey', 'Button'),
};
