/** Converts between database rows and objects of the core. */

import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { DamagedChange } from '#core/model/damage.ts';
import { sortKey, titleKey } from '#core/model/fold.ts';
import type { Granted } from '#core/model/grant.ts';
import type {
  AccessDefaults,
  Ancestor,
  ApprovalRule,
  AttachedFile,
  Change,
  Content,
  Defaults,
  GroupName,
  Location,
  Page,
  PageState,
  PastContent,
  Protection,
} from '#core/model/page.ts';
import { storable } from './engine.ts';
import type { PageVersion } from './invalidation.ts';
import { unranked } from './pages/siblings.ts';
import { cellOf } from './search/cells.ts';
import type { RowOf } from './tables.ts';

export interface AncestorRow {
  id: number;
  path: string;
  slug: string;
  title: string;
  description: string;
  type: string | null;
  lat: number | null;
  lon: number | null;
  parent_id: number | null;
  depth: number;
  language: string | null;
  permissions: number;
  audience: number;
  audience_id: number | null;
  granted: string | null;
  owner_id: number;
  owner_name: string;
  group_id: number | null;
  group_name: string | null;
  protection: string | null;
  rule: string | null;
}

export interface DefaultsRow {
  default_permissions: number | null;
  default_group_id: number | null;
  default_group_name: string | null;
  default_template: string | null;
}

/** All columns of a page except its content. */
export interface StateRow extends AncestorRow, DefaultsRow, BeneathRow {
  trail: string;
  change_id: number;
  history_from: number;
  review_by: string | null;
  sibling_rank: number;
  original_id: number | null;
  rendered_id: number | null;
  rendered_paragraphs: string | null;
  created_at: number;
  updated_at: number;
}

export interface PageRow extends StateRow {
  content: string;
}

/** Name of a page's group. A subquery, because few pages have a group, so it costs less than a join. */
export function groupName(id: string): RawBuilder<unknown> {
  return sql`(select g.name from groups g where g.id = ${sql.ref(id)})`;
}

/** Key of an audience row. A subquery, because few pages have grants. */
export function audienceKeyOf(id: string): RawBuilder<string | null> {
  return sql`(select a.key from audiences a where a.id = ${sql.ref(id)})`;
}

export interface GrantedRow {
  audience_id: number | null;
  granted: string | null;
}

export interface BeneathRow {
  beneath_id: number | null;
  beneath: string | null;
}

/** Columns of a page p with its grants. */
export const grantedColumns = sql`p.audience_id, ${audienceKeyOf('p.audience_id')} as granted`;
export const beneathColumns = sql`p.beneath_id, ${audienceKeyOf('p.beneath_id')} as beneath`;

export function grantedOf({ audience_id: id, granted: key }: GrantedRow): { granted?: Granted } {
  return id === null || key === null ? {} : { granted: { id, key } };
}

export function beneathOf({ beneath_id: id, beneath: key }: BeneathRow): { beneath?: Granted } {
  return id === null || key === null ? {} : { beneath: { id, key } };
}

/** Columns of a page p and its owner o. */
export const ancestorColumns = sql`p.id, p.path, p.slug, p.title, p.description, p.type, p.lat, p.lon,
  p.parent_id, p.depth, p.language, p.permissions, p.audience, ${grantedColumns}, p.owner_id, o.name as owner_name,
  p.group_id, ${groupName('p.group_id')} as group_name, p.protection, p.rule`;

/** Columns of the defaults that a page p gives to new pages beneath it. */
export const defaultColumns = sql`p.default_permissions, p.default_template, p.default_group_id,
  ${groupName('p.default_group_id')} as default_group_name`;

const stateColumnsOfP = sql`${ancestorColumns}, p.trail, p.change_id, p.history_from, p.review_by, p.sibling_rank, p.original_id, p.rendered_id, p.rendered_paragraphs,
  p.created_at, p.updated_at,
  ${defaultColumns}, ${beneathColumns}`;

/** Selects a page p without its content; a condition follows. */
export const selectState: RawBuilder<StateRow> = sql`select ${stateColumnsOfP}
  from pages p join members o on o.id = p.owner_id`;

