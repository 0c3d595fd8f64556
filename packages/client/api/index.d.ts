/** Types of the whole API in one file, made from openapi.json by generate.ts. */

/** Account of the person who accepts the invitation. */
export type AcceptInvitation = {
  /** Token of the invitation. */
  token: string;
  /** E-mail address for signing in. Only administrators can see it. */
  email: string;
  /** Display name. */
  name: string;
  /** Passphrase of at least 12 characters. */
  pass: string;
};

/** Rights of the caller on the page, and its permission code. */
export type Access = {
  /** Always true, because pages that may not be read are never returned. */
  read: boolean;
  /** Whether the caller may edit the page. */
  write: boolean;
  /** Three octal digits for owner, group and world: 4 allows reading, 2 and 4 together allow writing. */
  code: number;
};

/** Whether somebody can read and edit the page, and why. */
export type AccessCheck = {
  /** The member. Null for somebody who is not signed in. */
  member: MemberName | null;
  /** Reading. */
  read: {
    /** Whether they can read the page. */
    allowed: boolean;
    /** All reasons for the right; empty without it. */
    because: AccessReason[];
  };
  /** Editing. */
  edit: {
    /** Whether they can edit the page. */
    allowed: boolean;
    /** All reasons for the right; empty without it. */
    because: AccessReason[];
    /** Why they cannot edit the page although there are reasons. Null if nothing prevents it. Only administrators learn that a member is blocked. */
    hindered: 'not signed in' | 'reader' | 'blocked' | 'protected' | null;
  };
};

/** Readers or writers who gain or lose access. */
export type AccessDifference = {
  /** Everyone, all members, the owner of each page, or the members of a group. */
  who: 'everyone' | 'members' | 'owners' | 'group';
  /** Name of the group. */
  group?: string;
  /** Right that these people gain or lose. */
  action: 'read' | 'write';
  /** Number of affected pages. */
  pages: number;
};

/** Grants of a page. */
export type AccessGrants = {
  /** All grants of the page itself; each names a group or a member. */
  grants: ({
    /** Name of the group. */
    group?: string;
    /** ID of the member. */
    member?: number;
    /** Right that the grant gives. Writing includes reading. */
    may: 'read' | 'write';
    /** Whether the grant also applies to all descendants of the page, including pages that are created or moved there later. */
    beneath?: boolean;
  })[];
  /** Version of the grants that the change started from. The change is refused if they are others by now. */
  version?: string;
};

/** The new access; at least one of permissions and group. */
export type AccessInput = {
  /** Three octal digits. Without them each page keeps its permissions. */
  permissions?: number | string;
  /** Group to which the second digit applies. Null or `members` for all members. */
  group?: string | null;
  /** Hides all earlier changes from other readers, and removes former addresses. */
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
  /** Number of pages that change. */
  pages: number;
  /** Pages that stay as they are because they belong to others. Only those that the caller may read. */
  kept: number;
  /** Gained access. */
  gains: AccessDifference[];
  /** Lost access. */
  loses: AccessDifference[];
};

/** A reason for a right, which suffices by itself. */
export type AccessReason = Partial<InheritedGrant> & {
  /** Role of the member, a digit of the permissions, the settings that name the page as imprint or privacy policy, or a grant. */
  by: 'administrator' | 'owner' | 'everyone' | 'members' | 'settings' | 'group' | 'grant';
};

/** An API token, without its secret. */
export type ApiToken = {
  /** ID of the token, for revoking it. */
  id: number;
  /** Name by which the member recognises the token. */
  name: string;
  /** Rights of the token. `read`: read what the member may read. `write`: create and change pages. `files`: attach files to pages, together with `write`. `members`, for administrators: invite members, change their roles below moderator and manage groups. `admin`: an administrator’s rights on pages; without it an administrator’s token has the rights of an ordinary member. `preview`: read only with `?proposal=ID`, for previews by front ends; such a token must expire within 366 days. */
  scopes: ('read' | 'write' | 'files' | 'members' | 'admin' | 'preview')[];
  /** Current path of the page that the token is limited to. Null if there is no limit, or if the page can no longer be read; the limit still applies then. */
  ancestor: string | null;
  /** When the token was made, ISO 8601 in UTC. */
  createdAt: string;
  /** When the token expires. Null if it is valid until it is revoked. */
  expiresAt: string | null;
  /** When the token was last used, accurate to five minutes. Null if it was never used. */
  lastUsedAt: string | null;
  /** Client address of the last use. Null if the token was never used. */
  lastUsedFrom: string | null;
};

/** The role of the new member. */
export type ApproveSignUp = {
  /** `reader`: likes and watches pages, but does not write. `writer`: writes where permissions allow. `moderator`: also restores and deletes pages that anyone may read, undoes changes, blocks members and protects pages. `administrator`: everything. */
  role?: 'guest' | 'reader' | 'writer' | 'moderator' | 'administrator';
};

/** The comment or the proposal. */
export type ApprovedSubmission = {
  /** ID of the comment. */
  comment?: number;
  /** ID of the proposal. */
  proposal?: number;
};

/** Entries, and the cursor of the next request. */
export type AuditEntries = {
  /** The entries. */
  entries: AuditEntry[];
  /** Cursor of the last returned entry, or the cursor of the request if nothing was returned. */
  next: number;
};

/** Action on an account, right or page, with its author, time and origin. */
export type AuditEntry = {
  /** ID of the entry. */
  id: number;
  /** Time of the action, ISO 8601 in UTC. For an entry that stands for several actions, the first time. */
  at: string;
  /** Kind of the action: signed-in, sign-in-failed, signed-out, session-ended, sessions-ended, member-added, member-joined, signed-up, sign-up-approved, sign-up-refused, member-left, data-exported, member-renamed, member-deactivated, member-activated, role-changed, member-blocked, member-unblocked, passphrase-changed, address-changed, invitation-made, invitation-revoked, reset-link-made, reset-link-revoked, link-handed-over, token-made, token-revoked, webhook-made, webhook-changed, webhook-deleted, feed-made, feed-ended, second-factor-added, second-factor-ended, passkey-added, passkey-removed, recovery-codes-made, provider-linked, provider-unlinked, group-made, group-renamed, group-deleted, group-joined, group-left, groups-withheld, permissions-changed, secret-link-made, secret-link-revoked, protection-changed, rule-changed, proposal-merged, submission-approved, submissions-refused, stranger-erased, page-deleted, page-restored, page-purged, changes-undone, settings-changed, content-erased, member-erased, erasure-finished. */
  kind: string;
  /** Member who acted. Null for somebody who is not signed in; see `via`. */
  actor: {
    /** Member ID. */
    id: number;
    /** Name of the member now. */
    name: string;
  } | null;
  /** Thing that was acted on. Null for a sign-in to an account that does not exist. */
  subject: {
    /** `member`, `page`, `invitation`, `sign-up`, `mail` … */
    kind: string;
    /** ID of the thing, if it has one. */
    id: number | null;
    /** Name that the member has now, or path that the page had then. */
    name: string;
  } | null;
  /** Address of the client; for failed sign-ins, only the first half of an IPv6 address. Null if there was no request. */
  from: string | null;
  /** Interface that was used. `wiki` stands for what the wiki does by itself. */
  via: 'site' | 'api' | 'command line' | 'wiki';
  /** ID of the API token that was used. Null if none was. */
  token: number | null;
  /** Further details, as text. */
  note: string;
  /** Number of failed sign-ins in that hour that the entry stands for; 1 for everything else. */
  times: number;
  /** Time of the latest of these actions. */
  lastAt: string;
};

/** Operations to be carried out. */
export type Batch = {
  /** All operations are one transaction. If one is refused, the operations before it are undone and those after it are not carried out. An atomic batch can contain only operations that write pages. */
  atomic?: boolean;
  /** One to 100 operations, carried out in this order. */
  operations: BatchOperation[];
};

/** One operation of a batch. */
export type BatchOperation = {
  /** Method. */
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** URL path on this server with its query, percent-encoded. */
  path: string;
  /** Body of the operation as JSON. */
  body?: unknown;
  /** `If-Match`, `If-None-Match`, `Idempotency-Key`; others are ignored. */
  headers?: Record<string, string>;
};

/** Response to one operation. */
export type BatchResult = {
  /** Status of the operation’s response. */
  status: number;
  /** Headers of the response, such as `etag` and `location`. */
  headers: Record<string, string>;
  /** Body of the response: JSON as a value, other types as a string. Null if there is none. */
  body: unknown;
};

/** The import has been started. */
export type BegunImport = {
  /** ID of the import. */
  id: number;
};

/** How far a translation is behind its original. */
export type Behind = {
  /** Number of changes of the original since the one that the translation renders, at most 1,000. */
  changes: number;
  /** Number of paragraphs of the original that were added, removed or changed since then and are not marked as translated. */
  paragraphs: number;
};

/** A member who is blocked from writing. */
export type Block = {
  member: MemberName;
  /** Reason, up to 500 characters, which is shown to the members concerned. */
  reason: string;
  /** When the block ends by itself, ISO 8601 in UTC. Null if it has no end. */
  until: string | null;
  /** When the member was blocked, ISO 8601 in UTC. */
  at: string;
  /** ID of the member who set the block. Null for the command line. */
  by: number | null;
};

/** Reason and end of the block. */
export type BlockInput = {
  /** Reason, up to 500 characters, which is shown to the members concerned. */
  reason: string;
  /** When the block ends by itself, ISO 8601. Without it, the block lasts until somebody lifts it. */
  until?: string | null;
};

/** Why a member cannot write, and until when. */
export type Blocked = {
  /** Reason, up to 500 characters, which is shown to the members concerned. */
  reason: string;
  /** When the block ends by itself, ISO 8601 in UTC. Null if it has no end. */
  until: string | null;
};

/** Proof of work to solve before signing up, or submitting something without an account. It can be used once, within an hour. */
export type Challenge = {
  /** Parameters of the challenge, ALTCHA version 2. `data.expires` is its expiry time. */
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
  /** When the content of the change was erased, ISO 8601 in UTC. Absent if it was not erased. */
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
  /** Explicit description. Null while it follows the body. */
  description: string | null;
  /** Explicit type. Null while it follows the body. */
  type: string | null;
  /** Three octal digits for owner, group and world: 4 allows reading, 2 and 4 together allow writing. */
  permissions: number;
  /** Explicit location. `false` for explicitly none, null while it follows the body. */
  location: Location | false | null;
  /** The language of the body. */
  format: 'wikitext' | 'markdown';
  /** The unparsed body. */
  body: string;
  /** Structured data of the current version, as an editor gave it. `{}` if there is none. */
  data: Record<string, unknown>;
  /** Address of a picture for the page. */
  image?: string;
  /** Language of the text, if it differs from the language of the wiki. */
  language?: string;
  /** Permission to comment on the page: `off` for nobody, `writers` for those who may edit it. Absent if all members who may read it may comment. */
  comments?: 'off' | 'writers';
  /** Day when the next review of the page is due, if there is one. */
  reviewBy?: string;
  /** Day on which somebody last confirmed that the page is correct. */
  verifiedOn?: string;
  /** ID of the responsible member, if it is not the owner. */
  responsible?: number;
  /** Commit message. */
  msg: string;
  /** The group to which the second digit of the permissions applies; `members` stands for all members. A change contains the name that the group had then. */
  group: string;
  defaults?: Defaults;
  /** Names of the files that the page has after the change, including files that have been replaced since. Each is served at `/files/{name}`. Absent if there are none. */
  files?: string[];
};

/** The new address. */
export type ChangeEmail = {
  /** E-mail address. */
  email: string;
};

/** Changed fields. Fields that are left out stay as they are. */
export type ChangeMember = {
  /** `reader`: likes and watches pages, but does not write. `writer`: writes where permissions allow. `moderator`: also restores and deletes pages that anyone may read, undoes changes, blocks members and protects pages. `administrator`: everything. */
  role?: 'guest' | 'reader' | 'writer' | 'moderator' | 'administrator';
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
  /** The current passphrase. */
  current?: string;
  /** Passphrase of at least 12 characters. */
  pass: string;
};

/** Events, and the cursor of the next request. */
export type Changes = {
  /** The events, oldest first. */
  changes: Event[];
  /** Cursor for `after`: that of the last event that was looked at, or the cursor of the request if there was none. */
  next: string;
  /** Whether there may be more events, which can be requested at once. One response looks through a bounded number of events, so a response with a filter may be empty although more events follow. */
  more: boolean;
};

/** A page in the tree. All fields except the first five are present only if `fields` or `include` request them. */
export type Child = Partial<Page> & {
  /** Page ID. */
  id: number;
  /** Page title. */
  title: string;
  /** Unique path of the page. */
  path: string;
  /** Page type, or null. */
  type: string | null;
  /** Whether the page has child pages that the caller may see. */
  hasChildren: boolean;
};

/** A comment on a page. */
export type Comment = {
  /** ID of the comment. The page shows it at `#comment-ID`. */
  id: number;
  /** The page. */
  page: {
    /** Page ID. */
    id: number;
    /** Present path. */
    path: string;
    /** Present title. */
    title: string;
  };
  /** Text as Markdown. `@Name` mentions a member. At most 10,000 characters. */
  body: string;
  /** Text as HTML. */
  markup: string;
  author: MemberName;
  /** Name of a person without an account who wrote it, and whose comment the author approved. Null for members. */
  stranger: string | null;
  /** When the comment was written. */
  at: string;
  /** When the text of the comment was last changed. Null if never. */
  editedAt: string | null;
  /** The words of the page that the comment is about. Null for the whole page. */
  quote: {
    /** The words as they were quoted. */
    text: string;
    /** Text of the page before the quoted words, when the comment was written. */
    before: string;
    /** Text of the page after the quoted words, when the comment was written. */
    after: string;
    /** Position in the plain text of the page, in UTF-16 code units. If the words are gone: where they were. */
    start: number;
    /** Position after the words. */
    end: number;
    /** Whether the page still has the words, has other words in their place, or has neither. */
    state: 'present' | 'changed' | 'gone';
    /** ID of the change that removed the words. Null if they are not gone. */
    goneIn: number | null;
  } | null;
  /** First comment of the thread. Null for the first comment itself. */
  replyTo: number | null;
  /** Whether the thread is resolved. */
  resolved: boolean;
  /** When the thread was resolved. */
  resolvedAt: string | null;
  /** Member who resolved the thread. Null while it is open. */
  resolvedBy: MemberName | null;
  /** Members whom the comment mentions. */
  mentions: MemberName[];
};

/** Changes of a comment. */
export type CommentChange = {
  /** Text as Markdown. `@Name` mentions a member. At most 10,000 characters. */
  body?: string;
  /** Whether the thread is resolved. */
  resolved?: boolean;
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
  /** The chosen passphrase. */
  pass: string;
};

/** A change that a member made. */
export type Contribution = {
  /** Change ID. */
  id: number;
  /** Time of the change, ISO 8601 in UTC. */
  timestamp: string;
  /** Commit message; may be empty. */
  msg: string;
  /** The page that was changed. */
  page: {
    /** Page ID. */
    id: number;
    /** Its current path. */
    path: string;
    /** Its current title. */
    title: string;
  };
  /** Whether the content of the change was erased. */
  erased: boolean;
};

/** Changes that a member made. */
export type Contributions = {
  /** The changes. */
  contributions: Contribution[];
  /** Value for `before` to get the next changes. Null at the end of the list. */
  next: number | null;
};

/** The copy. */
export type Copied = {
  /** The copy of the page; null after a dry run. */
  page: Page | null;
  /** How many pages were copied, or would be. */
  pages: number;
};

/** Size of a copy, and a free address for it. */
export type CopyPlan = {
  /** A free address beside the page. */
  to: string;
  /** How many pages would be copied with all that lies beneath the page, as far as the caller may read it. */
  pages: number;
};

/** Number of refused submissions. */
export type CountOfRefused = {
  /** Number of submissions. */
  refused: number;
};

/** Defaults of new pages beneath the page. Without `permissions` and `group`, the pages above decide. */
export type Defaults = {
  /** Three octal digits for owner, group and world: 4 allows reading, 2 and 4 together allow writing. */
  permissions?: number;
  /** The group to which the second digit of the permissions applies; `members` stands for all members. A change contains the name that the group had then. */
  group?: string;
  /** Path of the page template with which new pages begin. */
  template?: string;
};

/** The deletion, which can be undone. */
export type Deleted = {
  /** ID of the deletion. */
  id: number;
  /** Path of the page that was deleted. */
  path: string;
  /** Its title. */
  title: string;
  /** Number of deleted pages, including the page itself, that the caller could read. */
  pages: number;
};

/** The deletion of the page. */
export type DeletedPage = {
  trash: Deleted;
};

