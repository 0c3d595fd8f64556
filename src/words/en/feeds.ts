/** Words of “feeds”. */
import { message } from '../message.ts';

export const feedsWords = {
  'feeds.changesBelowThisOne': message('Changes of the pages below this one', 'Title of a feed'),
  'feeds.changedWithoutAMessage': message('Changed without a message.', 'Words'),
  'feeds.thereIsNothingAtThisAddress': message('There is nothing at this address.', 'Refusal'),
  'feeds.changeOf': message('Change of {title}', 'Entry of a feed'),
  'feeds.nameChanged': message('{name} changed {title}.', 'Entry of a feed'),
  'feeds.changesBelow': message('{wiki}: changes below {title}', 'Title of a feed'),
  'feeds.latestChanges': message('{wiki}: latest changes', 'Title of a feed'),
  'feeds.historyOf': message('{title}: history', 'Title of a feed'),
};
