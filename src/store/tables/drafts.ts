/** Texts in the editor that have not been saved. */
import { integer, integerOrNull, type TableDefinitions, text } from './column.ts';

export const draftTables = {
  editor_drafts: {
    meaning: 'Texts in the editor that members have not saved yet. Only their author sees them.',
    columns: {
      member_id: integer('The member.'),
      draft_id: text('ID that the editor chose.'),
      key: text('Form in which the draft was written, such as a page or a section of it.'),
      page_id: integerOrNull('Page that is edited. Null for a new page.'),
      title: text('Title in the form.'),
      url: text('Address of the editor.'),
      base: text('ID of the change that the form started from. Empty for a new page.'),
      fields: text('Fields of the form, a JSON array of objects with `name` and `value`.'),
      bytes: integer('Length of the fields.'),
      updated_at: integer('When the draft was last kept.'),
    },
  },
} satisfies TableDefinitions;
