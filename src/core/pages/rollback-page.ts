/**
 * Brings back what a page said after an older change, as a new change: the fields that `page-fields.ts` marks, and the files. Files
 * that came later stay with the changes that name them. Where the page lies and who may read and write it stay as they are now:
 * going back in the text must not move a page, and must never open it to readers whom a later change shut out. `matches`, if
 * given, must name the page's latest change, or nothing is done (`edit-conflict`). Going back to what the page says already adds no
 * change.
 */

import { say } from '#words/say.ts';
import { restoredContent } from '../model/page-fields.ts';
import { checkInput } from '../model/page-input.ts';
import type { Actor } from '../model/permission.ts';
import { invalid, Problem } from '../model/problem.ts';
import type { HistoryWanted } from '../ports/reader.ts';
import type { Store } from '../ports/store.ts';
import { getReadable } from '../reading/find-page.ts';
import { applyEdit, lockWritable, type SavedPage } from './edit-page.ts';
import { refuseUnlessAt } from './merge-edit.ts';

export interface RollbackInput {
  to: number;
  msg?: string;
  matches?: number[] | undefined;
}

/** `history` selects how much history the result includes. */
export async function saveRollback(
  { store, actor, now }: { store: Store; actor: Actor; now: number },
  path: string,
  { to, msg, matches }: RollbackInput,
  history: HistoryWanted = 'none',
): Promise<SavedPage> {
  if (!actor) throw new Problem('unauthenticated', say('problem.signInToRestoreAnOlderVersion'));
  // Only edits may distinguish hidden pages from missing ones.
  await getReadable(store.readAs(actor), path);
  const { given } = checkInput(msg ? { msg } : {});
  const defaultMessage = `Restored change ${to}`;
  return store.transact(async (store) => {
    const page = await lockWritable(store, actor, path);
    const change = await store.readAs(actor).changes.find(page, to);
    if (!change)
      throw invalid('/to', say('problem.isNotAChangeOfThisPage2', { to: String(to) }), 'not-found');
    if (change.content.erasedAt !== undefined)
      throw invalid('/to', say('problem.changeWasErasedSoNothingOfIt', { to: String(to) }));
    const restored = { ...given, ...restoredContent(change.content) };
    if (matches) await refuseUnlessAt({ store, actor }, page, matches, restored);
    return applyEdit(
      { store, actor, now },
      page,
      { given: restored, files: [], defaultMessage },
      { prepared: [], history },
    );
  });
}
