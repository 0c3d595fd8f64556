/** Words of “blocks”. */
import { message } from '../message.ts';

export const blocksWords = {
  'blocks.blockThisMember': message('Block this member', 'Title of a part that opens'),
  'blocks.chooseADuration': message('Choose a duration.', 'Refusal'),
  'blocks.liftTheBlock': message('Lift the block', 'Button'),
  'blocks.memberCanReadButNotWriteTo': message(
    '{count, plural, one {# member} other {# members}} can read but not write. To block a member, open the member’s page.',
    'Paragraph',
  ),
  'blocks.reason': message('Reason', 'Words'),
  'blocks.theyCanReadButNotWriteUntil': message(
    'They can read but not write until the block ends. They see the reason.',
    'Paragraph',
  ),
  'blocks.members': message('Members', 'Link'),
  'blocks.block': message('Block', 'Button'),
  'blocks.untilSomebodyLiftsTheBlock': message(
    'until somebody lifts the block',
    'How long somebody is blocked',
  ),
  'blocks.until': message('until {time}', 'How long somebody is blocked'),
  'blocks.since': message('since {time}, {end}:', 'A block; its reason follows; {end} is “until …”'),
};
