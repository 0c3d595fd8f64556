/**
 * Three-way merging of an edit that started from an older change: fields that only one side changed are taken from
 * that side; bodies are merged by lines; where both sides
 * changed the same, the edit is refused with base, theirs and yours, so that nothing anyone typed is lost.
 */
import { comparedFields } from './diff.ts';
import { mergeBodies } from './merge-bodies.ts';
import type { Content, Page } from './page.ts';
import type { CheckedInput } from './page-input.ts';
import { readPath } from './path.ts';
import { Problem } from './problem.ts';
import type { Store } from './store.ts';

/** The fields that are taken whole from one side. */
const wholeFields = comparedFields.filter((field) => field !== 'parent');

/** The edit to make on top of the page as it is now, started from one of these changes. Refuses `edit-conflict`. */
export async function mergeOnto(
  store: Store,
  page: Page,
  baseIds: number[],
  checked: CheckedInput,
): Promise<CheckedInput> {
  if (baseIds.includes(page.changeId)) return checked;
  const baseId = Math.max(0, ...baseIds);
  const base = (await store.changes.find(page.id, baseId))?.content;
  // A page above it may have moved since its latest change.
  const theirs: Content = { ...page.content, path: page.path };
  const yours: Content = { ...(base ?? theirs), ...checked.given };
  // Not a change of this page: there is nothing to merge from, and writing over it might lose something.
  if (!base) throw conflict(page.changeId, { base: null, theirs, yours }, ['base']);

  const given: CheckedInput['given'] = { ...checked.given };
  const touching: string[] = [];
  for (const field of wholeFields) {
    if (!(field in given) || same(given[field], theirs[field]) || same(base[field], theirs[field])) continue;
    if (same(given[field], base[field])) delete given[field];
    else touching.push(field);
  }
  let { parent } = checked;
  if (parent !== undefined && parent !== (page.parentId ?? 0) && theirs.parent !== base.parent) {
    const named = await pathNamed(store, parent);
    if (named === base.parent) parent = undefined;
    else if (named !== theirs.parent) touching.push('parent');
  }
  if (given.body !== undefined) {
    const body = mergeBodies(given.body, base.body, theirs.body);
    if (body === undefined) touching.push('body');
    else given.body = body;
  }
  if (touching.length > 0)
    throw conflict(page.changeId, { base: { change: baseId, content: base }, theirs, yours }, touching);
  given.msg = withNote(given.msg ?? '', `merged with change ${page.changeId}`);
  return { given, files: checked.files, ...(parent === undefined ? {} : { parent }) };
}

/** Null for the root, undefined for an ID of no page. */
async function pathNamed(store: Store, parent: string | number | null): Promise<string | null | undefined> {
  if (typeof parent === 'number') return parent === 0 ? null : (await store.pages.findById(parent))?.path;
  const read = readPath(parent ?? '');
  return 'path' in read ? read.path : null;
}

function conflict(
  changeId: number,
  {
    base,
    theirs,
    yours,
  }: { base: { change: number; content: Content } | null; theirs: Content; yours: Content },
  fields: string[],
): Problem {
  return new Problem(
    'edit-conflict',
    base
      ? `Somebody changed the same of this page since change ${base.change}: ${fields.join(', ')}. Nothing was saved. Merge yours with theirs and send it with base ${changeId}.`
      : `The edit does not start from a change of this page. Read the page again and send the edit with base ${changeId}.`,
    { details: { fields, base, theirs: { change: changeId, content: theirs }, yours: { content: yours } } },
  );
}

function withNote(msg: string, note: string): string {
  return msg === '' ? `${note.charAt(0).toUpperCase()}${note.slice(1)}` : `${msg} (${note})`;
}

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
