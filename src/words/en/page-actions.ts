/** Words of “page actions”. */
import { message } from '../message.ts';

export const pageActionsWords = {
  'pageActions.addBelow': message('Add below', 'Link'),
  'pageActions.like': message('Like', 'Words'),
  'pageActions.liked': message('Liked', 'Words'),
  'pageActions.moreAboutThisPage': message('More about this page', 'Name for screen readers'),
  'pageActions.signInToEdit': message('Sign in to edit', 'Link'),
  'pageActions.star': message('Star', 'Words'),
  'pageActions.starred': message('Starred', 'Words'),
  'pageActions.export': message('Export', 'Link'),
  'pageActions.watching': message('Watching', 'Link'),
  'pageActions.watch': message('Watch', 'Button'),
  'pageActions.move': message('Move', 'Link'),
  'pageActions.delete': message('Delete', 'Link'),
  'pageActions.copy': message('Copy', 'Link'),
  'pageActions.translate': message('Translate', 'Link'),
  'pageActions.proposals': message('Proposals', 'Link'),
  'pageActions.protect': message('Protect', 'Link'),
  'pageActions.access': message('Access', 'Link'),
  'pageActions.history': message('History', 'Link'),
  'pageActions.edit': message('Edit', 'Link'),
  'pageActions.approval': message('Approval', 'Link in the menu of a page: rules about approving changes'),
  'pageActions.propose': message(
    'Propose<span> a change</span>',
    'Button; narrow screens leave out the part in the tag',
  ),
};
