/** Words of “permission fields”. */
import { message } from '../message.ts';

export const permissionFieldsWords = {
  'permissionFields.group': message('Group', 'Words'),
};
