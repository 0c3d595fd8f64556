/** Types of the whole API in one file, made from openapi.json by generate.ts. */

/** Account of the person who accepts the invitation. */
export type AcceptInvitation = {
  /** Token of the invitation. */
  token: string;
  /** E-mail address to sign in with; never shown to anyone. */
  email: string;
  /** Name to be shown. */
  name: string;
  /** Passphrase of at least 12 characters. */
  pass: string;
};

/** Rights of the caller on the page, and its permission code. */
export type Access = {
  /** Always true: a page that may not be read is not shown. */
  read: boolean;
  /** Whether the caller may edit the page. */
  write: boolean;
  /** Three octal digits for owner, group and world; 4 reads, 4 and 2 write. */
  code: number;
};

/** Readers or writers who gain or lose access. */
export type AccessDifference = {
  /** Everyone, all members, the owner of each page, or those in a group. */
  who: 'everyone' | 'members' | 'owners' | 'group';
  /** Name of the group. */
  group?: string;
  /** Right that is gained or lost. */
  action: 'read' | 'write';
  /** Number of the pages concerned. */
  pages: number;
};

/** The new access; at least one of permissions and group. */
export type AccessInput = {
  /** Three octal digits; left out: as each page has them. */
  permissions?: number;
  /** The group whom the second digit of the permissions is for: one that the caller is in, or, for administrators, any. `members`, empty or null: all members. Only the owner and administrators may change it. */
  group?: string | null;
  /** Hides all earlier changes from other readers, and forgets former addresses. */
  history?: 'from now';
  /** Message of the changes. */
  msg?: string;
  /** Only reports the effect; changes nothing. */
  dryRun?: boolean;
};

/** A page whose `permissions` say what the caller may do with it. */
export type AccessPage = Omit<Page, 'permissions'> & {
  permissions: Access;
};

/** Effect on pages and on who may read and write them. */
export type AccessPlan = {
  /** How many pages change. */
  pages: number;
  /** Pages that stay as they are, as they belong to others: those that the caller may read. */
  kept: number;
  /** Gained access. */
  gains: AccessDifference[];
  /** Lost access. */
  loses: AccessDifference[];
};

/** An API token, without its secret. */
export type ApiToken = {
  /** ID of the token, for revoking it. */
  id: number;
  /** Name by which the member recognises it. */
  name: string;
  /** Rights of the token. `read`: read what the member may read; `write`: create and change pages; `files`: attach files to them, together with `write`; `members`: invite members, change their roles below moderator and keep groups, for administrators; `admin`: an administrator’s rights on pages, without which an administrator’s token has those of any member. */
  scopes: ('read' | 'write' | 'files' | 'members' | 'admin')[];
  /** Present path of the page that it is limited to. Null: none, or the page cannot be read any more, and then the token is limited all the same. */
  ancestor: string | null;
  /** When it was made, ISO 8601 in UTC. */
  createdAt: string;
  /** When it ends; null: when it is revoked. */
  expiresAt: string | null;
  /** When it was last used, to five minutes; null: never. */
  lastUsedAt: string | null;
  /** Address that it was last used from; null: never used. */
  lastUsedFrom: string | null;
};

/** The role of the new member. */
export type ApproveSignUp = {
  /** `reader`: likes and watches pages, and writes none. `writer`: writes what permissions allow. `moderator`: also restores and deletes what anyone may read, undoes changes, blocks members and protects pages. `administrator`: everything. */
  role?: 'reader' | 'writer' | 'moderator' | 'administrator';
};

/** Entries, and where to go on. */
export type AuditEntries = {
  /** The entries. */
  entries: AuditEntry[];
  /** Cursor: that of the last entry given, or the one sent if there was none. */
  next: number;
};

/** Action on an account, right or page, with its author, time and origin. */
export type AuditEntry = {
  /** ID of the entry. */
  id: number;
  /** When, ISO 8601 in UTC; for an entry that stands for several, the first time. */
  at: string;
  /** Kind of the action: signed-in, sign-in-failed, signed-out, session-ended, sessions-ended, member-added, member-joined, signed-up, sign-up-approved, sign-up-refused, member-left, data-exported, member-renamed, member-deactivated, member-activated, role-changed, member-blocked, member-unblocked, passphrase-changed, address-changed, invitation-made, invitation-revoked, reset-link-made, reset-link-revoked, link-handed-over, token-made, token-revoked, webhook-made, webhook-changed, webhook-deleted, feed-made, feed-ended, second-factor-added, second-factor-ended, passkey-added, passkey-removed, recovery-codes-made, provider-linked, provider-unlinked, group-made, group-renamed, group-deleted, group-joined, group-left, groups-withheld, permissions-changed, protection-changed, page-deleted, page-restored, page-purged, changes-undone, settings-changed, content-erased, member-erased, erasure-finished. */
  kind: string;
  /** Member who did it; null: nobody who is signed in, see `via`. */
  actor: {
    /** Member ID. */
    id: number;
    /** Name of the member now. */
    name: string;
  } | null;
  /** Object of the action; null: a sign-in to no account. */
  subject: {
    /** `member`, `page`, `invitation`, `sign-up`, `mail` … */
    kind: string;
    /** Its ID, if it has one. */
    id: number | null;
    /** Name of the member now, or path of the page then. */
    name: string;
  } | null;
  /** Address of the client, of failed sign-ins the first half of an IPv6 one; null: it was not a request. */
  from: string | null;
  /** Interface that was used; `wiki`: the wiki by itself. */
  via: 'site' | 'api' | 'command line' | 'wiki';
  /** ID of the API token that was used; null: none. */
  token: number | null;
  /** More of it, in words. */
  note: string;
  /** For how many failed sign-ins of that hour it stands; 1 for everything else. */
  times: number;
  /** The last of these times. */
  lastAt: string;
};

/** Operations to be carried out. */
export type Batch = {
  /** All operations are one transaction: the first that is refused undoes those before it and keeps those after it from being carried out. Such a batch takes operations that write pages alone. */
  atomic?: boolean;
  /** One to 100, carried out in this order. */
  operations: BatchOperation[];
};

/** One operation of a batch. */
export type BatchOperation = {
  /** Method. */
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Address beneath this server, with its query, percent-encoded. */
  path: string;
  /** Body of the operation as JSON. */
  body?: unknown;
  /** `If-Match`, `If-None-Match`, `Idempotency-Key`; others are ignored. */
  headers?: Record<string, string>;
};

/** Answer to one operation. */
export type BatchResult = {
  /** Status of the operation’s answer. */
  status: number;
  /** Headers of the answer, such as `etag` and `location`. */
  headers: Record<string, string>;
  /** Body of the answer: JSON as it is, other types as a string, null if there is none. */
  body: unknown;
};

/** The import has begun. */
export type BegunImport = {
  /** ID of the import. */
  id: number;
};

/** A member who cannot write for now. */
export type Block = {
  member: MemberName;
  /** Why, up to 500 characters; those whom it concerns are shown it. */
  reason: string;
  /** When it ends by itself, ISO 8601 in UTC; null: it does not. */
  until: string | null;
  /** Since when, ISO 8601 in UTC. */
  at: string;
  /** ID of the member who blocked them; null: the command line. */
  by: number | null;
};

/** Why, and until when. */
export type BlockInput = {
  /** Why, up to 500 characters; those whom it concerns are shown it. */
  reason: string;
  /** When the block ends by itself, ISO 8601; without it, when somebody lifts it. */
  until?: string | null;
};

/** Why a member cannot write, and until when. */
export type Blocked = {
  /** Why, up to 500 characters; those whom it concerns are shown it. */
  reason: string;
  /** When the block ends by itself, ISO 8601 in UTC; null: it does not. */
  until: string | null;
};

/** Work to do before signing up. It counts once, and for an hour. */
export type Challenge = {
  /** Parameters of the work: ALTCHA, version 2. `data.expires` is when it expires. */
  parameters: Record<string, unknown>;
  /** Signature of the parameters. */
  signature: string;
};

/** One change in the history of a page. */
export type Change = {
  /** Change ID. */
  id: number;
  /** When, ISO 8601 in UTC. */
  timestamp: string;
  /** Commit message; may be empty. */
  msg: string;
  content: ChangeContent;
  editor: MemberName;
  /** When its content was erased, ISO 8601 in UTC: nothing of it is left. Absent for every other change. */
  erased?: string;
};

/** The whole explicit state of the page after the change. */
export type ChangeContent = {
  /** Title after the change. */
  title: string;
  /** Slug after the change. */
  slug: string;
  /** Path after the change. */
  path: string;
  /** Path of the parent; empty for a root page. */
  parent: string;
  /** Description as given; null while it follows the body. */
  description: string | null;
  /** Type as given; null while it follows the body. */
  type: string | null;
  /** Three octal digits for owner, group and world; 4 reads, 4 and 2 write. */
  permissions: number;
  /** Location as given; `false` for explicitly none, null while it follows the body. */
  location: Location | false | null;
  /** The language of the body. */
  format: 'wikitext' | 'markdown';
  /** The unparsed body. */
  body: string;
  /** Structured data of the current version, as an editor gave it; `{}` where none was given. */
  data: Record<string, unknown>;
  /** Address of a picture for the page. */
  image?: string;
  /** Commit message. */
  msg: string;
  /** The group whom the second digit of the permissions is for; `members`: all members. A change tells it as it was called then. */
  group: string;
  defaults?: Defaults;
  /** Names of the files that the page has after the change, replaced ones of today included: `/files/{name}` answers for each. Absent: none. */
  files?: string[];
};

/** The new address. */
export type ChangeEmail = {
  /** E-mail address. */
  email: string;
};

/** Changed fields; the rest stays. */
export type ChangeMember = {
  /** `reader`: likes and watches pages, and writes none. `writer`: writes what permissions allow. `moderator`: also restores and deletes what anyone may read, undoes changes, blocks members and protects pages. `administrator`: everything. */
  role?: 'reader' | 'writer' | 'moderator' | 'administrator';
  /** Whether the member can sign in. */
  isActive?: boolean;
};

/** The new name. */
export type ChangeName = {
  /** Name to be shown. */
  name: string;
};

/** The old and the new passphrase. */
export type ChangePassphrase = {
  /** The passphrase until now. */
  current?: string;
  /** Passphrase of at least 12 characters. */
  pass: string;
};

/** Events, and where to go on. */
export type Changes = {
  /** The events, oldest first. */
  changes: Event[];
  /** Cursor for `after`: of the last event looked at, or the one sent if there was none. */
  next: string;
  /** Whether there may be more: ask again at once. One answer looks through a bounded number of events, so that one with a filter may be empty all the same. */
  more: boolean;
};

/** A page in the tree. Other fields than its first five are there where `fields` or `include` ask for them. */
export type Child = Partial<Page> & {
  /** Page ID. */
  id: number;
  /** Page title. */
  title: string;
  /** Unique path of the page. */
  path: string;
  /** Page type, or null. */
  type: string | null;
  /** Whether there are pages beneath it that the caller may see. */
  hasChildren: boolean;
};

/** A change, without its content. */
export type ComparedChange = {
  /** Change ID. */
  id: number;
  /** When, ISO 8601 in UTC. */
  timestamp: string;
  /** Commit message. */
  msg: string;
  editor: MemberName;
};

/** The link. */
export type ConfirmEmail = {
  /** The one-time token. */
  token: string;
};

