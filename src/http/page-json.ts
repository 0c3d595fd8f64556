/**
 * Pages as the interface shows them. Every field is named here, so that nothing else of a page or a member (e-mail
 * addresses above all) can get out by being added to a row.
 */
import { bareType, fileUrl } from '#domain/files.ts';
import type { Ancestor, AttachedFile, WholePage } from '#domain/page.ts';
import { dataOf } from '#domain/page-data.ts';
import { type Held, mayWrite } from '#domain/page-view.ts';
import type { Actor } from '#domain/permission.ts';
import { changesParts } from './change-json.ts';
import type { AccessPageJson, FileJson, LineageJson, NearPageJson, PageJson } from './schemas.ts';

/** What is the same of a page for all who are shown it, ancestors aside. */
export type CommonJson = Omit<PageJson, 'permissions'>;

/**
 * JSON of a page, as texts that follow each other. `baseUrl`: the public address without a trailing slash, or empty for addresses
 * on this server.
 */
export function pageParts(page: WholePage, baseUrl: string): string[] {
  return [...commonParts(page, baseUrl), `,"permissions":${page.permissions}}`];
}

/** Of the page and of those above it that its readers may open. */
export function shownIds({ id, lineage }: WholePage): number[] {
  return [id, ...lineage.filter(({ isHidden }) => !isHidden).map(({ id }) => id)];
}

/** As `pageParts`, with what the caller may do. Whoever is shown a page may read it. */
export function accessPageParts(page: WholePage, canWrite: boolean, baseUrl: string): string[] {
  return [...commonParts(page, baseUrl), `,"permissions":${JSON.stringify(accessJson(page, canWrite))}}`];
}

/** As `pageParts`, without `permissions` and the brace at the end. */
export function commonParts(page: WholePage, baseUrl: string): string[] {
  const head = JSON.stringify(headJson(page, baseUrl)).slice(0, -1);
  return [`${head},"history":`, ...changesParts(page.history)];
}

/** What a list of places adds to the page. */
export function nearJson(
  page: Held,
  actor: Actor,
  distanceMetres: number,
): Omit<NearPageJson, keyof CommonJson> {
  return {
    permissions: accessJson(page, mayWrite(actor, page)),
    distance: Math.round(distanceMetres * 10) / 10,
  };
}

/** `104.9 kB`: decimal units (1 kB = 1,000 B), one decimal, as the interface's example has it. */
export function readableSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  // 999,950 B rounds to 1000.0 kB, which is 1.0 MB.
  while (unit < units.length - 1 && (unit === 0 ? value >= 1000 : value >= 999.95)) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/** All but the history. */
function headJson(page: WholePage, baseUrl: string): Omit<CommonJson, 'history'> {
  return {
    id: page.id,
    title: page.title,
    description: page.description,
    slug: page.slug,
    path: page.path,
    parent: page.parentId ?? 0,
    data: dataOf(page.content),
    depth: page.depth,
    type: page.type,
    tags: page.tags,
    location: page.location ?? false,
    likes: page.likes,
    files: page.files.map((file) => fileJson(file, baseUrl)),
    owner: { id: page.owner.id, name: page.owner.name },
    lineage: page.lineage.map(lineageJson),
    format: page.content.format,
    ...(page.content.image === null ? {} : { image: page.content.image }),
  };
}

function accessJson(
  { permissions }: { permissions: number },
  canWrite: boolean,
): AccessPageJson['permissions'] {
  return { read: true, write: canWrite, code: permissions };
}

function lineageJson(ancestor: Ancestor): LineageJson {
  const { id, title, path, depth, permissions } = ancestor;
  if (ancestor.isHidden) return { id, title, path, depth, permissions };
  return {
    id,
    title,
    path,
    depth,
    permissions,
    description: ancestor.description,
    slug: ancestor.slug,
    parent: ancestor.parentId ?? 0,
    type: ancestor.type,
    location: ancestor.location ?? false,
    owner: { id: ancestor.owner.id, name: ancestor.owner.name },
  };
}

export function fileJson(file: AttachedFile, baseUrl: string): FileJson {
  const full = baseUrl + fileUrl(file.name);
  return {
    name: file.name,
    ...(file.thumbnail === null ? {} : { thumbnail: file.thumbnail }),
    filename: file.filename,
    mime: bareType(file.mime),
    size: file.sizeBytes,
    readableSize: readableSize(file.sizeBytes),
    page: file.pageId,
    timestamp: Math.floor(file.uploadedAt / 1000),
    uploader: file.uploaderId,
    urls: file.thumbnail === null ? { full } : { full, thumbnail: baseUrl + fileUrl(file.thumbnail) },
  };
}