/** Selects all columns of a page p; a condition follows. */
export const selectPage: RawBuilder<PageRow> = sql`select ${stateColumnsOfP}, c.content
  from pages p join members o on o.id = p.owner_id join changes c on c.id = p.change_id`;

export type ChangeRow = RowOf<'changes'> & { editor_name: string };

/** Columns of a change c and its editor e. */
export const changeColumns = sql`c.id, c.page_id, c.at, c.editor_id, e.name as editor_name, c.content`;

/** Selects a change c; a condition follows. */
export const selectChange: RawBuilder<ChangeRow> = sql`select ${changeColumns}
  from changes c join members e on e.id = c.editor_id`;

export function ancestorOf(row: AncestorRow): Ancestor {
  return {
    id: row.id,
    path: row.path,
    slug: row.slug,
    title: row.title,
    description: row.description,
    type: row.type,
    location: locationOf(row),
    parentId: row.parent_id,
    depth: row.depth,
    language: row.language,
    permissions: row.permissions,
    audience: row.audience,
    owner: { id: row.owner_id, name: row.owner_name },
    group: groupOf(row.group_id, row.group_name),
    ...grantedOf(row),
    ...protectedBy(row),
  };
}

export function protectedBy({ protection, rule }: { protection: string | null; rule: string | null }): {
  protection?: Protection;
  rule?: ApprovalRule;
} {
  return {
    ...(protection === null ? {} : { protection: JSON.parse(protection) as Protection }),
    ...(rule === null ? {} : { rule: JSON.parse(rule) as ApprovalRule }),
  };
}

export function pageOf(row: PageRow): Page {
  return { ...stateOf(row), content: contentOf(row.content, row.change_id, row.id) };
}