/** An event that was sent to a webhook. */
export type Delivery = {
  /** Delivery ID. */
  id: number;
  /** Header `webhook-id`, the same in every attempt: the cursor of the event in the change feed. */
  messageId: string;
  /** Kind of the event, or `test`. */
  kind: 'created' | 'edited' | 'moved' | 'permissions' | 'deleted' | 'restored' | 'erased' | 'ordered' | 'commented' | 'proposed' | 'reviewed' | 'merged' | 'due' | 'test';
  /** Path of the page after the event. Null for a test. */
  path: string | null;
  /** `waiting`: it is tried again. `failed`: no further attempts. `left-out`: the owner may not read the event any more. */
  state: 'waiting' | 'delivered' | 'failed' | 'left-out';
  /** Number of attempts. */
  attempts: number;
  /** When the delivery was first tried, ISO 8601 in UTC. */
  createdAt: string;
  /** When the delivery was last tried, ISO 8601 in UTC. */
  attemptedAt: string;
  /** Time of the next attempt. Null if there is none. */
  nextAttemptAt: string | null;
  /** HTTP status of the latest response. Null if there was none. */
  status: number | null;
  /** Beginning of the latest response, or why there was none. */
  answer: string;
  /** Duration of the latest attempt in milliseconds. */
  tookMs: number;
};

/** The difference between two changes of a page, by lines and words. */
export type Diff = {
  /** The older change. Null if there is none before the newer. */
  from: ComparedChange | null;
  to: ComparedChange;
  /** Fields other than the body that differ. */
  fields: {
    /** Name of the field. */
    field: string;
    /** Older value of the field. */
    from: unknown;
    /** Newer value of the field. */
    to: unknown;
  }[];
  /** Parts where the bodies differ. Between them the lines are the same. */
  body: ({
    /** Differing lines, with some lines around them. */
    lines: ({
      /** Whether both versions have the line, only the older, or only the newer. */
      kind: 'same' | 'removed' | 'added';
      /** Line number in the older body, from 1. Null if it lacks the line. */
      fromLine: number | null;
      /** Line number in the newer body, from 1. Null if it lacks the line. */
      toLine: number | null;
      /** The line. */
      text: string;
      /** Words of a changed line that were kept, removed or added. */
      words?: ({
        /** Whether both versions have the line, only the older, or only the newer. */
        kind: 'same' | 'removed' | 'added';
        /** The words. */
        text: string;
      })[];
    })[];
  })[];
  /** Number of lines of `body` that are left out at its end, because it would have more than 2,500 lines or 400,000 characters. */
  linesLeftOut: number;
  /** Files that the page has after the newer change but not after the older one: new files and replacements, at most 1,000. */
  files: File[];
  /** Files that the page has after the older change but not after the newer one, at most 1,000: files that were removed, or replaced by files with the same `filename` in `files`. */
  filesBefore: File[];
  /** The same as HTML, which is safe to embed in a page. */
  html: string;
};

/** A body as a document. */
export type Document = {
  /** The document as JSON of ProseMirror. Each node from the body has its range there in the attribute `origin`. */
  document: string;
};

/** A body to read. */
export type DocumentRequest = {
  /** Body of a page. */
  body: string;
  /** Language of the body; the default is wikitext. */
  format?: 'wikitext' | 'markdown';
  /** Path of the page, to which relative links are resolved. */
  path?: string;
};

/** A draft of the editor. */
export type Draft = DraftInput & {
  /** ID that the editor chose for the draft. */
  id: string;
  /** When the draft was last kept, ISO 8601 in UTC. */
  updatedAt: string;
};

/** A draft of the editor. */
export type DraftInput = {
  /** Form in which the draft was written, such as a page or a section of it. */
  key: string;
  /** ID of the page that is edited. Null for a new page. */
  pageId: number | null;
  /** Title in the form. */
  title: string;
  /** Address of the editor on the site, with its query. */
  url: string;
  /** ID of the change that the form started from. Empty for a new page. */
  base: string;
  /** Fields of the form, without files. */
  fields: {
    /** Name of the field. */
    name: string;
    /** Value of the field. */
    value: string;
  }[];
};

/** A draft of the editor, without its text. */
export type DraftOutline = {
  /** ID that the editor chose for the draft. */
  id: string;
  /** Form in which the draft was written, such as a page or a section of it. */
  key: string;
  /** ID of the page that is edited. Null for a new page. */
  pageId: number | null;
  /** Title in the form. */
  title: string;
  /** Address of the editor on the site, with its query. */
  url: string;
  /** When the draft was last kept, ISO 8601 in UTC. */
  updatedAt: string;
};

/** The page after the edit, and its body as HTML. */
export type EditedPage = {
  page: AccessPage;
  /** HTML rendered from the body, which is safe to embed in a page. If a page was just saved and cannot be rendered at that moment, this is the source in `<pre>` after a notice; read the page again for its HTML. */
  markup: string;
  /** HTML of the title as set by `{{DISPLAYTITLE:…}}`, which is safe to embed in a heading. Its text differs from the title only in case. Absent if the title is shown unchanged. */
  displayTitle?: string;
};

/** Members who have a page open for editing. */
export type Editing = {
  /** Other members, by name. */
  others: {
    /** Member ID. */
    id: number;
    /** Name of the member. */
    name: string;
  }[];
};

/** An editor of a page. */
export type EditingInput = {
  /** Whether the editor was closed. */
  closed?: boolean;
};

/** Name of the person whose contributions are erased. */
export type EraseStranger = {
  /** The name that the person gave. */
  name: string;
};

/** Erased content, and places that may still hold it. */
export type Erased = {
  /** Erased content. */
  erased: {
    /** Erased changes. */
    changes: number[];
    /** Erased files, including those that only erased changes had. */
    files: string[];
    /** ID of the member who was erased. Null if none was. */
    member: number | null;
  };
  /** The page after the erasure. If its address was made from an erased title, the address is erased, too, and the page moves to an address made from the remaining title. Null for a member. */
  page: {
    /** ID of the page. */
    id: number;
    /** Its path. */
    path: string;
  } | null;
  /** Backups made since the erased content first existed, which still contain it. Delete them. */
  backups: {
    /** When the backup was finished. */
    at: string;
    /** Place that the backup was written to. */
    place: string;
  }[];
  /** Other places that may still contain erased content, such as texts of other pages that mention an erased title or a member by name. */
  left: string[];
  /** Whether the database still contains erased content, because a read has been running since before the erasure; `left` gives details. The wiki finishes the erasure by itself, also after a restart, and then adds the entry `erasure-finished` to the audit log. */
  pending: boolean;
};

/** Numbers of erased contributions. */
export type ErasedStranger = {
  /** Waiting submissions. */
  submissions: number;
  /** Comments. */
  comments: number;
  /** Proposals. */
  proposals: number;
};

/** Content to erase, and the reason. */
export type Erasure = {
  /** Path of the page. */
  path?: string;
  /** ID of the page, instead of its path. */
  id?: number;
  /** Changes to be erased, by their IDs in the history. */
  changes?: number[];
  /** Files to be erased, including replaced ones. */
  files?: string[];
  /** Member to erase, instead of a page: name, address and all credentials. The member’s contributions stay, shown as those of a former member. */
  member?: number;
  /** Reason, for the audit log, which administrators can read. */
  reason: string;
};

/** Something that happened to a page. */
export type Event = {
  /** Event ID. The order of the list is not the order of the IDs. */
  id: number;
  /** Kind of the event. An edit that changes several aspects has one event for each. */
  kind: 'created' | 'edited' | 'moved' | 'permissions' | 'deleted' | 'restored' | 'erased' | 'ordered' | 'commented' | 'proposed' | 'reviewed' | 'merged' | 'due';
  /** When, ISO 8601 in UTC. */
  at: string;
  /** The page. */
  page: {
    /** Page ID. */
    id: number;
    /** Path after the event. */
    path: string;
    /** Title after the event. Null if the caller can no longer read the page. */
    title: string | null;
  };
  /** Path before a move. */
  from?: string;
  /** Member who caused the event. Null if the caller can no longer read the page. */
  editor: MemberName | null;
  /** Message of the change. */
  msg: string;
  /** ID of the comment, for events of the kind `commented`. */
  comment?: number;
  /** For moderators who use `before`: whether the event is reviewed or needs no review. */
  reviewed?: boolean;
  /** Pages and lists that the event made stale. */
  affects: {
    /** Pages whose responses may have changed, at most 1,000: the page itself, and pages that link to it, use it as a template or lie beneath it. Only those that the caller may read. */
    pages: {
      /** Page ID. */
      id: number;
      /** Page path. */
      path: string;
    }[];
    /** Lists whose responses may have changed. `children:/garden` stands for the pages beneath that page. */
    lists: string[];
    /** Whether more pages are affected than are listed. */
    more?: true;
  };
};

/** Number of found pages for each type and tag. */
export type Facets = {
  /** Types, most pages first; at most 50. */
  types: {
    /** Type of the pages. */
    type: string;
    /** Number of pages. */
    count: number;
  }[];
  /** Values of tags, most pages first; at most 50. */
  tags: {
    /** Name of the tag. */
    key: string;
    /** Its value. */
    value: string;
    /** Number of pages. */
    count: number;
  }[];
  /** Whether all matches were counted. If there are more than 5,000, only the newest 5,000 are counted. */
  isWhole: boolean;
};

/** A page that the member starred. */
export type Favourite = {
  /** Page ID. */
  id: number;
  /** Path of the page. */
  path: string;
  /** Title. */
  title: string;
  /** When the member starred it, ISO 8601 in UTC. */
  at: string;
};

/** A file attached to a page. */
export type File = {
  /** Unique key of the file, which is served at `/files/{name}`. A file that replaces it has another key. */
  name: string;
  /** Unique key of the thumbnail; images only. */
  thumbnail?: string;
  /** Name that the uploader gave the file; `[[File:rose.jpg]]` in the body shows it. */
  filename: string;
  /** MIME type, detected from the bytes. `Content-Type` of the file itself also contains the charset of a text. */
  mime: string;
  /** Size in bytes. */
  size: number;
  /** Size as text for people. */
  readableSize: string;
  /** ID of the page that the file belongs to. */
  page: number;
  /** Upload time, Unix seconds. */
  timestamp: number;
  /** ID of the member who uploaded the file. */
  uploader: number;
  /** Address of the bytes. */
  urls: {
    /** URL of the file. */
    full: string;
    /** URL of the thumbnail; images only. */
    thumbnail?: string;
  };
};

/** A file whose text matches. */
export type FileHit = {
  /** The file. */
  file: {
    /** Name by which the file is served. */
    name: string;
    /** Name that the uploader gave. */
    filename: string;
    /** Media type. */
    mime: string;
    /** Path of the bytes. */
    url: string;
  };
  /** The page that has the file. */
  page: {
    /** Page ID. */
    id: number;
    /** Path. */
    path: string;
    /** Title. */
    title: string;
  };
  /** Page of the document, slide or sheet with the words, counted from 1. */
  number: number;
  /** Text around the first match. */
  excerpt: {
    /** A piece of the text. */
    text: string;
    /** Whether the piece matches. */
    isMatch: boolean;
  }[];
};

/** A file, the page that it belongs to, and the pages that use it. */
export type FileInLibrary = File & {
  /** Width in pixels; images only. */
  width?: number;
  /** Height in pixels; images only. */
  height?: number;
  attachedTo: PageName;
  /** Number of files with this name that the page has had, including this one, as far as its history shows. */
  versions: number;
  /** Pages that currently embed the file or link to it and that the caller may read, at most 10, by ID. */
  usedOn: PageName[];
  /** Whether pages that are not in the list use the file, too. */
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
  /** Size in bytes, which is checked. */
  size?: number;
  /** Encoding of the file; not used. */
  encoding?: string;
  /** MIME type according to the client. It is ignored; the type is detected from the bytes. */
  mimetype?: string;
  /** MD5 of the bytes in hex, which is checked. */
  md5?: string;
};

/** A file and, for an image, optionally a thumbnail of it. */
export type Files = {
  file: FileUpload;
  thumbnail?: FileUpload;
};

/** E-mail address of the member. */
export type ForgotPassphrase = {
  /** E-mail address. */
  email: string;
};

/** A right of a group or a member on a page. It adds to the permissions. */
export type Grant = {
  /** Name of the group. */
  group?: string;
  /** ID of the member. */
  member?: number;
  /** Name of the member. */
  name?: string;
  /** Right that the grant gives. Writing includes reading. */
  may: 'read' | 'write';
  /** Whether the grant also applies to all descendants of the page, including pages that are created or moved there later. */
  beneath: boolean;
};

/** Groups and members with that name. */
export type Grantees = {
  /** Groups, by name. */
  groups: {
    /** ID of the group. */
    id: number;
    /** Name of the group. */
    name: string;
  }[];
  /** Members, by name. */
  members: MemberName[];
};

/** A group of members. */
export type Group = {
  /** ID of the group. */
  id: number;
  /** Name of the group, by which pages refer to it. */
  name: string;
  /** Members of the group by name; in lists only the first hundred. */
  members: MemberName[];
  /** Number of members. */
  memberCount: number;
};

/** Name of the group. */
export type GroupInput = {
  /** Name of the group, up to 100 characters; unique without regard to case. Not `members`. */
  name: string;
};

/** A mail that an administrator passes on. Its link is shown only once. */
export type HandedMail = {
  /** E-mail address of the person to whom to pass on the link. */
  to: string;
  /** Subject of the mail. */
  subject: string;
  /** The link. */
  url: string;
};

/** An account at a provider with which the member signs in. */
export type Identity = {
  /** Name of the provider in the settings when the account was linked. */
  provider: string;
  /** Issuer of the identity. */
  issuer: string;
  /** ID of the account at the issuer. */
  subject: string;
  /** E-mail address or user name at the provider. */
  account: string | null;
  /** When the account was linked, ISO 8601 in UTC. */
  linkedAt: string;
};

/** An import and its progress. */
export type Import = {
  /** State of the import. */
  state: 'running' | 'done' | 'failed' | 'cancelled';
  /** Pages written so far. */
  done: number;
  /** Number of pages to write. Null while the source is still being read. */
  total: number | null;
  /** Reason of the failure, in one sentence. Null otherwise. */
  error: string | null;
  /** Account of the import once it is done: numbers in source and result, every link, all that was adapted or left out and why. `comparison` names each page on which readers see something else than in the source, with missing and added words, numbers of parts, and links that lead nowhere. A dry run does not compare, so it has no `comparison`; its `tree` lists the pages that the import would create. */
  certificate: Record<string, unknown> | null;
};

/** A grant that holds because of a page above. */
export type InheritedGrant = Grant & {
  /** Path of the page that has the grant. */
  from: string;
};

/** A one-time invitation. Its token is shown only once. */
export type Invitation = {
  /** ID of the invitation. */
  id: number;
  /** The one-time token. */
  token?: string;
  /** The link to pass on to the person. */
  url?: string;
  /** Address to which the link is mailed. In this case `token` and `url` are left out. */
  mailedTo?: string;
  /** When the link expires, ISO 8601 in UTC. */
  expiresAt: string;
};

/** Choice whether the member’s contributions keep the name. */
export type Leave = {
  /** Whether my contributions keep my name. Otherwise they are shown as those of a former member. */
  name: 'keep' | 'remove';
};

/** Members who like a page. */
export type Likes = {
  /** IDs of the members who like the page now. */
  likes: number[];
};

/** An ancestor. If the caller may not read it, it has only `id`, `title`, `path`, `depth` and `permissions`. */
export type LineageEntry = {
  /** Page ID. */
  id: number;
  /** Page title. */
  title: string;
  /** Page path. */
  path: string;
  /** Distance from a root page. */
  depth: number;
  /** Three octal digits for owner, group and world: 4 allows reading, 2 and 4 together allow writing. */
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
  /** The group to which the second digit of the permissions applies; `members` stands for all members. A change contains the name that the group had then. */
  group?: string;
};

/** Effects of a proposal on links. */
export type LinksOfProposal = {
  /** New links to pages that would not exist. */
  wanted: {
    /** Target as written: a title, or a path. */
    target: string;
    /** Path of the page with the link. */
    page: string;
  }[];
  /** Links of other pages to pages that it deletes. */
  dead: {
    /** Path of the deleted page. */
    target: string;
    /** The page with the link. */
    page: {
      /** Page ID. */
      id: number;
      /** Path of the page with the link. */
      path: string;
      /** Its title. */
      title: string;
    };
  }[];
};

/** A member as administrators see them. */
export type ListedMember = {
  /** Member ID. */
  id: number;
  /** The member's name. */
  name: string;
  /** E-mail address, shown only to administrators. */
  email: string;
  /** `reader`: likes and watches pages, but does not write. `writer`: writes where permissions allow. `moderator`: also restores and deletes pages that anyone may read, undoes changes, blocks members and protects pages. `administrator`: everything. */
  role: 'guest' | 'reader' | 'writer' | 'moderator' | 'administrator';
  /** Whether the role is `administrator`. */
  isAdmin: boolean;
  /** Whether the member can sign in. */
  isActive: boolean;
  /** Whether the account is a bot, which acts only with API tokens. */
  isBot: boolean;
  /** When the member joined, ISO 8601 in UTC. */
  since: string;
  /** Why and until when the member cannot write. Null if they are not blocked. */
  blocked: Blocked | null;
};

