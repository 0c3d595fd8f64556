/**
 * Page, change and file in the core's own terms. Interfaces convert these to JSON or HTML, the store converts them to rows.
 * Times are milliseconds since 1970.
 */
import type { Grant, Granted } from './grant.ts';
import type { Audience } from './permission.ts';

export interface MemberName {
  id: number;
  name: string;
}

export interface GroupName {
  id: number;
  name: string;
}

/** Access of new pages beneath a page. Without `group`: all members. */
export interface AccessDefaults {
  permissions: number;
  group?: GroupName;
}

/** Defaults of new pages beneath a page. Without `permissions`: the access that pages above give. */
export interface Defaults extends Partial<AccessDefaults> {
  /** Path of the page template that they begin with. */
  template?: string;
}

export interface Location {
  /** Degrees north, −90 to 90. */
  lat: number;
  /** Degrees east, −180 to 180. */
  lon: number;
}

export type Format = 'wikitext' | 'markdown';

/** JSON object given by a caller. */
export type Data = Record<string, unknown>;

/**
 * The explicit state of a page after a change: everything that a person set, complete, so that each change can be shown or
 * restored on its own. Data derived from the body (tags, a type by marker, a derived description) is not included; null means
 * "never given, follows the body".
 */
export interface Content {
  title: string;
  slug: string;
  path: string;
  /** Path of the parent at the time of the change; null for a root page. */
  parent: string | null;
  description: string | null;
  type: string | null;
  permissions: number;
  /** `false`: explicitly no location, even if the body contains one. */
  location: Location | false | null;
  body: string;
  format: Format;
  data: Data;
  image: string | null;
  /** Language of its text, a BCP 47 tag. Null, or absent in older changes: that of the wiki. */
  language?: string | null;
  /** Date from which the page is to be reviewed, `2026-05-01`. Null, or absent in older changes: never. */
  reviewBy?: string | null;
  /** Date on which somebody last found the page right. */
  verifiedOn?: string | null;
  /** ID of the member who is told when a review is due. Null, or absent in older changes: the owner is. */
  responsible?: number | null;
  msg: string;
  /** Group to which the second digit of the permissions applies, with its name at that time. Absent: all members. */
  group?: GroupName;
  /** Access and template of new pages beneath this one, if it has own defaults. */
  defaults?: Defaults;
  /** Its own grants. Absent if it has none. */
  grants?: Grant[];
  /** Members who may comment: nobody, or those who may edit the page. Absent for all who may read it. */
  comments?: 'off' | 'writers' | undefined;
  /** Names (`AttachedFile.name`) of the page's files. Absent if it has none. */
  files?: string[];
}

/** Content of any change. The content of a page's latest change is never erased. */
export interface PastContent extends Content {
  /** Time of its erasure: the content is gone then, and title and path are those that the page had at that time. */
  erasedAt?: number;
  /** Number of its files that were erased. Absent if there are none. */
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
  /** Whether descendants are protected as well. */
  subtree: boolean;
  /** Shown to readers of the page; may be empty. */
  reason: string;
  /** Time at which it ends; null for no end. */
  until: number | null;
}

/** Rule for a page and everything beneath it: a change needs approvals, unless it is made by those who can give them. */
export interface ApprovalRule {
  /** Number of approvals, at least 1. */
  approvals: number;
  /** ID of the group whose members can approve. Absent: moderators. Administrators always can. */
  group?: number;
}

/** The fields of a page that concern protection. */
export interface Protected {
  path: string;
  protection?: Protection | undefined;
  rule?: ApprovalRule | undefined;
}

/** Data shown wherever the page is mentioned. */
export interface PageSummary {
  id: number;
  path: string;
  slug: string;
  title: string;
  /** Effective description: given, or derived from the body. */
  description: string;
  /** Effective type: given, or by marker, or `Place` for a page with a location. */
  type: string | null;
  /** Effective location. */
  location: Location | null;
  parentId: number | null;
  depth: number;
  /** Language of its text, a BCP 47 tag; null for that of the wiki. */
  language: string | null;
  permissions: number;
  audience: Audience;
  owner: MemberName;
  /** Group to which the second digit of the permissions applies; null for all members. */
  group: GroupName | null;
  /** Its audience row, if it has grants, own or inherited. */
  granted?: Granted;
  /** Own protection, which may have expired. */
  protection?: Protection;
  /** Its own rule of approval. */
  rule?: ApprovalRule;
}

