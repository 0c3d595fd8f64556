/** Settings of the site. */
import { integer, integerOrNull, type TableDefinitions, text } from './column.ts';

export const settingsTables = {
  settings: {
    meaning: 'Settings of the site that administrators change while it runs.',
    columns: {
      name: text('Name of the setting in `/v1/settings`.'),
      value: text('JSON.'),
      changed_at: integer('When the setting was changed. 0 if never.'),
      changed_by: integerOrNull('The member who changed it. Null for the command line or the environment.'),
    },
  },
} satisfies TableDefinitions;