/** The code. */
export type ConfirmSecondFactor = {
  /** Code that the app shows. */
  code: string;
};

/** Link and passphrase. */
export type ConfirmSignUp = {
  /** The one-time token. */
  token: string;
  /** The passphrase that was chosen. */
  pass: string;
};

/** A change that a member made. */
export type Contribution = {
  /** Change ID. */
  id: number;
  /** When, ISO 8601 in UTC. */
  timestamp: string;
  /** Commit message; may be empty. */
  msg: string;
  /** The page that was changed. */
  page: {
    /** Page ID. */
    id: number;
    /** Its path now. */
    path: string;
    /** Its title now. */
    title: string;
  };
  /** Whether its content was erased. */
  erased: boolean;
};

/** Changes that a member made. */
export type Contributions = {
  /** The changes. */
  contributions: Contribution[];
  /** For `before`, to go on; null: there are no others. */
  next: number | null;
};

/** Permissions and group of new pages beneath the page that do not say their own. */
export type Defaults = {
  /** Three octal digits for owner, group and world; 4 reads, 4 and 2 write. */
  permissions: number;
  /** The group whom the second digit of the permissions is for; `members`: all members. A change tells it as it was called then. */
  group: string;
};

/** The deletion, by which it can be undone. */
export type Deleted = {
  /** ID of the deletion. */
  id: number;
  /** Path of the page that was deleted. */
  path: string;
  /** Its title. */
  title: string;
  /** How many pages went with it, itself included, as far as the caller could read them. */
  pages: number;
};

/** The deletion of the page. */
export type DeletedPage = {
  trash: Deleted;
};

/** An event as it was sent to a webhook. */
export type Delivery = {
  /** Delivery ID. */
  id: number;
  /** Header `webhook-id`, equal in every attempt: the cursor of the event in the change feed. */
  messageId: string;
  /** Kind of the event, or `test`. */
  kind: 'created' | 'edited' | 'moved' | 'permissions' | 'deleted' | 'restored' | 'erased' | 'test';
  /** Path of the page after the event; null for a test. */
  path: string | null;
  /** `waiting`: it is tried again. `failed`: it is given up. `left-out`: the member may not read it any more. */
  state: 'waiting' | 'delivered' | 'failed' | 'left-out';
  /** How often it was tried. */
  attempts: number;
  /** When it was first tried, ISO 8601 in UTC. */
  createdAt: string;
  /** When it was last tried, ISO 8601 in UTC. */
  attemptedAt: string;
  /** When it is tried again; null: it is not. */
  nextAttemptAt: string | null;
  /** HTTP status of the last answer; null: there was none. */
  status: number | null;
  /** Beginning of the last answer, or why there was none. */
  answer: string;
  /** Milliseconds of the last attempt. */
  tookMs: number;
};

/** The difference between two changes of a page, by lines and words. */
export type Diff = {
  /** The older change; null if nothing came before the newer. */
  from: ComparedChange | null;
  to: ComparedChange;
  /** Fields other than the body that differ. */
  fields: {
    /** Name of the field. */
    field: string;
    /** Its older value. */
    from: unknown;
    /** Its newer value. */
    to: unknown;
  }[];
  /** Places where the bodies differ; between these the lines are the same. */
  body: ({
    /** Lines that differ, with some around them. */
    lines: ({
      /** Whether both sides have it, only the older, or only the newer. */
      kind: 'same' | 'removed' | 'added';
      /** Line number in the older body, from 1; null if it lacks the line. */
      fromLine: number | null;
      /** Line number in the newer body, from 1; null if it lacks the line. */
      toLine: number | null;
      /** The line. */
      text: string;
      /** Words of a changed line that were kept, removed or added. */
      words?: ({
        /** Whether both sides have it, only the older, or only the newer. */
        kind: 'same' | 'removed' | 'added';
        /** The words. */
        text: string;
      })[];
    })[];
  })[];
  /** Lines of `body` that are left out at its end, as it would have more than 2,500 lines or 400,000 characters. */
  linesLeftOut: number;
  /** Files that the page has after the newer change and not after the older one, at most 1,000: attached, or in the place of others. */
  files: File[];
  /** Files that it has after the older change and not after the newer one, at most 1,000: replaced by those of the same `filename` in `files`, or taken away. */
  filesBefore: File[];
  /** The same as HTML: safe to put into a page as it is. */
  html: string;
};

/** The page after the edit, and its body as HTML. */
export type EditedPage = {
  page: AccessPage;
  /** HTML rendered from the body: safe to put into a page as it is. Where a page was just saved and cannot be rendered at that moment, the body as it was written in `<pre>`, after a notice: read the page again for its markup. */
  markup: string;
  /** HTML of the title as the page wants it shown by `{{DISPLAYTITLE:…}}`, safe to put into a heading as it is. Its text is the title but for the case of letters. Absent where the title is shown as it is. */
  displayTitle?: string;
};

/** Erased content, and places that may still hold it. */
export type Erased = {
  /** Erased content. */
  erased: {
    /** Erased changes. */
    changes: number[];
    /** Erased files, those among them that erased changes alone had. */
    files: string[];
    /** ID of the member who was erased; null: none. */
    member: number | null;
  };
  /** The page as it is now. An address that was made from an erased title is erased with it, and the page moves to one made from the title that is left. Null for a member. */
  page: {
    /** ID of the page. */
    id: number;
    /** Its path. */
    path: string;
  } | null;
  /** Backups made since it was first there, which still hold it: remove them. */
  backups: {
    /** When it was finished. */
    at: string;
    /** Place that the backup was written to. */
    place: string;
  }[];
  /** Other places that may hold some of it, such as texts of other pages that mention an erased title, or a member by name. */
  left: string[];
  /** Whether the database still holds some of it, because something has been reading since before the erasure: `left` says what. The wiki finishes the erasure by itself, also after a restart, and then writes the entry `erasure-finished` to the audit log. */
  pending: boolean;
};

/** Content to erase, and the reason. */
export type Erasure = {
  /** Path of the page. */
  path?: string;
  /** ID of the page, instead of its path. */
  id?: number;
  /** Changes to be erased, as its history lists them. */
  changes?: number[];
  /** Files to be erased, current or replaced ones. */
  files?: string[];
  /** Member whose name, address and all that they sign in by are erased, instead of a page; what they wrote stays, as by a former member. */
  member?: number;
  /** Why: for the audit log, which administrators read. */
  reason: string;
};

/** Something that happened to a page. */
export type Event = {
  /** Event ID. The order is that of the list, not of the IDs. */
  id: number;
  /** Kind of the event. An edit that does several things has an event for each. */
  kind: 'created' | 'edited' | 'moved' | 'permissions' | 'deleted' | 'restored' | 'erased';
  /** When, ISO 8601 in UTC. */
  at: string;
  /** The page. */
  page: {
    /** Page ID. */
    id: number;
    /** Path after the event. */
    path: string;
    /** Title after the event. Null where the caller can read the page no more. */
    title: string | null;
  };
  /** Path before a move. */
  from?: string;
  /** Member who did it. Null where the caller can read the page no more. */
  editor: MemberName | null;
  /** Message of the change. */
  msg: string;
  /** For moderators who ask `before`: whether it is reviewed, or needs no review. */
  reviewed?: boolean;
  /** Pages and lists that the event made stale. */
  affects: {
    /** Pages that may answer otherwise now: the page itself, pages that link to it, call it or lie beneath it, at most 1,000. Only those that the caller may read. */
    pages: {
      /** Page ID. */
      id: number;
      /** Page path. */
      path: string;
    }[];
    /** Lists that may answer otherwise now; `children:/garden` are the pages beneath that page. */
    lists: string[];
    /** More pages are affected than are named. */
    more?: true;
  };
};

/** How many of the pages that a search finds have each type and tag. */
export type Facets = {
  /** Types, most pages first; at most 50. */
  types: {
    /** Type of the pages. */
    type: string;
    /** How many of the pages. */
    count: number;
  }[];
  /** Values of tags, most pages first; at most 50. */
  tags: {
    /** Name of the tag. */
    key: string;
    /** Its value. */
    value: string;
    /** How many of the pages. */
    count: number;
  }[];
  /** Whether all matches were counted: of more than 5,000, the newest 5,000 are. */
  isWhole: boolean;
};

/** A file attached to a page. */
export type File = {
  /** Unique key of the file, served at `/files/{name}`. A file that replaces it has another key. */
  name: string;
  /** Unique key of the thumbnail; images only. */
  thumbnail?: string;
  /** Name that the uploader gave it; `[[File:rose.jpg]]` in the body shows it. */
  filename: string;
  /** MIME type, told from the bytes; `Content-Type` of the file itself also names the charset of a text. */
  mime: string;
  /** Size in bytes. */
  size: number;
  /** Size for people. */
  readableSize: string;
  /** ID of the page that the file belongs to. */
  page: number;
  /** Upload time, Unix seconds. */
  timestamp: number;
  /** ID of the member who uploaded it. */
  uploader: number;
  /** Address of the bytes. */
  urls: {
    /** URL of the file. */
    full: string;
    /** URL of the thumbnail; images only. */
    thumbnail?: string;
  };
};

/** A file, the page that it belongs to, and the pages that use it. */
export type FileInLibrary = File & {
  /** Width in pixels; images only. */
  width?: number;
  /** Height in pixels; images only. */
  height?: number;
  attachedTo: PageName;
  /** How many files of this name the page has had, this one included, as far as its history shows. */
  versions: number;
  /** Pages that embed the file or link to it now, as far as the caller may read them: at most 10, by ID. */
  usedOn: PageName[];
  /** Whether pages use it that the list leaves out. */
  hasMoreUses: boolean;
};

/** A file to attach. */
export type FileUpload = {
  /** File name. */
  name: string;
  /** The bytes: base64, or the JSON form of a Buffer. */
  data: string | {
    /** Always `Buffer`. */
    type: 'Buffer';
    /** The bytes as numbers. */
    data: number[];
  };
  /** Size in bytes, to be checked. */
  size?: number;
  /** Encoding of the file; not used. */
  encoding?: string;
  /** MIME type as the client has it; what counts is the bytes. */
  mimetype?: string;
  /** MD5 of the bytes in hex, to be checked. */
  md5?: string;
};

/** A file and, for an image, optionally a thumbnail of it. */
export type Files = {
  file: FileUpload;
  thumbnail?: FileUpload;
};

/** Whose passphrase it is. */
export type ForgotPassphrase = {
  /** E-mail address. */
  email: string;
};

/** A group of members. */
export type Group = {
  /** ID of the group. */
  id: number;
  /** Its name, by which pages name it. */
  name: string;
  /** Its members by name: in lists the first hundred. */
  members: MemberName[];
  /** How many members it has. */
  memberCount: number;
};

/** Name of the group. */
export type GroupInput = {
  /** Name of the group, up to 100 characters; unique without regard to case. Not `members`. */
  name: string;
};

/** A mail that an administrator hands on. Its link is shown this once. */
export type HandedMail = {
  /** E-mail address of the person to hand the link to. */
  to: string;
  /** Subject of the mail. */
  subject: string;
  /** The link. */
  url: string;
};

/** An account at a provider that signs the member in. */
export type Identity = {
  /** Name of the provider in the settings when it was linked. */
  provider: string;
  /** Issuer of the identity. */
  issuer: string;
  /** ID of the account there. */
  subject: string;
  /** Address or name there. */
  account: string | null;
  /** When it was linked, ISO 8601 in UTC. */
  linkedAt: string;
};