/** The current state of a page, one row: everything whose size does not depend on its history or neighbours. */
export interface Page extends PageSummary {
  /** IDs of the ancestors, root first, direct parent last. */
  trail: number[];
  /** ID of the current change. */
  changeId: number;
  /** ID of the first change visible to all of its readers; 0 for every change. Page objects show no earlier ones to anybody. */
  historyFrom: number;
  /** Position among its siblings as members arranged them, lowest first; null if it was never placed. */
  rank: number | null;
  /** Page of which it is a translation, itself none and possibly deleted; null if it is no translation. */
  originalId: number | null;
  /** Change of the original that it renders; null if it is no translation. */
  renderedId: number | null;
  /** Keys of the changes of paragraphs since then (`ParagraphChange.key`) that it renders already. */
  renderedParagraphs: readonly string[];
  /** Date from which the page is to be reviewed; null for never. */
  reviewBy: string | null;
  /** Access and template of new pages beneath this one; null if it has no own defaults. */
  defaults: Defaults | null;
  /** Grants that hold for all pages beneath it, own and inherited. */
  beneath?: Granted;
  createdAt: number;
  updatedAt: number;
  /** Content of the current change. */
  content: Content;
}

export interface Ancestor extends PageSummary {
  /** Whether the reader may not read it: only id, path, title, depth and permissions are set then. */
  isHidden?: true;
}

/** A file that a page has or had. Row and bytes are kept as long as a change refers to it, which normally is for ever. */
export interface AttachedFile {
  /**
   * Name made by the server, unique in the wiki and used in `/files/{name}`. Another upload with the same `filename` gets
   * another.
   */
  name: string;
  pageId: number;
  /**
   * Name given by the uploader, by which `[[File:…]]` in the page's body finds it. Unique among the current files of a page.
   */
  filename: string;
  /** SHA-256 of the bytes in hex: the key in the file store. */
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

/** A page with everything that the interface shows. */
export interface WholePage extends Page {
  tags: Record<string, string[]>;
  likes: number[];
  files: AttachedFile[];
  /** Newest last: all changes, the latest one, or none, as requested. */
  history: Change[];
  /** Set if the history is shorter than requested, because the response would be too large. */
  isHistoryCut?: true;
  lineage: Ancestor[];
  /** The page of which it is a translation. Absent if there is none, or if that was deleted. */
  original?: Ancestor;
  /** Protected pages above its address that are not above it in the tree. Absent if there are none. */
  aboveByAddress?: Ancestor[];
}

/** A page without its content, for lists. */
export type PageOutline = Omit<WholePage, 'content' | 'history'>;

/** A page in a list that only needs its name. */
export interface PageName {
  id: number;
  title: string;
  path: string;
}

/** The columns of a page to insert or update, before the store assigns IDs. */
export interface PageState extends Omit<PageSummary, 'id' | 'owner'> {
  trail: number[];
  /** Whether some of its links depend on its path. */
  followsPath: boolean;
  ownerId: number;
  reviewBy: string | null;
  defaults: Defaults | null;
  grants?: readonly Grant[];
  beneath?: Granted;
}

/** Position and permissions of a page. */
export type PagePlace = Pick<
  PageState,
  'path' | 'depth' | 'trail' | 'language' | 'permissions' | 'ownerId'
> & {
  id: number;
  group: { id: number } | null;
  granted?: Granted;
  beneath?: Granted;
};

export interface FileChanges {
  attached: AttachedFile[];
  replaced: { before: AttachedFile; after: AttachedFile }[];
  /** Files removed by reverting to a change without them. */
  taken: AttachedFile[];
}