/** A point on Earth, WGS 84. */
export type Location = {
  /** Degrees north. */
  lat: number;
  /** Degrees east. */
  lon: number;
};

/** A secret link that was just made. */
export type MadeSecretLink = {
  /** ID of the link, for revoking it. */
  id: number;
  /** Path of the page that the link shows. */
  page: string;
  /** Whether the link also shows the pages beneath. */
  beneath: boolean;
  /** When the link was made, ISO 8601 in UTC. */
  createdAt: string;
  /** When the link ends, ISO 8601 in UTC. Null if it is valid until it is revoked. */
  expiresAt: string | null;
  /** When a page was last read by the link. Null if it was never used. */
  lastUsedAt: string | null;
  /** Number of pages that were read by the link. */
  uses: number;
  /** The URL, which is shown only once. Anyone who has it can read the page. */
  url: string;
};

/** An API token that was just made. */
export type MadeToken = ApiToken & {
  /** The secret, which is shown only once. Send it as `Authorization: Bearer <token>`. */
  token: string;
};

/** A webhook that was just made. */
export type MadeWebhook = Webhook & {
  /** Key with which the receiver checks signatures, shown only once. */
  secret: string;
};

/** A mail that has not been sent yet or could not be sent. */
export type Mail = {
  /** ID of the mail. */
  id: number;
  /** Kind of the mail. */
  kind: string;
  /** Address of the recipient. */
  to: string;
  /** When the mail was queued, ISO 8601 in UTC. */
  createdAt: string;
  /** Time of the next attempt, ISO 8601 in UTC. Null if there is none. */
  nextAttemptAt: string | null;
  /** Number of attempts. */
  attempts: number;
  /** Reply of the mail server to the latest attempt. Null if there was none. */
  error: string | null;
};

/** Notifications to mark, by `ids` or `upTo`. */
export type MarkRead = {
  /** IDs of notifications. */
  ids?: number[];
  /** ID of the newest notification to mark; all earlier ones are marked as well. */
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
  /** `reader`: likes and watches pages, but does not write. `writer`: writes where permissions allow. `moderator`: also restores and deletes pages that anyone may read, undoes changes, blocks members and protects pages. `administrator`: everything. */
  role: 'guest' | 'reader' | 'writer' | 'moderator' | 'administrator';
  /** Why and until when the member cannot write. Null if they are not blocked. */
  blocked: Blocked | null;
  /** Present for an administrator without the second factor that this wiki requires. Until they add one, `role` and `isAdmin` describe their reduced rights. */
  needsSecondFactor?: boolean;
};

/** A member, by ID and name. E-mail addresses are never included. */
export type MemberName = {
  /** Member ID. */
  id: number;
  /** The member's name. */
  name: string;
};

/** Pages that were changed. */
export type MergedProposal = {
  /** In the order of the changes. */
  pages: {
    /** Page ID. */
    id: number;
    /** Path of the page. */
    path: string;
    /** Latest change of the page. */
    change: number;
    /** The page is in the trash. */
    deleted?: boolean;
  }[];
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
  /** Targets that other pages already use. If there are any, the move is refused. */
  taken: string[];
  /** The next free path for the page, if its target is already used. */
  freePath?: string;
};

/** A place, with its distance from the starting point. */
export type NearPage = AccessPage & {
  /** Metres from the starting point. */
  distance: number;
};

/** A new comment. */
export type NewComment = {
  /** Path of the page. A reply needs none. */
  page?: string;
  /** Text as Markdown. `@Name` mentions a member. At most 10,000 characters. */
  body: string;
  /** Words of the page that the comment is about. */
  quote?: {
    /** Words of the page, at most 2,000 characters. White space does not matter. */
    text: string;
    /** Text before these words. */
    before?: string;
    /** Text after these words. */
    after?: string;
  };
  /** Comment that the new one answers. */
  replyTo?: number;
};

/** The person to invite. */
export type NewInvitation = {
  /** `reader`: likes and watches pages, but does not write. `writer`: writes where permissions allow. `moderator`: also restores and deletes pages that anyone may read, undoes changes, blocks members and protects pages. `administrator`: everything. */
  role?: 'guest' | 'reader' | 'writer' | 'moderator' | 'administrator';
  /** Short for the role `administrator`. Without this field and `role`, the person becomes a writer. */
  isAdmin?: boolean;
  /** Address to which the link is mailed, if the wiki has a mail server. */
  email?: string;
};

/** A page to create. Unknown fields are ignored. */
export type NewPage = {
  /** Title, 1–255 characters. Required when creating a page. */
  title?: string;
  /** Last part of the path. Made from the title by default. */
  slug?: string;
  /** Path. Made from the parent’s path and the slug by default. */
  path?: string;
  /** Path or ID of the parent page; empty, `/`, 0 or null for a root page. */
  parent?: string | number | null;
  /** Up to 280 characters. Without one it is derived from the body; null returns to that. */
  description?: string | null;
  /** Type, which takes precedence over `[[Type:X]]` in the body. Null returns to that. */
  type?: string | null;
  /** Three octal digits for owner, group and world. The default for a new page is 774. */
  permissions?: number;
  /** Location of the page. `false` for explicitly none, null to follow `[[Location:…]]` in the body. */
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
  /** Structured data of the current version, as an editor gave it. `{}` if there is none. */
  data?: Record<string, unknown>;
  /** Address of a picture for the page. */
  image?: string | null;
  /** Language of the text, a BCP 47 tag. Null for the language of the wiki. A new page has the language of its parent by default. */
  language?: string | null;
  /** Permission to comment on the page: `off` for nobody, `members` for members who may read it, `writers` for those who may edit it. A new page has `members`. */
  comments?: 'off' | 'members' | 'writers';
  /** Day when the next review of the page is due, ISO 8601. Null for none. */
  reviewBy?: string | null;
  /** Day on which somebody found the page right, ISO 8601. */
  verifiedOn?: string | null;
  /** ID of the member who is told when a review is due. Null for the owner. */
  responsible?: number | null;
  /** Commit message. */
  msg?: string;
  /** The group to which the second digit of the permissions applies: one of the caller’s groups or, for administrators, any group. `members`, empty or null stands for all members. Only the owner and administrators may change it. */
  group?: string | null;
  /** Permissions, group and template of new pages anywhere beneath the page, unless a page in between defines others. They replace the earlier ones; null removes them. Only the owner and administrators may change them. */
  defaults?: {
    /** Three octal digits. The default is 774, or what the pages above give if only `template` is given. */
    permissions?: number;
    /** The group to which the second digit of the permissions applies: one of the caller’s groups or, for administrators, any group. `members`, empty or null stands for all members. Only the owner and administrators may change it. */
    group?: string | null;
    /** Path of a page template, with which new pages without a body begin. */
    template?: string | null;
  } | null;
  /** Path or ID of the page of which this one is a translation; empty, `/`, 0 or null for none. A translation of a translation joins the set of its original. The translation renders the latest change of the original. */
  translationOf?: string | number | null;
  files?: Files;
  /** Path of a page template: a page of the type `Page template`. The new page takes its body, format, data, picture, location and files, unless it gives its own; `{{subst:…}}` in the body is expanded now. Empty or null for none. */
  from?: string | null;
};

/** The response of the browser, and a name. */
export type NewPasskey = {
  /** The browser’s `PublicKeyCredential`, as its `toJSON()` returns it. */
  credential: Record<string, unknown>;
  /** Name of the passkey, up to 60 characters. */
  name?: string;
};

/** Proposed changes of pages. */
export type NewProposal = {
  /** Title of the proposal, up to 255 characters. */
  title: string;
  /** Reason as plain text, up to 10000 characters. */
  text?: string;
  /** Time at which the proposal merges by itself, with the rights of its author. Null if it does not */
  publishAt?: string | null;
  /** Members who can read the draft, at most 50: a list of IDs, or the full name of a single member. */
  invited?: (number | string)[];
  /** `draft`: only its author and invited members see it. The default is `open`. */
  state?: 'draft' | 'open';
  /** 1 to 200 changes, in the order in which they are made. */
  changes: ProposedChangeInput[];
};

/** A secret link to be made. */
export type NewSecretLink = {
  /** Path of the page. */
  page: string;
  /** Whether the link also shows the pages beneath, also those that come there later. */
  beneath?: boolean;
  /** When the link ends, ISO 8601. Null if it is valid until it is revoked. */
  expiresAt?: string | null;
};

/** The account that a person asks for. */
export type NewSignUp = {
  /** E-mail address for signing in. Other members never see it. */
  email: string;
  /** Display name. */
  name: string;
  /** Passphrase of at least 12 characters. */
  pass: string;
  /** The solved challenge, as the widget of ALTCHA sends it: base64 of the JSON `{challenge, solution}`. */
  proof: string;
};

/** An API token to be made. */
export type NewToken = {
  /** Name by which the member recognises the token. */
  name: string;
  /** Rights of the token. `read`: read what the member may read. `write`: create and change pages. `files`: attach files to pages, together with `write`. `members`, for administrators: invite members, change their roles below moderator and manage groups. `admin`: an administrator’s rights on pages; without it an administrator’s token has the rights of an ordinary member. `preview`: read only with `?proposal=ID`, for previews by front ends; such a token must expire within 366 days. */
  scopes: ('read' | 'write' | 'files' | 'members' | 'admin' | 'preview')[];
  /** Path of a page. The token writes only there and beneath it; elsewhere it reads what anyone may read. Such a token has only the scopes `read`, `write` and `files`. Null for the whole wiki. */
  ancestor?: string | null;
  /** When the token expires, ISO 8601. Null if it is valid until it is revoked. */
  expiresAt?: string | null;
};

/** Exactly one of `page`, `ancestor`, `tag`, `search`, `comments`, `proposals` and `reviews`. The default of `mail` is `off`. */
export type NewWatch = {
  /** Path of a page. */
  page?: string;
  /** Path of a page: it and its subtree. `/` for the whole wiki. */
  ancestor?: string;
  /** Pages with this tag, as in a search. */
  tag?: string;
  /** Pages that a search finds, given as its query. Order and limit are ignored. */
  search?: string;
  /** `mentions` of the member, or answers in `threads` of the member. */
  comments?: string;
  /** `mine`: reviews and merges of proposals that the member made or reviewed. */
  proposals?: string;
  /** `mine`: reviews that are due of pages for which the member is responsible. */
  reviews?: string;
  /** When mail about it is sent: never, at once, daily at seven in the morning, or on Mondays (UTC). */
  mail?: 'off' | 'now' | 'daily' | 'weekly';
};

/** The new webhook. */
export type NewWebhook = {
  /** URL to which events are sent: a public https address, or one that COPPICE_OUTGOING_ALLOW names. */
  url: string;
  /** Kinds of events that are sent. Null for all kinds. */
  kinds?: ('created' | 'edited' | 'moved' | 'permissions' | 'deleted' | 'restored' | 'erased' | 'ordered' | 'commented' | 'proposed' | 'reviewed' | 'merged' | 'due')[] | null;
  /** Path of a page, for events of that page and of pages beneath it, as with `ancestor` in the change feed. Null for the whole wiki. */
  ancestor?: string | null;
  /** Form of what is sent: `standard` is the event of the change feed; `slack`, `teams` and `discord` are messages for the incoming webhooks of those programs. */
  format?: 'standard' | 'slack' | 'teams' | 'discord';
  /** Key of the signatures: `whsec_` and the base64 of 24 to 64 bytes. If it is left out, the wiki makes one. */
  secret?: string;
  /** Position in the change feed to continue from: a cursor, `0` for the beginning, or `latest`. */
  after?: string;
};

/** An event that matched a watch. */
export type Notification = {
  /** ID of the notification. */
  id: number;
  /** Kind of the event. An edit that changes several aspects has one event for each. */
  kind: 'created' | 'edited' | 'moved' | 'permissions' | 'deleted' | 'restored' | 'erased' | 'ordered' | 'commented' | 'proposed' | 'reviewed' | 'merged' | 'due';
  /** When, ISO 8601 in UTC. */
  at: string;
  /** The page. */
  page: {
    /** Page ID. */
    id: number;
    /** Path after the event. */
    path: string;
    /** Title after the event. Null if the caller can no longer read the page. */
    title: string | null;
  };
  /** Path before a move. */
  from?: string;
  /** Member who caused the event. Null if the caller can no longer read the page. */
  editor: MemberName | null;
  /** Message of the change. */
  msg: string;
  /** ID of the comment, for events of the kind `commented`. */
  comment?: number;
  /** ID of the event, as in `/v1/changes`. */
  event: number;
  /** ID of the change, for `to` of `/v1/diff`. */
  change: number;
  /** ID of the watch that matched. */
  watch: number;
  /** Whether the member marked it as read. */
  read: boolean;
};

/** Address of the feed. */
export type NotificationFeed = {
  /** Address of the feed, shown only once. */
  url: string;
};

/** An invitation that has not been used, without its token. */
export type OpenInvitation = {
  /** ID of the invitation. */
  id: number;
  /** `reader`: likes and watches pages, but does not write. `writer`: writes where permissions allow. `moderator`: also restores and deletes pages that anyone may read, undoes changes, blocks members and protects pages. `administrator`: everything. */
  role: 'guest' | 'reader' | 'writer' | 'moderator' | 'administrator';
  /** Whether the person becomes an administrator. */
  isAdmin: boolean;
  /** The administrator who made the invitation. It is valid only while this member is an active administrator and has not ended their sessions by a new passphrase since. */
  invitedBy: {
    /** Member ID. */
    id: number;
    /** Name of the member. */
    name: string;
  } | null;
  /** When the invitation was made, ISO 8601 in UTC. */
  createdAt: string;
  /** When the link expires, ISO 8601 in UTC. */
  expiresAt: string;
};

/** Pages in their order. */
export type Order = {
  /** Paths of these pages that the caller may see, in their order; the first 1,000. */
  children: string[];
  /** Number of these pages. */
  total: number;
};

