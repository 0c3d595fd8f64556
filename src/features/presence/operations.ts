/**
 * Members who have a page open for editing. Editors say every half minute that they are open, and learn who else is there. Only members
 * who may edit the page say so and learn it; after a minute of silence they are forgotten.
 */
import { Type } from 'typebox';
import { Problem } from '#core/model/problem.ts';
import { component, idField, text } from '#core/operations/fields.ts';
import { operation } from '#core/operations/operation.ts';
import { editableAmong } from '#core/pages/protection.ts';
import { getReadable } from '#core/reading/find-page.ts';
import { say } from '#words/say.ts';

/** Milliseconds after which an editor that says nothing counts as closed. */
const rememberedMs = 60_000;
const mostNamed = 20;

export const noteEditing = operation({
  name: 'noteEditing',
  summary: 'Say that a page is open for editing',
  description: `For editors, every half minute. Returns the other members who have the page open for editing, at most ${mostNamed}. Who says nothing for a minute is forgotten.`,
  access: 'self',
  scope: 'none',
  refusesBlocked: true,
  input: component('EditingInput', 'An editor of a page.', {
    path: text('Path of the page.', '/garden/roses'),
    closed: Type.Optional(
      Type.Boolean({ description: 'Whether the editor was closed.', default: false, examples: [true] }),
    ),
  }),
  output: component('Editing', 'Members who have a page open for editing.', {
    others: Type.Array(
      Type.Object({ id: idField('Member ID.', 7), name: text('Name of the member.', 'Ada') }),
      { description: 'Other members, by name.' },
    ),
  }),
  problems: ['not-found', 'gone', 'not-permitted', 'blocked'],
  writes: true,
  audit: [],
  ports: ['store'],
  async run({ store }, { input: { path, closed = false }, by, now }) {
    const reader = store.readAs(by);
    const page = await getReadable(reader, path);
    if (!(await editableAmong(reader, [page.id], now)).has(page.id))
      throw new Problem('not-permitted', say('problem.youDoNotHavePermissionToEdit'));
    if (closed) {
      await store.presence.remove(page.id, by.memberId);
      return { others: [] };
    }
    const since = now - rememberedMs;
    await store.presence.note(page.id, by.memberId, now, since);
    return { others: await store.presence.othersAt(page.id, by.memberId, since, mostNamed) };
  },
});
