/**
 * JSON form of pages. Every field is listed here or in the table of `schemas/page-fields.ts`, so that adding a column can never
 * expose other data of a page or member, such as e-mail addresses.
 */

import { type TSchema, Type } from 'typebox';
import type { Ancestor, AttachedFile, Change, Content, WholePage } from '#core/model/page.ts';
import type { PageAccess } from '#core/model/page-access.ts';
import { shownDefaults, shownGroup } from '#core/model/page-group.ts';
import { type Actor, actorAt } from '#core/model/permission.ts';
import { dataOf } from '#core/pages/page-data.ts';
import { bareType, fileUrl } from '#core/ports/file-store.ts';
import type {
  AccessPageJson,
  ChangeJson,
  FileJson,
  LineageJson,
  NearPageJson,
  PageJson,
} from './schemas/output.ts';
import { shownFields, statedFields } from './schemas/page-fields.ts';

const stated = listOf(statedFields);
const shown = listOf(shownFields);

/** JSON of a page that is the same for all its readers, except for hidden ancestors. */
type CommonJson = Omit<PageJson, 'permissions'>;

/** Facts of the wiki that pages show. */
export interface WikiFacts {
  /** The public address without a trailing slash, or empty for relative addresses. */
  baseUrl: string;
  /** Language of pages that have none of their own. */
  language: string;
}

export function pageJson(page: WholePage, wiki: WikiFacts): PageJson {
  return { ...commonJson(page, wiki), permissions: page.permissions };
}

/** Adds the caller's permissions. Pages in a response are always readable. */
export function accessPageJson(page: WholePage, canWrite: boolean, wiki: WikiFacts): AccessPageJson {
  return { ...commonJson(page, wiki), permissions: accessJson(page, canWrite) };
}

/** Grants of the page itself, for those who may change them. Group names are those of the time when they were granted. */
export function grantsJson(
  page: Pick<WholePage, 'content' | 'owner' | 'id' | 'trail'>,
  actor: Actor,
): Pick<PageJson, 'grants'> {
  const here = actorAt(actor, page);
  const { grants } = page.content;
  if (!grants || !(here?.isAdmin || here?.memberId === page.owner.id)) return {};
  return {
    grants: grants.map((grant) => {
      const { may, beneath } = grant;
      return 'group' in grant
        ? { group: grant.name ?? '', may, beneath }
        : { member: grant.member, may, beneath };
    }),
  };
}

/** A page in a list of places, with its distance. */
export function nearJson(
  page: PageAccess,
  canWrite: boolean,
  distanceMetres: number,
): Omit<NearPageJson, keyof CommonJson> {
  return {
    permissions: accessJson(page, canWrite),
    distance: Math.round(distanceMetres * 10) / 10,
  };
}

export function changeJson(change: Change): ChangeJson {
  const { erasedAt } = change.content;
  return {
    id: change.id,
    timestamp: new Date(change.at).toISOString(),
    msg: change.content.msg,
    content: contentJson(change.content),
    editor: { id: change.editor.id, name: change.editor.name },
    ...(erasedAt === undefined ? {} : { erased: new Date(erasedAt).toISOString() }),
  };
}

export function contentJson(content: Content): ChangeJson['content'] {
  const { parent, files } = content;
  const fields = fieldsOf(content, stated) as Omit<ChangeJson['content'], 'files' | 'group'>;
  const defaults = shownDefaults(content.defaults);
  return {
    ...fields,
    parent: parent ?? '',
    group: shownGroup(content.group),
    ...(defaults ? { defaults } : {}),
    ...(files ? { files } : {}),
  };
}

/** The fields of a list, without optional ones that are missing in the content. */
function fieldsOf(content: Content, list: FieldList): object {
  const fields: Record<string, unknown> = {};
  for (const { name, isOptional } of list) {
    const value = content[name];
    if (value !== null || !isOptional) fields[name] = value;
  }
  return fields;
}

type FieldList = readonly { name: keyof Content; isOptional: boolean }[];

function listOf(schema: Record<string, TSchema>): FieldList {
  return Object.entries(schema).map(([name, type]) => ({
    name: name as keyof Content,
    isOptional: Type.IsOptional(type),
  }));
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

export function commonJson(page: WholePage, { baseUrl, language }: WikiFacts): CommonJson {
  const defaults = shownDefaults(page.defaults);
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
    language: page.language ?? language,
    translationOf: page.original && !page.original.isHidden ? page.original.path : null,
    tags: page.tags,
    location: page.location ?? false,
    likes: page.likes,
    files: page.files.map((file) => fileJson(file, baseUrl)),
    owner: { id: page.owner.id, name: page.owner.name },
    group: shownGroup(page.group),
    ...(defaults ? { defaults } : {}),
    history: page.history.map(changeJson),
    lineage: page.lineage.map(lineageJson),
    ...(fieldsOf(page.content, shown) as Pick<PageJson, keyof typeof shownFields>),
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
  const place = { id, title, path, depth, permissions };
  if (ancestor.isHidden) return place;
  return {
    ...place,
    description: ancestor.description,
    slug: ancestor.slug,
    parent: ancestor.parentId ?? 0,
    type: ancestor.type,
    location: ancestor.location ?? false,
    owner: { id: ancestor.owner.id, name: ancestor.owner.name },
    group: shownGroup(ancestor.group),
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