/** An import and how far it is. */
export type Import = {
  /** State of the import. */
  state: 'running' | 'done' | 'failed' | 'cancelled';
  /** Pages written so far. */
  done: number;
  /** Pages to write; null while the source is still being read. */
  total: number | null;
  /** Reason of the failure, in a sentence; otherwise null. */
  error: string | null;
  /** Account of the import once it is done: numbers in source and result, every link, all that was adapted or left out and why. `comparison` names each page on which readers see something else than in the source, with missing and added words, numbers of parts, and links that lead nowhere. After a dry run, `tree` lists the pages that the import would create. */
  certificate: Record<string, unknown> | null;
};

/** A one-time invitation. Its token is shown this once. */
export type Invitation = {
  /** ID of the invitation. */
  id: number;
  /** The one-time token. */
  token?: string;
  /** The link to hand to the person. */
  url?: string;
  /** Address that the link is mailed to; then `token` and `url` are left out. */
  mailedTo?: string;
  /** Until when it works, ISO 8601 in UTC. */
  expiresAt: string;
};

/** Choice whether the name stays with what the member wrote. */
export type Leave = {
  /** Whether what I wrote keeps my name, or is shown as by a former member. */
  name: 'keep' | 'remove';
};

/** Members who like a page. */
export type Likes = {
  /** IDs of the members who like the page now. */
  likes: number[];
};

/** An ancestor. One that the caller may not read has `id`, `title`, `path`, `depth` and `permissions` alone. */
export type LineageEntry = {
  /** Page ID. */
  id: number;
  /** Page title. */
  title: string;
  /** Page path. */
  path: string;
  /** Distance from a root page. */
  depth: number;
  /** Three octal digits for owner, group and world; 4 reads, 4 and 2 write. */
  permissions: number;
  /** Description as given, or derived from the body. */
  description?: string;
  /** Last part of the generated path. */
  slug?: string;
  /** ID of the parent page; 0 for a root page. */
  parent?: number;
  /** Page type, or null. */
  type?: string | null;
  /** Where the page is, or `false` for none. */
  location?: Location | false;
  owner?: MemberName;
  /** The group whom the second digit of the permissions is for; `members`: all members. A change tells it as it was called then. */
  group?: string;
};

/** A member as administrators see them. */
export type ListedMember = {
  /** Member ID. */
  id: number;
  /** The member's name. */
  name: string;
  /** E-mail address, for administrators alone. */
  email: string;
  /** `reader`: likes and watches pages, and writes none. `writer`: writes what permissions allow. `moderator`: also restores and deletes what anyone may read, undoes changes, blocks members and protects pages. `administrator`: everything. */
  role: 'reader' | 'writer' | 'moderator' | 'administrator';
  /** Whether the role is `administrator`. */
  isAdmin: boolean;
  /** Whether the member can sign in. */
  isActive: boolean;
  /** Whether it acts by API tokens alone. */
  isBot: boolean;
  /** When the member joined, ISO 8601 in UTC. */
  since: string;
  /** Why and until when the member cannot write; null: they are not blocked. */
  blocked: Blocked | null;
};

/** A point on Earth, WGS 84. */
export type Location = {
  /** Degrees north. */
  lat: number;
  /** Degrees east. */
  lon: number;
};

/** An API token that was just made. */
export type MadeToken = ApiToken & {
  /** The secret, shown this once: send it as `Authorization: Bearer <token>`. */
  token: string;
};

/** A webhook that was just made. */
export type MadeWebhook = Webhook & {
  /** Key by which the receiver checks signatures, shown this once. */
  secret: string;
};

/** A mail that was not sent yet, or could not be. */
export type Mail = {
  /** ID of the mail. */
  id: number;
  /** Kind of the mail. */
  kind: string;
  /** Address of the recipient. */
  to: string;
  /** When it was queued, ISO 8601 in UTC. */
  createdAt: string;
  /** When it is tried next, ISO 8601 in UTC; null: it was given up. */
  nextAttemptAt: string | null;
  /** How often it was tried. */
  attempts: number;
  /** Answer of the mail server to the last attempt; null: there was none. */
  error: string | null;
};

/** Notifications to mark, by `ids` or `upTo`. */
export type MarkRead = {
  /** IDs of notifications. */
  ids?: number[];
  /** All up to this ID, such as that of the newest one that was shown. */
  upTo?: number;
};

/** Member that the token belongs to. */
export type Me = {
  /** Member ID. */
  id: number;
  /** The member's name. */
  name: string;
  /** Whether the member is an administrator. */
  isAdmin: boolean;
  /** `reader`: likes and watches pages, and writes none. `writer`: writes what permissions allow. `moderator`: also restores and deletes what anyone may read, undoes changes, blocks members and protects pages. `administrator`: everything. */
  role: 'reader' | 'writer' | 'moderator' | 'administrator';
  /** Why and until when the member cannot write; null: they are not blocked. */
  blocked: Blocked | null;
  /** An administrator without the second factor that this wiki requires: `role` and `isAdmin` tell what they may do until they add one. Otherwise absent. */
  needsSecondFactor?: boolean;
};

/** A member, by ID and name. E-mail addresses are never shown. */
export type MemberName = {
  /** Member ID. */
  id: number;
  /** The member's name. */
  name: string;
};

/** Effect of moving a page. */
export type MovePreview = {
  /** Pages whose path would change, the page itself first; at most 1,000. */
  moves: {
    /** Page ID. */
    id: number;
    /** Path now. */
    from: string;
    /** Path after the move. */
    to: string;
  }[];
  /** Targets that other pages already use: any of them refuses the move. */
  taken: string[];
  /** The next free path for the page, if a target is taken. */
  freePath?: string;
};

/** A place, with its distance from the starting point. */
export type NearPage = AccessPage & {
  /** Metres from the starting point. */
  distance: number;
};

/** The person to invite. */
export type NewInvitation = {
  /** `reader`: likes and watches pages, and writes none. `writer`: writes what permissions allow. `moderator`: also restores and deletes what anyone may read, undoes changes, blocks members and protects pages. `administrator`: everything. */
  role?: 'reader' | 'writer' | 'moderator' | 'administrator';
  /** Short for the role `administrator`. Without either the person becomes a writer. */
  isAdmin?: boolean;
  /** Address to mail the link to, if the wiki has a mail server. */
  email?: string;
};

/** A page to create. Unknown fields are ignored. */
export type NewPage = {
  /** Title, 1–255 characters. Needed when creating. */
  title?: string;
  /** Last part of the path; made from the title if not given. */
  slug?: string;
  /** Path; made of the parent's path and the slug if not given. */
  path?: string;
  /** Path or ID of the parent page; empty, `/`, 0 or null for a root page. */
  parent?: string | number | null;
  /** Up to 280 characters. Without one it is derived from the body; null goes back to that. */
  description?: string | null;
  /** Type; takes precedence over `[[Type:X]]` in the body. null goes back to that. */
  type?: string | null;
  /** Three octal digits for owner, group and world. 774 for a new page that does not say. */
  permissions?: number;
  /** Where the page is; `false` for explicitly nowhere, null to follow `[[Location:…]]` in the body. */
  location?: {
    /** Degrees north. */
    lat: number;
    /** Degrees east. */
    lon: number;
  } | false | null;
  /** The language of the body. */
  format?: 'wikitext' | 'markdown';
  /** Content of the page, at most 4 MB. */
  body?: string;
  /** Structured data of the current version, as an editor gave it; `{}` where none was given. */
  data?: Record<string, unknown>;
  /** Address of a picture for the page. */
  image?: string | null;
  /** Commit message. */
  msg?: string;
  /** The group whom the second digit of the permissions is for: one that the caller is in, or, for administrators, any. `members`, empty or null: all members. Only the owner and administrators may change it. */
  group?: string | null;
  /** Permissions and group of new pages anywhere beneath the page, unless a page between says others; null takes them away. Only the owner and administrators may change them. */
  defaults?: {
    /** Three octal digits; 774 if left out. */
    permissions?: number;
    /** The group whom the second digit of the permissions is for: one that the caller is in, or, for administrators, any. `members`, empty or null: all members. Only the owner and administrators may change it. */
    group?: string | null;
  } | null;
  files?: Files;
};

/** The answer, and a name. */
export type NewPasskey = {
  /** The browser’s `PublicKeyCredential`, by its `toJSON()`. */
  credential: Record<string, unknown>;
  /** How to call it, up to 60 characters. */
  name?: string;
};

/** The account that a stranger wants. */
export type NewSignUp = {
  /** E-mail address to sign in with; never shown to other members. */
  email: string;
  /** Name to be shown. */
  name: string;
  /** Passphrase of at least 12 characters. */
  pass: string;
  /** The solved challenge, as the widget of ALTCHA sends it: base64 of the JSON `{challenge, solution}`. */
  proof: string;
};

/** An API token to be made. */
export type NewToken = {
  /** Name by which the member recognises it. */
  name: string;
  /** Rights of the token. `read`: read what the member may read; `write`: create and change pages; `files`: attach files to them, together with `write`; `members`: invite members, change their roles below moderator and keep groups, for administrators; `admin`: an administrator’s rights on pages, without which an administrator’s token has those of any member. */
  scopes: ('read' | 'write' | 'files' | 'members' | 'admin')[];
  /** Path of a page: the token writes there and beneath it only, and elsewhere reads what anyone may read. Such a token has only the scopes `read`, `write` and `files`. Null: the whole wiki. */
  ancestor?: string | null;
  /** When it ends, ISO 8601; null: when it is revoked. */
  expiresAt?: string | null;
};

/** Exactly one of `page`, `ancestor`, `tag` and `search`; `mail` is `off` without. */
export type NewWatch = {
  /** Path of a page. */
  page?: string;
  /** Path of a page that is watched with all beneath it; `/` is the whole wiki. */
  ancestor?: string;
  /** Pages with this tag, as in a search. */
  tag?: string;
  /** Pages that a search finds, as its query. Order and limit are left out. */
  search?: string;
  /** When mail tells of it: never, at once, at seven in the morning, or on Mondays (UTC). */
  mail?: 'off' | 'now' | 'daily' | 'weekly';
};

/** A webhook to be made. */
export type NewWebhook = {
  /** Address that events are sent to: a public https address, or one that COPPICE_OUTGOING_ALLOW names. */
  url: string;
  /** Kinds of events that it is told of; null: all. */
  kinds?: ('created' | 'edited' | 'moved' | 'permissions' | 'deleted' | 'restored' | 'erased')[] | null;
  /** Path of a page: events of that page and of pages beneath it, as with `ancestor` in the change feed. Null: the whole wiki. */
  ancestor?: string | null;
  /** Key of the signatures: `whsec_` and the base64 of 24 to 64 bytes. Without it one is made. */
  secret?: string;
  /** Position in the change feed to go on from: a cursor, `0` for the beginning, or `latest`. */
  after?: string;
};

