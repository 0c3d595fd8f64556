/** Words of “tree beside”. */
import { message } from '../message.ts';

export const treeBesideWords = {
  'treeBeside.next': message('Next', 'Words'),
  'treeBeside.previous': message('Previous', 'Words'),
  'treeBeside.previousAndNextPage': message('Previous and next page', 'Name for screen readers'),
};
