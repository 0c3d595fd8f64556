/**
 * Page, change and file in the wiki's own terms. Interfaces turn these into JSON or HTML, the store into rows. Times are
 * milliseconds since the epoch.
 */
import type { Audience } from '../permission.ts';

export interface MemberName {
  id: number;
  name: string;
}

export interface GroupName {
  id: number;
  name: string;
}

/** Access of new pages beneath a page. `group` absent: all members. */
export interface AccessDefaults {
  permissions: number;
  group?: GroupName;
}

export interface Location {
  /** Degrees north, −90 to 90. */
  lat: number;
  /** Degrees east, −180 to 180. */
  lon: number;
}

export type Format = 'wikitext' | 'markdown';

/** JSON object as a caller gave it. */
export type Data = Record<string, unknown>;

/**
 * The explicit state of a page after a change: all that a person set, whole, so that a change can be shown or
 * restored alone. What follows from the body (tags, a type by marker, a derived description) is not in here;
 * null means "never given, follows the body".
 */
export interface Content {
  title: string;
  slug: string;
  path: string;
  /** Path of the parent at that time; null for a root page. */
  parent: string | null;
  description: string | null;
  type: string | null;
  permissions: number;
  /** `false`: explicitly no location, whatever the body says. */
  location: Location | false | null;
  body: string;
  format: Format;
  data: Data;
  image: string | null;
  msg: string;
  /** Group whom the second digit of the permissions is for, as it was called. Absent: all members. */
  group?: GroupName;
  /** Access of new pages beneath this one. Absent: none of its own. */
  defaults?: AccessDefaults;
  /** Names (`AttachedFile.name`) of the files that the page has. Absent: none. */
  files?: string[];
}

/** Content of any change. That of a page's latest one is never erased. */
export interface PastContent extends Content {
  /** When it was erased: then nothing of what the change said is left, and title and path are those that the page had at that time. */
  erasedAt?: number;
  /** How many of its files were erased. Absent: none. */
  erasedFiles?: number;
}

export interface Change {
  id: number;
  pageId: number;
  at: number;
  editor: MemberName;
  content: PastContent;
}

export type ProtectionLevel = 'moderators' | 'administrators';

export interface Protection {
  level: ProtectionLevel;
  /** Pages beneath are protected with it. */
  subtree: boolean;
  /** Shown to readers of the page; may be empty. */
  reason: string;
  /** When it ends by itself; null: it does not. */
  until: number | null;
}

/** A page as far as protection goes. */
export interface Protected {
  path: string;
  protection?: Protection | undefined;
}

/** Page data that is shown wherever the page is mentioned. */
export interface PageSummary {
  id: number;
  path: string;
  slug: string;
  title: string;
  /** Shown description: given, or derived from the body. */
  description: string;
  /** Shown type: given, or by marker, or `Place` for a page with a location. */
  type: string | null;
  /** Shown location. */
  location: Location | null;
  parentId: number | null;
  depth: number;
  permissions: number;
  audience: Audience;
  owner: MemberName;
  /** Whom the second digit of the permissions is for; null: all members. */
  group: GroupName | null;
  /** Own one, which may be over. Absent: none. */
  protection?: Protection;
}

/** The current state of a page, one row: everything about it that does not grow with history or neighbours. */
export interface Page extends PageSummary {
  /** IDs of the ancestors, root first, direct parent last. */
  trail: number[];
  /** ID of the current change. */
  changeId: number;
  /** ID of the first change that all of its readers may see; 0: every change. Page objects tell no earlier ones to anybody. */
  historyFrom: number;
  /** Access of new pages beneath this one; null: none of its own. */
  defaults: AccessDefaults | null;
  createdAt: number;
  updatedAt: number;
  /** Content of the current change. */
  content: Content;
}

export interface Ancestor extends PageSummary {
  /** The reader may not read it: only id, path, title, depth and permissions may be shown; the rest is blank. */
  isHidden?: true;
}

/** A file that a page has or had. Its row and bytes stay for as long as a change names it, which is for ever. */
export interface AttachedFile {
  /** Server-made, unique in the wiki, names the file in `/files/{name}`. Another upload of the same `filename` has another. */
  name: string;
  pageId: number;
  /** Name given by the uploader; `[[File:…]]` in the page's body finds it by this. Unique among the current files of a page. */
  filename: string;
  /** SHA-256 of the bytes, hex: the address in the file store. */
  hash: string;
  mime: string;
  sizeBytes: number;
  /** Pixels, images only. */
  width: number | null;
  height: number | null;
  /** Served at `/files/{thumbnail}`; images only. */
  thumbnail: string | null;
  thumbnailHash: string | null;
  thumbnailMime: string | null;
  uploadedAt: number;
  uploaderId: number;
}

/** A page with everything that the interface shows of it. */
export interface WholePage extends Page {
  tags: Record<string, string[]>;
  likes: number[];
  files: AttachedFile[];
  /** Newest last. All, the latest one, or none, as asked. */
  history: Change[];
  /** That may be less than was asked for, for want of room in the answer. */
  isHistoryCut?: true;
  lineage: Ancestor[];
}

/** Page as a list shows it: everything but the content. */
export type PageOutline = Omit<WholePage, 'content' | 'history'>;

/** A page in a list that needs its name only. */
export interface PageName {
  id: number;
  title: string;
  path: string;
}

/** A page to insert or the new state to write: the columns, before the store has given IDs. */
export interface PageState extends Omit<PageSummary, 'id' | 'owner'> {
  trail: number[];
  /** Some of its links would be others at another path. */
  followsPath: boolean;
  ownerId: number;
  defaults: AccessDefaults | null;
}

/** Position and permissions of a page. */
export type PagePlace = Pick<PageState, 'path' | 'depth' | 'trail' | 'permissions' | 'ownerId'> & {
  id: number;
  group: { id: number } | null;
};