/** An event that a watch met. */
export type Notification = {
  /** ID of the notification. */
  id: number;
  /** Kind of the event. An edit that does several things has an event for each. */
  kind: 'created' | 'edited' | 'moved' | 'permissions' | 'deleted' | 'restored' | 'erased';
  /** When, ISO 8601 in UTC. */
  at: string;
  /** The page. */
  page: {
    /** Page ID. */
    id: number;
    /** Path after the event. */
    path: string;
    /** Title after the event. Null where the caller can read the page no more. */
    title: string | null;
  };
  /** Path before a move. */
  from?: string;
  /** Member who did it. Null where the caller can read the page no more. */
  editor: MemberName | null;
  /** Message of the change. */
  msg: string;
  /** ID of the event, as in `/v1/changes`. */
  event: number;
  /** ID of the change: `to` of `/v1/diff`. */
  change: number;
  /** ID of the watch that it met. */
  watch: number;
  /** Whether the member marked it as read. */
  read: boolean;
};

/** Address of the feed. */
export type NotificationFeed = {
  /** Address of the feed, shown this once. */
  url: string;
};

/** An invitation that can still be used, without its token. */
export type OpenInvitation = {
  /** ID of the invitation. */
  id: number;
  /** `reader`: likes and watches pages, and writes none. `writer`: writes what permissions allow. `moderator`: also restores and deletes what anyone may read, undoes changes, blocks members and protects pages. `administrator`: everything. */
  role: 'reader' | 'writer' | 'moderator' | 'administrator';
  /** Whether the person becomes an administrator. */
  isAdmin: boolean;
  /** The administrator who made it. It is valid only while they are one, active, and signed out nowhere by a new passphrase. */
  invitedBy: {
    /** Member ID. */
    id: number;
    /** Name of the member. */
    name: string;
  } | null;
  /** When it was made, ISO 8601 in UTC. */
  createdAt: string;
  /** Until when it works, ISO 8601 in UTC. */
  expiresAt: string;
};

/** Everything that the wiki knows of a member. */
export type OwnData = {
  /** When, ISO 8601 in UTC, like all times here. */
  exportedAt: string;
  /** The account. */
  profile: {
    /** Member ID. */
    id: number;
    /** Name. */
    name: string;
    /** E-mail address. */
    email: string;
    /** Role. */
    role: string;
    /** Whether the member is an administrator. */
    isAdmin: boolean;
    /** When the member joined. */
    createdAt: string;
    /** Whether the account has a passphrase. */
    hasPassphrase: boolean;
    /** Whether a code is asked for beside it. */
    hasSecondFactor: boolean;
    /** The last block of the account, which may be over. */
    block: {
      /** When. */
      at: string;
      /** When it ends by itself. */
      until: string | null;
      /** Why. */
      reason: string;
    } | null;
  };
  /** Groups that the member is in. */
  groups: {
    /** Group ID. */
    id: number;
    /** Name. */
    name: string;
  }[];
  /** Linked accounts at providers. */
  identities: ({
    /** Provider. */
    provider: string;
    /** Issuer of the identity. */
    issuer: string;
    /** ID of the account there. */
    subject: string;
    /** Address or name there. */
    account: string | null;
    /** When it was linked. */
    linkedAt: string;
  })[];
  /** Passkeys, without their keys. */
  passkeys: ({
    /** ID of the passkey. */
    id: number;
    /** Name. */
    name: string;
    /** Whether copies are kept on other devices. */
    isSynced: boolean;
    /** When it was added. */
    createdAt: string;
    /** When it last signed in. */
    lastUsedAt: string | null;
  })[];
  /** Sign-ins that are kept. */
  sessions: ({
    /** Names the session; opens nothing. */
    id: string;
    /** Way by which the member signed in. */
    method: string;
    /** Provider, if it was by one. */
    provider: string | null;
    /** Whether it is a browser on the site. */
    isBrowser: boolean;
    /** Name of the client. */
    userAgent: string | null;
    /** When it began. */
    createdAt: string;
    /** When it was last used. */
    lastSeenAt: string;
  })[];
  /** API tokens, without their secrets. */
  tokens: ({
    /** ID of the token. */
    id: number;
    /** Name. */
    name: string;
    /** Rights. */
    scopes: string[];
    /** ID of the page that it is limited to. */
    ancestor: number | null;
    /** When it was made. */
    createdAt: string;
    /** When it ends. */
    expiresAt: string | null;
    /** When it was last used. */
    lastUsedAt: string | null;
    /** From which address. */
    lastUsedFrom: string | null;
  })[];
  /** Watched pages, tags and searches. */
  watches: ({
    /** ID of the watch. */
    id: number;
    /** `page`, `subtree`, `tag` or `search`. */
    kind: string;
    /** ID of the page, the tag, or the query. */
    target: string;
    /** The page, if it can be read now. */
    page: PageName | null;
    /** `off`, `now`, `daily` or `weekly`. */
    mail: string;
    /** When it began. */
    createdAt: string;
  })[];
  /** Liked pages that the member may read. */
  likes: {
    page: PageName;
    /** When it was liked. */
    at: string;
  }[];
  /** Changes of the member on pages that they may read now, the latest first. */
  contributions: ({
    /** Change ID. */
    id: number;
    /** When. */
    timestamp: string;
    /** Commit message. */
    msg: string;
    page: PageName;
    /** Whether its content was erased. */
    isErased: boolean;
    /** Text of the page after the change; null where it was erased. */
    body: string | null;
  })[];
  /** Entries of the audit log: what the member did, and what was done to the account. Latest first. */
  audit: ({
    /** ID of the entry. */
    id: number;
    /** When. */
    at: string;
    /** Kind of the action. */
    kind: string;
    /** The member who did it. */
    actor: {
      /** Member ID. */
      id: number;
      /** Name. */
      name: string;
    } | null;
    /** Object of the action. */
    subject: {
      /** `member`, `page` … */
      kind: string;
      /** Its ID. */
      id: number | null;
      /** Its name. */
      name: string;
    } | null;
    /** Interface that was used. */
    via: string;
    /** Address of the client, where it was the member or a stranger. */
    from: string | null;
    /** ID of the API token that was used. */
    token: number | null;
    /** More of it, in words. */
    note: string;
    /** For how many times it stands. */
    times: number;
    /** The last of them. */
    lastAt: string;
  })[];
};

/** A page with everything that the wiki shows of it. */
export type Page = {
  /** Page ID. */
  id: number;
  /** Page title. */
  title: string;
  /** Description as given, or derived from the body. */
  description: string;
  /** Last part of the generated path. */
  slug: string;
  /** Unique path of the page. */
  path: string;
  /** ID of the parent page; 0 for a root page. */
  parent: number;
  /** Structured data of the current version, as an editor gave it; `{}` where none was given. */
  data: Record<string, unknown>;
  /** Distance from a root page: 0 for a root page. */
  depth: number;
  /** Page type, or null. */
  type: string | null;
  /** Values of each tag, in the order of the body. */
  tags: Record<string, string[]>;
  /** Where the page is, or `false` for none. */
  location: Location | false;
  /** IDs of the members who like the page. */
  likes: number[];
  /** Attached files. */
  files: File[];
  owner: MemberName;
  /** The group whom the second digit of the permissions is for; `members`: all members. A change tells it as it was called then. */
  group: string;
  defaults?: Defaults;
  /** Changes, oldest first; only the latest or none when `history=latest` or `history=none` asked so. Of a page whose history begins with a later change for its readers (`history` of an edit), those from that one on. */
  history: Change[];
  /** Ancestors, root first, direct parent last. */
  lineage: LineageEntry[];
  /** The language of the body. */
  format: 'wikitext' | 'markdown';
  /** Address of a picture for the page. */
  image?: string;
  /** The first 100 pages beneath it by title, where `include=children` asks for them. */
  children?: ({
    /** Page ID. */
    id: number;
    /** Page title. */
    title: string;
    /** Page path. */
    path: string;
    /** Page type, or null. */
    type: string | null;
    /** Whether there are pages beneath it that the caller may see. */
    hasChildren: boolean;
  })[];
  /** 100 of the pages that link to it, lowest IDs first, where `include=backlinks` asks for them. */
  backlinks?: PageName[];
  snippet?: Snippet;
  /** Three octal digits for owner, group and world; 4 reads, 4 and 2 write. */
  permissions: number;
};

/** Changes to a page; fields that are left out stay as they are. */
export type PageEdit = Omit<NewPage, 'permissions'> & {
  /** Three octal digits for owner, group and world. **Whoever may read the page may read its whole history and its replaced files, too**: opening a private page publishes all that it ever said, unless `history` is `from now`. */
  permissions?: number;
  /** ID of the change that the edit started from: later changes are merged with it, and 412 where both changed the same. `If-Match`, where it is sent too, decides first. */
  base?: number;
  /** Files to take from the page, by their `name` or `filename`. They stay at their addresses as files of earlier changes, and going back to one of these brings them back. */
  removeFiles?: string[];
  /** How much of its history the page shows. `from now`: this change and later ones alone, to everybody but its owner and administrators, wherever changes show; former addresses of the page lead nowhere any more. Page objects then tell no earlier changes to anybody: `/v1/history/{path}` lists them to the owner and administrators. `all`: the whole history again. Left out: as before. For the owner and administrators; going back to an older change leaves it alone. */
  history?: 'from now' | 'all';
};

/** A page in a list that needs its name only. */
export type PageName = {
  /** Page ID. */
  id: number;
  /** Page title. */
  title: string;
  /** Page path. */
  path: string;
};

/** A key on a device of the member. */
export type Passkey = {
  /** ID of the passkey. */
  id: number;
  /** How the member calls it. */
  name: string;
  /** Whether its device keeps copies on others, so that it is not lost with one. */
  isSynced: boolean;
  /** When it was added, ISO 8601 in UTC. */
  createdAt: string;
  /** When somebody last signed in with it, ISO 8601 in UTC; null: never. */
  lastUsedAt: string | null;
};

/** The new name. */
export type PasskeyName = {
  /** How to call it, up to 60 characters. */
  name: string;
};

/** Options of WebAuthn. */
export type PasskeyOptions = {
  /** Options for the browser, in the JSON form of WebAuthn Level 3. Their challenge can be answered once, within five minutes. */
  options: Record<string, unknown>;
};

/** The answer. */
export type PasskeySignIn = {
  /** The browser’s `PublicKeyCredential`, by its `toJSON()`. */
  credential: Record<string, unknown>;
};

/** The result of checking a path. */
export type PathCheck = {
  /** Whether the path will work. */
  ok: boolean;
  /** Reason why it will not, for showing to a person; may contain HTML markup. */
  error?: string;
  /** The next free path, if a page has this one. */
  freePath?: string;
};

/** Rendering and metadata of a body. */
export type Preview = {
  /** HTML rendered from the body: safe to put into a page as it is. Where a page was just saved and cannot be rendered at that moment, the body as it was written in `<pre>`, after a notice: read the page again for its markup. */
  markup: string;
  /** Type that the body gives. */
  type: string | null;
  /** Tags that the body gives. */
  tags: Record<string, string[]>;
  /** Location that the body gives, or `false`. */
  location: Location | false;
  /** Targets of the links. */
  links: ({
    /** Target that the link names. */
    target: string;
    /** Path of the page it leads to; null if there is none yet. */
    path: string | null;
    /** Title of that page, or the target. */
    title: string;
  })[];
  /** Warnings for the writer: an unreadable location, a limit met. */
  notices: string[];
};

