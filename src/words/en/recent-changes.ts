/** Words of “recent changes”. */
import { message } from '../message.ts';

export const recentChangesWords = {
  'recentChanges.allChanges': message('All changes', 'Title of the page'),
  'recentChanges.beneathThePage': message('Beneath the page', 'Words'),
  'recentChanges.byEverybody': message('By everybody', 'Link'),
  'recentChanges.markAllLengthChangesHereAs': message('Mark all {length} changes here as reviewed', 'Button'),
  'recentChanges.markAsReviewed': message('Mark as reviewed', 'Button'),
  'recentChanges.markAsReviewedTitleKind': message(
    'Mark as reviewed: {title}, {kind}',
    'Name for screen readers',
  ),
  'recentChanges.noMatchingChanges': message('No matching changes.', 'Words'),
  'recentChanges.noMatchingChangesHereThere': message(
    'No matching changes here. There are older ones.',
    'Words',
  ),
  'recentChanges.onlyChangesThatNobodyHas': message('Only changes that nobody has reviewed', 'Words'),
  'recentChanges.roleOfTheAuthor': message('Role of the author', 'Words'),
  'recentChanges.tag': message('Tag', 'Words'),
  'recentChanges.theseChangesDoNotExist': message('These changes do not exist.', 'Refusal'),
  'recentChanges.filter': message('Filter', 'Title of a part that opens'),
  'recentChanges.show': message('Show', 'Button'),
  'recentChanges.whatAndWhen': message(
    '{kind, select, created {created {time}} edited {changed {time}} moved {moved {time}} permissions {changed who may read {time}} deleted {deleted {time}} restored {restored {time}} erased {erased {time}} ordered {ordered the pages beneath {time}} commented {commented on {time}} proposed {proposed a change of {time}} reviewed {reviewed a proposal for {time}} due {due for review since {time}} other {merged a proposal for {time}}}',
    'What was done to the page that is named before; {time} is like “3 hours ago”',
  ),
  'recentChanges.whatWhenAndWho': message(
    '{kind, select, created {created {time} by {name}} edited {changed {time} by {name}} moved {moved {time} by {name}} permissions {changed who may read {time} by {name}} deleted {deleted {time} by {name}} restored {restored {time} by {name}} erased {erased {time} by {name}} ordered {ordered the pages beneath {time} by {name}} commented {commented on {time} by {name}} proposed {proposed a change of {time} by {name}} reviewed {reviewed a proposal for {time} by {name}} due {due for review by {name} since {time}} other {merged a proposal for {time} by {name}}}',
    'What was done to the page that is named before; {time} is like “3 hours ago”',
  ),
  'recentChanges.onlyThese': message(
    'only these',
    'Link that shows only the changes by the person named before',
  ),
  'recentChanges.history': message('history', 'Link'),
  'recentChanges.latestFirst': message('Every change, latest first.', 'Paragraph'),
  'recentChanges.onlyBy': message('Only by {name}.', 'Which changes are shown'),
  'recentChanges.memberNumber': message('member {id}', 'A member whose name is not known'),
};
