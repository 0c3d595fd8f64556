/**
 * Signatures of an erased member (`~~~~`). The wiki wrote them itself, as links with the ID of the member, so it finds every one in
 * every version and replaces the name.
 */

import { lockedState } from '#core/pages/page-state.ts';
import type { Transaction } from '#core/ports/store.ts';
import { rewriteChanges } from './rewrite-changes.ts';

/**
 * Puts the name into every signature of the member in all versions, and derives their current pages anew. In the transaction of
 * the caller.
 */
export async function eraseSignatures(store: Transaction, memberId: number, name: string): Promise<void> {
  const signature = new RegExp(`(\\[\\[Special:Redirect/user/${memberId}\\|)[^\\]\\n]*(?=\\]\\])`, 'g');
  const signed = store.erasure.contentsSignedBy(memberId);
  const pageIds = await rewriteChanges(store, signed, (content) => ({
    ...content,
    body: content.body.replace(signature, `$1${name}`),
  }));
  // Descriptions and the search index follow the current text.
  for (const id of pageIds) {
    const locked = await lockedState(store, id);
    if (!locked) continue;
    const { page, state, derived } = locked;
    await store.maintenance.rewriteDerivedColumns(id, state);
    await store.links.saveDerived({ id, ...state }, derived, { titles: [], paths: [page.path] });
  }
}
