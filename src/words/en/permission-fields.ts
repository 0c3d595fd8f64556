/** Words of “permission fields”. */
import { message } from '../message.ts';

export const permissionFieldsWords = {
  'permissionFields.group': message('Group', 'Words'),
  'permissionFields.orAsACode': message('Or as a code', 'Words'),
  'permissionFields.threeDigitsForOwnerGroupAnd': message(
    'Three digits for owner, group and everyone else: 4 allows reading, 6 reading and editing.',
    'Words',
  ),
};
