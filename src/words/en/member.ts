/** Words of “member”. */
import { message } from '../message.ts';

export const memberWords = {
  'member.auditLogOfThisMember': message('Audit log of this member', 'Link'),
  'member.blockedBlock': message('Blocked {block}', 'Paragraph'),
  'member.eraseThisMembersIdentity': message('Erase this member’s identity', 'Title of a part that opens'),
  'member.member': message('Member', 'Words'),
  'member.nameAddressAndAllCredentials': message(
    'Name, address and all credentials are deleted permanently. Contributions stay, shown as those of a former member.',
    'Paragraph',
  ),
  'member.noneThatYouMaySee': message('None that you may see.', 'Paragraph'),
  'member.changes': message('Changes', 'Heading'),
  'member.moderation': message('Moderation', 'Heading'),
  'member.memberSince': message('{role} since {time}.', '{time} is a day; {role} is like “Member”'),
  'member.erased': message('erased', 'A change whose text was erased'),
  'member.whatChanged': message('what changed', 'Link'),
};
