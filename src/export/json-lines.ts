/**
 * A wiki as JSON lines, limited to what one reader may read: pages in tree order, their changes, and their files with bytes.
 * Every field is named here, so a column added to a table is never exported by accident. `docs/export.md` describes the format.
 */

import { DamagedChange } from '#core/model/damage.ts';
import type { Grant } from '#core/model/grant.ts';
import { isoTime } from '#core/model/iso-time.ts';
import type { ApprovalRule, AttachedFile, Change, PageOutline } from '#core/model/page.ts';
import { firstChangeFor } from '#core/model/page-access.ts';
import { shownDefaults, shownGroup } from '#core/model/page-group.ts';
import type { Wiki } from '#core/model/permission.ts';
import type { FileStore } from '#core/ports/file-store.ts';
import type { TreePosition } from '#core/ports/list-reads.ts';
import type { PageRow, Reader } from '#core/ports/reader.ts';
import { accessRecord } from '#import/access.ts';
import { accessOf, permissionsElsewhere } from './access.ts';
import { proposalRecords } from './proposals.ts';
import {
  batches,
  bytesOf,
  changesOf,
  type ExportCounts,
  type ExportSource,
  filesNamed,
  newCounts,
  piecesOf,
} from './walk.ts';

/** Yields lines, each with its line feed. `top`: root of the exported subtree; null for the whole wiki. */
export async function* exportLines(
  source: ExportSource,
  top: TreePosition | null,
  counts: ExportCounts = newCounts(),
): AsyncGenerator<string> {
  /** Pages with a place of their own, by parent. */
  const placed = new Map<number | null, { id: number; rank: number }[]>();
  yield line({ kind: 'export', version: 1, ancestor: top?.id ?? null });
  const { settings } = source.wiki;
  // Administrators alone take the settings along, as they alone can apply them.
  if (top === null && source.reader().actor?.isAdmin && Object.keys(settings).length > 0)
    yield line({ kind: 'settings', settings });
  const exported = new Set<number>();
  for await (const ids of batches(source, top)) {
    const reader = source.reader();
    const pages = await reader.pages.outlines(ids);
    const groups = await source.groups?.([...new Set(pages.flatMap(({ rule }) => rule?.group ?? []))]);
    const left = Map.groupBy(await reader.pages.oldPaths(pages), ({ pageId }) => pageId);
    const originals = await originalsOf(reader, pages);
    for (const page of pages) {
      const aliases = (left.get(page.id) ?? []).map(({ path }) => path);
      const { id, rank, parentId } = page;
      exported.add(id);
      if (rank !== null && id !== top?.id) {
        const siblings = placed.get(parentId);
        if (siblings) siblings.push({ id, rank });
        else placed.set(parentId, [{ id, rank }]);
      }
      const showsAll = firstChangeFor(reader.actor, page) === 0;
      const rule = page.rule && ruleOf(page.rule, groups);
      const isTop = !exported.has(parentId ?? 0);
      const around = { isTop, hasRule: rule !== undefined, now: source.now, wiki: reader };
      const { protection } = accessRecord(accessOf(page, around));
      const translation = translationRecord(page, originals.get(page.originalId ?? 0), reader);
      yield line(pageLine(page, { aliases, showsAll, protection, rule, translation }, reader));
    }
    counts.pages += pages.length;
    const names = new Set<string>();
    for await (const change of changesOf(reader, pages, counts)) {
      if (change instanceof DamagedChange) {
        yield line({ kind: 'damaged', page: change.change.pageId, change: change.change.id });
        continue;
      }
      yield line(changeLine(change, reader, reader.actor?.isAdmin === true));
      counts.changes++;
      for (const name of change.content.files ?? []) names.add(name);
    }
    for (const file of await filesNamed(reader, [...names]))
      yield* fileLines(source.files, file, fileRecord(file), counts);
    yield* commentLines(source, ids);
  }
  for await (const { record, files } of proposalRecords(source, top)) {
    yield line(record);
    for (const { file, record } of files) yield* fileLines(source.files, file, record, counts);
  }
  for (const [of, pages] of placed)
    yield line({ kind: 'order', of, pages: pages.sort((a, b) => a.rank - b.rank).map(({ id }) => id) });
  yield line({ kind: 'end', pages: counts.pages, changes: counts.changes, files: counts.files });
}

/** Comments are numbered within their pages, because IDs differ between wikis. */
async function* commentLines(source: ExportSource, pageIds: readonly number[]): AsyncGenerator<string> {
  const numbers = new Map<number, number>();
  let after = 0;
  for (;;) {
    const comments = (await source.comments?.(pageIds, after)) ?? [];
    for (const { id, page, author, stranger, at, editedAt, body, replyTo, resolved, quote } of comments) {
      numbers.set(id, numbers.size + 1);
      const thread = replyTo === null ? undefined : numbers.get(replyTo);
      yield line({
        kind: 'comment',
        page: page.id,
        number: numbers.size,
        author,
        at: isoTime(at),
        body,
        ...(stranger === null ? {} : { stranger }),
        ...(editedAt === null ? {} : { edited: isoTime(editedAt) }),
        ...(thread === undefined ? {} : { replyTo: thread }),
        ...(resolved && replyTo === null ? { resolved: isoTime(resolved.at), resolvedBy: resolved.by } : {}),
        ...(quote ? { quote: { text: quote.text, before: quote.before, after: quote.after } } : {}),
      });
    }
    const last = comments.at(-1);
    if (!last) return;
    after = last.id;
  }
}

