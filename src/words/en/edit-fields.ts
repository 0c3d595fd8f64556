/** Words of “edit fields”. */
import { message } from '../message.ts';

export const editFieldsWords = {
  'editFields.address': message('Address', 'Words'),
  'editFields.comments': message('Comments', 'Words'),
  'editFields.data': message('Data', 'Words'),
  'editFields.description': message('Description', 'Words'),
  'editFields.format': message('Format', 'Words'),
  'editFields.giveTheLocationAsTwoNumbers': message(
    'Give the location as two numbers in degrees, such as 52.5163 and 13.3777.',
    'Refusal',
  ),
  'editFields.group': message('Group', 'Words'),
  'editFields.language': message('Language', 'Words'),
  'editFields.newPagesBeneath': message('New pages beneath', 'Words'),
  'editFields.parentPage': message('Parent page', 'Words'),
  'editFields.picture': message('Picture', 'Words'),
  'editFields.reviewFrom': message('Review from', 'Words'),
  'editFields.slug': message('Slug', 'Words'),
  'editFields.text': message('Text', 'Words'),
  'editFields.title': message('Title', 'Title of the page'),
  'editFields.responsible': message(
    'Responsible member',
    'Name of a field: the member who is told when the page is due for review',
  ),
  'editFields.verifiedOn': message('Verified on', 'Words'),
  'editFields.asInTheText': message('as in the text', 'Value of a field that the text of the page decides'),
  'editFields.beginWith': message(
    'begin with {template}',
    'Value of a field: the template that new pages begin with',
  ),
  'editFields.noSuchSection': message(
    'The page has no section “{id}” of its own. Edit the whole page.',
    'Refusal',
  ),
  'editFields.none': message('none', 'Value of an empty field'),
};
