/** Words of “links”. */
import { message } from '../message.ts';

export const linksWords = {
  'links.anyoneWhoHasSuchALinkCanRead': message(
    'Anyone who has such a link can read the page without an account, and nothing else of the wiki.',
    'Paragraph',
  ),
  'links.copyTheLinkNowItIsNotShown': message('Copy the link now. It is not shown again.', 'Words'),
  'links.howLong': message('How long', 'Words'),
  'links.makeALink': message('Make a link', 'Button'),
  'links.newLink': message('New link', 'Heading'),
  'links.pageReadTheLastTime': message(
    '{uses, plural, one {# page} other {# pages}} read, the last {time}',
    'Words',
  ),
  'links.pagesBeneath': message('Pages beneath', 'Heading'),
  'links.secretLinksToThisPage': message('Secret links to this page', 'Heading'),
  'links.thereAreNoLinksToThisPage': message('There are no links to this page.', 'Paragraph'),
  'links.access': message('Access', 'Link'),
  'links.revoke': message('Revoke', 'Button'),
  'links.files': message('Files', 'Heading'),
  'links.untilSomebodyRevokesIt': message('until somebody revokes it', 'How long a secret link works'),
  'links.alsoForPagesBeneath': message(
    'also for pages beneath that everybody who may read this page may read',
    'A choice',
  ),
  'links.secretLinksTitle': message('Secret links: {title}', 'Title of the page'),
  'links.untilRevoked': message('until revoked', 'How long a secret link works'),
  'links.ended': message('ended', 'State of a secret link'),
  'links.until': message('until {time}', 'How long a secret link works'),
  'links.madeBeneath': message(
    'Made {time} by {name}, with the pages beneath',
    'A secret link; {time} is like “3 days ago”',
  ),
  'links.made': message('Made {time} by {name}', 'A secret link; {time} is like “3 days ago”'),
  'links.neverUsed': message('never used', 'How often a secret link was used'),
};
