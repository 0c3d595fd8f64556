/**
 * Erasure, for legal and safety reasons: permanently removes content from the history, or data that identifies a member. The
 * record of who changed what and when is kept, and the fact of the erasure; the erased text is gone from all tables, indexes,
 * logs, files and caches of the wiki.
 *
 * A page always shows its latest change. If that one is erased, its remaining content is first saved as a new change: that of
 * the latest change that is not erased. Erasing all content of a page is refused.
 */

import { plainText } from '@coppice/wikitext';
import { refuseLastAdministrator } from '#core/members/last-administrator.ts';
import type { Content, Page, PastContent } from '#core/model/page.ts';
import { initialContent, restoredContent } from '#core/model/page-fields.ts';
import { madeSlugOf, readPath } from '#core/model/path.ts';
import type { Actor } from '#core/model/permission.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import { getAdministrator } from '#core/operations/get-administrator.ts';
import { applyEdit } from '#core/pages/edit-page.ts';
import type { Backup, Erasing } from '#core/ports/erasing.ts';
import type { Transaction } from '#core/ports/store.ts';
import { refuseMissing } from '#core/reading/find-page.ts';
import { say } from '#words/say.ts';
import { eraseMerges } from './erase-merges.ts';
import { eraseSignatures } from './erase-signatures.ts';
import { finishErasures } from './finish-erasures.ts';
import {
  addressWithout,
  forgetAddressBeneath,
  isMadeFrom,
  lastSegment,
  withoutAddress,
} from './forget-address.ts';
import { remainingPlaces } from './remaining-places.ts';

interface ErasureInput {
  /** Path or ID of a page; undefined when a member is erased. */
  page?: string | number | undefined;
  changes?: readonly number[] | undefined;
  /** Server-made names of files, current or replaced. */
  files?: readonly string[] | undefined;
  /** ID of a member whose identity is erased. */
  member?: number | undefined;
  reason: string;
}

export interface Erased {
  /** `files` includes files that only erased changes referred to. */
  erased: { changes: number[]; files: string[]; member: number | null };
  /** Finished backups that may contain the erased data. */
  backups: Backup[];
  /** Sentences about places where the data may still be. */
  left: string[];
  /** The page as it is now: an address that was made from an erased title is erased as well. Null for a member. */
  page: { id: number; path: string } | null;
  /** Whether some of these places are in the database, which the wiki cleans later by itself (`finish-erasures.ts`). */
  pending: boolean;
}

const maxErased = 1000;
const maxReasonLength = 500;
/** Time allowed for reads that began before the erasure. */
const patienceMs = 5000;

/**
 * For administrators; the command line acts for one of them. Refuses `unauthenticated`, `administrators-only`, `not-found`, and
 * `invalid` for changes or files that do not belong to the page, for erasing everything a page ever said, and for the last
 * administrator. Nothing is changed then.
 */
export async function erase(
  { store, files, emptyCaches, backups }: Erasing,
  actor: NonNullable<Actor> | null,
  input: ErasureInput,
  now: number,
): Promise<Erased> {
  const reason = readReason(input.reason);
  const [changes, names] = [[...new Set(input.changes ?? [])], [...new Set(input.files ?? [])]];
  const hasPage = input.page !== undefined;
  if (
    hasPage ? input.member !== undefined || changes.length + names.length === 0 : input.member === undefined
  )
    throw invalid('', say('problem.nameWhatToEraseAPageWith'));
  if (changes.length + names.length > maxErased)
    throw invalid('/changes', say('problem.atMostChangesAndFilesCanBe', { maxErased }));
  const done = await store.transact(async (store) => {
    const by = await getAdministrator(store, actor);
    await store.erasure.forgetAnswers();
    const done =
      input.member === undefined
        ? await eraseOfPage(
            { store, actor: { memberId: by.id, name: by.name, isAdmin: true }, now },
            input.page ?? '',
            { changes, names, reason },
          )
        : await eraseMember(store, input.member, reason);
    return { ...done, id: await store.erasure.begin(now, done.hashes) };
  });
  // The rows are erased and committed, so a failure from here on fails nothing: it leaves the erasure pending.
  const { isFinished, left } = await finishErasures({ store, files }, patienceMs, done.id).catch(
    (error: unknown) => ({ isFinished: false, left: [unfinished(error)] }),
  );
  emptyCaches();
  const elsewhere = await remainingPlaces(store, done).catch((error: unknown) => [
    `Not everything could be searched for it (${whyOf(error)}).`,
  ]);
  left.push(...elsewhere);
  return {
    erased: done.erased,
    page: done.page,
    backups: backups().filter(({ at }) => at >= done.since),
    left,
    pending: !isFinished,
  };
}