async function* fileLines(
  store: FileStore,
  file: Pick<AttachedFile, 'name' | 'hash'>,
  record: object,
  counts: ExportCounts,
): AsyncGenerator<string> {
  const bytes = await bytesOf(store, file, counts);
  yield line({ ...record, ...(bytes ? {} : { missing: true }) });
  for await (const piece of piecesOf(bytes ?? []))
    yield line({ kind: 'bytes', file: file.name, base64: piece.toString('base64') });
}

function fileRecord(file: AttachedFile): object {
  const { name, pageId, filename, hash, mime, sizeBytes, width, height, uploaderId } = file;
  return {
    kind: 'file',
    name,
    page: pageId,
    filename,
    hash,
    mime,
    size: sizeBytes,
    width,
    height,
    uploaded: isoTime(file.uploadedAt),
    uploader: uploaderId,
  };
}

/** `showsAll`: also writes changes that the page hides from other readers. */
function pageLine(
  page: PageOutline,
  {
    aliases,
    showsAll,
    protection,
    rule,
    translation,
  }: {
    aliases: string[];
    showsAll: boolean;
    protection: unknown;
    rule: object | undefined;
    translation: object;
  },
  wiki: Wiki,
): object {
  const { id, path, title, slug, description, type, location, parentId, owner, likes } = page;
  const permissions = permissionsElsewhere(page.permissions, wiki);
  return {
    kind: 'page',
    id,
    path,
    title,
    slug,
    description,
    type,
    location,
    parent: parentId,
    permissions,
    owner: { id: owner.id, name: owner.name },
    group: shownGroup(page.group),
    created: isoTime(page.createdAt),
    updated: isoTime(page.updatedAt),
    change: page.changeId,
    likes,
    ...(page.historyFrom > 0 && showsAll ? { historyFrom: page.historyFrom } : {}),
    ...(aliases.length > 0 ? { aliases } : {}),
    ...(protection === undefined ? {} : { protection }),
    ...(rule === undefined ? {} : { rule }),
    ...translation,
  };
}

/** Originals of the translations among the pages that the reader may read, by ID. */
async function originalsOf(reader: Reader, pages: readonly PageOutline[]): Promise<Map<number, PageRow>> {
  const ids = [...new Set(pages.flatMap(({ originalId }) => originalId ?? []))];
  const rows = ids.length === 0 ? [] : await reader.pages.states(ids);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The original of a translation, and the change of it that the translation renders. A change that the original hides from the reader is not named. */
function translationRecord(
  { renderedId, renderedParagraphs }: PageOutline,
  original: PageRow | undefined,
  { actor }: Reader,
): object {
  if (!original || renderedId === null) return {};
  const first = firstChangeFor(actor, original);
  const isHidden = renderedId < first;
  return {
    translationOf: original.id,
    renders: isHidden ? first : renderedId,
    ...(isHidden || renderedParagraphs.length === 0 ? {} : { renderedParagraphs }),
  };
}

/** A rule by a deleted group leaves only administrators, so it becomes protection: elsewhere it would mean moderators. */
function ruleOf(
  { approvals, group }: ApprovalRule,
  groups: ReadonlyMap<number, { name: string }> | undefined,
): object | undefined {
  if (group === undefined) return { approvals };
  const name = groups?.get(group)?.name;
  return name === undefined ? undefined : { approvals, group: name };
}

/** `showsGrants`: for administrators, because others may not know whom a page is shared with. */
function changeLine({ id, pageId, at, editor, content }: Change, wiki: Wiki, showsGrants: boolean): object {
  const { title, slug, path, parent, description, type, location, language, defaults, grants } = content;
  const permissions = permissionsElsewhere(content.permissions, wiki);
  const { format, data, image, comments, msg, files = [], body, erasedAt, erasedFiles } = content;
  return {
    kind: 'change',
    id,
    page: pageId,
    at: isoTime(at),
    editor: { id: editor.id, name: editor.name },
    msg,
    title,
    slug,
    path,
    parent,
    description,
    type,
    permissions,
    location,
    format,
    data,
    image,
    files,
    ...(comments === undefined ? {} : { comments }),
    group: shownGroup(content.group),
    ...(defaults
      ? {
          defaults: shownDefaults({
            ...defaults,
            ...(defaults.permissions === undefined
              ? {}
              : { permissions: permissionsElsewhere(defaults.permissions, wiki) }),
          }),
        }
      : {}),
    ...(language ? { language } : {}),
    ...(content.reviewBy ? { reviewBy: content.reviewBy } : {}),
    ...(content.verifiedOn ? { verifiedOn: content.verifiedOn } : {}),
    ...(content.responsible ? { responsible: content.responsible } : {}),
    ...(grants && showsGrants ? { grants: grants.map(grantRecord) } : {}),
    body,
    ...(erasedAt === undefined ? {} : { erased: isoTime(erasedAt) }),
    ...(erasedFiles === undefined ? {} : { erasedFiles }),
  };
}

/** Groups by name, because IDs differ between wikis. */
function grantRecord(grant: Grant): object {
  const { may, beneath } = grant;
  return 'group' in grant ? { group: grant.name, may, beneath } : { member: grant.member, may, beneath };
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
