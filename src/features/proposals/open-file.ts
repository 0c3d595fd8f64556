/** Files of proposals, for members who may see the change that attaches them. */
import type { OpenFile } from '#core/files/open-file.ts';
import type { Actor } from '#core/model/permission.ts';
import type { Store } from '#core/ports/store.ts';
import { isOwn, mayKnow, seesRoot } from './proposals.ts';

/** At most four statements. */
export async function openProposedFile(
  store: Store,
  actor: Actor,
  name: string,
): Promise<OpenFile | undefined> {
  const file = actor === null ? undefined : await store.proposals.findFile(name);
  const proposal = file && (await store.proposals.find(file.proposalId));
  if (!proposal || !mayKnow(actor, proposal)) return undefined;
  if (!isOwn(actor, proposal)) {
    const change = (await store.proposals.changesOf([proposal.id])).find(({ n }) => n === file.n);
    if (!change) return undefined;
    const { shownWith } = change;
    if (shownWith === null && !seesRoot(actor)) return undefined;
    if (shownWith !== null && (await store.readAs(actor).pages.states([shownWith])).length === 0)
      return undefined;
  }
  const shared = { isPublic: false, pageId: 0 };
  const { filename, hash, mime, sizeBytes, thumbnailHash, thumbnailMime } = file;
  if (name === file.name) return { ...shared, hash, mime, filename, sizeBytes, isThumbnail: false };
  if (thumbnailHash === null || thumbnailMime === null) return undefined;
  const thumbnail = { hash: thumbnailHash, mime: thumbnailMime, filename: `${filename}.webp` };
  return { ...shared, ...thumbnail, sizeBytes: undefined, isThumbnail: true };
}
