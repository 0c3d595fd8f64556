/**
 * Name of an erased member in the messages of merged proposals, which the wiki wrote itself: `(proposal 3 by Ann, approved by Bob,
 * merged by Cem)`.
 */
import type { Transaction } from '../ports/store.ts';
import { rewriteChanges } from './rewrite-changes.ts';

export async function eraseMerges(
  store: Transaction,
  member: { id: number; name: string },
  name: string,
): Promise<void> {
  const named = new RegExp(`(by |, )${RegExp.escape(member.name)}(?=[,)])`, 'g');
  const without = (msg: string) =>
    msg.replace(/\(proposal \d+ by .*\)$/s, (note) => note.replace(named, (_, before) => before + name));
  const merged = store.erasure.contentsMergedWith(member.id);
  await rewriteChanges(store, merged, (content) => {
    const msg = without(content.msg);
    return msg === content.msg ? content : { ...content, msg };
  });
  await store.erasure.rewriteMessagesOfMerges(member.id, without);
}
