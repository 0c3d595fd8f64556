/** Words of “problem page”. */
import { message } from '../message.ts';

export const problemPageWords = {
  'problemPage.askWhoSentTheLink': message(
    'Ask the person who sent you the link for another one.',
    'Paragraph, when a secret link has ended',
  ),
  'problemPage.goToTheHomePage': message('Go to the home page', 'Link'),
  'problemPage.ifItIsPrivateSignInToReadIt': message(
    'If it is private, <link>sign in to read it</link>.',
    'Paragraph',
  ),
  'problemPage.notFound': message('Not found', 'Words'),
  'problemPage.notNow': message('Not now', 'Words'),
  'problemPage.onlyForAdministrators': message('Only for administrators', 'Words'),
  'problemPage.somethingWentWrong': message('Something went wrong', 'Words'),
  'problemPage.thatDidNotWork': message('That did not work', 'Words'),
  'problemPage.theRequestIdIsIdNothingWas': message(
    'The request ID is {id}. Nothing was saved halfway. You can try again.',
    'Paragraph',
  ),
  'problemPage.thisPageIsProtected': message('This page is protected', 'Words'),
  'problemPage.thisPageWasDeleted': message('This page was deleted', 'Words'),
  'problemPage.thisTookTooLong': message('This took too long', 'Words'),
  'problemPage.theOperatorCanFindTheCause': message(
    'Something went wrong on the server. The operator of this wiki can find the cause under this request ID.',
    'Paragraph',
  ),
  'problemPage.tooLarge': message('Too large', 'Words'),
  'problemPage.tooManyAttempts': message('Too many attempts', 'Words'),
  'problemPage.youMayNotDoThis': message('You may not do this', 'Words'),
  'problemPage.backToTheProposal': message('Back to the proposal', 'Link'),
};
