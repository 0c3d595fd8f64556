/** Proposals in JSON lines: with the changes that the exporting reader may see, on pages of the export. */
import { isoTime } from '#core/model/iso-time.ts';
import { type Actor, visibilityOf } from '#core/model/permission.ts';
import type { TreePosition } from '#core/ports/list-reads.ts';
import type {
  ChangeRow,
  ProposalRow,
  ProposedFields,
  ProposedFile,
  Review,
} from '#core/ports/proposal-store.ts';
import type { Reader } from '#core/ports/reader.ts';
import type { Store } from '#core/ports/store.ts';

const proposalsAtOnce = 10;

export interface ExportedProposal {
  proposal: ProposalRow;
  changes: (ChangeRow & { fields: ProposedFields; files: ProposedFile[] })[];
  reviews: Review[];
}

/** The next proposals by ID. A fixed number of statements. */
export async function proposalsAfter(
  store: Pick<Store, 'proposals'>,
  reader: Reader,
  after: number,
): Promise<ExportedProposal[]> {
  const { actor } = reader;
  if (actor === null) return [];
  const seesRoot = actor.role !== 'guest' && actor.within === undefined;
  const readerOf = {
    memberId: actor.within === undefined ? actor.memberId : null,
    visibility: visibilityOf(actor, reader),
    seesRoot,
  };
  const range = { limit: proposalsAtOnce, offset: 0 };
  const { proposals } = await store.proposals.list(readerOf, { after }, range);
  const ids = proposals.map(({ id }) => id);
  const all = await store.proposals.changesOf(ids);
  const shownWith = [...new Set(all.flatMap((change) => change.shownWith ?? []))];
  const reviews = await store.proposals.reviewsOf(ids);
  for (const { on } of [...reviews.values()].flat()) if (on?.shownWith) shownWith.push(on.shownWith);
  const pages = new Set((await reader.pages.states([...new Set(shownWith)])).map(({ id }) => id));
  const isSeen = ({ shownWith }: { shownWith: number | null }) =>
    shownWith === null ? seesRoot : pages.has(shownWith);
  const seen = all.filter(isSeen);
  const [fields, files] = await Promise.all([store.proposals.fieldsOf(seen), store.proposals.filesOf(ids)]);
  return proposals.map((proposal) => ({
    proposal,
    changes: seen
      .filter(({ proposalId }) => proposalId === proposal.id)
      .map((change) => ({
        ...change,
        fields: fields.get(`${change.proposalId}/${change.n}`) ?? {},
        files: files.filter(({ proposalId, n }) => proposalId === change.proposalId && n === change.n),
      })),
    reviews: (reviews.get(proposal.id) ?? []).filter(({ on }) => on === null || isSeen(on)),
  }));
}

interface Proposing {
  reader(): Reader;
  proposals?(reader: Reader, after: number): Promise<ExportedProposal[]>;
}

/** Yields records of proposals, each with those of its files. `top`: as in `exportLines`. */
export async function* proposalRecords(
  source: Proposing,
  top: TreePosition | null,
): AsyncGenerator<{ record: object; files: { file: ProposedFile; record: ProposedFileRecord }[] }> {
  for (let after = 0; ; ) {
    const reader = source.reader();
    const some = (await source.proposals?.(reader, after)) ?? [];
    const shown = some.flatMap(({ changes, reviews }) =>
      [...changes, ...reviews.flatMap(({ on }) => on ?? [])].flatMap(({ shownWith }) => shownWith ?? []),
    );
    const pages = top === null ? [] : await reader.pages.states([...new Set(shown)]);
    const inside = new Set(
      pages.flatMap(({ id, trail }) => (id === top?.id || trail.includes(top?.id ?? 0) ? id : [])),
    );
    for (const one of some) {
      const isInside = ({ shownWith }: { shownWith: number | null }) =>
        top === null || inside.has(shownWith ?? 0);
      const changes = one.changes.filter(isInside);
      const reviews = one.reviews.filter(({ on }) => on === null || isInside(on));
      if (changes.length > 0)
        yield {
          record: recordOf({ ...one, changes, reviews }, reader.actor),
          files: changes.flatMap(({ files }, n) =>
            files.map((file) => ({ file, record: fileRecord(file, n) })),
          ),
        };
    }
    const last = some.at(-1);
    if (!last) return;
    after = last.proposal.id;
  }
}

function recordOf({ proposal, changes, reviews }: ExportedProposal, actor: Actor): object {
  const { id, title, text, state, author, invited, createdAt, updatedAt, revision } = proposal;
  const { mergedAt, mergedBy, stranger } = proposal;
  return {
    kind: 'proposal',
    id,
    title,
    text,
    state,
    author,
    revision,
    created: isoTime(createdAt),
    updated: isoTime(updatedAt),
    ...(stranger === null ? {} : { stranger }),
    // Others are not told who is invited.
    ...(invited.length > 0 && actor?.memberId === author.id ? { invited } : {}),
    ...(mergedAt === null ? {} : { merged: isoTime(mergedAt), mergedBy }),
    changes: changes.map(({ action, path, pageId: page, shownWith, base, fields, files }) => ({
      action,
      path,
      page,
      shownWith,
      base,
      fields,
      ...(files.length > 0 ? { files: files.map(({ filename }) => filename) } : {}),
    })),
    reviews: reviews.map(({ member, verdict, text, at, revision, on }) => ({
      member,
      verdict,
      text,
      at: isoTime(at),
      revision,
      ...(on ? { on } : {}),
    })),
  };
}

type ProposedFileRecord = ReturnType<typeof fileRecord>;

/** `change`: position among the exported changes of the proposal before it. */
function fileRecord(
  { name, filename, hash, mime, sizeBytes, uploadedAt, uploaderId }: ProposedFile,
  change: number,
) {
  return {
    kind: 'proposal-file',
    name,
    change,
    filename,
    hash,
    mime,
    size: sizeBytes,
    uploaded: isoTime(uploadedAt),
    uploader: uploaderId,
  };
}