function unfinished(error: unknown): string {
  return `The database and the files still contain it, because they could not be cleaned (${whyOf(error)}). The wiki tries again by itself.`;
}

function whyOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface Done {
  erased: Erased['erased'];
  page: Erased['page'];
  hashes: string[];
  /** Names that were erased, for which everything else is looked through. */
  words: string[];
  /** Time from which the data existed. */
  since: number;
}

async function eraseOfPage(
  { store, actor, now }: { store: Transaction; actor: NonNullable<Actor>; now: number },
  named: string | number,
  { changes, names, reason }: { changes: number[]; names: string[]; reason: string },
): Promise<Done> {
  const before = await lockPage(store, actor, named);
  const asked = await survey(store, before, changes, names);
  const { erased, kept } = asked;
  const lostTitles = erased.titles.difference(kept.titles);
  const lostSlugs = new Set([...lostTitles].map(madeSlugOf)).difference(
    new Set([...kept.titles].map(madeSlugOf)),
  );
  const address = await addressWithout({ store, actor }, before, asked.left?.content.title ?? '', lostSlugs);
  const page = await showWhatIsLeft({ store, actor, now }, before, asked, { names, address });
  // Includes files that only erased changes refer to.
  const goes = [...new Set(names).union(erased.files.difference(kept.files))];
  const found = await store.readAs(actor).files.named(goes);
  const lostPaths = erased.paths.difference(kept.paths);
  for (const path of kept.paths) if (isMadeFrom(lastSegment(path), lostSlugs)) lostPaths.add(path);
  if (page.path !== before.path) lostPaths.add(before.path);
  lostPaths.delete(page.path);
  const rewritten: { id: number; content: PastContent }[] = [];
  for await (const { id, content } of store.erasure.contentsOf(page.id)) {
    const had = content.files ?? [];
    const files = had.filter((name) => !goes.includes(name));
    const readdressed = withoutAddress(content, page, lostPaths, lostSlugs);
    if (changes.includes(id)) rewritten.push({ id, content: erasedContent(content, page, now) });
    else if (content.erasedAt !== undefined)
      rewritten.push({ id, content: erasedContent(content, page, content.erasedAt) });
    else if (files.length < had.length) {
      const erasedFiles = (content.erasedFiles ?? 0) + had.length - files.length;
      rewritten.push({ id, content: { ...readdressed, files, erasedFiles } });
    } else if (readdressed !== content) rewritten.push({ id, content: readdressed });
  }
  await store.erasure.rewrite(rewritten);
  const proposed: string[] = [];
  if (changes.length > 0) {
    const { read } = await store.derive(page.content);
    await store.erasure.forgetQuotes(page.id, read ? plainText(read.tree) : page.content.body);
    proposed.push(...(await store.erasure.forgetProposed(page.id)));
  }
  for (const path of lostPaths) await forgetAddressBeneath(store, page, path);
  const hashes = [...proposed, ...(goes.length === 0 ? [] : await store.erasure.removeFiles(goes))];
  const aliases = await store.erasure.forgetNames(page, {
    changeIds: changes,
    titles: [...lostTitles].filter((title) => title !== page.title),
    paths: [...lostPaths],
  });
  if (aliases.length > 0)
    await store.links.saveDerived(page, (await store.derive(page.content)).derived, {
      titles: [],
      paths: aliases,
    });
  await store.events.record([
    { kind: 'erased', pageId: page.id, at: now, editorId: actor.memberId, msg: '', keepsFacts: true },
  ]);
  await store.audit.record({
    kind: 'content-erased',
    subject: { kind: 'page', id: page.id, name: page.path },
    note: `changes: ${changes.join(', ') || 'none'}; files: ${goes.length}; ${reason}`,
  });
  const since = Math.min(asked.since, ...found.map(({ uploadedAt }) => uploadedAt));
  const stay = await store.readAs(actor).files.named(page.content.files ?? []);
  const filenames = new Set(found.map(({ filename }) => filename)).difference(
    new Set(stay.map(({ filename }) => filename)),
  );
  const words = [...lostTitles, ...lostSlugs, ...[...lostPaths].map(lastSegment), ...filenames];
  return {
    erased: { changes, files: goes, member: null },
    page: { id: page.id, path: page.path },
    hashes,
    since,
    words: words.filter((word) => word !== '' && word !== page.title && word !== page.slug),
  };
}