/** A body to preview. */
export type PreviewRequest = {
  /** Content to preview. */
  body: string;
  /** Path of the page it is for: lends its files and name. */
  path?: string;
  /** Title of the page it is for. */
  title?: string;
  /** The language of the body. */
  format?: 'wikitext' | 'markdown';
};

/** Reason of a refusal (RFC 9457). */
export type Problem = {
  /** Kind of the problem, as an address that explains it. */
  type: string;
  /** The kind in words. */
  title: string;
  /** The HTTP status. */
  status: number;
  /** This occurrence, as a sentence for a person. */
  detail: string;
  /** Every field or parameter that is unusable. */
  errors?: {
    /** JSON pointer into the body, `?name` for a query parameter, `{name}` for a part of the path. */
    pointer: string;
    /** Kind of the mistake, for programs: `required`, `wrong-type`, `unknown-parameter`, `not-found`, `taken`, or the code of the problem itself, which is the end of `type`. Codes never change their meaning; there may be more of them. */
    code: string;
    /** The mistake, as a sentence for a person. */
    detail: string;
  }[];
  /** With internal errors: ID under which the log has the cause. */
  requestId?: string;
  /** With 429: in how many seconds to try again. */
  retryAfter?: number;
  /** With 503 at `/readyz`: `ok` or `failed`. */
  reads?: string;
  /** With 503 at `/readyz`: `ok`, or why nothing can be saved: `full`, `read-only`, `gone` (the data folder) or `failed`. */
  writes?: string;
  /** With 404: where a page that was moved is now. */
  movedTo?: string;
  /** With `path-taken`: the next free path, which the request could give instead. */
  freePath?: string;
  /** With 410: when the page was deleted. */
  deletedAt?: string;
  /** With 410: who deleted the page. */
  deletedBy?: {
    /** Member ID. */
    id: number;
    /** The member's name. */
    name: string;
  };
  /** With 409: how many pages lie beneath, or are of the group. With 401: how many of them the caller may not edit. */
  pages?: number;
  /** With 409: how many more pages in the trash are of the group. */
  trashed?: number;
  /** With 403 `protected`: who can change the page, `moderators` or `administrators`. */
  level?: string;
  /** With 403 `blocked`: why. */
  reason?: string;
  /** With 403: when the block or the protection ends by itself; null: it does not. */
  until?: string | null;
  /** With 412: the fields that both edits changed. */
  fields?: string[];
  /** With 412: the version that the edit started from, as `{change, content}`; null if there is none. */
  base?: unknown;
  /** With 412: the version that is there now, as `{change, content}`. */
  theirs?: unknown;
  /** With 412: what the edit would have made of the base, as `{content}`. */
  yours?: unknown;
};

/** Protection that is in force; `level` null: none. */
export type Protection = ProtectionInput & {
  /** Page that has the protection: this one or one above. */
  path: string;
  /** Whether pages beneath are protected with it, and none can be added there. */
  subtree: boolean;
  /** Why, up to 500 characters: shown on the page. */
  reason: string;
  /** When it ends by itself, ISO 8601; null: it does not. */
  until: string | null;
};

/** Protection of a page. */
export type ProtectionInput = {
  /** Lowest role that changes the page; null: its permissions alone decide. */
  level: 'moderators' | 'administrators' | null;
  /** Whether pages beneath are protected with it, and none can be added there. */
  subtree?: boolean;
  /** Why, up to 500 characters: shown on the page. */
  reason?: string;
  /** When it ends by itself, ISO 8601; null: it does not. */
  until?: string | null;
};

/** A page, and its body as HTML. */
export type ReadPage = {
  page: Page;
  /** HTML rendered from the body: safe to put into a page as it is. Where a page was just saved and cannot be rendered at that moment, the body as it was written in `<pre>`, after a notice: read the page again for its markup. */
  markup: string;
  /** HTML of the title as the page wants it shown by `{{DISPLAYTITLE:…}}`, safe to put into a heading as it is. Its text is the title but for the case of letters. Absent where the title is shown as it is. */
  displayTitle?: string;
};

/** Whether the server takes reads and writes now. */
export type Readiness = {
  /** `read-only` while the database takes no writes: reads are answered, writes with 503. */
  status: 'ok' | 'read-only';
  /** Always `ok`: without, the answer is 503. */
  reads: 'ok';
  /** `read-only` while no server of the database takes writes. */
  writes: 'ok' | 'read-only';
  /** Replicas of the database, if there are any. */
  replicas?: {
    /** Replicas that reads go to now. */
    inUse: number;
    /** Replicas that are configured. */
    all: number;
  };
};

/** For when the app is lost. */
export type RecoveryCodes = {
  /** Each works once instead of a code of the app. Shown this once. */
  recoveryCodes: string[];
};

/** A link target that no page answers to yet. */
export type RequestedLink = {
  /** Target that pages tried to link to. */
  title: string;
  /** The pages that asked for it, by title; at most 1,000, and fewer where more than 100 requested links are asked for: 100,000 in all. */
  links: PageName[];
};

/** A one-time link to choose a new passphrase. It is shown this once. */
export type ResetLink = {
  /** The one-time token. */
  token: string;
  /** The link to hand to the member. */
  url: string;
  /** Until when it works, ISO 8601 in UTC. */
  expiresAt: string;
};

/** The link and the new passphrase. */
export type ResetPassphrase = {
  /** The one-time token. */
  token: string;
  /** Passphrase of at least 12 characters. */
  pass: string;
};

/** Parent to restore a page to. */
export type Restoration = {
  /** Another path for it. */
  path?: string;
};

/** The page, as it was. */
export type RestoredPage = {
  page: Page;
};

/** Number of marks that changed. */
export type Reviewed = {
  /** How many had another mark. */
  changed: number;
};

/** Events, and their mark. */
export type ReviewedInput = {
  /** IDs of events, up to 1000. */
  ids: number[];
  /** `false` takes the mark back. */
  reviewed?: boolean;
};

/** The change to go back to. */
export type Rollback = {
  /** ID of the change to go back to. */
  to: number;
  /** Commit message. */
  msg?: string;
};

/** State of the second factor. */
export type SecondFactor = {
  /** Whether a code is needed. */
  isOn: boolean;
  /** Recovery codes that were not used. */
  recoveryCodesLeft: number;
};

/** Key for the authenticator app. */
export type SecondFactorKey = {
  /** The key, base32. */
  secret: string;
  /** The same for a QR code. */
  url: string;
};

/** A sign-in that has not ended. */
export type Session = {
  /** Names the session; opens nothing. */
  id: string;
  /** Way by which the member signed in: `handle` is that of a stored OAuth 2.0 token. */
  method: 'passphrase' | 'handle' | 'provider' | 'passkey';
  /** Whose the handle or identity is; null for a passphrase or passkey. */
  provider: string | null;
  /** Whether it is a browser on the site; else a program with tokens. */
  isBrowser: boolean;
  /** Name of the client when it signed in, shortened. */
  userAgent: string | null;
  /** When the member signed in, ISO 8601 in UTC. */
  createdAt: string;
  /** When it was last used, to five minutes, ISO 8601 in UTC. */
  lastSeenAt: string;
  /** When it ends if it is not used any more, ISO 8601 in UTC. */
  expiresAt: string;
  /** Whether it is the one that asks. */
  isCurrent: boolean;
};

/** Settings of the site. */
export type Settings = {
  /** Whether only members read anything. Then the third digit of every page’s permissions counts as 0, and new pages are 770. */
  private: boolean;
  /** Names of settings that the environment decides, which cannot be changed here. */
  fixed: string[];
};

/** Settings to change. */
export type SettingsInput = {
  /** Whether only members read anything. Then the third digit of every page’s permissions counts as 0, and new pages are 770. */
  private?: boolean;
};

/** A member as others see them. */
export type ShownMember = {
  /** Member ID. */
  id: number;
  /** Name. */
  name: string;
  /** When the member joined, ISO 8601 in UTC. */
  since: string;
  /** Whether the member is an administrator. */
  isAdmin: boolean;
  /** `reader`: likes and watches pages, and writes none. `writer`: writes what permissions allow. `moderator`: also restores and deletes what anyone may read, undoes changes, blocks members and protects pages. `administrator`: everything. */
  role: 'reader' | 'writer' | 'moderator' | 'administrator';
};

/** Either `email` and `pass`, or `provider` and `id`. */
export type SignIn = {
  /** E-mail address. */
  email?: string;
  /** Passphrase. */
  pass?: string;
  /** For an account with a second factor: a code of the authenticator app, or a recovery code. */
  code?: string;
  /** Provider of a stored OAuth 2.0 token. */
  provider?: string;
  /** Its secret handle, as handed out once. */
  id?: string;
};

/** The step that comes next: the same for every address. */
export type SignedUp = {
  /** `confirm`: by the link that is mailed to the address. `wait`: an administrator decides. `sign-in`: the account is ready. It follows from the settings of the wiki alone. */
  next: 'confirm' | 'wait' | 'sign-in';
};

/** The part of a page that a search by `text` found. */
export type Snippet = {
  /** About 240 characters around the first of the words. */
  text: string;
  /** The same as HTML, the words in `<mark>`: safe to put into a page as it is. */
  html: string;
  /** The title as such HTML. */
  title: string;
  /** Innermost section that the first of the words is in; absent before the first heading. */
  section?: {
    /** Anchor of its heading: `#` and this after the page’s address lead there. */
    id: string;
    /** Its heading, as plain text. */
    title: string;
  };
};

/** All is well. */
export type Status = {
  /** Always `ok`. */
  status: 'ok';
};

/** A deletion that can be undone. */
export type TrashEntry = Deleted & {
  /** When it was deleted. */
  deletedAt: string;
  deletedBy: MemberName;
};

/** Since when. */
export type UndoInput = {
  /** Changes at this moment and later are undone; ISO 8601. */
  since: string;
  /** Message of the changes. */
  msg?: string;
  /** Only reports the effect; changes nothing. */
  dryRun?: boolean;
};

/** Result of the undo. */
export type Undone = {
  /** Outcome for each page, deepest ones first. */
  pages: UndonePage[];
  /** Pages beyond the limit, which stay as they are. */
  more: number;
};

/** A page that the member changed, and what became of it. */
export type UndonePage = {
  /** Page ID. */
  id: number;
  /** Its path. */
  path: string;
  /** Its title. */
  title: string;
  /** How many of the member's changes it has since then. */
  changes: number;
  /** `undone`: it says what it said before. `merged`: so it does, with what others changed since. `conflict`: others changed the same since, or what it said before was erased; nothing was done. `deleted`: the member made it and nobody else changed it, so it is in the trash. `left`: there is nothing to undo, or the member made it and others wrote on, or have pages beneath it. */
  outcome: 'undone' | 'merged' | 'conflict' | 'deleted' | 'left';
};

/** The most recent update of a page. */
export type Update = {
  /** Page title. */
  title: string;
  /** Page path. */
  path: string;
  /** Time of the page's latest update, Unix seconds. */
  timestamp: number;
  editor: MemberName;
};

/** Types and tags in use. */
export type Vocabulary = {
  /** Types, those of most pages first; at most 50. */
  types: {
    /** The type. */
    type: string;
    /** How many of the 500 pages that changed last, of those that the caller may see, have it. */
    count: number;
  }[];
  /** Tags, those of most pages first; at most 50. */
  tags: {
    /** Key of the tag, in lower case. */
    key: string;
    /** One of its values. */
    value: string;
    /** How many of the 500 pages that changed last, of those that the caller may see, have it. */
    count: number;
  }[];
};

