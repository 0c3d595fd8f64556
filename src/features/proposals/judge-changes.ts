/**
 * Compares the changes of proposals with the present pages: which of them the reader may see, and which would conflict if they were
 * merged now. A fixed number of statements for any number of proposals. Only texts of pages that have changed since are read, up to a
 * limit; what is longer counts as unknown, and merging decides.
 */
import { maxPairs } from '#core/content/merge-bodies.ts';
import type { Content, PastContent } from '#core/model/page.ts';
import { checkInput } from '#core/model/page-input.ts';
import { childPath, readPath } from '#core/model/path.ts';
import { mergeFields } from '#core/pages/merge-edit.ts';
import type { ChangeRow, ProposalRow, ProposedFields, ProposedFile } from '#core/ports/proposal-store.ts';
import type { PageRow, Reader } from '#core/ports/reader.ts';
import type { Store } from '#core/ports/store.ts';
import { isOwn, seesRoot } from './proposals.ts';

/** Maximum length of all fields, and of all texts of pages, that are compared at once. */
const maxComparedBytes = 16_000_000;
/** Maximum work of merging texts to see whether they conflict. */
const maxComparedPairs = 3 * maxPairs;

/** The three versions of a conflict, as an edit conflict has them. */
export interface Versions {
  base: { change: number; content: PastContent } | null;
  theirs: { change: number; content: Content } | null;
  yours: { content: Content } | { fields: ProposedFields } | null;
}

export interface JudgedChange extends ChangeRow {
  /** The present page; undefined for a new one, and if the reader cannot see it. */
  page: PageRow | undefined;
  conflict: boolean | 'unknown';
  /** Parts of the page that both sides changed, or `path`. */
  touching: string[];
  /** Present if they were read to find the conflict. */
  versions?: Versions;
  fields?: ProposedFields;
  /** Present with the fields of a single proposal. */
  files: readonly ProposedFile[];
}

export interface Judged {
  proposal: ProposalRow;
  /** The changes that the reader may see. */
  changes: JudgedChange[];
  /** Whether the reader sees all of them. */
  isWhole: boolean;
}

/** `withFields`: adds the fields and files of all changes, for a single proposal. */
export async function judge(
  { proposals: rows }: Pick<Store, 'proposals'>,
  reader: Reader,
  proposals: readonly ProposalRow[],
  { withFields = false } = {},
): Promise<Judged[]> {
  const { actor } = reader;
  const ids = proposals.map(({ id }) => id);
  const [all, files] = await Promise.all([rows.changesOf(ids), withFields ? rows.filesOf(ids) : []]);
  const filesOf = ({ proposalId, n }: ChangeRow) =>
    files.filter((file) => file.proposalId === proposalId && file.n === n);
  const shownWith = [...new Set(all.flatMap((change) => change.shownWith ?? []))];
  const pages = new Map((await reader.pages.states(shownWith)).map((page) => [page.id, page]));
  const seen = ({ shownWith }: ChangeRow) => (shownWith === null ? seesRoot(actor) : pages.has(shownWith));
  const judged = proposals.map((proposal): Judged => {
    const own = all.filter(({ proposalId }) => proposalId === proposal.id);
    const shown = isOwn(actor, proposal) ? own : own.filter(seen);
    return {
      proposal,
      changes: shown.map((change) => ({
        ...change,
        conflict: false,
        touching: [],
        files: filesOf(change),
        page: change.pageId === null ? undefined : pages.get(change.pageId),
      })),
      isWhole: shown.length === own.length,
    };
  });
  const changes = judged.flatMap(({ changes }) => changes);
  const unfinished = judged.filter(({ proposal: { state } }) => state === 'open' || state === 'draft');
  const stale = unfinished.flatMap(({ changes }) => changes.filter(isStale));
  const moves = unfinished.flatMap(({ changes }) => changes.filter(({ action }) => action === 'move'));
  const wanted = withFields ? changes : affordable([...new Set([...moves, ...stale])]);
  const fields = await rows.fieldsOf(wanted);
  for (const change of wanted) {
    const found = fields.get(`${change.proposalId}/${change.n}`);
    if (found) change.fields = found;
  }
  await compareStale(reader, stale);
  await compareAddresses(rows, unfinished);
  return judged;
}

/** Whether the page has changed since the proposal, or is gone. */
function isStale({ action, page, base }: JudgedChange): boolean {
  return action !== 'create' && page?.changeId !== base;
}

