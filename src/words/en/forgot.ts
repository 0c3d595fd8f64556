/** Words of “forgot”. */
import { message } from '../message.ts';

export const forgotWords = {
  'forgot.addressALinkIsOnItsWayThere': message(
    '{address} a link is on its way there. It works once, within an hour. If no mail arrives within a few minutes, look into the spam folder, or check the address.',
    'Words',
  ),
  'forgot.addressAdministratorsSeeYour': message(
    '{address} administrators see your request and can send you a link to choose a new passphrase. This wiki sends no mail, so please contact one of them.',
    'Words',
  ),
  'forgot.backToSigningIn': message('Back to signing in', 'Link'),
  'forgot.checkYourMail': message('Check your mail', 'Title of the page'),
  'forgot.enterTheAddressThatYouSignIn': message(
    'Enter the address that you sign in with, and you get a link to choose a new passphrase.',
    'Paragraph',
  ),
  'forgot.forgotYourPassphrase': message('Forgot your passphrase?', 'Words'),
  'forgot.ifEmailIsTheAddressOfAMember': message('If {email} is the address of a member,', 'Words'),
  'forgot.requestReceived': message('Request received', 'Title of the page'),
  'forgot.sendALink': message('Send a link', 'Button'),
};