/** Somebody who asks to become a member. */
export type WaitingSignUp = {
  /** ID of the request. */
  id: number;
  /** E-mail address of the person. */
  email: string;
  /** Name to be shown. */
  name: string;
  /** Since when the person waits, ISO 8601 in UTC. */
  waitingSince: string;
  /** When the request is dropped, ISO 8601 in UTC. */
  expiresAt: string;
};

/** A watch of a member. */
export type Watch = {
  /** ID of the watch. */
  id: number;
  /** Target of the watch. */
  kind: 'page' | 'subtree' | 'tag' | 'search';
  /** The watched page. Null for tags, searches and the whole wiki, and where the member cannot read it now. */
  page: {
    /** Page ID. */
    id: number;
    /** Present path. */
    path: string;
    /** Present title. */
    title: string;
  } | null;
  /** The watched tag. */
  tag: string | null;
  /** Query of the watched search. */
  search: string | null;
  /** When mail tells of it: never, at once, at seven in the morning, or on Mondays (UTC). */
  mail: 'off' | 'now' | 'daily' | 'weekly';
  /** When the member began to watch, ISO 8601 in UTC. */
  createdAt: string;
};

/** A webhook. It is told what `member` may read, while they are an administrator. */
export type Webhook = {
  /** Webhook ID. */
  id: number;
  /** Address that events are sent to: a public https address, or one that COPPICE_OUTGOING_ALLOW names. */
  url: string;
  /** Kinds of events that it is told of; null: all. */
  kinds: ('created' | 'edited' | 'moved' | 'permissions' | 'deleted' | 'restored' | 'erased')[] | null;
  /** Path of a page: events of that page and of pages beneath it, as with `ancestor` in the change feed. Null: the whole wiki. */
  ancestor: string | null;
  member: MemberName;
  /** When it was made, ISO 8601 in UTC. */
  createdAt: string;
  /** Whether events are sent. */
  enabled: boolean;
  /** Since when nothing is sent; null while it is enabled. */
  disabledAt: string | null;
  /** Reason why nothing is sent, in a sentence. */
  disabledReason: string | null;
  /** When something was last taken at its address; null: never. */
  lastDeliveredAt: string | null;
};

/** Fields to change; all others stay as they are. */
export type WebhookEdit = {
  /** Address that events are sent to: a public https address, or one that COPPICE_OUTGOING_ALLOW names. */
  url?: string;
  /** Kinds of events that it is told of; null: all. */
  kinds?: ('created' | 'edited' | 'moved' | 'permissions' | 'deleted' | 'restored' | 'erased')[] | null;
  /** Path of a page: events of that page and of pages beneath it, as with `ancestor` in the change feed. Null: the whole wiki. */
  ancestor?: string | null;
  /** Whether events are sent. Enabled again, it goes on where it stopped, unless `after` says otherwise. */
  enabled?: boolean;
  /** Position in the change feed to go on from: a cursor, `0` for the beginning, or `latest`. */
  after?: string;
};

/** Parameters shared by several operations. */
export interface Shared {
  path: {
    /** Page path without its leading slash; may contain slashes. */
    path: string;
    /** Member ID. */
    id: number;
    /** ID of the member. */
    memberId: number;
    /** Degrees north of the starting point. */
    lat: number;
    /** Degrees east of the starting point. */
    lon: number;
  };
  query: {
    /** How many to skip. */
    offset?: number;
    /** How many to return. Above 1,000 counts as 1,000. */
    limit?: number;
    /** How much of the history to include. A history of more than 16 MB is never included whole: its latest change stands for it, and `/v1/history/{path}` lists all. So do the latest changes of a list whose histories have more than 64 MB together. */
    history?: 'all' | 'latest' | 'none';
    /** Additions to each page, between commas: `children`, its first 100 by title; `backlinks`, 100 of the pages that link to it, lowest IDs first; `files`, those attached to it. At most 100 pages then. */
    include?: string;
    /** Matches pages whose path begins with this. */
    path?: string;
    /** Matches pages whose title contains this, without regard to case. */
    title?: string;
    /** Matches pages of this type. */
    type?: string;
    /** `tag:val` matches pages with a tag of that name set to that value; anything else, pages with a tag of that name or of that value. Names compare without regard to case, values exactly. May be repeated. */
    tag?: string[];
    /** Words to find in title and body, without regard to case, accents and vowel points; "double quotes" hold phrases together. A minus directly before a word or phrase leaves out pages that contain it: `roses -trees`. Excluded words without any other match nothing. */
    text?: string;
    /** Page IDs between commas, at most 1,000: matches these pages. */
    ids?: string;
    /** Member ID: matches the pages that they created. */
    owner?: string;
    /** Path of a page: matches pages that link to it or call it as a template. At most 10,000 may. */
    linksTo?: string;
    /** Limits to descendants of the page at this path, at any depth. */
    ancestor?: string;
    /** `lat,lon,metres`: limits to places within the distance, 10,000 metres without one and 1,000,000 at most. At most 10,000 places may lie there. */
    near?: string;
    /** `west,south,east,north` in degrees: limits to places in the box. A box whose west is greater than its east crosses the antimeridian. */
    bbox?: string;
    /** A date, a date and time with its zone, or Unix seconds: limits to pages that changed then or later. */
    since?: string;
    /** `or` unites the criteria; by default all must be met. */
    logic?: string;
    /** Name of the source, recorded with its pages: a later import with this name continues this one. Default: what the source says of itself, or the name of the file. */
    source?: string;
    /** Deletes pages (to the trash) that an earlier import of this source made and the source does not have any more, and moves those whose files were moved. Pages that were changed here stay. */
    prune?: boolean;
    /** Fields between commas: each page has these alone, and nothing is loaded for others. Of `id`, `title`, `description`, `slug`, `path`, `parent`, `depth`, `type`, `location`, `owner`, `permissions`, `group`, `defaults`, `tags`, `likes`, `files`, `lineage`, `data`, `history`, `format`, `image`, `hasChildren`. */
    fields?: string;
  };
}

