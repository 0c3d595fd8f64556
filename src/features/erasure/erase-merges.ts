/**
 * Name of an erased member in the messages of merged proposals, which the wiki wrote itself: `(proposal 3 by Ann, approved by Bob,
 * merged by Cem)`. Each merge keeps the names that it wrote, because members change theirs; older merges are searched for the
 * present name.
 */
import type { Transaction } from '#core/ports/store.ts';
import { rewriteChanges } from './rewrite-changes.ts';

/** Puts the name for the member into messages that merges of proposals wrote, also of those under an earlier name. */
export async function eraseMerges(
  store: Transaction,
  member: { id: number; name: string },
  name: string,
): Promise<void> {
  const written = await store.erasure.namesInMerges(member.id);
  const without = (msg: string) =>
    msg.replace(/\(proposal (\d+) by .*\)$/s, (note, id) => {
      const had = RegExp.escape(written.get(Number(id)) ?? member.name);
      return note.replace(
        new RegExp(`(by |, )${had}(?=[,)])`, 'g'),
        (_: string, before: string) => before + name,
      );
    });
  const merged = store.erasure.contentsMergedWith(member.id);
  await rewriteChanges(store, merged, (content) => {
    const msg = without(content.msg);
    return msg === content.msg ? content : { ...content, msg };
  });
  await store.erasure.rewriteMessagesOfMerges(member.id, without);
  await store.erasure.forgetNamesInMerges(member.id, name);
}
