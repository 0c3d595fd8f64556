/** Words of “home”. */
import { message } from '../message.ts';

export const homeWords = {
  'home.allChanges': message('All changes', 'Link'),
  'home.allWantedPages': message('All wanted pages', 'Link'),
  'home.asAService': message('As a service', 'Term'),
  'home.doYouRunThisWiki': message('Do you run this wiki?', 'Heading'),
  'home.inAContainer': message('In a container', 'Term'),
  'home.inTheTerminalWhereCodeRuns': message('in the terminal where {code} runs', 'Value'),
  'home.inviteOthersWithALinkThat': message(
    '<link>Invite others</link> with a link that works once, and put them into <groups>groups</groups> that share pages.',
    'Paragraph',
  ),
  'home.membersRead': message(
    'Only members can read this wiki. <link>Change who can read it, its name, language and look</link>',
    'Paragraph',
  ),
  'home.everybodyReads': message(
    'Everybody can read this wiki. <link>Change who can read it, its name, language and look</link>',
    'Paragraph',
  ),
  'home.orAddYourselfAsAMemberOnThat': message(
    'Or add yourself as a member on that machine, in the folder of Coppice and with its settings:',
    'Paragraph',
  ),
  'home.signInToWriteIt': message('Sign in to write it.', 'Link'),
  'home.startedManually': message('Started manually', 'Term'),
  'home.theHomePageIsNotWrittenYet': message('The home page is not written yet.', 'Words'),
  'home.thereIsNothingToReadYet': message('There is nothing to read yet.', 'Words'),
  'home.thisWikiHasNoPagesYet': message('This wiki has no pages yet.', 'Paragraph'),
  'home.timeByName': message('{time} by {name}', 'Words'),
  'home.toLinkToOtherPagesPutTheir': message(
    'To link to other pages, put their names in double brackets, {code}. Each becomes a link, and <link>wanted pages</link> lists those that do not exist yet.',
    'Paragraph',
  ),
  'home.welcomeToName': message('Welcome to {name}', 'Words'),
  'home.whileTheWikiHasNoMembersEach': message(
    'While the wiki has no members, each start prints a link that creates the account of the first administrator:',
    'Paragraph',
  ),
  'home.writeTheHomePageItAppearsAt': message(
    '<link>Write the home page</link> It appears at {home} and greets everyone who comes here.',
    'Paragraph',
  ),
  'home.youAreAGuest': message(
    'You are a guest of this wiki and can read what is shared with you.',
    'Paragraph',
  ),
  'home.pages': message('Pages', 'Heading'),
};
