/** Words of “format”. */
import { message } from '../message.ts';

export const formatWords = {
  'format.thatOfTheWiki': message('that of the wiki', 'The language of a page that has none of its own'),
  'format.metres': message('{metres} m', 'A distance'),
  'format.kilometres': message('{kilometres} km', 'A distance'),
  'format.coordinates': message(
    '{latitude} {northOrSouth, select, south {S} other {N}}, {longitude} {eastOrWest, select, west {W} other {E}}',
    'A place on the earth',
  ),
};
