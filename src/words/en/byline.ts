/** Words of “byline”. */
import { message } from '../message.ts';

export const bylineWords = {
  'byline.comment': message('Comment', 'Words'),
  'byline.changed': message('Changed {time}', '{time} is like “3 hours ago”'),
  'byline.changedBy': message('Changed {time} by {name}', '{time} is like “3 hours ago”'),
};
