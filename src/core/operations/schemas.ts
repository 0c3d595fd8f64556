/** Schemas that answers of many operations share. A schema with a title is a named component of the OpenAPI document. */
import { component, idField, integer, text } from './fields.ts';

export const MemberName = component(
  'MemberName',
  'A member, by ID and name. E-mail addresses are never included.',
  {
    id: idField('Member ID.', 3),
    name: text("The member's name.", 'Ada Lovelace'),
  },
);

/** Fields of a deletion, by which it can be undone. */
export const deletionFields = {
  id: idField('ID of the deletion.', 4),
  path: text('Path of the page that was deleted.', '/garden/roses'),
  title: text('Its title.', 'Roses'),
  pages: integer('Number of deleted pages, including the page itself, that the caller could read.', 3, {
    minimum: 1,
  }),
};
