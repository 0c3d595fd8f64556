/** Words of “freshness”. */
import { message } from '../message.ts';

export const freshnessWords = {
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