/** The first changes whose fields are not too long together. */
function affordable(changes: JudgedChange[]): JudgedChange[] {
  let bytes = 0;
  return changes.filter((change) => {
    bytes += change.bytes;
    return bytes <= maxComparedBytes;
  });
}

async function compareStale(reader: Reader, stale: readonly JudgedChange[]): Promise<void> {
  const present = stale.flatMap((change) => (change.page ? [{ change, page: change.page }] : []));
  for (const change of stale) {
    if (change.page) continue;
    change.conflict = true;
    change.touching = ['path'];
    change.versions = { base: null, theirs: null, yours: change.fields ? { fields: change.fields } : null };
  }
  if (present.length === 0) return;
  const marks = present.flatMap(({ change, page }) => [
    { page, changeId: (change.base ?? 0) + 1 },
    { page, changeId: page.changeId + 1 },
  ]);
  const found = await reader.changes.listBefore(marks, Math.floor(maxComparedBytes / marks.length));
  let pairsLeft = maxComparedPairs;
  for (const [i, { change, page }] of present.entries()) {
    await new Promise((resolve) => setImmediate(resolve));
    const [base, now] = [found[2 * i], found[2 * i + 1]];
    if (!now || !change.fields || !base) {
      // Without its base, which may be hidden, an edit can only be made anew.
      change.conflict = change.action === 'delete' || 'unknown';
      change.touching = ['base'];
      continue;
    }
    const theirs: Content = { ...now.content, path: page.path };
    const isBase = base.id === change.base && base.content.erasedAt === undefined;
    const { given } = checkInput(inputOf(change.fields));
    const versions = {
      base: isBase ? { change: base.id, content: base.content } : null,
      theirs: { change: now.id, content: theirs },
      yours: { content: { ...(isBase ? base.content : theirs), ...given } as Content },
    };
    const allowed = Math.min(maxPairs, pairsLeft);
    const budget = { pairs: allowed };
    change.touching = !isBase
      ? ['base']
      : change.action === 'delete'
        ? ['deletion']
        : [
            ...mergeFields(given, base.content, theirs, budget).touching,
            ...parentConflict(change.fields, base.content, theirs),
          ];
    pairsLeft -= allowed - Math.max(0, budget.pairs);
    if (budget.pairs < 0 && allowed < maxPairs) {
      change.conflict = 'unknown';
      continue;
    }
    change.conflict = change.touching.length > 0;
    if (change.conflict) change.versions = versions;
  }
}

function parentConflict({ parent }: ProposedFields, base: Content, theirs: Content): string[] {
  if (parent === undefined || base.parent === theirs.parent) return [];
  const read = typeof parent === 'string' ? readPath(parent) : undefined;
  const named = read && 'path' in read ? read.path : null;
  return named === base.parent || named === theirs.parent ? [] : ['parent'];
}

/** Addresses of new and moved pages that other pages have. */
async function compareAddresses(rows: Store['proposals'], judged: readonly Judged[]): Promise<void> {
  const wanted = judged.flatMap(({ changes }) =>
    changes.flatMap((change) => {
      const path = addressOf(change);
      return path === undefined ? [] : [{ change, path, leaving: leaving(changes) }];
    }),
  );
  const taken = new Map(
    (await rows.takenAmong([...new Set(wanted.map(({ path }) => path))])).map(({ path, id }) => [path, id]),
  );
  for (const { change, path, leaving } of wanted) {
    const by = taken.get(path);
    if (by === undefined || by === change.pageId || leaving.has(by)) continue;
    change.conflict = true;
    change.touching = [...change.touching, 'path'];
    change.versions ??= { base: null, theirs: null, yours: change.fields ? { fields: change.fields } : null };
  }
}

/** Pages whose addresses become free. */
function leaving(changes: readonly JudgedChange[]): Set<number> {
  return new Set(
    changes.flatMap(({ action, pageId }) =>
      pageId !== null && (action === 'move' || action === 'delete') ? [pageId] : [],
    ),
  );
}

function addressOf({ action, path, page, fields }: JudgedChange): string | undefined {
  if (action === 'create') return path;
  if (action === 'delete' || !page || !fields) return undefined;
  if (fields.path) return fields.path;
  if (fields.parent === undefined) return undefined;
  const read = readPath(childPath((fields.parent as string | null) ?? null, fields.slug ?? page.slug));
  return 'path' in read ? read.path : undefined;
}

/** Fields in the form of an edit. */
export function inputOf({ subtree: _, ...fields }: ProposedFields): Omit<ProposedFields, 'subtree'> {
  return fields;
}