/** Everything that the wiki knows about a member. */
export type OwnData = {
  /** Time of the export, ISO 8601 in UTC, like all times here. */
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
    /** Language of the site and of mail, BCP 47. Null if the browser and the wiki decide. */
    language: string | null;
    /** Whether the account has a passphrase. */
    hasPassphrase: boolean;
    /** Whether signing in with the passphrase requires a code. */
    hasSecondFactor: boolean;
    /** The latest block of the account, which may be over. */
    block: {
      /** When. */
      at: string;
      /** When the block ends by itself. */
      until: string | null;
      /** Why. */
      reason: string;
    } | null;
  };
  /** Groups of the member. */
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
    /** E-mail address or user name at the provider. */
    account: string | null;
    /** When the account was linked. */
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
    /** When the passkey was added. */
    createdAt: string;
    /** When the passkey was last used to sign in. */
    lastUsedAt: string | null;
  })[];
  /** Active sign-ins. */
  sessions: ({
    /** ID of the session. It cannot be used to sign in. */
    id: string;
    /** How the member signed in. */
    method: string;
    /** Provider, if one was used. */
    provider: string | null;
    /** Whether the session belongs to a browser on the site. */
    isBrowser: boolean;
    /** Name of the client. */
    userAgent: string | null;
    /** When the session started. */
    createdAt: string;
    /** When the session was last used. */
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
    /** ID of the page that the token is limited to. */
    ancestor: number | null;
    /** When the token was made. */
    createdAt: string;
    /** When the token expires. */
    expiresAt: string | null;
    /** When the token was last used. */
    lastUsedAt: string | null;
    /** Client address of the last use. */
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
    /** The page, if the member can read it now. */
    page: PageName | null;
    /** `off`, `now`, `daily` or `weekly`. */
    mail: string;
    /** When the member began to watch. */
    createdAt: string;
  })[];
  /** Liked pages that the member may read. */
  likes: {
    page: PageName;
    /** When the member liked the page. */
    at: string;
  }[];
  /** Starred pages that the member may read. */
  favourites: {
    page: PageName;
    /** When the member starred the page. */
    at: string;
  }[];
  /** Changes by the member of pages that they may currently read, latest first. */
  contributions: ({
    /** Change ID. */
    id: number;
    /** When. */
    timestamp: string;
    /** Commit message. */
    msg: string;
    page: PageName;
    /** Whether the content of the change was erased. */
    isErased: boolean;
    /** Text of the page after the change. Null if it was erased. */
    body: string | null;
  })[];
  /** Texts in the editor that the member has not saved, latest first. */
  drafts: ({
    /** ID of the draft. */
    id: string;
    /** Form in which the draft was written. */
    key: string;
    /** ID of the page that is edited. */
    pageId: number | null;
    /** Title. */
    title: string;
    /** Address of the editor. */
    url: string;
    /** Change that the form started from. */
    base: string;
    /** Fields of the form. */
    fields: {
      /** Name. */
      name: string;
      /** Value. */
      value: string;
    }[];
    /** When the draft was last kept. */
    updatedAt: string;
  })[];
  /** Comments by the member on pages that they can read now, oldest first. */
  comments: ({
    /** ID of the comment. */
    id: number;
    page: PageName;
    /** Text as Markdown. */
    body: string;
    /** Words that the comment is about. */
    quote: string | null;
    /** First comment of the thread. */
    replyTo: number | null;
    /** When. */
    at: string;
    /** When the text was last changed. */
    editedAt: string | null;
  })[];
  /** Proposals by the member, newest first. */
  proposals: {
    /** ID of the proposal. */
    id: number;
    /** Title. */
    title: string;
    /** Reason. */
    text: string;
    /** `draft`, `open`, `withdrawn` or `merged`. */
    state: string;
    /** When the proposal was made. */
    createdAt: string;
    /** Changes of the proposal. */
    changes: {
      /** `create`, `edit`, `move` or `delete`. */
      action: string;
      /** Path of the page. */
      path: string;
      /** Fields of the page as the member gave them. */
      fields: Record<string, unknown>;
    }[];
  }[];
  /** Entries of the audit log about the member’s actions and account, latest first. */
  audit: ({
    /** ID of the entry. */
    id: number;
    /** When. */
    at: string;
    /** Kind of the action. */
    kind: string;
    /** The member who acted. */
    actor: {
      /** Member ID. */
      id: number;
      /** Name. */
      name: string;
    } | null;
    /** Thing that was acted on. */
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
    /** Client address, if the actor was the member or was not signed in. */
    from: string | null;
    /** ID of the API token that was used. */
    token: number | null;
    /** Further details, as text. */
    note: string;
    /** Number of actions that the entry stands for. */
    times: number;
    /** Time of the latest of these actions. */
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
  /** Structured data of the current version, as an editor gave it. `{}` if there is none. */
  data: Record<string, unknown>;
  /** Distance from a root page: 0 for a root page. */
  depth: number;
  /** Page type, or null. */
  type: string | null;
  /** Language of the text, a BCP 47 tag: the language of the page, or else of the wiki. */
  language: string;
  /** Path of the page of which it is a translation. Null if it is none, or if the caller cannot read that page. */
  translationOf: string | null;
  /** Values of each tag, in the order of the body. */
  tags: Record<string, string[]>;
  /** Where the page is, or `false` for none. */
  location: Location | false;
  /** IDs of the members who like the page. */
  likes: number[];
  /** Attached files. */
  files: File[];
  owner: MemberName;
  /** The group to which the second digit of the permissions applies; `members` stands for all members. A change contains the name that the group had then. */
  group: string;
  defaults?: Defaults;
  /** Groups and members with whom the page is shared beside its permissions. Only for those who may change them, when one page is read or saved, and only if there are any. */
  grants?: PageGrant[];
  /** Changes, oldest first; only the latest or none with `history=latest` or `history=none`. If the page’s history begins with a later change for its readers (see `history` of an edit), the list starts there. */
  history: Change[];
  /** Ancestors, root first, direct parent last. */
  lineage: LineageEntry[];
  /** The language of the body. */
  format: 'wikitext' | 'markdown';
  /** Address of a picture for the page. */
  image?: string;
  /** Permission to comment on the page: `off` for nobody, `writers` for those who may edit it. Absent if all members who may read it may comment. */
  comments?: 'off' | 'writers';
  /** Day when the next review of the page is due, if there is one. */
  reviewBy?: string;
  /** Day on which somebody last confirmed that the page is correct. */
  verifiedOn?: string;
  /** ID of the responsible member, if it is not the owner. */
  responsible?: number;
  /** The first 100 pages beneath it by title, if `include=children` requests them. */
  children?: ({
    /** Page ID. */
    id: number;
    /** Page title. */
    title: string;
    /** Page path. */
    path: string;
    /** Page type, or null. */
    type: string | null;
    /** Whether the page has child pages that the caller may see. */
    hasChildren: boolean;
  })[];
  /** 100 pages that link to it, lowest IDs first, if `include=backlinks` requests them. */
  backlinks?: PageName[];
  snippet?: Snippet;
  /** Three octal digits for owner, group and world: 4 allows reading, 2 and 4 together allow writing. */
  permissions: number;
};

/** The permissions and grants that decide who can read and edit a page. */
export type PageAccessInFull = {
  /** Permissions: three octal digits. */
  code: number;
  /** Group to which the second digit applies; `members` for all members. */
  group: string;
  /** Grants of the page itself. */
  grants: Grant[];
  /** Grants of pages above that hold beneath them. */
  inherited: InheritedGrant[];
  /** Deleted groups that the page was shared with. They let nobody in, and go with the next change of its grants. */
  deleted: string[];
  /** The effect of permissions and grants in one sentence. */
  summary: string;
  /** Stands for the grants of the page itself. Send it with a change, so that the change is refused if they are others by then. */
  version: string;
  check?: AccessCheck;
};

/** Changes to a page; fields that are left out stay as they are. */
export type PageEdit = {
  /** Title, 1–255 characters. Required when creating a page. */
  title?: string;
  /** Last part of the path. Made from the title by default. */
  slug?: string;
  /** Path. Made from the parent’s path and the slug by default. */
  path?: string;
  /** Path or ID of the parent page; empty, `/`, 0 or null for a root page. */
  parent?: string | number | null;
  /** Up to 280 characters. Without one it is derived from the body; null returns to that. */
  description?: string | null;
  /** Type, which takes precedence over `[[Type:X]]` in the body. Null returns to that. */
  type?: string | null;
  /** Three octal digits for owner, group and world. **Whoever may read the page may also read its whole history and its replaced files**: opening a private page publishes all its earlier contents, unless `history` is `from now`. */
  permissions?: number;
  /** Location of the page. `false` for explicitly none, null to follow `[[Location:…]]` in the body. */
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
  /** Structured data of the current version, as an editor gave it. `{}` if there is none. */
  data?: Record<string, unknown>;
  /** Address of a picture for the page. */
  image?: string | null;
  /** Language of the text, a BCP 47 tag. Null for the language of the wiki. A new page has the language of its parent by default. */
  language?: string | null;
  /** Permission to comment on the page: `off` for nobody, `members` for members who may read it, `writers` for those who may edit it. A new page has `members`. */
  comments?: 'off' | 'members' | 'writers';
  /** Day when the next review of the page is due, ISO 8601. Null for none. */
  reviewBy?: string | null;
  /** Day on which somebody found the page right, ISO 8601. */
  verifiedOn?: string | null;
  /** ID of the member who is told when a review is due. Null for the owner. */
  responsible?: number | null;
  /** Commit message. */
  msg?: string;
  /** The group to which the second digit of the permissions applies: one of the caller’s groups or, for administrators, any group. `members`, empty or null stands for all members. Only the owner and administrators may change it. */
  group?: string | null;
  /** Permissions, group and template of new pages anywhere beneath the page, unless a page in between defines others. They replace the earlier ones; null removes them. Only the owner and administrators may change them. */
  defaults?: {
    /** Three octal digits. The default is 774, or what the pages above give if only `template` is given. */
    permissions?: number;
    /** The group to which the second digit of the permissions applies: one of the caller’s groups or, for administrators, any group. `members`, empty or null stands for all members. Only the owner and administrators may change it. */
    group?: string | null;
    /** Path of a page template, with which new pages without a body begin. */
    template?: string | null;
  } | null;
  /** Path or ID of the page of which this one is a translation; empty, `/`, 0 or null for none. A translation of a translation joins the set of its original. The translation renders the latest change of the original. */
  translationOf?: string | number | null;
  files?: Files;
  /** ID of the change that the edit started from. Later changes are merged with the edit; the status is 412 if both changed the same places. If `If-Match` is sent too, it decides first. */
  base?: number;
  /** Files to remove from the page, by `name` or `filename`. They keep their addresses as files of earlier changes, and restoring such a change brings them back. */
  removeFiles?: string[];
  /** How much of its history the page shows. `from now`: only this change and later ones are shown to everybody but the owner and administrators, wherever changes are shown, and former addresses of the page stop working. Page objects then contain no earlier changes for anybody; `/v1/history/{path}` lists them for the owner and administrators. `all`: the whole history is shown again. Without it, nothing changes. Only the owner and administrators can set it; restoring an older change does not affect it. */
  history?: 'from now' | 'all';
};

/** A right of a group or a member that adds to the permissions. */
export type PageGrant = {
  /** Name of the group. */
  group?: string;
  /** ID of the member. */
  member?: number;
  /** Right that the grant gives. Writing includes reading. */
  may: 'read' | 'write';
  /** Whether the grant also applies to all descendants of the page. */
  beneath: boolean;
};

/** A page in a list that needs only its name. */
export type PageName = {
  /** Page ID. */
  id: number;
  /** Page title. */
  title: string;
  /** Page path. */
  path: string;
};

/** A passkey of the member. */
export type Passkey = {
  /** ID of the passkey. */
  id: number;
  /** Name that the member gave the passkey. */
  name: string;
  /** Whether copies of the passkey are kept on other devices, so that it survives the loss of one. */
  isSynced: boolean;
  /** When the passkey was added, ISO 8601 in UTC. */
  createdAt: string;
  /** When the passkey was last used to sign in, ISO 8601 in UTC. Null if never. */
  lastUsedAt: string | null;
};

/** The new name. */
export type PasskeyName = {
  /** Name of the passkey, up to 60 characters. */
  name: string;
};

/** Options for WebAuthn. */
export type PasskeyOptions = {
  /** Options for the browser, in the JSON form of WebAuthn Level 3. Their challenge can be answered once, within five minutes. */
  options: Record<string, unknown>;
};

/** The answer. */
export type PasskeySignIn = {
  /** The browser’s `PublicKeyCredential`, as its `toJSON()` returns it. */
  credential: Record<string, unknown>;
};

/** A body, and its edited document. */
export type PatchRequest = DocumentRequest & {
  /** The document as JSON of ProseMirror. Each node from the body has its range there in the attribute `origin`. */
  document: string;
};

/** A body with edits. */
export type Patched = {
  /** The new body. */
  body: string;
};

/** The result of checking a path. */
export type PathCheck = {
  /** Whether a page can be created there. */
  ok: boolean;
  /** Reason why not, as text for people. May contain HTML markup. */
  error?: string;
  /** The next free path, if a page already uses this one. */
  freePath?: string;
};

/** Rendering and metadata of a body. */
export type Preview = {
  /** HTML rendered from the body, which is safe to embed in a page. If a page was just saved and cannot be rendered at that moment, this is the source in `<pre>` after a notice; read the page again for its HTML. */
  markup: string;
  /** Type that the body defines. */
  type: string | null;
  /** Tags that the body defines. */
  tags: Record<string, string[]>;
  /** Location that the body defines, or `false`. */
  location: Location | false;
  /** Targets of the links. */
  links: ({
    /** Target that the link names. */
    target: string;
    /** Path of the page that the link leads to. Null if there is no such page yet. */
    path: string | null;
    /** Title of that page, or the target. */
    title: string;
  })[];
  /** Warnings for the writer, such as an unreadable location or a limit that was reached. */
  notices: string[];
};

/** A body to preview. */
export type PreviewRequest = {
  /** Content to preview. */
  body: string;
  /** Path of the page that the body is for. Files and page name are taken from there. */
  path?: string;
  /** Title of the page that the body is for. */
  title?: string;
  /** The language of the body. */
  format?: 'wikitext' | 'markdown';
};

/** Reason of a refusal (RFC 9457). */
export type Problem = {
  /** Kind of the problem, as a URL that explains it. */
  type: string;
  /** Title of the kind. */
  title: string;
  /** The HTTP status. */
  status: number;
  /** Explanation of this occurrence, as a sentence for people. */
  detail: string;
  /** Every invalid field or parameter. */
  errors?: {
    /** JSON pointer into the body, `?name` for a query parameter, `{name}` for a part of the path. */
    pointer: string;
    /** Kind of the mistake, for programs: `required`, `wrong-type`, `unknown-parameter`, `not-found`, `taken`, or the code of the problem itself, which is the end of `type`. Codes never change their meaning; new codes may be added. */
    code: string;
    /** Explanation of the mistake, as a sentence for people. */
    detail: string;
  }[];
  /** With internal errors: ID under which the log shows the cause. */
  requestId?: string;
  /** With 429: number of seconds to wait before trying again. */
  retryAfter?: number;
  /** With 503 at `/readyz`: `ok` or `failed`. */
  reads?: string;
  /** With 503 at `/readyz`: `ok`, or why nothing can be saved: `full`, `read-only`, `gone` (the data folder) or `failed`. */
  writes?: string;
  /** With 404: current address of a page that was moved. */
  movedTo?: string;
  /** With `path-taken`: the next free path, which the request could use instead. */
  freePath?: string;
  /** With `not-expressible`: indexes of children from the document down to the smallest part concerned. */
  path?: number[];
  /** With `not-expressible`: start and end of that part in the body. Null if it is new. */
  range?: number[] | null;
  /** With 410: when the page was deleted. */
  deletedAt?: string;
  /** With 410: who deleted the page. */
  deletedBy?: {
    /** Member ID. */
    id: number;
    /** The member's name. */
    name: string;
  };
  /** With 409: number of pages beneath the page, or of the group. With 401: number of these pages that the caller may not edit. */
  pages?: number;
  /** With 409: number of further pages in the trash that belong to the group. */
  trashed?: number;
  /** With 403 `protected`: who can change the page, `moderators` or `administrators`. */
  level?: string;
  /** With 403 `blocked`: the reason. */
  reason?: string;
  /** With 403: when the block or the protection ends by itself. Null if it has no end. */
  until?: string | null;
  /** With 403 `needs-approval`: number of approvals that the rule asks for. */
  approvals?: number;
  /** With 403 `needs-approval`: who can approve and merge. */
  approvers?: string;
  /** With 409 `proposal-conflict`: for each change that conflicts its `path`, the `fields` that both sides changed, and `base`, `theirs` and `yours` as with 412. A version is null if there is none. */
  conflicts?: unknown[];
  /** With 412: the fields that both edits changed. */
  fields?: string[];
  /** With 412: the version that the edit started from, as `{change, content}`. Null if there is none. */
  base?: unknown;
  /** With 412: the current version, as `{change, content}`. */
  theirs?: unknown;
  /** With 412: the version that the edit would have made from the base, as `{content}`. */
  yours?: unknown;
};

/** Changes of pages that are merged together or not at all. */
export type Proposal = {
  /** ID of the proposal. */
  id: number;
  /** Title of the proposal, up to 255 characters. */
  title: string;
  /** Reason as plain text, up to 10000 characters. */
  text: string;
  /** `draft`, `open`, `withdrawn` or `merged`. */
  state: 'draft' | 'open' | 'withdrawn' | 'merged';
  author: MemberName;
  /** Name of a person without an account who proposed it, and whose proposal the author let in. Null for members. */
  stranger: string | null;
  /** When the proposal was made, ISO 8601 in UTC. */
  createdAt: string;
  /** When the proposal or its reviews last changed, ISO 8601 in UTC. */
  updatedAt: string;
  /** Time at which the proposal merges by itself, with the rights of its author. Null if it does not */
  publishAt: string | null;
  /** Reason why merging at `publishAt` was refused, for the author. Null if it was not. */
  publishProblem: string | null;
  /** When the proposal was merged. Null before */
  mergedAt: string | null;
  /** The member who merged the proposal. Null before. */
  mergedBy: MemberName | null;
  /** IDs of members who can read the draft, at most 50. */
  invited?: number[];
  /** The changes that the caller may see. */
  changes: ProposedChange[];
  /** The latest hundred reviews, oldest first. */
  reviews: Review[];
  /** Number of members besides the author who have approved the present changes. */
  approvals: number;
  /** Whether the proposal could be merged now: it is neither merged nor withdrawn, and none of these changes conflicts with the present pages. */
  mergeable: boolean;
};

/** Fields that are left out stay as they are. `changes` replaces all of them. */
export type ProposalEdit = {
  /** Title of the proposal, up to 255 characters. */
  title?: string;
  /** Reason as plain text, up to 10000 characters. */
  text?: string;
  /** Time at which the proposal merges by itself, with the rights of its author. Null if it does not */
  publishAt?: string | null;
  /** Members who can read the draft, at most 50: a list of IDs, or the full name of a single member. */
  invited?: (number | string)[];
  /** New state. */
  state?: 'draft' | 'open' | 'withdrawn';
  /** 1 to 200 changes, in the order in which they are made. */
  changes?: ProposedChangeInput[];
};

/** A proposed change. Only a single proposal includes the fields of pages. */
export type ProposedChange = {
  /** `create` makes a page, `edit` changes fields, `move` gives another place, `delete` puts the page into the trash. */
  action: 'create' | 'edit' | 'move' | 'delete';
  /** Path that the page had when the change was proposed. For a new page, its future path. */
  path: string;
  /** Change of the page on which the proposal is based. Null for a new page. */
  base: number | null;
  /** Whether the change conflicts with the present page, and cannot be merged as it is. */
  conflict: boolean;
  /** The present page. Null for a page that does not exist yet or any more. */
  page: {
    /** Page ID. */
    id: number;
    /** Present path. */
    path: string;
    /** Present title. */
    title: string;
  } | null;
  /** New path of a page that is moved. */
  to?: string;
  /** Title. */
  title?: string;
  /** Last part of the path. */
  slug?: string;
  /** Path or ID of the parent; null for a root page. A page that the same proposal makes earlier can be one. */
  parent?: string | number | null;
  /** Description. */
  description?: string | null;
  /** Type. */
  type?: string | null;
  /** Three octal digits. */
  permissions?: number;
  /** Group of the page. */
  group?: string | null;
  /** Access of new pages beneath the page. */
  defaults?: {
    /** Three octal digits. */
    permissions?: number;
    /** Group of new pages. */
    group?: string | null;
  } | null;
  /** Location of the page. */
  location?: {
    /** Degrees north. */
    lat: number;
    /** Degrees east. */
    lon: number;
  } | false | null;
  /** Language of the body. */
  format?: 'wikitext' | 'markdown';
  /** Content of the page. */
  body?: string;
  /** Structured data. */
  data?: Record<string, unknown>;
  /** Address of a picture for the page. */
  image?: string | null;
  /** Language of the page (BCP 47). */
  language?: string | null;
  /** Members who can comment. */
  comments?: 'off' | 'members' | 'writers';
  /** Message of the change. Without one, the title of the proposal is used. */
  msg?: string;
  /** For a deletion: deletes the pages beneath as well. */
  subtree?: boolean;
  /** Files that the change attaches. */
  files?: {
    /** File name. */
    name: string;
    /** Media type, detected from the bytes. */
    mime: string;
    /** Size in bytes. */
    size: number;
    /** Address of the file on this server. */
    url: string;
  }[];
};

/** A change of one page, with the fields of its action. */
export type ProposedChangeInput = {
  /** `create` makes a page, `edit` changes fields, `move` gives another place, `delete` puts the page into the trash. */
  action: 'create' | 'edit' | 'move' | 'delete';
  /** Path of the page. For a new page, the path that it will have; by default made from parent and slug. */
  path?: string;
  /** ID of the change of the page on which the proposed one is based. The default is its latest change. */
  base?: number;
  /** New path of a page that is moved. */
  to?: string;
  /** Title. */
  title?: string;
  /** Last part of the path. */
  slug?: string;
  /** Path or ID of the parent; null for a root page. A page that the same proposal makes earlier can be one. */
  parent?: string | number | null;
  /** Description. */
  description?: string | null;
  /** Type. */
  type?: string | null;
  /** Three octal digits. */
  permissions?: number;
  /** Group of the page. */
  group?: string | null;
  /** Access of new pages beneath the page. */
  defaults?: {
    /** Three octal digits. */
    permissions?: number;
    /** Group of new pages. */
    group?: string | null;
  } | null;
  /** Location of the page. */
  location?: {
    /** Degrees north. */
    lat: number;
    /** Degrees east. */
    lon: number;
  } | false | null;
  /** Language of the body. */
  format?: 'wikitext' | 'markdown';
  /** Content of the page. */
  body?: string;
  /** Structured data. */
  data?: Record<string, unknown>;
  /** Address of a picture for the page. */
  image?: string | null;
  /** Language of the page (BCP 47). */
  language?: string | null;
  /** Members who can comment. */
  comments?: 'off' | 'members' | 'writers';
  /** Message of the change. Without one, the title of the proposal is used. */
  msg?: string;
  /** For a deletion: deletes the pages beneath as well. */
  subtree?: boolean;
  /** Files of a creation or an edit, at most 20, and 10 MB in one request. One without `data` stays from the changes that are replaced. */
  files?: {
    /** The file. */
    file: {
      /** File name. */
      name: string;
      /** The bytes in base64. */
      data?: unknown;
    };
  }[];
};

/** Protection in force. `level` is null if there is none. */
export type Protection = ProtectionInput & {
  /** Page that has the protection: this page or one above it. */
  path: string;
  /** Whether pages beneath are protected, too, and no page can be added there. */
  subtree: boolean;
  /** Reason, up to 500 characters, which the page shows. */
  reason: string;
  /** When the protection ends by itself, ISO 8601. Null if it has no end. */
  until: string | null;
};

/** Protection of a page. */
export type ProtectionInput = {
  /** Lowest role that can change the page. Null if only its permissions decide. */
  level: 'moderators' | 'administrators' | null;
  /** Whether pages beneath are protected, too, and no page can be added there. */
  subtree?: boolean;
  /** Reason, up to 500 characters, which the page shows. */
  reason?: string;
  /** When the protection ends by itself, ISO 8601. Null if it has no end. */
  until?: string | null;
};

/** A page, and its body as HTML. */
export type ReadPage = {
  page: Page;
  /** HTML rendered from the body, which is safe to embed in a page. If a page was just saved and cannot be rendered at that moment, this is the source in `<pre>` after a notice; read the page again for its HTML. */
  markup: string;
  /** HTML of the title as set by `{{DISPLAYTITLE:…}}`, which is safe to embed in a heading. Its text differs from the title only in case. Absent if the title is shown unchanged. */
  displayTitle?: string;
};

/** Whether the server accepts reads and writes now. */
export type Readiness = {
  /** `read-only` while the database accepts no writes. Then reads work, and writes get 503. */
  status: 'ok' | 'read-only';
  /** Always `ok`; otherwise the status is 503. */
  reads: 'ok';
  /** `read-only` while no server of the database accepts writes. */
  writes: 'ok' | 'read-only';
  /** Replicas of the database, if there are any. */
  replicas?: {
    /** Number of replicas that currently serve reads. */
    inUse: number;
    /** Number of configured replicas. */
    all: number;
  };
};

/** Recovery codes, for the case that the app is lost. */
export type RecoveryCodes = {
  /** Each works once in place of a code of the app. They are shown only once. */
  recoveryCodes: string[];
};

/** Submissions to refuse. */
export type RefusedSubmissions = {
  /** IDs of submissions. */
  ids?: number[];
  /** Refuses all submissions whose `from` has this value. */
  from?: string;
};

/** Reports for administrators. Each list has at most 100 entries. */
export type Reports = {
  /** Pages that are due for review, longest first. */
  review: {
    /** Page ID. */
    id: number;
    /** Path of the page. */
    path: string;
    /** Title. */
    title: string;
  }[];
  /** Number of pages that are due for review. */
  reviewTotal: number;
  /** Pages to which no other page and no setting links, in order of creation. */
  orphans: {
    /** Page ID. */
    id: number;
    /** Path of the page. */
    path: string;
    /** Title. */
    title: string;
  }[];
  /** Value of `after` for the following pages without links. Null if there are none. */
  nextOrphans: number | null;
  /** Whether links to other sites are checked: the setting `checkLinks`. */
  checksLinks: boolean;
  /** Links to other sites that failed when they were last checked, longest first. */
  deadLinks: {
    /** The page that has the link. */
    page: {
      /** Page ID. */
      id: number;
      /** Path of the page. */
      path: string;
      /** Title. */
      title: string;
    };
    /** The address. */
    url: string;
    /** Why the link could not be reached. */
    problem: string;
    /** When the link began to fail; every check since then failed, ISO 8601 in UTC. */
    since: string;
    /** When the link was last checked, ISO 8601 in UTC. */
    checkedAt: string;
  }[];
  /** Whether reads and searches are counted: the setting `statistics`. */
  counts: boolean;
  /** Pages that the site showed most often in this month and the two before it. */
  mostRead: {
    /** The page. */
    page: {
      /** Page ID. */
      id: number;
      /** Path of the page. */
      path: string;
      /** Title. */
      title: string;
    };
    /** Number of times. */
    reads: number;
  }[];
  /** Searches of the site in the last 90 days that found nothing, most frequent first. */
  searches: {
    /** The words, in lower case. */
    words: string;
    /** Number of times. */
    times: number;
    /** When somebody last searched for these words, ISO 8601 in UTC. */
    lastAt: string;
  }[];
};

/** A link target for which there is no page yet. */
export type RequestedLink = {
  /** Target of the links. */
  title: string;
  /** Pages that link to the target, by title. At most 1,000 for each target, and fewer if more than 100 targets are listed: at most 100,000 in all. */
  links: PageName[];
};

/** A one-time link to choose a new passphrase. It is shown only once. */
export type ResetLink = {
  /** The one-time token. */
  token: string;
  /** The link to pass on to the member. */
  url: string;
  /** When the link expires, ISO 8601 in UTC. */
  expiresAt: string;
};

/** The link and the new passphrase. */
export type ResetPassphrase = {
  /** The one-time token. */
  token: string;
  /** Passphrase of at least 12 characters. */
  pass: string;
};

/** Path at which to restore the page. */
export type Restoration = {
  /** Another path for the page. */
  path?: string;
};

/** The restored page. */
export type RestoredPage = {
  page: Page;
};

/** A review of a proposal. */
export type Review = {
  /** ID of the review. */
  id: number;
  member: MemberName;
  /** Verdict. */
  verdict: 'approve' | 'reject' | 'comment';
  /** Text; may be empty. */
  text: string;
  /** When, ISO 8601 in UTC. */
  at: string;
  /** Whether the review is about the present changes. Approvals of earlier changes do not count. */
  current: boolean;
  /** The change that a comment is about. Null for the whole proposal. */
  on: {
    /** Path of the page that the proposal changes. */
    path: string;
    /** Words of the proposed text. */
    quote: string | null;
  } | null;
};

/** A review. */
export type ReviewInput = {
  /** `approve`, `reject` or `comment`. */
  verdict: 'approve' | 'reject' | 'comment';
  /** Reason as plain text, up to 10000 characters. */
  text?: string;
  /** For a comment about one change. */
  on?: {
    /** Path of the page that the proposal changes. */
    path: string;
    /** Words of the proposed text, in its source. White space does not matter. */
    quote?: string;
  };
};

/** Number of marks that changed. */
export type Reviewed = {
  /** Number of events that had the other mark before. */
  changed: number;
};

/** IDs of events, and the mark to set. */
export type ReviewedInput = {
  /** IDs of events, up to 1000. */
  ids: number[];
  /** `false` removes the mark. */
  reviewed?: boolean;
};

/** The change to restore. */
export type Rollback = {
  /** ID of the change to restore. */
  to: number;
  /** Commit message. */
  msg?: string;
};

/** The rules of a page and of the pages above it, all of which apply. */
export type Rule = {
  /** Path of the page. */
  path: string;
  /** Number of approvals that a proposal needs. 0 means that there is no rule. */
  approvals: number;
  /** Group whose members can approve and merge, and still change pages directly. Null stands for moderators. Administrators always can. */
  group: string | null;
  /** Members who can approve by the rule of the page itself, in words. */
  approvers: string;
  /** Rules of pages above, nearest first. */
  inherited: ({
    /** Page that has the rule; null if the caller cannot read that page. */
    from: string | null;
    /** Number of approvals. */
    approvals: number;
    /** Group whose members can approve and merge, and still change pages directly. Null stands for moderators. Administrators always can. */
    group: string | null;
    /** Members who can approve, in words. */
    approvers: string;
  })[];
  /** Whether a change by the caller needs approvals. */
  needsApproval: boolean;
};

/** Rule of a page. */
export type RuleInput = {
  /** Number of approvals that a proposal needs. 0 means that there is no rule. */
  approvals: number;
  /** Group whose members can approve and merge, and still change pages directly. Null stands for moderators. Administrators always can. */
  group?: string | null;
};

/** State of the second factor. */
export type SecondFactor = {
  /** Whether a code is required. */
  isOn: boolean;
  /** Number of unused recovery codes. */
  recoveryCodesLeft: number;
};

/** Key for the authenticator app. */
export type SecondFactorKey = {
  /** The key, base32. */
  secret: string;
  /** The same as the text of a QR code. */
  url: string;
};

/** A secret link, without its URL. */
export type SecretLink = {
  /** ID of the link, for revoking it. */
  id: number;
  /** Path of the page that the link shows. */
  page: string;
  /** Whether the link also shows the pages beneath. */
  beneath: boolean;
  /** When the link was made, ISO 8601 in UTC. */
  createdAt: string;
  /** When the link ends, ISO 8601 in UTC. Null if it is valid until it is revoked. */
  expiresAt: string | null;
  /** When a page was last read by the link. Null if it was never used. */
  lastUsedAt: string | null;
  /** Number of pages that were read by the link. */
  uses: number;
  /** Name of the member who made the link. */
  madeBy: string;
};

/** A session, which begins with a sign-in. */
export type Session = {
  /** ID of the session. It cannot be used to sign in. */
  id: string;
  /** How the member signed in. `handle` stands for a stored OAuth 2.0 token. */
  method: 'passphrase' | 'handle' | 'provider' | 'passkey';
  /** Provider of the handle or identity. Null for a passphrase or passkey. */
  provider: string | null;
  /** Whether the session belongs to a browser on the site. If not, it belongs to a program that uses tokens. */
  isBrowser: boolean;
  /** Name of the client when it signed in, shortened. */
  userAgent: string | null;
  /** When the member signed in, ISO 8601 in UTC. */
  createdAt: string;
  /** When the session was last used, accurate to five minutes, ISO 8601 in UTC. */
  lastSeenAt: string;
  /** When the session ends if it is not used any more, ISO 8601 in UTC. */
  expiresAt: string;
  /** Whether this request belongs to the session. */
  isCurrent: boolean;
};

/** Settings of the site. */
export type Settings = {
  /** Name of the wiki. */
  name?: string;
  /** Language of the wiki’s texts, BCP 47. */
  language?: string;
  /** Whether only members can read anything. If so, the third digit of every page’s permissions counts as 0, and new pages get 770. */
  private?: boolean;
  /** Whether the wiki is read-only: reads go on, and every write but a change of settings gets 503 with `Retry-After`. */
  readOnly?: boolean;
  /** Path of the page shown at `/`. */
  home?: string;
  /** Format of new pages that do not give one. */
  format?: 'wikitext' | 'markdown';
  /** How people become members: by `invitation` only, also by signing up with the `approval` of an administrator, or `open` to everybody who signs up. */
  signUp?: 'invitation' | 'approval' | 'open';
  /** Submissions of people without an account, which moderators approve: none (`off`), `comments`, or comments and `proposals`. A private wiki takes none. */
  strangers?: 'off' | 'comments' | 'proposals';
  /** Colour of links and buttons, as `#` and six hexadecimal digits. The site darkens or lightens it where it would be unreadable. Null for the default colour. */
  accent?: string | null;
  /** Font of texts and headings: a bundled font, or the font of the reader’s device. */
  font?: 'serif' | 'sans' | 'device';
  /** Style sheet that the site adds to its own. Pages with `?safe=1` leave it out. */
  css?: string;
  /** Links in the header, at most 20. */
  menu?: {
    /** Text of the link. */
    label: string;
    /** Page or address. */
    to: string;
  }[];
  /** Links in the footer, at most 20. */
  footer?: {
    /** Text of the link. */
    label: string;
    /** Page or address. */
    to: string;
  }[];
  /** Licence of the contents. Null for none. */
  licence?: {
    /** Name. */
    name: string;
    /** Address. */
    url: string;
  } | null;
  /** Page or address with the imprint. On the site everybody can read the page while all members can read it, also in a private wiki. Null for none. */
  imprint?: string | null;
  /** Page or address with the privacy policy. On the site everybody can read the page while all members can read it, also in a private wiki. Null for none. */
  privacy?: string | null;
  /** Announcement shown on every page. Null for none. */
  announcement?: {
    /** The announcement, plain text. */
    text: string;
    /** Time at which the announcement disappears, ISO 8601. Null if it stays. */
    until?: string | null;
  } | null;
  /** Whether the reports count how often the site shows each page, and searches that find nothing. Nothing is kept of readers. */
  statistics?: boolean;
  /** Synonyms, at most 500 groups, each 2 to 10 words or phrases that mean the same, separated by commas. A search for one of a group also finds the others, unless it is in double quotes. A word can have at most 60 characters. */
  synonyms?: string[];
  /** Whether links to other sites are checked for the reports, each once a week. */
  checkLinks?: boolean;
  /** Logo beside the name. Null for the default logo. */
  logo?: {
    /** Media type, detected from the bytes. */
    type: string;
    /** Size. */
    bytes: number;
    /** Address of the current picture. */
    url: string;
  } | null;
  /** Logo in the dark theme. Null for the same logo. */
  logoDark?: {
    /** Media type, detected from the bytes. */
    type: string;
    /** Size. */
    bytes: number;
    /** Address of the current picture. */
    url: string;
  } | null;
  /** Icon of browser tabs. Null for the default icon. */
  icon?: {
    /** Media type, detected from the bytes. */
    type: string;
    /** Size. */
    bytes: number;
    /** Address of the current picture. */
    url: string;
  } | null;
  /** Names of settings that environment variables define, so that they cannot be changed here. */
  fixed: string[];
};

/** Settings to change. */
export type SettingsInput = {
  /** Name of the wiki. */
  name?: string;
  /** Language of the wiki’s texts, BCP 47. */
  language?: string;
  /** Whether only members can read anything. If so, the third digit of every page’s permissions counts as 0, and new pages get 770. */
  private?: boolean;
  /** Whether the wiki is read-only: reads go on, and every write but a change of settings gets 503 with `Retry-After`. */
  readOnly?: boolean;
  /** Path of the page shown at `/`. */
  home?: string;
  /** Format of new pages that do not give one. */
  format?: 'wikitext' | 'markdown';
  /** How people become members: by `invitation` only, also by signing up with the `approval` of an administrator, or `open` to everybody who signs up. */
  signUp?: 'invitation' | 'approval' | 'open';
  /** Submissions of people without an account, which moderators approve: none (`off`), `comments`, or comments and `proposals`. A private wiki takes none. */
  strangers?: 'off' | 'comments' | 'proposals';
  /** Colour of links and buttons, as `#` and six hexadecimal digits. The site darkens or lightens it where it would be unreadable. Null for the default colour. */
  accent?: string | null;
  /** Font of texts and headings: a bundled font, or the font of the reader’s device. */
  font?: 'serif' | 'sans' | 'device';
  /** Style sheet that the site adds to its own. Pages with `?safe=1` leave it out. */
  css?: string;
  /** Links in the header, at most 20. */
  menu?: {
    /** Text of the link. */
    label: string;
    /** Page or address. */
    to: string;
  }[];
  /** Links in the footer, at most 20. */
  footer?: {
    /** Text of the link. */
    label: string;
    /** Page or address. */
    to: string;
  }[];
  /** Licence of the contents. Null for none. */
  licence?: {
    /** Name. */
    name: string;
    /** Address. */
    url: string;
  } | null;
  /** Page or address with the imprint. On the site everybody can read the page while all members can read it, also in a private wiki. Null for none. */
  imprint?: string | null;
  /** Page or address with the privacy policy. On the site everybody can read the page while all members can read it, also in a private wiki. Null for none. */
  privacy?: string | null;
  /** Announcement shown on every page. Null for none. */
  announcement?: {
    /** The announcement, plain text. */
    text: string;
    /** Time at which the announcement disappears, ISO 8601. Null if it stays. */
    until?: string | null;
  } | null;
  /** Whether the reports count how often the site shows each page, and searches that find nothing. Nothing is kept of readers. */
  statistics?: boolean;
  /** Synonyms, at most 500 groups, each 2 to 10 words or phrases that mean the same, separated by commas. A search for one of a group also finds the others, unless it is in double quotes. A word can have at most 60 characters. */
  synonyms?: string[];
  /** Whether links to other sites are checked for the reports, each once a week. */
  checkLinks?: boolean;
  /** Logo beside the name. Null for the default logo. PNG, JPEG, WebP, GIF or SVG of at most 200 kB; in a multipart form a file. */
  logo?: {
    /** Its bytes in base64. */
    data: string;
  } | null;
  /** Logo in the dark theme. Null for the same logo. PNG, JPEG, WebP, GIF or SVG of at most 200 kB; in a multipart form a file. */
  logoDark?: {
    /** Its bytes in base64. */
    data: string;
  } | null;
  /** Icon of browser tabs. Null for the default icon. PNG, JPEG, WebP, GIF or SVG of at most 200 kB; in a multipart form a file. */
  icon?: {
    /** Its bytes in base64. */
    data: string;
  } | null;
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
  /** `reader`: likes and watches pages, but does not write. `writer`: writes where permissions allow. `moderator`: also restores and deletes pages that anyone may read, undoes changes, blocks members and protects pages. `administrator`: everything. */
  role: 'guest' | 'reader' | 'writer' | 'moderator' | 'administrator';
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
  /** The secret handle, as it was issued. */
  id?: string;
};

/** The next step, which is the same for every address. */
export type SignedUp = {
  /** `confirm`: open the link that is mailed to the address. `wait`: an administrator decides. `sign-in`: the account is ready. It follows only from the settings of the wiki. */
  next: 'confirm' | 'wait' | 'sign-in';
};

/** The part of a page that a search by `text` found. */
export type Snippet = {
  /** About 240 characters around the first of the words. */
  text: string;
  /** The same as HTML with the words in `<mark>`, which is safe to embed in a page. */
  html: string;
  /** The title in the same HTML form. */
  title: string;
  /** Innermost section that contains the first of the words. Absent if the words are before the first heading. */
  section?: {
    /** Anchor of the heading of the section: append `#` and this text to the page’s address. */
    id: string;
    /** Heading of the section, as plain text. */
    title: string;
  };
};

/** The server works. */
export type Status = {
  /** Always `ok`. */
  status: 'ok';
};

/** A comment or proposal that waits for a moderator. */
export type Submission = {
  /** ID of the submission. */
  id: number;
  /** `comment` or `proposal`. */
  kind: 'comment' | 'proposal';
  /** The page, or the nearest one above a new page. Null for a new root page. */
  page: {
    /** Page ID. */
    id: number;
    /** Present path. */
    path: string;
    /** Present title. */
    title: string;
  } | null;
  /** Name that the person gave. */
  name: string;
  /** E-mail address that the person gave. */
  email: string | null;
  /** When the comment or proposal was submitted, ISO 8601 in UTC. */
  at: string;
  /** Identifies the network address without revealing it: submissions from one address have the same value. */
  from: string;
  /** Number of submissions from that address that the moderator can see. */
  ofSender: number;
  /** Title of the proposal. Null for a comment. */
  title: string | null;
  /** Text of the comment, or reason of the proposal. */
  text: string;
  /** Words that the comment is about. */
  quote: string | null;
  /** The change of a proposal. Empty for a comment. */
  changes: ({
    /** The kind of change. */
    action: 'create' | 'edit' | 'move' | 'delete';
    /** Path of the page. */
    path: string;
    /** Proposed content. */
    body: string | null;
  })[];
};

/** A comment of a person without an account. */
export type SubmittedComment = {
  /** Name by which the person wants to be shown. It cannot look like a member’s. */
  name: string;
  /** E-mail address for questions of moderators, deleted once they decide. */
  email?: string;
  /** The solved challenge of `GET /v1/members/challenge`, as the widget of ALTCHA sends it. */
  proof: string;
  /** Path of the page. */
  page: string;
  /** Text as Markdown, at most 10,000 characters. */
  body: string;
  /** Words of the page that the comment is about. */
  quote?: {
    /** Words of the page, at most 2,000 characters. */
    text: string;
    /** Text before these words. */
    before?: string;
    /** Text after these words. */
    after?: string;
  };
  /** Comment that the new one answers. */
  replyTo?: number;
};

/** A proposal of a person without an account. */
export type SubmittedProposal = {
  /** Name by which the person wants to be shown. It cannot look like a member’s. */
  name: string;
  /** E-mail address for questions of moderators, deleted once they decide. */
  email?: string;
  /** The solved challenge of `GET /v1/members/challenge`, as the widget of ALTCHA sends it. */
  proof: string;
  /** Title of the proposal. */
  title: string;
  /** Reason as plain text. */
  text?: string;
  /** One change, with the fields of its action. */
  changes: ({
    /** The kind of change. */
    action: 'create' | 'edit' | 'move' | 'delete';
    /** Path of the page; of a new page its future path. */
    path: string;
    /** New path of a page that is moved. */
    to?: string;
    /** Change of the page on which the proposal is based. The default is the latest one. */
    base?: number;
    /** Title. */
    title?: string;
    /** Description. */
    description?: string;
    /** Language of the body. */
    format?: 'wikitext' | 'markdown';
    /** Content of the page. */
    body?: string;
    /** Message of the change. */
    msg?: string;
  })[];
};

/** The change that a translation renders. */
export type TranslatedChange = {
  /** ID of the change of the original that the translation renders. Default: its latest one. */
  change?: number;
  /** `key` of changed paragraphs, as `GET /v1/untranslated/{path}` lists them. Not together with `change`. */
  paragraphs?: string[];
};

/** An original and its translations. */
export type TranslatedPage = {
  original: Translation;
  /** The translations. */
  translations: Translation[];
};

/** A page of a set of translations. */
export type Translation = {
  /** ID of the page. */
  id: number;
  /** Language of the page, a BCP 47 tag. */
  language: string;
  /** Path of the page. */
  path: string;
  /** Title of the page. */
  title: string;
  /** Whether this page is the original of the others. */
  original: boolean;
  /** How far the page is behind the original. Null for the original itself, for a translation of its latest change, and if the caller cannot read the original. */
  behind: Behind | null;
};

/** A deletion that can be undone. */
export type TrashEntry = Deleted & {
  /** When the page was deleted. */
  deletedAt: string;
  deletedBy: MemberName;
};

/** Since when. */
export type UndoInput = {
  /** Changes at this time and later are undone; ISO 8601. */
  since: string;
  /** Message of the changes. */
  msg?: string;
  /** Only reports the effect; changes nothing. */
  dryRun?: boolean;
};

/** Result of the undo. */
export type Undone = {
  /** Result for each page, deepest pages first. */
  pages: UndonePage[];
  /** Pages beyond the limit, which stay as they are. */
  more: number;
};

/** A page that the member changed, and the result. */
export type UndonePage = {
  /** Page ID. */
  id: number;
  /** Its path. */
  path: string;
  /** Its title. */
  title: string;
  /** Number of the member’s changes to the page since then. */
  changes: number;
  /** `undone`: the page has its earlier text again. `merged`: it has its earlier text again, merged with later changes of others. `conflict`: others changed the same places since, or the earlier text was erased; nothing was done. `deleted`: the member created the page and nobody else changed it, so it is in the trash. `left`: there is nothing to undo, or the member created the page and others edited it or have pages beneath it. */
  outcome: 'undone' | 'merged' | 'conflict' | 'deleted' | 'left';
};

/** A paragraph of the original that has changed. */
export type UntranslatedParagraph = {
  /** Key of this change of the paragraph, for marking it as translated. It changes with the text of the paragraph. */
  key: string;
  /** The paragraph that the translation renders. Null for a new one. */
  before: string | null;
  /** The paragraph as it is now. Null for one that is gone. */
  after: string | null;
  /** The paragraph of the translation in the same place, by the order, kinds and lengths of paragraphs. Null if there seems to be none. */
  translation: string | null;
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

/** When the page was last verified, and when its next review is due. */
export type Verification = {
  /** Path of the page. */
  path: string;
  /** Day on which somebody last confirmed that the page is correct. Null if nobody ever did. */
  verifiedOn: string | null;
  /** Day when the next review is due. Null for none. */
  reviewBy: string | null;
  /** ID of the member who is told when the review is due: the owner unless the page names another. */
  responsible: number;
  /** Name of that member. Null if the member does not exist. */
  responsibleName: string | null;
};

/** Types and tags in use. */
export type Vocabulary = {
  /** The 50 most frequent types, most frequent first. */
  types: {
    /** The type. */
    type: string;
    /** Number of pages that have this type or tag, among the 500 most recently changed pages that the caller may see. */
    count: number;
  }[];
  /** The 50 most frequent tags, most frequent first. */
  tags: {
    /** Key of the tag, in lower case. */
    key: string;
    /** A value of the tag. */
    value: string;
    /** Number of pages that have this type or tag, among the 500 most recently changed pages that the caller may see. */
    count: number;
  }[];
};

/** A person who asks for an account. */
export type WaitingSignUp = {
  /** ID of the request. */
  id: number;
  /** E-mail address of the person. */
  email: string;
  /** Display name. */
  name: string;
  /** When the person began to wait, ISO 8601 in UTC. */
  waitingSince: string;
  /** When the request expires, ISO 8601 in UTC. */
  expiresAt: string;
};

/** A watch of a member. */
export type Watch = {
  /** ID of the watch. */
  id: number;
  /** Target of the watch. */
  kind: 'page' | 'subtree' | 'tag' | 'search' | 'mentions' | 'threads' | 'proposals' | 'reviews';
  /** The watched page. Null for tags, searches and the whole wiki, and if the member cannot read it now. */
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
  /** When mail about it is sent: never, at once, daily at seven in the morning, or on Mondays (UTC). */
  mail: 'off' | 'now' | 'daily' | 'weekly';
  /** When the member began to watch, ISO 8601 in UTC. */
  createdAt: string;
};

/** A webhook. It is sent the events that `member` may read, while `member` is an administrator. */
export type Webhook = {
  /** Webhook ID. */
  id: number;
  /** URL to which events are sent: a public https address, or one that COPPICE_OUTGOING_ALLOW names. */
  url: string;
  /** Kinds of events that are sent. Null for all kinds. */
  kinds: ('created' | 'edited' | 'moved' | 'permissions' | 'deleted' | 'restored' | 'erased' | 'ordered' | 'commented' | 'proposed' | 'reviewed' | 'merged' | 'due')[] | null;
  /** Path of a page, for events of that page and of pages beneath it, as with `ancestor` in the change feed. Null for the whole wiki. */
  ancestor: string | null;
  /** Form of what is sent: `standard` is the event of the change feed; `slack`, `teams` and `discord` are messages for the incoming webhooks of those programs. */
  format: 'standard' | 'slack' | 'teams' | 'discord';
  member: MemberName;
  /** When the webhook was made, ISO 8601 in UTC. */
  createdAt: string;
  /** Whether events are sent. */
  enabled: boolean;
  /** When the webhook was disabled. Null while it is enabled. */
  disabledAt: string | null;
  /** Why the webhook was disabled, in one sentence. */
  disabledReason: string | null;
  /** When the address last accepted an event. Null if it never did. */
  lastDeliveredAt: string | null;
};

/** Fields to change; all others stay as they are. */
export type WebhookEdit = {
  /** URL to which events are sent: a public https address, or one that COPPICE_OUTGOING_ALLOW names. */
  url?: string;
  /** Kinds of events that are sent. Null for all kinds. */
  kinds?: ('created' | 'edited' | 'moved' | 'permissions' | 'deleted' | 'restored' | 'erased' | 'ordered' | 'commented' | 'proposed' | 'reviewed' | 'merged' | 'due')[] | null;
  /** Path of a page, for events of that page and of pages beneath it, as with `ancestor` in the change feed. Null for the whole wiki. */
  ancestor?: string | null;
  /** Form of what is sent: `standard` is the event of the change feed; `slack`, `teams` and `discord` are messages for the incoming webhooks of those programs. */
  format?: 'standard' | 'slack' | 'teams' | 'discord';
  /** Whether events are sent. A webhook that is enabled again continues where it stopped, unless `after` is given. */
  enabled?: boolean;
  /** Position in the change feed to continue from: a cursor, `0` for the beginning, or `latest`. */
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
    /** ID of a proposal that the caller may read. The response is what it would be if the proposal were merged, and is never cached. API tokens with the scope `preview` read only with this parameter. */
    proposal?: number;
    /** Number of results to skip. */
    offset?: number;
    /** Number of results to return. Values above 1,000 count as 1,000. */
    limit?: number;
    /** How much of the history to include. A history of more than 16 MB is never included whole; only its latest change is, and `/v1/history/{path}` lists all changes. The same applies to all pages of a list whose histories have more than 64 MB together. */
    history?: 'all' | 'latest' | 'none';
    /** Additions to each page, separated by commas: `children`, its first 100 by title; `backlinks`, 100 pages that link to it, lowest IDs first; `files`, its attached files. With additions, at most 100 pages are returned. */
    include?: string;
    /** Matches pages whose path begins with this text. */
    path?: string;
    /** Matches pages whose title contains this text, without regard to case. */
    title?: string;
    /** Matches pages of this type. */
    type?: string;
    /** `tag:val` matches pages with a tag of that name and that value. Any other text matches pages with a tag of that name or a tag of that value. Names are compared without regard to case, values exactly. May be repeated. */
    tag?: string[];
    /** Words to find in title and body, without regard to case, accents and vowel points, and by their stems in the language of the page: `pruning` finds “prune”. "Double quotes" keep a phrase together, as it is written. A minus directly before a word or phrase leaves out pages that contain it: `roses -trees`. `OR` between two finds either; `title:` before one finds it in titles only. Excluded words without any other criterion match nothing. Where few pages have every word, pages with most of them follow in the order of relevance. Where nothing is found, words are also found as they were probably meant. */
    text?: string;
    /** Page IDs separated by commas, at most 1,000. Matches these pages. */
    ids?: string;
    /** Member ID. Matches pages that this member created. */
    owner?: string;
    /** Path of a page. Matches pages that link to it or use it as a template, at most 10,000. */
    linksTo?: string;
    /** Only pages beneath the page at this path, at any depth. */
    ancestor?: string;
    /** `lat,lon,metres`: only places within the distance, which is 10,000 metres by default and at most 1,000,000. At most 10,000 places may lie there. */
    near?: string;
    /** `west,south,east,north` in degrees: only places in the box. A box whose west is greater than its east crosses the antimeridian. */
    bbox?: string;
    /** A date, a date and time with time zone, or Unix seconds: only pages that changed then or later. */
    since?: string;
    /** `due`: only pages whose review is due today (UTC) or overdue. */
    review?: 'due';
    /** `or` finds pages that meet any criterion. By default they must meet all of them. */
    logic?: string;
    /** Name of the source, recorded with its pages. A later import with this name continues this one. Default: the name that the source gives itself, or the name of the file. */
    source?: string;
    /** Moves pages to the trash that an earlier import of this source made and that the source no longer has, and moves pages whose files were moved. Pages that were changed in this wiki stay. */
    prune?: boolean;
    /** Fetches pictures of other sites that texts show, and attaches them to the pages: at most 1,000, for at most ten minutes, from public addresses only. */
    fetch?: boolean;
    /** Names of the fields to return, separated by commas; other fields are not loaded. Possible: `id`, `title`, `description`, `slug`, `path`, `parent`, `depth`, `type`, `language`, `location`, `owner`, `permissions`, `group`, `defaults`, `tags`, `likes`, `files`, `lineage`, `translationOf`, `data`, `history`, `format`, `image`, `comments`, `reviewBy`, `verifiedOn`, `responsible`, `hasChildren`. */
    fields?: string;
    /** Empty for the first part, then the value from `Link: rel="next"`. */
    cursor?: string;
  };
}

/** Operations by method and path. */
export interface Operations {
  /** Carry out several operations */
  'POST /v1/batch': {
    body: Batch;
    answer: {
      /** Responses in the order of the operations. */
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
    query?: Pick<Shared['query'], 'path' | 'title' | 'type' | 'tag' | 'text' | 'ids' | 'owner' | 'linksTo' | 'ancestor' | 'near' | 'bbox' | 'since' | 'review' | 'logic' | 'offset' | 'history' | 'proposal'> & {
      /** `alphabetical` (by title; the default, except with `text`), `reverse alphabetical`, `first created`, `last created`, `oldest update`, `most recent update`; with `text`, `relevance`, which is then the default unless `logic` is `or` or a `cursor` is given; with `ancestor` alone, `tree`: depth first, siblings in their order. */
      order?: string;
      /** Number of results to return. Values above 1,000 count as 1,000. */
      limit?: number;
      /** Instead of `offset`: empty for the first pages, then the value from `Link: rel="next"`. Pages that are added or removed meanwhile are neither repeated nor skipped. In an order by title or by time of change, a page moves when that value changes. */
      cursor?: string;
      /** Names of the fields to return, separated by commas; other fields are not loaded. Possible: `id`, `title`, `description`, `slug`, `path`, `parent`, `depth`, `type`, `language`, `location`, `owner`, `permissions`, `group`, `defaults`, `tags`, `likes`, `files`, `lineage`, `translationOf`, `data`, `history`, `format`, `image`, `comments`, `reviewBy`, `verifiedOn`, `responsible`. */
      fields?: string;
      /** Additions to each page, separated by commas: `children`, its first 100 by title; `backlinks`, 100 pages that link to it, lowest IDs first; `files`, its attached files; `snippet`, with `text`: the part of the page where the words are. With additions, at most 100 pages are returned. */
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
    query?: Pick<Shared['query'], 'history' | 'include' | 'proposal'> & {
      /** ID of a change, to get the page as it was after that change. */
      version?: number;
      /** `md` returns the page as Markdown, like `Accept: text/markdown`. `json` returns JSON whatever `Accept` says. */
      format?: 'json' | 'md';
      /** Adds the page’s metadata to Markdown as YAML front matter, unless the page has front matter of its own. */
      frontMatter?: boolean;
      /** Names of the fields to return, separated by commas; other fields are not loaded. Possible: `id`, `title`, `description`, `slug`, `path`, `parent`, `depth`, `type`, `language`, `location`, `owner`, `permissions`, `group`, `defaults`, `tags`, `likes`, `files`, `lineage`, `translationOf`, `data`, `history`, `format`, `image`, `comments`, `reviewBy`, `verifiedOn`, `responsible`, `markup`, `displayTitle`. */
      fields?: string;
    };
    answer: ReadPage;
  };
  /** Delete a page */
  'DELETE /v1/pages/{path}': {
    path: Pick<Shared['path'], 'path'>;
    query?: {
      /** Deletes all pages beneath it, too. Without it, the deletion is refused if there are pages beneath. */
      subtree?: boolean;
    };
    answer: DeletedPage;
  };
  /** Import another wiki */
  'POST /v1/imports': {
    query?: Pick<Shared['query'], 'source' | 'prune' | 'fetch'> & {
      /** Kind of the upload. Default: recognised from the file. */
      from?: 'mediawiki' | 'dokuwiki' | 'obsidian' | 'logseq' | 'foam' | 'dendron' | 'quartz' | 'wikijs' | 'docusaurus' | 'mkdocs' | 'mdbook' | 'gitbook' | 'vitepress' | 'hugo' | 'zola' | 'jekyll' | 'eleventy' | 'nextjs' | 'markdown' | 'html' | 'notion' | 'confluence' | 'tiddlywiki' | 'evernote' | 'opml' | 'outline' | 'bookstack' | 'office' | 'csv' | 'wikitext' | 'jsonl';
      /** Path of the page beneath which all pages are imported. It is created if it does not exist. */
      parent?: string;
      /** Plans the import and writes nothing. */
      dryRun?: boolean;
    };
    answer: undefined;
  };
  /** Import an earlier upload */
  'POST /v1/imports/{id}': {
    path: {
      /** ID of the import. */
      id: number;
    };
    query?: Pick<Shared['query'], 'source' | 'prune' | 'fetch'>;
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
    query?: Pick<Shared['query'], 'offset' | 'proposal'> & {
      /** Number of results to return. Values above 1,000 count as 1,000. */
      limit?: number;
    };
    answer: Change[];
  };
  /** Compare two changes of a page */
  'GET /v1/diff/{path}': {
    path: Pick<Shared['path'], 'path'>;
    query?: Pick<Shared['query'], 'proposal'> & {
      /** ID of the older change; by default the one before `to`. */
      from?: number;
      /** ID of the newer change; by default the current one. */
      to?: number;
    };
    answer: Diff;
  };
  /** Restore an older change */
  'POST /v1/rollback/{path}': {
    path: Pick<Shared['path'], 'path'>;
    query?: Pick<Shared['query'], 'history'>;
    body: Rollback;
    answer: EditedPage;
  };
  /** List the root pages */
  'GET /v1/children': {
    query?: Pick<Shared['query'], 'limit' | 'offset' | 'fields' | 'include' | 'proposal'>;
    answer: Child[];
  };
  /** List the children of a page */
  'GET /v1/children/{path}': {
    path: Pick<Shared['path'], 'path'>;
    query?: Pick<Shared['query'], 'limit' | 'offset' | 'fields' | 'include' | 'proposal'>;
    answer: Child[];
  };
  /** Follow the change feed */
  'GET /v1/changes': {
    query?: Pick<Shared['query'], 'proposal'> & {
      /** Cursor: `next` of an earlier response. `latest` stands for the end. Without it, the list starts at the beginning. */
      after?: string;
      /** Cursor for events before it, latest first; or `latest` for the latest events. `next` leads further back. Not for streams. */
      before?: string;
      /** Number of results to return. Values above 1,000 count as 1,000. */
      limit?: number;
      /** Kinds, separated by commas. */
      kind?: string;
      /** Path of a page, for events of pages that lie beneath it now, did so at the time, or did so before they moved. */
      ancestor?: string;
      /** Current type of the page. */
      type?: string;
      /** Current tag of the page, as in a search. */
      tag?: string;
      /** Member ID of the author. */
      editor?: number;
      /** `reader`: likes and watches pages, but does not write. `writer`: writes where permissions allow. `moderator`: also restores and deletes pages that anyone may read, undoes changes, blocks members and protects pages. `administrator`: everything. */
      role?: 'guest' | 'reader' | 'writer' | 'moderator' | 'administrator';
      /** For moderators: `false` lists events that await review, `true` all others. Events of moderators and administrators need no review. */
      reviewed?: boolean;
    };
    answer: Changes;
  };
  /** Export the wiki */
  'GET /v1/export': {
    query: {
      /** `jsonl`: JSON lines, one object per line. The last object has the `kind` `end`; without it the file is incomplete. `markdown`, `wikitext`: one file for each page. `mdbook`, `mkdocs`, `docusaurus`, `hugo`: Markdown with the order of pages as these programs state it. `mediawiki-xml`: like a dump of MediaWiki. `site`: a website that needs no server. `html`: one file to read or print. `epub`: an e-book. */
      format: 'jsonl' | 'markdown' | 'mdbook' | 'mkdocs' | 'docusaurus' | 'hugo' | 'wikitext' | 'site' | 'html' | 'epub' | 'mediawiki-xml';
      /** Path of a page, to export this page and all pages beneath it. */
      ancestor?: string;
    };
    answer: string;
  };
  /** List files */
  'GET /v1/files': {
    query?: Pick<Shared['query'], 'proposal'> & {
      /** Part of the name, without regard to case and accents. */
      q?: string;
      /** Kind of files, such as `image` or `image/*`, or a type, such as `image/png`. */
      mime?: string;
      /** Only files of the page at this path. */
      page?: string;
      /** Only files of pages beneath the page at this path. */
      ancestor?: string;
      /** Only files that are embedded or linked by no page that the caller may read. */
      unused?: boolean;
      /** `name` from A, `size` from the largest, `date` from the latest upload. */
      sort?: 'name' | 'size' | 'date';
      /** Number of results to return. Values above 1,000 count as 1,000. */
      limit?: number;
      /** Position of the next files, from `Link: rel="next"` of the previous response. Empty for the beginning. */
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
      /** Maximum width of the picture in pixels. The picture is never enlarged. It is sent as AVIF or WebP if `Accept` names them, otherwise in its own format, without metadata. Narrower pictures, SVG, animations, pictures of more than 50 megapixels, other files, and GIF or TIFF that would keep their format are sent unchanged. `Range` is ignored. */
      w?: 320 | 640 | 960 | 1280 | 1920;
      /** Secret of a link that shows the page of the file. */
      link?: string;
    };
    answer: string;
  };
  /** Read the member of the token */
  'GET /v1/members/me': {
    query?: Pick<Shared['query'], 'proposal'>;
    answer: Me;
  };
  /** Change my name */
  'PATCH /v1/members/me': {
    body: ChangeName;
    answer: Me;
  };
  /** Request a new passphrase */
  'POST /v1/members/forgot': {
    body: ForgotPassphrase;
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
  /** Delete my account */
  'POST /v1/members/me/leave': {
    body: Leave;
    answer: undefined;
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
      /** ID of the account at the issuer. */
      subject: string;
    };
    answer: undefined;
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
  /** Like a page */
  'PUT /v1/likes/{path}': {
    path: Pick<Shared['path'], 'path'>;
    answer: Likes;
  };
  /** Remove a like */
  'DELETE /v1/likes/{path}': {
    path: Pick<Shared['path'], 'path'>;
    answer: Likes;
  };
  /** List unsent mail */
  'GET /v1/mails': {
    answer: Mail[];
  };
  /** Pass on a mail */
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
  /** Change the role of a member */
  'PATCH /v1/members/{id}': {
    path: Pick<Shared['path'], 'id'>;
    body?: ChangeMember;
    answer: ListedMember;
  };
  /** Read a member’s profile */
  'GET /v1/members/{id}': {
    path: Pick<Shared['path'], 'id'>;
    query?: Pick<Shared['query'], 'proposal'>;
    answer: ShownMember;
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
  /** Undo all changes of a member */
  'POST /v1/members/{id}/undo': {
    path: Pick<Shared['path'], 'id'>;
    body: UndoInput;
    answer: Undone;
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
  /** Start adding a passkey */
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
  /** Start signing in with a passkey */
  'POST /v1/members/auth/passkey/options': {
    answer: PasskeyOptions;
  };
  /** List contributions of a member */
  'GET /v1/members/{id}/contributions': {
    path: Pick<Shared['path'], 'id'>;
    query?: Pick<Shared['query'], 'proposal'> & {
      /** Lists only changes before this ID, which is `next` of the previous response. */
      before?: number;
      /** Number of results to return. Values above 1,000 count as 1,000. */
      limit?: number;
    };
    answer: Contributions;
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
  /** Mark changes as reviewed */
  'POST /v1/changes/reviewed': {
    body: ReviewedInput;
    answer: Reviewed;
  };
  /** Read the state of my second factor */
  'GET /v1/members/me/second-factor': {
    answer: SecondFactor;
  };
  /** Start adding a second factor */
  'POST /v1/members/me/second-factor': {
    answer: SecondFactorKey;
  };
  /** Turn my second factor off */
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
  /** Get a proof of work */
  'GET /v1/members/challenge': {
    answer: Challenge;
  };
  /** List sign-up requests */
  'GET /v1/sign-ups': {
    query?: Pick<Shared['query'], 'limit' | 'offset'>;
    answer: WaitingSignUp[];
  };
  /** Approve a sign-up request */
  'POST /v1/sign-ups/{id}/approve': {
    path: {
      /** ID of the request. */
      id: number;
    };
    body?: ApproveSignUp;
    answer: Me;
  };
  /** Refuse a sign-up request */
  'DELETE /v1/sign-ups/{id}': {
    path: {
      /** ID of the request. */
      id: number;
    };
    answer: undefined;
  };
  /** Read the audit log */
  'GET /v1/audit': {
    query?: {
      /** Cursor: `next` of an earlier response. Without it, the list starts at the beginning. */
      after?: number;
      /** Lists the entries before this cursor, newest first. 0 stands for the latest entries; `next` of the response is the cursor for the next older entries. */
      before?: number;
      /** Number of results to return. Values above 1,000 count as 1,000. */
      limit?: number;
      /** Kinds, separated by commas. */
      kind?: string;
      /** Member ID, for actions by this member and on their account. */
      member?: number;
    };
    answer: AuditEntries;
  };
  /** Read a body as a document */
  'POST /v1/document': {
    body: DocumentRequest;
    answer: Document;
  };
  /** Apply the edits of a document to its body */
  'POST /v1/patch': {
    body: PatchRequest;
    answer: Patched;
  };
  /** Read the settings of the site */
  'GET /v1/settings': {
    query?: Pick<Shared['query'], 'proposal'>;
    answer: Settings;
  };
  /** Change the settings of the site */
  'PATCH /v1/settings': {
    body?: SettingsInput;
    answer: Settings;
  };
  /** List pages that everybody can read in a public wiki */
  'GET /v1/settings/public-pages': {
    answer: {
      /** Number of such pages, at most 10,000. */
      total: number;
      /** Whether there are more than 10,000. */
      isMore: boolean;
      /** The first hundred of these pages, by title. */
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
  /** Find groups and members by name */
  'GET /v1/access': {
    query: Pick<Shared['query'], 'proposal'> & {
      /** Beginning of a name, or of a word in it. */
      name: string;
    };
    answer: Grantees;
  };
  /** Read who can read and edit a page */
  'GET /v1/access/{path}': {
    path: Pick<Shared['path'], 'path'>;
    query?: Pick<Shared['query'], 'proposal'> & {
      /** ID of a member, or `stranger` for somebody who is not signed in. */
      as?: string;
    };
    answer: PageAccessInFull;
  };
  /** Share a page with groups and members */
  'PUT /v1/access/{path}': {
    path: Pick<Shared['path'], 'path'>;
    body: AccessGrants;
    answer: PageAccessInFull;
  };
  /** Change the access of a subtree */
  'POST /v1/permissions/{path}': {
    path: Pick<Shared['path'], 'path'>;
    body?: AccessInput;
    answer: AccessPlan;
  };
  /** List groups */
  'GET /v1/groups': {
    query?: Pick<Shared['query'], 'limit' | 'offset' | 'proposal'>;
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
    query?: Pick<Shared['query'], 'offset' | 'proposal'> & {
      /** Number of results to return. Values above 1,000 count as 1,000. */
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
  /** Add a member to a group */
  'PUT /v1/groups/{id}/members/{memberId}': {
    path: Pick<Shared['path'], 'memberId'> & {
      /** ID of the group. */
      id: number;
    };
    answer: undefined;
  };
  /** Remove a member from a group */
  'DELETE /v1/groups/{id}/members/{memberId}': {
    path: Pick<Shared['path'], 'memberId'> & {
      /** ID of the group. */
      id: number;
    };
    answer: undefined;
  };
  /** Make a secret link to a page */
  'POST /v1/links': {
    body: NewSecretLink;
    answer: MadeSecretLink;
  };
  /** List secret links */
  'GET /v1/links': {
    query?: Pick<Shared['query'], 'proposal'> & {
      /** Path of a page. */
      page?: string;
    };
    answer: SecretLink[];
  };
  /** Revoke a secret link */
  'DELETE /v1/links/{id}': {
    path: {
      /** ID of the link. */
      id: number;
    };
    answer: undefined;
  };
  /** Read the order of the root pages */
  'GET /v1/order': {
    query?: Pick<Shared['query'], 'proposal'>;
    answer: Order;
  };
  /** Order the root pages */
  'PUT /v1/order': {
    body: {
      /** Paths of pages directly beneath, in the new order, at most 500. Pages that are left out follow by title. An empty list orders all pages by title. */
      children: string[];
    };
    answer: Order;
  };
  /** Read the order of the pages beneath a page */
  'GET /v1/order/{path}': {
    path: Pick<Shared['path'], 'path'>;
    query?: Pick<Shared['query'], 'proposal'>;
    answer: Order;
  };
  /** Order the pages beneath a page */
  'PUT /v1/order/{path}': {
    path: Pick<Shared['path'], 'path'>;
    body: {
      /** Paths of pages directly beneath, in the new order, at most 500. Pages that are left out follow by title. An empty list orders all pages by title. */
      children: string[];
    };
    answer: Order;
  };
  /** Read the rule of a page */
  'GET /v1/rules/{path}': {
    path: Pick<Shared['path'], 'path'>;
    query?: Pick<Shared['query'], 'proposal'>;
    answer: Rule;
  };
  /** Ask for approvals beneath a page */
  'PUT /v1/rules/{path}': {
    path: Pick<Shared['path'], 'path'>;
    body: RuleInput;
    answer: Rule;
  };
  /** List my drafts of the editor */
  'GET /v1/drafts': {
    query?: {
      /** Form in which the draft was written, such as a page or a section of it. */
      key?: string;
    };
    answer: DraftOutline[];
  };
  /** Read a draft of the editor */
  'GET /v1/drafts/{id}': {
    path: {
      /** ID that the editor chose for the draft. */
      id: string;
    };
    answer: Draft;
  };
  /** Keep a draft of the editor */
  'PUT /v1/drafts/{id}': {
    path: {
      /** ID that the editor chose for the draft. */
      id: string;
    };
    body: DraftInput;
    answer: undefined;
  };
  /** Discard a draft of the editor */
  'DELETE /v1/drafts/{id}': {
    path: {
      /** ID that the editor chose for the draft. */
      id: string;
    };
    answer: undefined;
  };
  /** Say that a page is open for editing */
  'POST /v1/editing/{path}': {
    path: Pick<Shared['path'], 'path'>;
    body?: EditingInput;
    answer: Editing;
  };
  /** Erase permanently */
  'POST /v1/erase': {
    body: Erasure;
    answer: Erased;
  };
  /** List favourites */
  'GET /v1/favourites': {
    query?: Pick<Shared['query'], 'proposal'>;
    answer: Favourite[];
  };
  /** Star a page */
  'PUT /v1/favourites/{path}': {
    path: Pick<Shared['path'], 'path'>;
    answer: Favourite[];
  };
  /** Remove the star from a page */
  'DELETE /v1/favourites/{path}': {
    path: Pick<Shared['path'], 'path'>;
    answer: Favourite[];
  };
  /** Search the text of files */
  'GET /v1/file-texts': {
    query: Pick<Shared['query'], 'proposal'> & {
      /** Words, as in a search for pages. */
      text: string;
      /** Most files. */
      limit?: number;
    };
    answer: FileHit[];
  };
  /** Read when a page was verified */
  'GET /v1/verifications/{path}': {
    path: Pick<Shared['path'], 'path'>;
    query?: Pick<Shared['query'], 'proposal'>;
    answer: Verification;
  };
  /** Verify a page */
  'POST /v1/verifications/{path}': {
    path: Pick<Shared['path'], 'path'>;
    body?: {
      /** Day of the next review, ISO 8601. Null for none. */
      reviewBy?: string | null;
      /** Whether the caller becomes the responsible member. */
      isResponsible?: boolean;
    };
    answer: Verification;
  };
  /** Read reports about the wiki */
  'GET /v1/reports': {
    query?: {
      /** Lists pages without links to them after this page ID. */
      after?: number;
    };
    answer: Reports;
  };
  /** Ask what a copy would take */
  'GET /v1/copies/{path}': {
    path: Pick<Shared['path'], 'path'>;
    query?: Pick<Shared['query'], 'proposal'>;
    answer: CopyPlan;
  };
  /** Copy a page */
  'POST /v1/copies/{path}': {
    path: Pick<Shared['path'], 'path'>;
    body: {
      /** Address of the copy. Its parent is the nearest page above its path. */
      to: string;
      /** Title of the copy. The default is the title of the page. */
      title?: string;
      /** Whether the pages beneath it are copied as well. */
      subtree?: boolean;
      /** Checks everything and changes nothing. */
      dryRun?: boolean;
    };
    answer: Copied;
  };
  /** Comment on a page */
  'POST /v1/comments': {
    body: NewComment;
    answer: Comment;
  };
  /** List comments */
  'GET /v1/comments': {
    query?: Pick<Shared['query'], 'limit' | 'proposal'> & {
      /** Path of a page: comments on it. */
      page?: string;
      /** Path of a page: comments on it and on pages beneath it. */
      ancestor?: string;
      /** ID of a member, or `me`: comments by them. */
      author?: string;
      /** `me`: comments that mention the caller. */
      mentions?: 'me';
      /** Comments in open threads, or in resolved ones. */
      state?: 'open' | 'resolved';
      /** Empty for the first comments, then the value from `Link: rel="next"`. Nothing is repeated or skipped. */
      cursor?: string;
    };
    answer: Comment[];
  };
  /** Find members to mention */
  'GET /v1/mentions': {
    query: {
      /** Path of the page. */
      page: string;
      /** Beginning of a name, or of a word in it. */
      name: string;
    };
    answer: MemberName[];
  };
  /** Read a comment */
  'GET /v1/comments/{id}': {
    path: {
      /** ID of the comment. */
      id: number;
    };
    query?: Pick<Shared['query'], 'proposal'>;
    answer: Comment;
  };
  /** Edit or resolve a comment */
  'PATCH /v1/comments/{id}': {
    path: {
      /** ID of the comment. */
      id: number;
    };
    body?: CommentChange;
    answer: Comment;
  };
  /** Delete a comment */
  'DELETE /v1/comments/{id}': {
    path: {
      /** ID of the comment. */
      id: number;
    };
    answer: undefined;
  };
  /** Propose changes */
  'POST /v1/proposals': {
    body: NewProposal;
    answer: Proposal;
  };
  /** List proposals */
  'GET /v1/proposals': {
    query?: Pick<Shared['query'], 'offset' | 'proposal'> & {
      /** Only in this state. */
      state?: 'draft' | 'open' | 'withdrawn' | 'merged';
      /** Only by the member with this ID; `me` for the caller. */
      author?: 'me' | number;
      /** Only proposals that change the page at this path, or create it. */
      path?: string;
      /** Only proposals that change this page or a page beneath it. */
      ancestor?: string;
      /** Number of results to return. Values above 1,000 count as 1,000. */
      limit?: number;
    };
    answer: Proposal[];
  };
  /** Read a proposal */
  'GET /v1/proposals/{id}': {
    path: {
      /** ID of the proposal. */
      id: number;
    };
    query?: Pick<Shared['query'], 'proposal'>;
    answer: Proposal;
  };
  /** Change a proposal */
  'PATCH /v1/proposals/{id}': {
    path: {
      /** ID of the proposal. */
      id: number;
    };
    body?: ProposalEdit;
    answer: Proposal;
  };
  /** Read what a proposal does to links */
  'GET /v1/proposals/{id}/links': {
    path: {
      /** ID of the proposal. */
      id: number;
    };
    query?: Pick<Shared['query'], 'proposal'>;
    answer: LinksOfProposal;
  };
  /** Review a proposal */
  'POST /v1/proposals/{id}/reviews': {
    path: {
      /** ID of the proposal. */
      id: number;
    };
    body: ReviewInput;
    answer: Proposal;
  };
  /** Merge a proposal */
  'POST /v1/proposals/{id}/merge': {
    path: {
      /** ID of the proposal. */
      id: number;
    };
    answer: MergedProposal;
  };
  /** Read the protection of a page */
  'GET /v1/protection/{path}': {
    path: Pick<Shared['path'], 'path'>;
    query?: Pick<Shared['query'], 'proposal'>;
    answer: Protection;
  };
  /** Protect a page */
  'PUT /v1/protection/{path}': {
    path: Pick<Shared['path'], 'path'>;
    body: ProtectionInput;
    answer: Protection;
  };
  /** Comment without an account */
  'POST /v1/submissions/comments': {
    body: SubmittedComment;
    answer: undefined;
  };
  /** Propose a change without an account */
  'POST /v1/submissions/proposals': {
    body: SubmittedProposal;
    answer: undefined;
  };
  /** List submissions */
  'GET /v1/submissions': {
    query?: Pick<Shared['query'], 'offset' | 'proposal'> & {
      /** Number of results to return. Values above 1,000 count as 1,000. */
      limit?: number;
    };
    answer: Submission[];
  };
  /** Refuse submissions */
  'POST /v1/submissions/refuse': {
    body?: RefusedSubmissions;
    answer: CountOfRefused;
  };
  /** Erase what a stranger wrote */
  'POST /v1/submissions/erase': {
    body: EraseStranger;
    answer: ErasedStranger;
  };
  /** Approve a submission */
  'POST /v1/submissions/{id}/approve': {
    path: {
      /** ID of the submission. */
      id: number;
    };
    answer: ApprovedSubmission;
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
  /** List the translations that are behind their originals */
  'GET /v1/translations': {
    query: Pick<Shared['query'], 'cursor' | 'proposal'> & {
      /** Language of the translations, a BCP 47 tag. */
      behind: string;
      /** Number of results to return. Values above 1,000 count as 1,000. */
      limit?: number;
    };
    answer: Translation[];
  };
  /** List the translations of a page */
  'GET /v1/translations/{path}': {
    path: Pick<Shared['path'], 'path'>;
    query?: Pick<Shared['query'], 'proposal'>;
    answer: Translation[];
  };
  /** Say that a translation is up to date */
  'POST /v1/translations/{path}': {
    path: Pick<Shared['path'], 'path'>;
    body?: TranslatedChange;
    answer: Translation;
  };
  /** List originals and the state of their translations */
  'GET /v1/untranslated': {
    query?: Pick<Shared['query'], 'cursor' | 'proposal'> & {
      /** Number of results to return. Values above 1,000 count as 1,000. */
      limit?: number;
    };
    answer: TranslatedPage[];
  };
  /** List the paragraphs of an original that a translation does not render yet */
  'GET /v1/untranslated/{path}': {
    path: Pick<Shared['path'], 'path'>;
    query?: Pick<Shared['query'], 'proposal'>;
    answer: UntranslatedParagraph[];
  };
  /** List the trash */
  'GET /v1/trash': {
    query?: Pick<Shared['query'], 'limit' | 'offset' | 'proposal'>;
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
  /** Delete permanently */
  'DELETE /v1/trash/{id}': {
    path: {
      /** ID of the deletion. */
      id: number;
    };
    answer: undefined;
  };
  /** Watch */
  'POST /v1/watches': {
    body?: NewWatch;
    answer: Watch;
  };
  /** List my watches */
  'GET /v1/watches': {
    query?: Pick<Shared['query'], 'limit' | 'offset' | 'proposal'>;
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
    query?: Pick<Shared['query'], 'offset' | 'proposal'> & {
      /** Number of results to return. Values above 1,000 count as 1,000. */
      limit?: number;
      /** Only unread notifications. */
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
  /** List deliveries of a webhook */
  'GET /v1/webhooks/{id}/deliveries': {
    path: {
      /** ID of the webhook. */
      id: number;
    };
    query?: Pick<Shared['query'], 'offset'> & {
      /** Number of results to return. Values above 1,000 count as 1,000. */
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
  /** List requested links */
  'GET /v1/requested': {
    query?: Pick<Shared['query'], 'proposal'>;
    answer: RequestedLink[];
  };
  /** List requested links */
  'GET /v1/requested/{num}': {
    path: {
      /** Number of results to return; the default is 25. Values above 1,000 count as 1,000. */
      num: number;
    };
    query?: Pick<Shared['query'], 'proposal'>;
    answer: RequestedLink[];
  };
  /** List backlinks of a page */
  'GET /v1/backlinks/{path}': {
    path: Pick<Shared['path'], 'path'>;
    query?: Pick<Shared['query'], 'limit' | 'offset' | 'proposal'>;
    answer: PageName[];
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
  /** Change my passphrase */
  'POST /v1/members/me/passphrase': {
    body: ChangePassphrase;
    answer: undefined;
  };
  /** Sign in with a passkey */
  'POST /v1/members/auth/passkey': {
    body: PasskeySignIn;
    answer: string;
  };
  /** Confirm a sign-up */
  'POST /v1/members/confirm': {
    body: ConfirmSignUp;
    answer: Me;
  };
  /** Export my data */
  'GET /v1/members/me/export': {
    answer: OwnData;
  };
  /** Check a path */
  'GET /v1/checkpath/{path}': {
    path: {
      /** The path to check; may contain slashes. */
      path: string;
    };
    answer: PathCheck;
  };
  /** Find places nearby */
  'GET /v1/near/{lat}/{lon}': {
    path: Pick<Shared['path'], 'lat' | 'lon'>;
    query?: Pick<Shared['query'], 'offset' | 'history' | 'include' | 'proposal'> & {
      /** Number of results to return. Values above 1,000 count as 1,000. */
      limit?: number;
      /** Names of the fields to return, separated by commas; other fields are not loaded. Possible: `id`, `title`, `description`, `slug`, `path`, `parent`, `depth`, `type`, `language`, `location`, `owner`, `permissions`, `group`, `defaults`, `tags`, `likes`, `files`, `lineage`, `translationOf`, `data`, `history`, `format`, `image`, `comments`, `reviewBy`, `verifiedOn`, `responsible`, `distance`. */
      fields?: string;
    };
    answer: NearPage[];
  };
  /** Find places nearby */
  'GET /v1/near/{lat}/{lon}/{dist}': {
    path: Pick<Shared['path'], 'lat' | 'lon'> & {
      /** Distance from the starting point in metres. */
      dist: number;
    };
    query?: Pick<Shared['query'], 'offset' | 'history' | 'include' | 'proposal'> & {
      /** Number of results to return. Values above 1,000 count as 1,000. */
      limit?: number;
      /** Names of the fields to return, separated by commas; other fields are not loaded. Possible: `id`, `title`, `description`, `slug`, `path`, `parent`, `depth`, `type`, `language`, `location`, `owner`, `permissions`, `group`, `defaults`, `tags`, `likes`, `files`, `lineage`, `translationOf`, `data`, `history`, `format`, `image`, `comments`, `reviewBy`, `verifiedOn`, `responsible`, `distance`. */
      fields?: string;
    };
    answer: NearPage[];
  };
  /** Find places nearby without coordinates */
  'GET /v1/near': {
    answer: undefined;
  };
  /** Find places nearby without a longitude */
  'GET /v1/near/{lat}': {
    path: {
      /** Degrees north of the starting point. */
      lat: string;
    };
    answer: undefined;
  };
  /** Count search results by type and tag */
  'GET /v1/facets': {
    query?: Pick<Shared['query'], 'path' | 'title' | 'type' | 'tag' | 'text' | 'ids' | 'owner' | 'linksTo' | 'ancestor' | 'near' | 'bbox' | 'since' | 'review' | 'logic' | 'proposal'>;
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
    query: Pick<Shared['query'], 'proposal'> & {
      /** New path of the page. */
      to: string;
      /** Path of its new parent, empty for the root. Without it, the page keeps its parent. */
      parent?: string;
    };
    answer: MovePreview;
  };
  /** List recent updates */
  'GET /v1/updates': {
    query?: Pick<Shared['query'], 'proposal'>;
    answer: Update[];
  };
  /** List recent updates */
  'GET /v1/updates/{num}': {
    path: {
      /** Number of results to return; the default is 10. Values above 1,000 count as 1,000. */
      num: number;
    };
    query?: Pick<Shared['query'], 'proposal'>;
    answer: Update[];
  };
  /** List types and tags in use */
  'GET /v1/vocabulary': {
    query?: Pick<Shared['query'], 'proposal'>;
    answer: Vocabulary;
  };
}
