/** Words of “favourites”. */
import { message } from '../message.ts';

export const favouritesWords = {
  'favourites.favourites': message('Favourites', 'Title of the page'),
  'favourites.pagesThatYouStarInTheirMenu': message(
    'Pages that you star in their menu are listed here. Nobody else sees the list.',
    'Words',
  ),
  'favourites.pagesThatYouStarredLatest': message(
    'Pages that you starred, latest first. Only you see them.',
    'Words',
  ),
  'favourites.removeTitle': message('Remove {title}', 'Name for screen readers'),
  'favourites.remove': message('Remove', 'Button'),
};
