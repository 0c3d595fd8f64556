/** Words of “providers”. */
import { message } from '../message.ts';

export const providersWords = {
  'providers.linkAnAccountOfAnother': message(
    'Link an account of another service to sign in with it.',
    'Paragraph',
  ),
  'providers.linkedAccounts': message('Linked accounts', 'Heading'),
  'providers.orIfItIsLinkedToYourAccount': message('Or, if it is linked to your account:', 'Words'),
  'providers.orWithoutAPassphrase': message('Or without a passphrase:', 'Words'),
  'providers.otherWaysToSignIn': message('Other ways to sign in', 'Name for screen readers'),
  'providers.youCanSignInWithThese': message(
    'You can sign in with these accounts, too. Unlinking an account signs out all devices that signed in with it.',
    'Paragraph',
  ),
  'providers.unlink': message('Unlink', 'Button'),
  'providers.since': message('since {time}', '{time} is a day'),
  'providers.unlinkAccount': message('Unlink {provider} {account}', 'Name for screen readers'),
  'providers.linkAnAccount': message('Link a {provider} account', 'Button'),
  'providers.linkAnotherAccount': message('Link another {provider} account', 'Button'),
};
