/** Schemas that answers of many operations share. A schema with a title is a named component of the OpenAPI document. */
import { component, idField, text } from './fields.ts';

export const MemberName = component(
  'MemberName',
  'A member, by ID and name. E-mail addresses are never shown.',
  {
    id: idField('Member ID.', 3),
    name: text("The member's name.", 'Ada Lovelace'),
  },
);
