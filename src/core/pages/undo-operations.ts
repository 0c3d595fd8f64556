/** Undoing all changes of a member since a time, for moderators. */
import { Type } from 'typebox';
import { component, count, idField, oneOf, option, optionalText, text } from '../operations/fields.ts';
import { memberId } from '../operations/member-fields.ts';
import { converted, operation } from '../operations/operation.ts';
import { type Undone, undoChanges } from './undo-changes.ts';

const UndonePage = component('UndonePage', 'A page that the member changed, and the result.', {
  id: idField('Page ID.', 12),
  path: text('Its path.', '/garden/roses'),
  title: text('Its title.', 'Roses'),
  changes: count('Number of the member’s changes to the page since then.', 3),
  outcome: oneOf(
    ['undone', 'merged', 'conflict', 'deleted', 'left'],
    '`undone`: the page has its earlier text again. `merged`: it has its earlier text again, merged with later changes of others. `conflict`: others changed the same places since, or the earlier text was erased; nothing was done. `deleted`: the member created the page and nobody else changed it, so it is in the trash. `left`: there is nothing to undo, or the member created the page and others edited it or have pages beneath it.',
    'undone',
  ),
});

const Result = component('Undone', 'Result of the undo.', {
  pages: Type.Array(UndonePage, { description: 'Result for each page, deepest pages first.' }),
  more: count('Pages beyond the limit, which stay as they are.', 0),
});

export const undoOfMember = operation({
  name: 'undoMember',
  summary: 'Undo all changes of a member',
  action: 'undo changes of members',
  description:
    'For moderators, on pages that they may write or that anyone may read, and for administrators. Each page that the member changed since a time gets its earlier text again, all in one operation. Later edits of others are kept by merging, as in an edit. Paths, parents and permissions stay as they are. With `dryRun` nothing changes, and the response says what would happen. At most 1,000 pages, those changed last; `more` is the number of remaining pages.',
  access: 'moderator',
  scope: 'admin',
  input: component('UndoInput', 'Since when.', {
    id: memberId,
    since: Type.String({
      description: 'Changes at this time and later are undone; ISO 8601.',
      format: 'date-time',
      examples: ['2026-03-14T09:00:00Z'],
    }),
    msg: optionalText('Message of the changes.', 'Undid advertisements'),
    dryRun: option('Only reports the effect; changes nothing.', true),
  }),
  output: converted(Result, ({ pages, more }: Undone) => ({ pages, more })),
  problems: ['not-found', 'insufficient-scope'],
  writes: 'itself',
  audit: ['changes-undone'],
  ports: ['store'],
  run({ store }, { input: { id, since, msg, dryRun }, by, now }) {
    const actor = by === 'command line' ? null : by;
    return undoChanges({ store, actor, now }, id, { since: Date.parse(since), msg, isDry: dryRun });
  },
});
