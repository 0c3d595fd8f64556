/** Words of “freshness”. */
import { message } from '../message.ts';

export const freshnessWords = {
  'freshness.iAmResponsible': message('I am responsible for this page from now on', 'Label of a checkbox'),
  'freshness.responsible': message(
    '{name} is responsible and is told when the page is due for review, as are all who watch it.',
    'Paragraph',
  ),
  'freshness.youAreResponsible': message(
    'You are responsible and are told when the page is due for review, as are all who watch it.',
    'Paragraph',
  ),
  'freshness.leaveEmptyIfItNeedNotBe': message(
    'Leave empty if it need not be reviewed.',
    'Hint beneath a field',
  ),
  'freshness.reviewItAgainFrom': message('Review it again from', 'Words'),
  'freshness.verifyThisPage': message('Verify this page', 'Heading'),
  'freshness.youSayThatThePageIsRight': message('You say that the page is right today.', 'Paragraph'),
  'freshness.verified': message('Verified', 'Button'),
  'freshness.cancel': message('Cancel', 'Link'),
  'freshness.verifyTitle': message('Verify {title}', 'Title of the page'),
};
