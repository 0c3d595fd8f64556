/** Words of “copies”. */
import { message } from '../message.ts';

export const copiesWords = {
  'copies.addressOfTheCopy': message('Address of the copy', 'Words'),
  'copies.copyItTo': message('Copy it to', 'Words'),
  'copies.copyThisPage': message('Copy this page', 'Heading'),
  'copies.filesComeAlongLinksWithinThe': message(
    'Files come along, links within the copy lead to the copy, and its history begins anew.',
    'Paragraph',
  ),
  'copies.pageWouldBeCopiedAndNothing': message(
    '{pages, plural, one {# page} other {# pages}} would be copied, and nothing is in the way.',
    'Paragraph',
  ),
  'copies.twoPagesWithOneTitle': message(
    'If the copy keeps the title, both pages look alike in lists, and links by title lead to one of them only.',
    'Hint beneath the field for the title of a copy',
  ),
  'copies.showWhatIsCopied': message('Show what is copied', 'Button'),
  'copies.title': message('Title', 'Words'),
  'copies.copy': message('Copy', 'Button'),
  'copies.cancel': message('Cancel', 'Link'),
  'copies.alsoCopyBeneath': message(
    'Also copy everything beneath it ({count, plural, one {# page} other {# pages}})',
    'A choice',
  ),
  'copies.copyTitle': message('Copy {title}', 'Title of the page'),
};
