/** Words of “tree”. */
import { message } from '../message.ts';

export const treeWords = {
  'tree.addOne': message('Add one', 'Link'),
  'tree.andMorePage': message(
    'and {count, plural, one {# more page} other {# more pages}}',
    'Item of a list',
  ),
  'tree.belowPage': message('Below {page}', 'Words'),
  'tree.filterByTitle': message('Filter by title', 'Label of a field'),
  'tree.filterPages': message('Filter pages', 'Name for screen readers'),
  'tree.hideTypes': message('Hide types', 'Title of a part that opens'),
  'tree.noPageHasSuchATitle': message('No page has such a title.', 'Item of a list'),
  'tree.orderThem': message('Order them', 'Link'),
  'tree.thereAreNoPagesBelowThisOne': message('There are no pages below this one.', 'Words'),
  'tree.thereAreNoPagesYet': message('There are no pages yet.', 'Words'),
  'tree.filter': message('Filter', 'Button'),
  'tree.pagesAtTheRoot': message(
    '{count, plural, one {# page at the root of the tree.} other {# pages at the root of the tree.}}',
    'Paragraph',
  ),
  'tree.pages': message('{count, plural, one {# page.} other {# pages.}}', 'Paragraph'),
  'tree.below': message('Below {title}', 'Title of the page'),
};