async function lockPage(
  store: Transaction,
  actor: NonNullable<Actor>,
  named: string | number,
): Promise<Page> {
  if (typeof named === 'number') {
    const page = await store.pages.lockById(named, 'update');
    if (page) return page;
    throw new Problem('not-found', say('problem.thereIsNoPageWithTheId', { named: String(named) }));
  }
  const read = readPath(named);
  const page = 'path' in read ? await store.pages.lockByPath(read.path, 'update') : undefined;
  return page ?? refuseMissing(store.readAs(actor), named);
}

interface Named {
  titles: Set<string>;
  paths: Set<string>;
  files: Set<string>;
}

interface Survey {
  /** The latest change that will not be erased. */
  left: { id: number; content: PastContent } | undefined;
  /** Names in changes that are erased, and in those that stay. */
  erased: Named;
  kept: Named;
  since: number;
}

async function survey(store: Transaction, page: Page, changes: number[], names: string[]): Promise<Survey> {
  const nothing = (): Named => ({ titles: new Set(), paths: new Set(), files: new Set() });
  const found: Survey = {
    left: undefined,
    erased: nothing(),
    kept: nothing(),
    since: Number.POSITIVE_INFINITY,
  };
  const missing = new Set(changes);
  const missingFiles = new Set(names);
  for await (const { id, at, content } of store.erasure.contentsOf(page.id)) {
    const isErased = missing.delete(id);
    // A change that was erased before has no names of its own.
    if (!isErased && content.erasedAt !== undefined) continue;
    const { titles, paths, files } = isErased ? found.erased : found.kept;
    titles.add(content.title);
    paths.add(content.path);
    for (const name of content.files ?? []) {
      files.add(name);
      missingFiles.delete(name);
    }
    if (isErased) found.since = Math.min(found.since, at);
    else found.left = { id, content };
  }
  for (const id of missing)
    throw invalid('/changes', say('problem.isNotAChangeOfThisPage', { id: String(id) }), 'not-found');
  for (const name of missingFiles)
    throw invalid('/files', say('problem.isNotAFileOfThisPage', { name }), 'not-found');
  return found;
}

/** Saves a change without the erased content, if the latest change contains it. */
async function showWhatIsLeft(
  { store, actor, now }: { store: Transaction; actor: NonNullable<Actor>; now: number },
  page: Page,
  { left }: Survey,
  { names, address }: { names: readonly string[]; address: Pick<Content, 'slug' | 'path'> | undefined },
): Promise<Page> {
  if (!left) throw invalid('/changes', say('problem.noVersionOfThePageWouldBe'));
  const isLatestLeft = left.id === page.changeId;
  const files = (left.content.files ?? []).filter((name) => !names.includes(name));
  const losesFiles = files.length < (left.content.files ?? []).length;
  if (isLatestLeft && !losesFiles && !address) return page;
  const given = { ...(isLatestLeft ? {} : restoredContent(left.content)), files, ...address };
  const defaultMessage = !isLatestLeft
    ? `Restored change ${left.id}, because later changes were erased`
    : losesFiles
      ? 'Files were erased'
      : 'The address was erased';
  await applyEdit(
    { store, actor, now },
    page,
    { given, files: [], defaultMessage },
    { prepared: [], history: 'none' },
  );
  return (await store.pages.lockById(page.id, 'update')) as Page;
}

/** The change keeps its permissions, which follow the page's. */
function erasedContent({ permissions, format }: PastContent, page: Page, now: number): PastContent {
  const { title, slug, path, parent } = page.content;
  return {
    ...initialContent({ isPrivate: false }),
    title,
    slug,
    path,
    parent,
    permissions,
    format,
    erasedAt: now,
  };
}

async function eraseMember(store: Transaction, id: number, reason: string): Promise<Done> {
  const member = await store.members.lock(id);
  if (!member) throw new Problem('not-found', say('problem.thereIsNoMemberWithTheId', { id: String(id) }));
  await refuseLastAdministrator(store, member, '/member');
  await store.members.removeInvitationsOf(id);
  const name = `Former member ${id}`;
  await eraseSignatures(store, id, name);
  await eraseMerges(store, member, name);
  await store.erasure.forgetMentions(id, name);
  const hashes = await store.erasure.forgetMember(id, name);
  await store.audit.record({ kind: 'member-erased', subject: { kind: 'member', id }, note: reason });
  return {
    erased: { changes: [], files: [], member: id },
    page: null,
    hashes,
    words: [member.name, member.email],
    since: member.createdAt,
  };
}

function readReason(text: string): string {
  const reason = text.trim();
  if (reason === '' || reason.length > maxReasonLength || /\p{Cc}/u.test(reason))
    throw invalid('/reason', say('problem.giveAReasonOfUpToCharacters', { maxReasonLength }));
  return reason;
}