/** Operations by method and path. */
export interface Operations {
  /** Carry out several operations */
  'POST /v1/batch': {
    body: Batch;
    answer: {
      /** In the order of the operations. */
      results: BatchResult[];
      /** After an atomic batch was rolled back, index of the operation that was refused. */
      failed?: number;
    };
  };
  /** Create a page */
  'POST /v1/pages': {
    body?: NewPage;
    answer: Page;
  };
  /** Search pages */
  'GET /v1/pages': {
    query?: Pick<Shared['query'], 'path' | 'title' | 'type' | 'tag' | 'text' | 'ids' | 'owner' | 'linksTo' | 'ancestor' | 'near' | 'bbox' | 'since' | 'logic' | 'offset' | 'history'> & {
      /** `alphabetical` (by title; the default), `reverse alphabetical`, `first created`, `last created`, `oldest update`, `most recent update` or, with `text`, `relevance`. */
      order?: string;
      /** How many to return. Above 1,000 counts as 1,000. */
      limit?: number;
      /** Instead of `offset`: empty for the first pages, then as `Link: rel="next"` has it. Pages that come and go meanwhile repeat or skip none; one whose title or time of change is other than before has moved in an order by these. */
      cursor?: string;
      /** Fields between commas: each page has these alone, and nothing is loaded for others. Of `id`, `title`, `description`, `slug`, `path`, `parent`, `depth`, `type`, `location`, `owner`, `permissions`, `group`, `defaults`, `tags`, `likes`, `files`, `lineage`, `data`, `history`, `format`, `image`. */
      fields?: string;
      /** Additions to each page, between commas: `children`, its first 100 by title; `backlinks`, 100 of the pages that link to it, lowest IDs first; `files`, those attached to it; `snippet`, with `text`: where the words are. At most 100 pages then. */
      include?: string;
    };
    answer: Page[];
  };
  /** Edit a page */
  'POST /v1/pages/{path}': {
    path: Pick<Shared['path'], 'path'>;
    query?: Pick<Shared['query'], 'history'>;
    body?: PageEdit;
    answer: EditedPage;
  };
  /** Read a page */
  'GET /v1/pages/{path}': {
    path: Pick<Shared['path'], 'path'>;
    query?: Pick<Shared['query'], 'history' | 'include'> & {
      /** ID of a change: the page as it was after it. */
      version?: number;
      /** `md`: the page as Markdown, as `Accept: text/markdown` also asks. `json`: as JSON whatever is accepted. */
      format?: 'json' | 'md';
      /** With Markdown: what the wiki knows of the page stands before it as YAML, unless the page has front matter of its own. */
      frontMatter?: boolean;
      /** Fields between commas: each page has these alone, and nothing is loaded for others. Of `id`, `title`, `description`, `slug`, `path`, `parent`, `depth`, `type`, `location`, `owner`, `permissions`, `group`, `defaults`, `tags`, `likes`, `files`, `lineage`, `data`, `history`, `format`, `image`, `markup`, `displayTitle`. */
      fields?: string;
    };
    answer: ReadPage;
  };
  /** Delete a page */
  'DELETE /v1/pages/{path}': {
    path: Pick<Shared['path'], 'path'>;
    query?: {
      /** Deletes all pages beneath it as well; without, pages beneath refuse the deletion. */
      subtree?: boolean;
    };
    answer: DeletedPage;
  };
  /** Import another wiki */
  'POST /v1/imports': {
    query?: Pick<Shared['query'], 'source' | 'prune'> & {
      /** Kind of the upload. Default: recognised by the file. */
      from?: 'mediawiki' | 'dokuwiki' | 'obsidian' | 'logseq' | 'foam' | 'dendron' | 'quartz' | 'wikijs' | 'docusaurus' | 'mkdocs' | 'mdbook' | 'gitbook' | 'vitepress' | 'hugo' | 'zola' | 'jekyll' | 'eleventy' | 'nextjs' | 'markdown' | 'html' | 'notion' | 'confluence' | 'tiddlywiki' | 'evernote' | 'opml' | 'outline' | 'bookstack' | 'office' | 'csv' | 'jsonl';
      /** Path of the page beneath which everything goes; it is made if need be. */
      parent?: string;
      /** Plans and writes nothing. */
      dryRun?: boolean;
    };
    answer: undefined;
  };
  /** Import what was uploaded before */
  'POST /v1/imports/{id}': {
    path: {
      /** ID of the import. */
      id: number;
    };
    query?: Pick<Shared['query'], 'source' | 'prune'>;
    answer: undefined;
  };
  /** Get the progress of an import */
  'GET /v1/imports/{id}': {
    path: {
      /** ID of the import. */
      id: number;
    };
    answer: Import;
  };
  /** Cancel an import */
  'DELETE /v1/imports/{id}': {
    path: {
      /** ID of the import. */
      id: number;
    };
    answer: undefined;
  };
  /** List the changes of a page */
  'GET /v1/history/{path}': {
    path: Pick<Shared['path'], 'path'>;
    query?: Pick<Shared['query'], 'offset'> & {
      /** How many to return. Above 1,000 counts as 1,000. */
      limit?: number;
    };
    answer: Change[];
  };
  /** Compare two changes of a page */
  'GET /v1/diff/{path}': {
    path: Pick<Shared['path'], 'path'>;
    query?: {
      /** ID of the older change; by default the one before `to`. */
      from?: number;
      /** ID of the newer change; by default the current one. */
      to?: number;
    };
    answer: Diff;
  };
  /** Go back to an older change */
  'POST /v1/rollback/{path}': {
    path: Pick<Shared['path'], 'path'>;
    query?: Pick<Shared['query'], 'history'>;
    body: Rollback;
    answer: EditedPage;
  };
  /** List the root pages */
  'GET /v1/children': {
    query?: Pick<Shared['query'], 'limit' | 'offset' | 'fields' | 'include'>;
    answer: Child[];
  };
  /** List the children of a page */
  'GET /v1/children/{path}': {
    path: Pick<Shared['path'], 'path'>;
    query?: Pick<Shared['query'], 'limit' | 'offset' | 'fields' | 'include'>;
    answer: Child[];
  };
  /** Look at a member */
  'GET /v1/members/{id}': {
    path: Pick<Shared['path'], 'id'>;
    answer: ShownMember;
  };
  /** Change the role of a member */
  'PATCH /v1/members/{id}': {
    path: Pick<Shared['path'], 'id'>;
    body?: ChangeMember;
    answer: ListedMember;
  };
  /** List what a member did */
  'GET /v1/members/{id}/contributions': {
    path: Pick<Shared['path'], 'id'>;
    query?: {
      /** Only changes before this one: `next` of an earlier answer. */
      before?: number;
      /** How many to return. Above 1,000 counts as 1,000. */
      limit?: number;
    };
    answer: Contributions;
  };
  /** Erase for good */
  'POST /v1/erase': {
    body: Erasure;
    answer: Erased;
  };
  /** Follow what happens */
  'GET /v1/changes': {
    query?: {
      /** Cursor: `next` of an earlier answer. `latest`: the end. Without it, from the beginning. */
      after?: string;
      /** Cursor, or `latest`: the latest events come first, before this one; `next` goes on backwards. Not for streams. */
      before?: string;
      /** How many to return. Above 1,000 counts as 1,000. */
      limit?: number;
      /** Kinds, separated by commas. */
      kind?: string;
      /** Path of a page: events of pages that lie beneath it now, did then, or did before they moved. */
      ancestor?: string;
      /** Type of the page now. */
      type?: string;
      /** Tag of the page now, as in a search. */
      tag?: string;
      /** Member ID of who did it. */
      editor?: number;
      /** `reader`: likes and watches pages, and writes none. `writer`: writes what permissions allow. `moderator`: also restores and deletes what anyone may read, undoes changes, blocks members and protects pages. `administrator`: everything. */
      role?: 'reader' | 'writer' | 'moderator' | 'administrator';
      /** For moderators: `false` lists what awaits review, `true` everything else. What moderators and administrators do needs none. */
      reviewed?: boolean;
    };
    answer: Changes;
  };
  /** Mark changes as reviewed */
  'POST /v1/changes/reviewed': {
    body: ReviewedInput;
    answer: Reviewed;
  };
  /** Export the wiki */
  'GET /v1/export': {
    query: {
      /** `jsonl`: JSON lines, one object a line; the last one has the `kind` `end`, without it something is missing. `markdown`, `wikitext`: a file for each page. `mediawiki-xml`: as a dump of MediaWiki. `site`: a website that needs no server. `html`: one file to read or print. `epub`: a book. */
      format: 'jsonl' | 'markdown' | 'wikitext' | 'site' | 'html' | 'epub' | 'mediawiki-xml';
      /** Path of a page: it and those beneath it. */
      ancestor?: string;
    };
    answer: string;
  };
  /** List files */
  'GET /v1/files': {
    query?: {
      /** Part of the name, without regard to case and accents. */
      q?: string;
      /** Kind of files, such as `image` or `image/*`, or a type, such as `image/png`. */
      mime?: string;
      /** Limits to files of the page at this path. */
      page?: string;
      /** Limits to files of descendants of the page at this path. */
      ancestor?: string;
      /** Limits to files that no page which the caller may read embeds or links to. */
      unused?: boolean;
      /** `name` from A, `size` from the largest, `date` of upload from the latest. */
      sort?: 'name' | 'size' | 'date';
      /** How many to return. Above 1,000 counts as 1,000. */
      limit?: number;
      /** Place of the next files, from `Link: rel="next"` of the answer before; empty: the beginning. */
      cursor?: string;
    };
    answer: FileInLibrary[];
  };
  /** Read a file */
  'GET /files/{name}': {
    path: {
      /** `name` or `thumbnail` of a file. */
      name: string;
    };
    query?: {
      /** A picture no wider than this, in pixels, and never enlarged: as AVIF or WebP where `Accept` names them, else in its own format, without metadata. Narrower pictures, SVG, GIF that stay GIF, TIFF that stay TIFF, animations, pictures of more than 50 megapixels and other files are answered as they are. `Range` is ignored. */
      w?: 320 | 640 | 960 | 1280 | 1920;
    };
    answer: string;
  };
  /** Read the audit log */
  'GET /v1/audit': {
    query?: {
      /** Cursor: `next` of an earlier answer. Without it, from the beginning. */
      after?: number;
      /** Cursor: entries before it, newest first; `next` is then that for `before`. 0: the latest. */
      before?: number;
      /** How many to return. Above 1,000 counts as 1,000. */
      limit?: number;
      /** Kinds, separated by commas. */
      kind?: string;
      /** Member ID: what they did, and what was done to their account. */
      member?: number;
    };
    answer: AuditEntries;
  };
  /** Read the settings of the site */
  'GET /v1/settings': {
    answer: Settings;
  };
  /** Change the settings of the site */
  'PATCH /v1/settings': {
    body?: SettingsInput;
    answer: Settings;
  };
  /** List pages that everybody reads in a public wiki */
  'GET /v1/settings/public-pages': {
    answer: {
      /** Number of such pages. */
      total: number;
      /** The first hundred of them by title. */
      pages: {
        /** Page ID. */
        id: number;
        /** Its address. */
        path: string;
        /** Its title. */
        title: string;
      }[];
    };
  };
  /** List groups */
  'GET /v1/groups': {
    query?: Pick<Shared['query'], 'limit' | 'offset'>;
    answer: Group[];
  };
  /** Make a group */
  'POST /v1/groups': {
    body: GroupInput;
    answer: Group;
  };
  /** Read a group */
  'GET /v1/groups/{id}': {
    path: {
      /** ID of the group. */
      id: number;
    };
    query?: Pick<Shared['query'], 'offset'> & {
      /** How many to return. Above 1,000 counts as 1,000. */
      limit?: number;
    };
    answer: Group;
  };
  /** Rename a group */
  'POST /v1/groups/{id}': {
    path: {
      /** ID of the group. */
      id: number;
    };
    body: GroupInput;
    answer: Group;
  };
  /** Delete a group */
  'DELETE /v1/groups/{id}': {
    path: {
      /** ID of the group. */
      id: number;
    };
    answer: undefined;
  };
  /** Put a member into a group */
  'PUT /v1/groups/{id}/members/{memberId}': {
    path: Pick<Shared['path'], 'memberId'> & {
      /** ID of the group. */
      id: number;
    };
    answer: undefined;
  };
  /** Take a member out of a group */
  'DELETE /v1/groups/{id}/members/{memberId}': {
    path: Pick<Shared['path'], 'memberId'> & {
      /** ID of the group. */
      id: number;
    };
    answer: undefined;
  };
  /** Make an API token */
  'POST /v1/tokens': {
    body: NewToken;
    answer: MadeToken;
  };
  /** List my API tokens */
  'GET /v1/tokens': {
    answer: ApiToken[];
  };
  /** Revoke an API token */
  'DELETE /v1/tokens/{id}': {
    path: {
      /** ID of the token. */
      id: number;
    };
    answer: undefined;
  };
  /** Make a webhook */
  'POST /v1/webhooks': {
    body: NewWebhook;
    answer: MadeWebhook;
  };
  /** List the webhooks */
  'GET /v1/webhooks': {
    answer: Webhook[];
  };
  /** Read a webhook */
  'GET /v1/webhooks/{id}': {
    path: {
      /** ID of the webhook. */
      id: number;
    };
    answer: Webhook;
  };
  /** Edit, enable or disable a webhook */
  'PATCH /v1/webhooks/{id}': {
    path: {
      /** ID of the webhook. */
      id: number;
    };
    body?: WebhookEdit;
    answer: Webhook;
  };
  /** Delete a webhook */
  'DELETE /v1/webhooks/{id}': {
    path: {
      /** ID of the webhook. */
      id: number;
    };
    answer: undefined;
  };
  /** Send a test */
  'POST /v1/webhooks/{id}/test': {
    path: {
      /** ID of the webhook. */
      id: number;
    };
    answer: Delivery;
  };
  /** List what was sent to a webhook */
  'GET /v1/webhooks/{id}/deliveries': {
    path: {
      /** ID of the webhook. */
      id: number;
    };
    query?: Pick<Shared['query'], 'offset'> & {
      /** How many to return. Above 1,000 counts as 1,000. */
      limit?: number;
    };
    answer: Delivery[];
  };
  /** Send an event again */
  'POST /v1/webhooks/{id}/deliveries/{delivery}/replay': {
    path: {
      /** ID of the webhook. */
      id: number;
      /** ID of the delivery. */
      delivery: number;
    };
    answer: Delivery;
  };
  /** Is the process alive? */
  'GET /healthz': {
    answer: Status;
  };
  /** Can it serve? */
  'GET /readyz': {
    answer: Readiness;
  };
  /** Numbers for Prometheus */
  'GET /metrics': {
    answer: string;
  };
  /** Like a page */
  'PUT /v1/likes/{path}': {
    path: Pick<Shared['path'], 'path'>;
    answer: Likes;
  };
  /** Take back a like */
  'DELETE /v1/likes/{path}': {
    path: Pick<Shared['path'], 'path'>;
    answer: Likes;
  };
  /** List requested links */
  'GET /v1/requested': {
    answer: RequestedLink[];
  };
  /** List requested links */
  'GET /v1/requested/{num}': {
    path: {
      /** How many to return (25 without). Above 1,000 counts as 1,000. */
      num: number;
    };
    answer: RequestedLink[];
  };
  /** List what links to a page */
  'GET /v1/backlinks/{path}': {
    path: Pick<Shared['path'], 'path'>;
    query?: Pick<Shared['query'], 'limit' | 'offset'>;
    answer: PageName[];
  };
  /** Invite a member */
  'POST /v1/invitations': {
    body?: NewInvitation;
    answer: Invitation;
  };
  /** Open invitations */
  'GET /v1/invitations': {
    answer: OpenInvitation[];
  };
  /** Revoke an invitation */
  'DELETE /v1/invitations/{id}': {
    path: {
      /** ID of the invitation. */
      id: number;
    };
    answer: undefined;
  };
  /** Accept an invitation */
  'POST /v1/invitations/accept': {
    body: AcceptInvitation;
    answer: Me;
  };
  /** Authenticate */
  'POST /v1/members/auth': {
    body?: SignIn;
    answer: string;
  };
  /** Renew a token */
  'POST /v1/members/reauth': {
    answer: string;
  };
  /** Who am I? */
  'GET /v1/members/me': {
    answer: Me;
  };
  /** Change my name */
  'PATCH /v1/members/me': {
    body: ChangeName;
    answer: Me;
  };
  /** Ask for a new passphrase */
  'POST /v1/members/forgot': {
    body: ForgotPassphrase;
    answer: undefined;
  };
  /** Change my passphrase */
  'POST /v1/members/me/passphrase': {
    body: ChangePassphrase;
    answer: undefined;
  };
  /** Change my e-mail address */
  'POST /v1/members/me/email': {
    body: ChangeEmail;
    answer: undefined;
  };
  /** Confirm a new e-mail address */
  'POST /v1/members/email': {
    body: ConfirmEmail;
    answer: Me;
  };
  /** Leave the wiki */
  'POST /v1/members/me/leave': {
    body: Leave;
    answer: undefined;
  };
  /** List members */
  'GET /v1/members': {
    query?: Pick<Shared['query'], 'limit' | 'offset'>;
    answer: ListedMember[];
  };
  /** Sign up */
  'POST /v1/members': {
    body: NewSignUp;
    answer: undefined;
  };
  /** List blocked members */
  'GET /v1/blocks': {
    query?: Pick<Shared['query'], 'limit' | 'offset'>;
    answer: Block[];
  };
  /** Block a member */
  'POST /v1/members/{id}/block': {
    path: Pick<Shared['path'], 'id'>;
    body: BlockInput;
    answer: Block;
  };
  /** Lift a block */
  'DELETE /v1/members/{id}/block': {
    path: Pick<Shared['path'], 'id'>;
    answer: undefined;
  };
  /** Look at the protection of a page */
  'GET /v1/protection/{path}': {
    path: Pick<Shared['path'], 'path'>;
    answer: Protection;
  };
  /** Protect a page */
  'PUT /v1/protection/{path}': {
    path: Pick<Shared['path'], 'path'>;
    body: ProtectionInput;
    answer: Protection;
  };
  /** List my linked accounts */
  'GET /v1/members/me/identities': {
    answer: Identity[];
  };
  /** Unlink an account */
  'DELETE /v1/members/me/identities': {
    query: {
      /** Issuer of the identity. */
      issuer: string;
      /** ID of the account there. */
      subject: string;
    };
    answer: undefined;
  };
  /** Export my data */
  'GET /v1/members/me/export': {
    answer: OwnData;
  };
  /** Mail that was not sent */
  'GET /v1/mails': {
    answer: Mail[];
  };
  /** Hand a mail on */
  'POST /v1/mails/{id}/link': {
    path: {
      /** ID of the mail. */
      id: number;
    };
    answer: HandedMail;
  };
  /** Try a mail again */
  'POST /v1/mails/{id}/retry': {
    path: {
      /** ID of the mail. */
      id: number;
    };
    answer: undefined;
  };
  /** Discard a mail */
  'DELETE /v1/mails/{id}': {
    path: {
      /** ID of the mail. */
      id: number;
    };
    answer: undefined;
  };
  /** Make a reset link */
  'POST /v1/members/{id}/reset-link': {
    path: {
      /** ID of the member. */
      id: number;
    };
    answer: ResetLink;
  };
  /** Revoke a reset link */
  'DELETE /v1/members/{id}/reset-link': {
    path: {
      /** ID of the member. */
      id: number;
    };
    answer: undefined;
  };
  /** Choose a new passphrase */
  'POST /v1/members/reset': {
    body: ResetPassphrase;
    answer: Me;
  };
  /** See my second factor */
  'GET /v1/members/me/second-factor': {
    answer: SecondFactor;
  };
  /** Begin a second factor */
  'POST /v1/members/me/second-factor': {
    answer: SecondFactorKey;
  };
  /** End my second factor */
  'DELETE /v1/members/me/second-factor': {
    answer: undefined;
  };
  /** Turn the second factor on */
  'POST /v1/members/me/second-factor/confirm': {
    body: ConfirmSecondFactor;
    answer: RecoveryCodes;
  };
  /** Make new recovery codes */
  'POST /v1/members/me/second-factor/recovery-codes': {
    answer: RecoveryCodes;
  };
  /** Reset the second factor of a member */
  'DELETE /v1/members/{id}/second-factor': {
    path: {
      /** ID of the member. */
      id: number;
    };
    answer: undefined;
  };
  /** List my passkeys */
  'GET /v1/members/me/passkeys': {
    answer: Passkey[];
  };
  /** Add a passkey */
  'POST /v1/members/me/passkeys': {
    body: NewPasskey;
    answer: Passkey;
  };
  /** Begin a passkey */
  'POST /v1/members/me/passkeys/options': {
    answer: PasskeyOptions;
  };
  /** Rename a passkey */
  'PATCH /v1/members/me/passkeys/{id}': {
    path: {
      /** ID of the passkey. */
      id: number;
    };
    body: PasskeyName;
    answer: undefined;
  };
  /** Remove a passkey */
  'DELETE /v1/members/me/passkeys/{id}': {
    path: {
      /** ID of the passkey. */
      id: number;
    };
    answer: undefined;
  };
  /** Begin to sign in by passkey */
  'POST /v1/members/auth/passkey/options': {
    answer: PasskeyOptions;
  };
  /** Authenticate by passkey */
  'POST /v1/members/auth/passkey': {
    body: PasskeySignIn;
    answer: string;
  };
  /** List my sessions */
  'GET /v1/sessions': {
    answer: Session[];
  };
  /** End a session */
  'DELETE /v1/sessions/{id}': {
    path: {
      /** ID of the session. */
      id: string;
    };
    answer: undefined;
  };
  /** Sign out */
  'POST /v1/members/signout': {
    answer: undefined;
  };
  /** Get a proof of work to do */
  'GET /v1/members/challenge': {
    answer: Challenge;
  };
  /** Confirm a sign-up */
  'POST /v1/members/confirm': {
    body: ConfirmSignUp;
    answer: Me;
  };
  /** List who waits to join */
  'GET /v1/sign-ups': {
    query?: Pick<Shared['query'], 'limit' | 'offset'>;
    answer: WaitingSignUp[];
  };
  /** Let somebody join */
  'POST /v1/sign-ups/{id}/approve': {
    path: {
      /** ID of the request. */
      id: number;
    };
    body?: ApproveSignUp;
    answer: Me;
  };
  /** Refuse somebody who waits to join */
  'DELETE /v1/sign-ups/{id}': {
    path: {
      /** ID of the request. */
      id: number;
    };
    answer: undefined;
  };
  /** Check a path */
  'GET /v1/checkpath/{path}': {
    path: {
      /** The path to check; may contain slashes. */
      path: string;
    };
    answer: PathCheck;
  };
  /** Change the access of a subtree */
  'POST /v1/permissions/{path}': {
    path: Pick<Shared['path'], 'path'>;
    body?: AccessInput;
    answer: AccessPlan;
  };
  /** Find places nearby */
  'GET /v1/near/{lat}/{lon}': {
    path: Pick<Shared['path'], 'lat' | 'lon'>;
    query?: Pick<Shared['query'], 'offset' | 'history' | 'include'> & {
      /** How many to return. Above 1,000 counts as 1,000. */
      limit?: number;
      /** Fields between commas: each page has these alone, and nothing is loaded for others. Of `id`, `title`, `description`, `slug`, `path`, `parent`, `depth`, `type`, `location`, `owner`, `permissions`, `group`, `defaults`, `tags`, `likes`, `files`, `lineage`, `data`, `history`, `format`, `image`, `distance`. */
      fields?: string;
    };
    answer: NearPage[];
  };
  /** Find places nearby */
  'GET /v1/near/{lat}/{lon}/{dist}': {
    path: Pick<Shared['path'], 'lat' | 'lon'> & {
      /** Metres around it. */
      dist: number;
    };
    query?: Pick<Shared['query'], 'offset' | 'history' | 'include'> & {
      /** How many to return. Above 1,000 counts as 1,000. */
      limit?: number;
      /** Fields between commas: each page has these alone, and nothing is loaded for others. Of `id`, `title`, `description`, `slug`, `path`, `parent`, `depth`, `type`, `location`, `owner`, `permissions`, `group`, `defaults`, `tags`, `likes`, `files`, `lineage`, `data`, `history`, `format`, `image`, `distance`. */
      fields?: string;
    };
    answer: NearPage[];
  };
  /** Find places nearby, without coordinates */
  'GET /v1/near': {
    answer: undefined;
  };
  /** Find places nearby, without a longitude */
  'GET /v1/near/{lat}': {
    path: {
      /** Degrees north of the starting point. */
      lat: string;
    };
    answer: undefined;
  };
  /** Count what a search finds */
  'GET /v1/facets': {
    query?: Pick<Shared['query'], 'path' | 'title' | 'type' | 'tag' | 'text' | 'ids' | 'owner' | 'linksTo' | 'ancestor' | 'near' | 'bbox' | 'since' | 'logic'>;
    answer: Facets;
  };
  /** Preview a body */
  'POST /v1/preview': {
    body: PreviewRequest;
    answer: Preview;
  };
  /** Preview a move */
  'GET /v1/moves/{path}': {
    path: Pick<Shared['path'], 'path'>;
    query: {
      /** The path to move it to. */
      to: string;
      /** Path of its new parent, empty for the root. Left out, the page keeps its own. */
      parent?: string;
    };
    answer: MovePreview;
  };
  /** List the trash */
  'GET /v1/trash': {
    query?: Pick<Shared['query'], 'limit' | 'offset'>;
    answer: TrashEntry[];
  };
  /** Restore a deleted page */
  'POST /v1/trash/{id}/restore': {
    path: {
      /** ID of the deletion. */
      id: number;
    };
    body?: Restoration;
    answer: RestoredPage;
  };
  /** Delete for good */
  'DELETE /v1/trash/{id}': {
    path: {
      /** ID of the deletion. */
      id: number;
    };
    answer: undefined;
  };
  /** Undo all changes of a member */
  'POST /v1/members/{id}/undo': {
    path: Pick<Shared['path'], 'id'>;
    body: UndoInput;
    answer: Undone;
  };
  /** List recent updates */
  'GET /v1/updates': {
    answer: Update[];
  };
  /** List recent updates */
  'GET /v1/updates/{num}': {
    path: {
      /** How many to return (10 without). Above 1,000 counts as 1,000. */
      num: number;
    };
    answer: Update[];
  };
  /** List types and tags in use */
  'GET /v1/vocabulary': {
    answer: Vocabulary;
  };
  /** Watch */
  'POST /v1/watches': {
    body?: NewWatch;
    answer: Watch;
  };
  /** List my watches */
  'GET /v1/watches': {
    query?: Pick<Shared['query'], 'limit' | 'offset'>;
    answer: Watch[];
  };
  /** End a watch */
  'DELETE /v1/watches/{id}': {
    path: {
      /** ID of the watch. */
      id: number;
    };
    answer: undefined;
  };
  /** List my notifications */
  'GET /v1/notifications': {
    query?: Pick<Shared['query'], 'offset'> & {
      /** How many to return. Above 1,000 counts as 1,000. */
      limit?: number;
      /** Only those that are not marked as read. */
      unread?: boolean;
    };
    answer: Notification[];
  };
  /** Mark notifications as read */
  'POST /v1/notifications/read': {
    body?: MarkRead;
    answer: undefined;
  };
  /** Make my private feed */
  'POST /v1/notifications/feed': {
    answer: NotificationFeed;
  };
  /** End my private feed */
  'DELETE /v1/notifications/feed': {
    answer: undefined;
  };
}
