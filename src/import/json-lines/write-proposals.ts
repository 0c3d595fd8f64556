/**
 * Writes the rules and proposals of an export, after its pages and their access. Proposals that are there already are not written again.
 * None of them merges by itself here.
 */
import { checkInput, type PageInput } from '#core/model/page-input.ts';
import { readPath } from '#core/model/path.ts';
import { Problem } from '#core/model/problem.ts';
import { type ProposedChange, proposedFieldNames } from '#core/ports/proposal-store.ts';
import type { Store } from '#core/ports/store.ts';
import type { Ledger } from '../certificate.ts';
import type { LinesOutline } from './outline.ts';
import type { People } from './people.ts';
import { type LineOf, linesOf } from './records.ts';

export async function writeProposals(
  store: Store,
  path: string,
  outline: LinesOutline,
  people: People,
  ledger: Ledger,
): Promise<void> {
  for await (const line of linesOf(path)) {
    if (line.kind === 'page' && line.rule) await writeRule(store, outline, people, line);
    else if (line.kind === 'proposal') await writeProposal(store, outline, people, ledger, line);
  }
}

/** A page that has a rule here keeps it. */
async function writeRule(
  store: Store,
  { pages }: LinesOutline,
  people: People,
  { id, rule }: LineOf<'page'>,
): Promise<void> {
  const pageId = pages.get(id)?.newId;
  if (pageId === undefined || !rule) return;
  const group = await people.groupOf(rule.group);
  await store.transact(async (store) => {
    const page = await store.pages.lockById(pageId, 'update');
    if (!page || page.rule) return store.pages.keep();
    await store.pages.setRule(page, { approvals: rule.approvals, ...(group ? { group: group.id } : {}) });
  });
}

async function writeProposal(
  store: Store,
  outline: LinesOutline,
  people: People,
  ledger: Ledger,
  line: LineOf<'proposal'>,
): Promise<void> {
  const source = `proposal “${line.title}”`;
  const changes = line.changes.flatMap((change) => changeOf(change, outline) ?? []);
  if (changes.length < line.changes.length)
    ledger.leaveOut({
      source,
      why: 'some of its changes are not valid, or concern pages that are not in the file',
    });
  if (line.changes.some(({ files = [] }) => files.length > 0))
    ledger.leaveOut({ source, why: 'files of proposals are not part of exports' });
  if (changes.length === 0) return;
  const { title, text, state, revision, merged, mergedBy } = line;
  const reviews = [];
  for (const { member, verdict, text, at, revision, on: there } of line.reviews) {
    const shownWith = there?.shownWith == null ? null : outline.pages.get(there.shownWith)?.newId;
    if (shownWith === undefined) continue;
    const on = there ? { ...there, shownWith } : null;
    reviews.push({ memberId: await people.idOf(member), verdict, text, at: Date.parse(at), revision, on });
  }
  const invited = [];
  for (const id of line.invited ?? []) invited.push(await people.idOf({ id }));
  const proposal = {
    title,
    text,
    state,
    revision,
    changes,
    reviews,
    authorId: await people.idOf(line.author),
    invited,
    stranger: line.stranger ?? null,
    createdAt: Date.parse(line.created),
    updatedAt: Date.parse(line.updated),
    mergedAt: merged === undefined ? null : Date.parse(merged),
    mergedBy: mergedBy ? await people.idOf(mergedBy) : null,
  };
  await store.transact((store) => store.proposals.bringBack(proposal));
}

/** Undefined for a change that could not be shown here, or that more members could see than there. */
function changeOf(
  { action, path, page, shownWith, base, fields: given }: LineOf<'proposal'>['changes'][number],
  { pages, keepsIds }: LinesOutline,
): ProposedChange | undefined {
  const newIdOf = (id: number | null) => (id === null ? null : pages.get(id)?.newId);
  const [pageId, shown] = [newIdOf(page), newIdOf(shownWith)];
  const read = readPath(path);
  if (pageId === undefined || shown === undefined || !('path' in read)) return undefined;
  if (action !== 'create' && (pageId === null || shown !== pageId)) return undefined;
  const known = Object.fromEntries(
    [...proposedFieldNames, 'path' as const].flatMap((name) =>
      given[name] === undefined ? [] : [[name, given[name]]],
    ),
  ) as PageInput;
  try {
    checkInput(known);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
  const subtree = action === 'delete' && given.subtree === true ? { subtree: true } : {};
  return {
    action,
    path: read.path,
    pageId,
    shownWith: shown,
    files: [],
    // Elsewhere changes have other IDs, so a merge compares nothing with them.
    base: action === 'create' || !keepsIds ? null : base,
    fields: { ...known, ...subtree },
  };
}
