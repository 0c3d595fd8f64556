/** Words of “strangers”: comments and proposals of people without an account. */
import { message } from '../message.ts';

export const strangersWords = {
  'strangers.commentWithoutAnAccount': message('Comment without an account', 'Title of the page, and link'),
  'strangers.proposeWithoutAnAccount': message(
    'Propose a change without an account',
    'Title of the page, and link',
  ),
  'strangers.aModeratorLooksFirst': message(
    'A moderator reads it before anybody else sees it. Or <link>sign in</link>.',
    'Paragraph',
  ),
  'strangers.needsJavascript': message(
    'This form needs JavaScript: your browser calculates for a moment, which keeps spam away.',
    'Note where scripts are turned off',
  ),
  'strangers.yourName': message('Your name', 'Label of a field'),
  'strangers.yourEmail': message('Your e-mail address', 'Label of a field'),
  'strangers.optional': message(
    'Optional. Only moderators see it, and it is deleted once they decide.',
    'Hint beneath a field',
  ),
  'strangers.send': message('Send', 'Button'),
  'strangers.submissions': message('Waiting for approval', 'Title of the page, and link'),
  'strangers.nothingWaits': message('Nothing waits.', 'Paragraph'),
  'strangers.waiting': message(
    '{count, plural, one {# comment or proposal} other {# comments and proposals}} of people without an account, oldest first.',
    'Paragraph',
  ),
  'strangers.commentBy': message('Comment by {name}, {time}', 'Heading; {time} is how long ago'),
  'strangers.proposalBy': message('Proposal by {name}, {time}', 'Heading; {time} is how long ago'),
  'strangers.newRootPage': message('a new page at the top', 'Instead of the page that a proposal is about'),
  'strangers.theWholeProposedText': message('The whole proposed text', 'Label of what can be opened'),
  'strangers.approve': message('Approve', 'Button'),
  'strangers.refuse': message('Refuse', 'Button'),
  'strangers.refuseAllFromHere': message(
    'Refuse all {count} from this address',
    'Button; an address of the internet',
  ),
  'strangers.refuseMarked': message('Refuse all that are marked', 'Button'),
  'strangers.mark': message('Mark', 'Label of a checkbox'),
  'strangers.notAMember': message('{name}, not a member', 'Author of a comment'),
  'strangers.letInBy': message('let in by {name}', 'After the author of a comment; a member'),
  'strangers.eraseHeading': message('Erase what a person wrote', 'Heading'),
  'strangers.eraseHint': message(
    'Everything under this name: what waits, comments, and proposals that were not merged. It cannot be brought back.',
    'Hint beneath a field',
  ),
  'strangers.nameTheyGave': message('Name that the person gave', 'Label of a field'),
  'strangers.erase': message('Erase for good', 'Button'),
  'strangers.erased': message(
    'Erased: {submissions} waiting submissions, {comments} comments, {proposals} proposals.',
    'Note',
  ),
};
