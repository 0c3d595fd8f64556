/** Words of “updates”. */
import { message } from '../message.ts';

export const updatesWords = {
  'updates.allChangesWithFilters': message('All changes, with filters', 'Link'),
  'updates.belowPageShowTheWholeWiki': message('Below {page}. <link>Show the whole wiki</link>', 'Paragraph'),
  'updates.followByFeedAtom': message('Follow by feed (Atom)', 'Link'),
  'updates.newer': message('← Newer', 'Link'),
  'updates.nothingHasChangedHereYet': message('Nothing has changed here yet.', 'Paragraph'),
  'updates.pagesMostRecentlyChanged': message('Pages, most recently changed first.', 'Paragraph'),
  'updates.timeByNameWhatChanged': message('{time} by {name} · <link>what changed</link>', 'Words'),
  'updates.noPageAt': message('There is no page at {path}.', 'Refusal'),
};
