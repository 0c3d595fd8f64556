/**
 * Undoes all changes that a member made to pages since a time, as one operation by a moderator. Each page gets one change that
 * restores what it said before, with later edits by others kept. As with a rollback, positions and permissions are not changed.
 * Pages that the member created since then and nobody else edited go to the trash. Conflicts are left alone and reported.
 */

import { say } from '#words/say.ts';
import { mergeBodies } from '../content/merge-bodies.ts';
import type { Content, MemberName, Page } from '../model/page.ts';
import { mayModeratePage } from '../model/page-access.ts';
import { readGiven, restoredContent, same } from '../model/page-fields.ts';
import { type Actor, everything, visibilityOf } from '../model/permission.ts';
import { invalid, Problem } from '../model/problem.ts';
import type { Run, Store, Transaction } from '../ports/store.ts';
import { applyEdit } from './edit-page.ts';
import { refuseProtected } from './protection.ts';

export interface UndoInput {
  /** Milliseconds since 1970: changes at or after that time. */
  since: number;
  msg?: string | undefined;
  isDry?: boolean | undefined;
}

export interface UndonePage {
  id: number;
  path: string;
  title: string;
  /** Number of the member's changes of this page since then. */
  changes: number;
  /**
   * `undone`: the earlier text is restored. `merged`: it is restored, with others' later changes. `conflict`: others changed
   * the same text, or the earlier text was erased. `deleted`: the page is in the trash. `left`: the page contains nothing of
   * theirs any more, or only its position changed, or the member created it and others edited it or have pages beneath it.
   */
  outcome: 'undone' | 'merged' | 'conflict' | 'deleted' | 'left';
}

export interface Undone {
  member: MemberName;
  pages: UndonePage[];
  /** Number of further, older pages beyond the limit; a repeated request handles them. */
  more: number;
}

const maxPagesUndone = 1000;
/** Maximum number of alternations between the member and others; the contents of each are read. */
const maxRuns = 50;
/** Work before other requests have a turn, in milliseconds. */
const turnMs = 5;

/**
 * With `isDry`, nothing changes, but the result is the same. For moderators. Refuses `unauthenticated`, `not-found` for the
 * member and `invalid`.
 */
export async function undoChanges(
  { store, actor, now }: { store: Store; actor: Actor; now: number },
  memberId: number,
  { since, msg, isDry = false }: UndoInput,
): Promise<Undone> {
  if (!Number.isSafeInteger(since) || since < 0)
    throw invalid('/since', say('problem.saySinceWhenAsATimeSuch'));
  if (since > now) throw invalid('/since', say('problem.theTimeMustBeInThePast'));
  const given = readGiven(msg ? { msg } : {}, (field, detail) => {
    throw invalid(`/${field}`, detail);
  });
  const message = given.msg ?? `Undid changes of member ${memberId} since ${new Date(since).toISOString()}`;
  return store.transact(async (store) => {
    if (!actor) throw new Problem('unauthenticated', say('problem.signInAsAModeratorToUndo'));
    const member = await store.members.findById(memberId);
    if (!member) throw new Problem('not-found', say('problem.memberNotFound'));
    const seen = actor.isAdmin ? everything : visibilityOf(actor, store);
    const found = await store.pages.runsOf(memberId, since, maxPagesUndone, seen);
    const pages: UndonePage[] = [];
    const deleted = new Set<number>();
    let turnEnds = performance.now() + turnMs;
    for (const { pageId, changes, runs } of found.pages) {
      if (performance.now() > turnEnds) {
        await new Promise((resolve) => setImmediate(resolve));
        turnEnds = performance.now() + turnMs;
      }
      const page = await store.pages.lockById(pageId, 'update');
      // A token may be limited to a subtree, and moderators may only change pages that they may write or that anyone may read.
      if (!page || !mayModeratePage(actor, page, store)) continue;
      await refuseProtected({ store, actor, now }, page);
      const outcome = await undoPage({ store, actor }, page, runs, { deleted, message, isDry, now });
      pages.push({ id: page.id, path: page.path, title: page.title, changes, outcome });
    }
    const changed = pages.filter(({ outcome }) => outcome !== 'left' && outcome !== 'conflict').length;
    if (isDry || changed === 0) store.pages.keep();
    if (!isDry) {
      const note = `since ${new Date(since).toISOString()}: ${changed === 1 ? '1 page' : `${changed} pages`}`;
      await store.audit.record({ kind: 'changes-undone', subject: { kind: 'member', id: memberId }, note });
    }
    return { member: { id: member.id, name: member.name }, pages, more: found.total - found.pages.length };
  });
}

interface Undoing {
  /** IDs of pages that went to the trash, or would. */
  deleted: Set<number>;
  message: string;
  isDry: boolean;
  now: number;
}

async function undoPage(
  { store, actor }: { store: Transaction; actor: NonNullable<Actor> },
  page: Page,
  runs: readonly Run[],
  { deleted, message, isDry, now }: Undoing,
): Promise<UndonePage['outcome']> {
  const isLatest = runs.at(-1)?.last === page.changeId;
  if (runs[0]?.before === null) {
    if (!isLatest || runs.length > 1) return 'left';
    const subtree = await store.trash.lockSubtree(page.id);
    if (subtree.some(({ id }) => id !== page.id && !deleted.has(id))) return 'left';
    deleted.add(page.id);
    if (!isDry) await store.trash.put(page.id, [page.id], { at: now, by: actor.memberId });
    return 'deleted';
  }
  if (runs.length > maxRuns) return 'conflict';
  const current = restoredContent(page.content);
  const restored = await contentWithout({ store, actor }, page, runs, current);
  if (!restored) return 'conflict';
  if (same(restored, current)) return 'left';
  if (!isDry) {
    const given = { ...restored, msg: message };
    await applyEdit({ store, actor, now }, page, { given, files: [] }, { prepared: [], history: 'none' });
  }
  return isLatest && runs.length === 1 ? 'undone' : 'merged';
}

/** Undoes the latest run first, so that text that others wrote between two runs is kept. Returns undefined on a conflict. */
async function contentWithout(
  { store, actor }: { store: Transaction; actor: Actor },
  page: Page,
  runs: readonly Run[],
  current: Partial<Content>,
): Promise<Partial<Content> | undefined> {
  const { changes } = store.readAs(actor);
  let content: Partial<Content> | undefined = current;
  for (const { before, last } of runs.toReversed()) {
    const [was, made] = [await changes.find(page, before ?? 0), await changes.find(page, last)];
    if (!was || !made || was.content.erasedAt !== undefined || made.content.erasedAt !== undefined)
      return undefined;
    content = takenBack(content, restoredContent(was.content), restoredContent(made.content));
    if (!content) return undefined;
  }
  return content;
}

/** Three-way merge: bodies by lines, other fields as a whole. */
function takenBack(
  current: Partial<Content>,
  was: Partial<Content>,
  made: Partial<Content>,
): Partial<Content> | undefined {
  const restored: Record<string, unknown> = { ...current };
  for (const field of Object.keys(was) as (keyof Content)[]) {
    if (same(was[field], made[field]) || same(was[field], current[field])) continue;
    if (same(made[field], current[field])) restored[field] = was[field];
    else if (field !== 'body') return undefined;
    else restored.body = mergeBodies(was.body ?? '', made.body ?? '', current.body ?? '');
    if (field === 'body' && restored.body === undefined) return undefined;
  }
  return restored;
}
