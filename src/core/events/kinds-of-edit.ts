/** Events of an edit, one for each kind of change. */

import type { EventKind } from '../model/event.ts';
import type { Content } from '../model/page.ts';
import { same } from '../model/page-fields.ts';

/** Moves are left out, because moving the page wrote their event already. */
export function kindsOfEdit(before: { content: Content; isMoved: boolean }, after: Content): EventKind[] {
  const kinds: EventKind[] = accessFields.every((field) => same(before.content[field], after[field]))
    ? []
    : ['permissions'];
  const fields = Object.keys({ ...before.content, ...after }) as (keyof Content)[];
  const isEdited = fields.some(
    (field) => !placeFields.has(field) && !same(before.content[field], after[field]),
  );
  // An edit that changes only its message, or how much of the history is public, is an event, too.
  if (isEdited || (kinds.length === 0 && !before.isMoved)) kinds.unshift('edited');
  return kinds;
}

const accessFields = ['permissions', 'group'] as const;
/** Fields that have events of their own, and the message. */
const placeFields = new Set<keyof Content>(['path', 'slug', 'parent', ...accessFields, 'msg']);
