/** Words of “order”. */
import { message } from '../message.ts';

export const orderWords = {
  'order.moveTitleDown': message('Move {title} down', 'Name for screen readers'),
  'order.moveTitleUp': message('Move {title} up', 'Name for screen readers'),
  'order.numberOfTitle': message('Number of {title}', 'Name for screen readers'),
  'order.numberThePagesOrMoveOneUpOr': message(
    'Number the pages, or move one up or down. Pages without a number follow by title.',
    'Paragraph',
  ),
  'order.onlyTheFirstMaxplacedPages': message(
    'Only the first {maxPlaced} pages can be ordered by hand; the others follow by title.',
    'Paragraph',
  ),
  'order.orderByTitle': message('Order by title', 'Button'),
  'order.saveOrder': message('Save order', 'Button'),
  'order.thereAreNoPagesToOrder': message('There are no pages to order.', 'Paragraph'),
  'order.back': message('Back', 'Link'),
  'order.orderBelow': message('Order the pages below {name}', 'Title of the page'),
  'order.orderTheRoot': message('Order the pages at the root of the tree', 'Title of the page'),
};
