/**
 * Writes the rules and proposals of an export, after its pages and their access. Proposals that are there already are not written again.
 * None of them merges by itself here.
 */

import { prepareFiles } from '#core/files/attach-files.ts';
import { cleanFilename } from '#core/model/filename.ts';
import { checkInput, type PageInput } from '#core/model/page-input.ts';
import { readPath } from '#core/model/path.ts';
import { Problem } from '#core/model/problem.ts';
import { type NewFile, type ProposedChange, proposedFieldNames } from '#core/ports/proposal-store.ts';
import { Lines } from './lines.ts';
import type { LinesOutline } from './outline.ts';
import type { LineOf } from './records.ts';
import type { LinesWriting } from './write.ts';

export async function writeProposals(writing: LinesWriting, path: string): Promise<void> {
  const lines = new Lines(path);
  /** The proposal whose files are being read. */
  let proposal: LineOf<'proposal'> | undefined;
  let files = new Map<string, NewFile>();
  for (let line = await lines.next(); line; line = await lines.next()) {
    if (line.kind === 'bytes') continue;
    if (line.kind === 'proposal-file') {
      const isOpen = proposal?.state === 'draft' || proposal?.state === 'open';
      const isNamed = isOpen && proposal?.changes[line.change]?.files?.includes(line.filename) === true;
      const file = isNamed && (await readFile(writing, line, lines));
      if (file) files.set(placeOf(line.change, line.filename), file);
      continue;
    }
    if (proposal) await writeProposal(writing, proposal, files);
    proposal = line.kind === 'proposal' ? line : undefined;
    files = new Map();
    if (line.kind === 'page' && line.rule) await writeRule(writing, line);
  }
}

const placeOf = (change: number, filename: string) => `${change}/${filename}`;

/** Stores the bytes that follow. Undefined, with a line in the certificate, for bytes that are damaged or too many. */
async function readFile(
  { files, people, ledger, maxFileBytes }: LinesWriting,
  { name, filename, hash, uploaded, uploader, missing }: LineOf<'proposal-file'>,
  lines: Lines,
): Promise<NewFile | undefined> {
  if (missing) return undefined;
  const bytes = lines.bytes(name);
  try {
    const blob = await files.store.put(bytes, maxFileBytes);
    if (blob.hash !== hash) throw new Problem('invalid', 'its bytes are damaged');
    const uploaderId = await people.idOf({ id: uploader });
    const file = { filename: cleanFilename(filename) || 'file', blob };
    const [prepared] = await prepareFiles(files, [{ file }], uploaderId, Date.parse(uploaded));
    ledger.result.files++;
    return prepared;
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'unavailable') throw error;
    for await (const _ of bytes);
    ledger.leaveOut({ source: filename, why: error.message, isRefusal: true });
    return undefined;
  }
}

/** The larger number of approvals counts. The group is that of the file; a file without one leaves the group that is here. */
async function writeRule(
  { store, outline, people }: LinesWriting,
  { id, rule }: LineOf<'page'>,
): Promise<void> {
  const pageId = outline.pages.get(id)?.newId;
  if (pageId === undefined || !rule) return;
  const group = await people.groupOf(rule.group);
  await store.transact(async (store) => {
    const page = await store.pages.lockById(pageId, 'update');
    if (!page) return store.pages.keep();
    const approvals = Math.max(rule.approvals, page.rule?.approvals ?? 0);
    const groupId = group?.id ?? page.rule?.group;
    if (page.rule?.approvals === approvals && page.rule.group === groupId) return store.pages.keep();
    await store.pages.setRule(page, { approvals, ...(groupId === undefined ? {} : { group: groupId }) });
  });
}

async function writeProposal(
  { store, outline, people, ledger }: LinesWriting,
  line: LineOf<'proposal'>,
  files: ReadonlyMap<string, NewFile>,
): Promise<void> {
  const source = `proposal “${line.title}”`;
  const filesOf = ({ files: names = [] }: (typeof line.changes)[number], n: number) =>
    names.flatMap((filename) => files.get(placeOf(n, filename)) ?? []);
  const changes = line.changes.flatMap((change, n) => changeOf(change, filesOf(change, n), outline) ?? []);
  if (changes.length < line.changes.length)
    ledger.leaveOut({
      source,
      why: 'some of its changes are not valid, or concern pages that are not in the file',
    });
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
  files: readonly NewFile[],
  { pages, keepsIds }: LinesOutline,
): ProposedChange | undefined {
  const newIdOf = (id: number | null) => (id === null ? null : pages.get(id)?.newId);
  const [pageId, shown] = [newIdOf(page), newIdOf(shownWith)];
  const read = readPath(path);
  if (pageId === undefined || shown === undefined || !('path' in read)) return undefined;
  if (pages.get(shownWith ?? 0)?.isApart) return undefined;
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
    // A move or a deletion has none.
    files: action === 'create' || action === 'edit' ? files : [],
    // Elsewhere changes have other IDs, so a merge compares nothing with them.
    base: action === 'create' || !keepsIds ? null : base,
    fields: { ...known, ...subtree },
  };
}