export function stateOf(row: StateRow): Omit<Page, 'content'> {
  return {
    ...ancestorOf(row),
    trail: readTrail(row.trail),
    changeId: row.change_id,
    historyFrom: row.history_from,
    reviewBy: row.review_by,
    rank: row.sibling_rank === unranked ? null : row.sibling_rank,
    originalId: row.original_id,
    renderedId: row.rendered_id,
    renderedParagraphs: row.rendered_paragraphs === null ? [] : JSON.parse(row.rendered_paragraphs),
    defaults: defaultsOf(row),
    ...beneathOf(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function groupOf(id: number | null, name: string | null): GroupName | null {
  return id === null ? null : { id, name: name ?? '' };
}

/** Returns null if the page has no defaults. */
export function defaultsOf(row: DefaultsRow): Defaults | null {
  const template = row.default_template === null ? {} : { template: row.default_template };
  const access = accessDefaultsOf(row);
  return access || row.default_template !== null ? { ...access, ...template } : null;
}

/** Returns null if the page has no defaults of access. */
export function accessDefaultsOf(row: Omit<DefaultsRow, 'default_template'>): AccessDefaults | null {
  if (row.default_permissions === null) return null;
  const group = groupOf(row.default_group_id, row.default_group_name);
  return { permissions: row.default_permissions, ...(group ? { group } : {}) };
}

export function changeOf(row: ChangeRow): Change {
  return {
    id: row.id,
    pageId: row.page_id,
    at: row.at,
    editor: { id: row.editor_id, name: row.editor_name },
    content: contentOf(row.content, row.id, row.page_id),
  };
}

/** Throws `DamagedChange` if the stored content is invalid. */
export function contentOf(stored: string, changeId: number, pageId: number): PastContent {
  try {
    return JSON.parse(stored) as Content;
  } catch {
    throw new DamagedChange({ pageId, id: changeId }, 'its content is not valid JSON');
  }
}

export function fileOf(row: RowOf<'files'>): AttachedFile {
  return {
    name: row.name,
    pageId: row.page_id,
    filename: row.filename,
    hash: row.hash,
    mime: row.mime,
    sizeBytes: row.size_bytes,
    width: row.width,
    height: row.height,
    thumbnail: row.thumbnail,
    thumbnailHash: row.thumbnail_hash,
    thumbnailMime: row.thumbnail_mime,
    uploadedAt: row.uploaded_at,
    uploaderId: row.uploader_id,
  };
}

/** Columns that depend on a page's state, except the path and those that depend on its position in the tree. */
export function stateColumns(page: PageState) {
  return {
    slug: page.slug,
    title: page.title,
    title_key: titleKey(page.title),
    sort_key: sortKeyOf(page.title),
    description: page.description,
    type: page.type,
    lat: page.location?.lat ?? null,
    lon: page.location?.lon ?? null,
    cell: page.location ? cellOf(page.location) : null,
    language: page.language,
    review_by: page.reviewBy,
    permissions: page.permissions,
    audience: page.audience,
    grants: page.grants ? JSON.stringify(page.grants) : null,
    audience_id: page.granted?.id ?? null,
    beneath_id: page.beneath?.id ?? null,
    group_id: page.group?.id ?? null,
    default_permissions: page.defaults?.permissions ?? null,
    default_group_id: page.defaults?.group?.id ?? null,
    default_template: page.defaults?.template ?? null,
    follows_path: page.followsPath,
    owner_id: page.ownerId,
  };
}

export function placeColumns(page: Pick<PageState, 'path' | 'parentId' | 'depth' | 'trail'>) {
  return {
    ...pathColumns(page.path),
    parent_id: page.parentId,
    depth: page.depth,
    trail: writeTrail(page.trail),
  };
}

export function pathColumns(path: string) {
  return { path, path_key: titleKey(path), path_fold: pathFoldOf(path) };
}

/** The path folded as titles are for searching; null if that equals its key. */
export function pathFoldOf(path: string): string | null {
  const folded = sortKeyOf(path);
  return folded === titleKey(path) ? null : folded;
}

/** The page in the form that the invalidation rules take. */
export function versionOf(
  page: Pick<PageState, 'title' | 'path' | 'type' | 'location' | 'trail'>,
): PageVersion {
  const { title, path, type, location, trail: ancestors } = page;
  const lat = location?.lat ?? null;
  return { title_key: titleKey(title), path, path_key: titleKey(path), type, lat, ancestors };
}

/**
 * Folding may lengthen a title many times. The sort key is cut, because index entries must fit into a block, and the order of
 * longer titles does not matter.
 */
export function sortKeyOf(title: string): string {
  return String(storable(sortKey(title).slice(0, 400)));
}

/** Text for an index: the value itself, or a unique prefix if the entry would not fit into a block. */
export function indexable(text: string): string {
  if (text.length <= 200) return text;
  return `${text.slice(0, 100).toWellFormed()}…${createHash('sha256').update(text).digest('hex')}`;
}

export function writeTrail(trail: number[]): string {
  return trail.length === 0 ? '/' : `/${trail.join('/')}/`;
}

export function readTrail(trail: string): number[] {
  return trail.split('/').filter(Boolean).map(Number);
}

/** Common beginning of the trails of all descendants of a page. */
export function trailBeneath(page: { id: number; trail: string }): string {
  return `${page.trail}${page.id}/`;
}

/**
 * Whether a page with this trail is a descendant, given `trailBeneath` of the ancestor. The condition excludes pages at the
 * root, as the partial index requires.
 */
export function liesBeneath(trail: RawBuilder<unknown>, beneath: string): RawBuilder<boolean> {
  return sql`(${beginsWith(trail, beneath)} and ${trail} <> '/')`;
}

/** Texts that begin with `prefix`, as a range that an index supports: code point order is byte order. */
export function beginsWith(reference: RawBuilder<unknown>, prefix: string): RawBuilder<boolean> {
  const after = textAfter(prefix);
  if (after === undefined) return sql`${reference} >= ${prefix}`;
  return sql`(${reference} >= ${prefix} and ${reference} < ${after})`;
}

/** The first text, in order, after all those that begin with `prefix`. */
export function textAfter(prefix: string): string | undefined {
  const characters = [...prefix.toWellFormed()];
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    const code = last.codePointAt(0) ?? 0;
    if (code === 0x10ffff) continue;
    // Skips surrogates, which are no characters.
    return characters.join('') + String.fromCodePoint(code === 0xd7ff ? 0xe000 : code + 1);
  }
  return undefined;
}

function locationOf(row: { lat: number | null; lon: number | null }): Location | null {
  return row.lat === null || row.lon === null ? null : { lat: row.lat, lon: row.lon };
}
