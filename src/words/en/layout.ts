/** Words of “layout”. */
import { message } from '../message.ts';

export const layoutWords = {
  'layout.reports': message('Reports', 'Link in the footer for administrators, and heading'),
  'layout.auto': message('Auto', 'Words'),
  'layout.colours': message('Colours', 'Name for screen readers'),
  'layout.contents': message('Contents', 'Name for screen readers'),
  'layout.contentsName': message('Contents: {name}', 'Paragraph'),
  'layout.dark': message('Dark', 'Words'),
  'layout.imprint': message('Imprint', 'Label of a field'),
  'layout.light': message('Light', 'Words'),
  'layout.menu': message('Menu', 'Name for screen readers'),
  'layout.nameLatestChanges': message('{name}: latest changes', 'Title'),
  'layout.newPage': message('New<span> page</span>', 'Link'),
  'layout.nothingCanBeSavedInThisWiki': message(
    'Nothing can be saved in this wiki at the moment. Please try again later.',
    'Words',
  ),
  'layout.notifications': message('Notifications', 'Words'),
  'layout.pagesNearbyInTheTree': message('Pages nearby in the tree', 'Name for screen readers'),
  'layout.privacy': message('Privacy', 'Label of a field'),
  'layout.search': message('Search', 'Name for screen readers'),
  'layout.searchThisWiki': message('Search this wiki', 'Label of a field'),
  'layout.signedInAsName': message('Signed in as {name}', 'Title'),
  'layout.site': message('Site', 'Name for screen readers'),
  'layout.skipToTheText': message('Skip to the text', 'Link'),
  'layout.theDataFolderOfThisWikiIs': message(
    'The data folder of this wiki is missing. Nothing can be saved until it is restored.',
    'Words',
  ),
  'layout.theDataOfThisWikiIsReadOnly': message(
    'The data of this wiki is read-only at the moment. You can read everything, but nothing can be saved.',
    'Words',
  ),
  'layout.theDiskOfThisWikiIsFullYou': message(
    'The disk of this wiki is full. You can read everything, but nothing can be saved until there is free space again.',
    'Words',
  ),
  'layout.thisWikiIsReadOnlyAtThe': message(
    'This wiki is read-only at the moment. You can read everything, but nothing can be saved.',
    'Words',
  ),
  'layout.thisWikiRequires': message(
    'This wiki requires administrators to have a second factor. <link>Add one</link>, or sign in with a passkey. Until then you have the rights of a writer.',
    'Paragraph',
  ),
  'layout.youAreBlocked': message(
    'You are blocked until a moderator lifts it. You can read but not write. Reason: {reason}',
    'A banner',
  ),
  'layout.youAreBlockedUntil': message(
    'You are blocked until {time}. You can read but not write. Reason: {reason}',
    'A banner',
  ),
  'layout.favourites': message('Favourites', 'Link in the footer'),
  'layout.trash': message('Trash', 'Link in the footer'),
  'layout.pages': message('Pages', 'Title of a part that opens'),
  'layout.api': message('API', 'Link'),
  'layout.map': message('Map', 'Link'),
  'layout.files': message('Files', 'Link'),
  'layout.export': message('Export', 'Link'),
  'layout.proposals': message('Proposals', 'Link'),
  'layout.members': message('Members', 'Link'),
  'layout.settings': message('Settings', 'Link'),
  'layout.import': message('Import', 'Link'),
  'layout.language': message('Language', 'Name for screen readers'),
  'layout.chooseLanguage': message('Choose', 'Button beside the choice of a language'),
};
