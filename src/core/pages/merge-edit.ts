/**
 * Handles an edit that is based on an older change. With `If-Match` it is refused. With a base it is merged: fields that only
 * one side changed are taken from that side, and bodies are merged by lines; if both sides changed the same, the edit is
 * refused. Refusals contain base, theirs and yours, so that no text is lost.
 */

import { say, sentences } from '#words/say.ts';
import { comparedFields } from '../content/diff.ts';
import type { MergeBudget } from '../content/diff3.ts';
import { mergeBodies } from '../content/merge-bodies.ts';
import type { Content, Page, PastContent } from '../model/page.ts';
import { fieldNames, same } from '../model/page-fields.ts';
import type { CheckedInput } from '../model/page-input.ts';
import { readPath } from '../model/path.ts';
import type { Actor } from '../model/permission.ts';
import { Problem } from '../model/problem.ts';
import type { Transaction } from '../ports/store.ts';
import { lockPlace } from './page-state.ts';

/** Fields that are not merged but taken from one side. */
const wholeFields = fieldNames.filter((field) => field !== 'parent' && field !== 'body' && field !== 'msg');

type Given = CheckedInput['given'];

/**
 * Compare and set (RFC 9110 §13.1.1): refuses `edit-conflict` unless the page's current change is one of these, even if the
 * edit would not conflict or change anything.
 */
export async function refuseUnlessAt(
  { store, actor }: { store: Transaction; actor: Actor },
  page: Page,
  changeIds: number[],
  given: Given | 'deletion',
): Promise<void> {
  if (changeIds.includes(page.changeId)) return;
  const versions = await versionsOf(
    { store, actor },
    page,
    Math.max(0, ...changeIds),
    given === 'deletion' ? {} : given,
  );
  const { base, theirs } = versions;
  const compared = [...comparedFields, 'body'] as const;
  const changed = base ? compared.filter((field) => !same(base.content[field], theirs[field])) : [];
  throw conflict(page.changeId, versions, changed, given === 'deletion' ? given : 'If-Match');
}

/** Returns the edit to apply to the current state, given its base change. Refuses `edit-conflict`. */
export async function mergeOnto(
  { store, actor }: { store: Transaction; actor: Actor },
  page: Page,
  baseId: number,
  checked: CheckedInput,
): Promise<CheckedInput> {
  if (baseId === page.changeId) return checked;
  const versions = await versionsOf({ store, actor }, page, baseId, checked.given);
  // The base is no change of this page: merging is impossible, and overwriting could lose text.
  if (!versions.base || versions.base.content.erasedAt !== undefined)
    throw conflict(page.changeId, versions, ['base'], 'base');
  const { theirs } = versions;
  const base = versions.base.content;

  const { given, touching } = mergeFields(checked.given, base, theirs);
  let { parent } = checked;
  if (parent !== undefined && parent !== (page.parentId ?? 0) && theirs.parent !== base.parent) {
    const named = await pathNamed(store, parent);
    if (named === base.parent) parent = undefined;
    else if (named !== theirs.parent) touching.push('parent');
  }
  if (touching.length > 0) throw conflict(page.changeId, versions, touching, 'base');
  given.msg = withMergeNote(given.msg ?? '', page.changeId);
  const { parent: _, ...others } = checked;
  return { ...others, given, ...(parent === undefined ? {} : { parent }) };
}

/** Merges given fields, the parent aside. `touching`: fields that both sides changed. `budget`: for the body. */
export function mergeFields(
  yours: Given,
  base: Content,
  theirs: Content,
  budget?: MergeBudget,
): { given: Given; touching: string[] } {
  const given: Given = { ...yours };
  const touching: string[] = [];
  for (const field of wholeFields) {
    if (!(field in given) || same(given[field], theirs[field]) || same(base[field], theirs[field])) continue;
    if (same(given[field], base[field])) delete given[field];
    else touching.push(field);
  }
  if (given.body !== undefined) {
    const body = mergeBodies(given.body, base.body, theirs.body, budget);
    if (body === undefined) touching.push('body');
    else given.body = body;
  }
  return { given, touching };
}

/** Returns null for the root, and undefined if no page has the ID. */
async function pathNamed(
  store: Transaction,
  parent: string | number | null,
): Promise<string | null | undefined> {
  if (typeof parent === 'number') return parent === 0 ? null : (await lockPlace(store, parent))?.path;
  const read = readPath(parent ?? '');
  return 'path' in read ? read.path : null;
}

interface Versions {
  /** Null if it is no change of this page. */
  base: { change: number; content: PastContent } | null;
  theirs: Content;
  yours: Content;
}

async function versionsOf(
  { store, actor }: { store: Transaction; actor: Actor },
  page: Page,
  baseId: number,
  given: Given,
): Promise<Versions> {
  const content = (await store.readAs(actor).changes.find(page, baseId))?.content;
  // An ancestor may have moved since the latest change.
  const theirs: Content = { ...page.content, path: page.path };
  return {
    base: content ? { change: baseId, content } : null,
    theirs,
    yours: { ...(content ?? theirs), ...given },
  };
}

function conflict(
  changeId: number,
  { base, theirs, yours }: Versions,
  fields: string[],
  named: 'If-Match' | 'base' | 'deletion',
): Problem {
  const advice = {
    base: say('problem.nothingWasSavedMerge', { change: String(changeId) }),
    'If-Match': say('problem.nothingWasSavedStartAgain', { change: String(changeId) }),
    deletion: say('problem.nothingWasDeleted', { change: String(changeId) }),
  }[named];
  const reason = !base
    ? say('problem.notBasedOnThisPage', { what: named, change: String(changeId) })
    : named === 'base'
      ? say('problem.samePartsWereChanged', { change: String(base.change), fields: fields.join(', ') })
      : say('problem.thePageHasChangedSince', { change: String(base.change) });
  return new Problem('edit-conflict', sentences([reason, advice]), {
    details: { fields, base, theirs: { change: changeId, content: theirs }, yours: { content: yours } },
  });
}

function withMergeNote(msg: string, changeId: number): string {
  return msg === '' ? `Merged with change ${changeId}` : `${msg} (merged with change ${changeId})`;
}

/** The message without the note that merging added. */
export function withoutMergeNote(msg: string): string {
  return msg.replace(/^Merged with change \d+$| \(merged with change \d+\)$/, '');
}
