/**
 * The port to the database. One implementation over Kysely runs on both engines. Pages are read through readers
 * (`core/ports/reader.ts`) and written in transactions; members, maintenance and others have ports of their own.
 *
 * Rules for every method:
 * - Methods run a fixed number of statements whatever the number of rows, and each uses an index.
 * - Inside `transact` the store passed to `work` must be used, never the outer one.
 */

import type { Dialect } from '@coppice/wikitext/dialect';
import type { Dependency } from '#cache/dependency.ts';
import type { Derive, Derived, DerivedLink } from '../model/derived.ts';
import type { Granted } from '../model/grant.ts';
import type {
  AccessDefaults,
  ApprovalRule,
  Content,
  GroupName,
  Page,
  PagePlace,
  PageState,
  Protected,
  Protection,
} from '../model/page.ts';
import type { Actor, Visibility, Wiki } from '../model/permission.ts';
import type { ErasureWrites, PendingErasures } from './erasure-store.ts';
import type { EventStore } from './event-store.ts';
import type { ExportSchedule } from './export-schedule.ts';
import type { FeaturePorts } from './feature-ports.ts';
import type { FileWrites } from './file-rows.ts';
import type { IdempotencyStore } from './idempotency-store.ts';
import type { ImportStore } from './import-store.ts';
import type { LeaseStore } from './lease-store.ts';
import type { MailQueue } from './mail.ts';
import type { MaintenanceStore } from './maintenance-store.ts';
import type { IdentityStore, MemberStore, SessionStore } from './member-store.ts';
import type { PasskeyStore } from './passkeys.ts';
import type { Reader, Target } from './reader.ts';
import type { SecondFactorStore } from './second-factor-store.ts';
import type { SettingsStore } from './settings-store.ts';
import type { SignUpStore } from './sign-up-store.ts';
import type { TrashStore } from './trash-store.ts';

export interface Store extends FeaturePorts, AsyncDisposable, Wiki {
  /** The dialect in which pages are parsed; everything derived from them depends on it. */
  readonly dialect: Dialect;
  /** Derives data from the content of a page, in that dialect. */
  readonly derive: Derive;
  /** Whether this is a transaction, so that a failed statement ends all of it. */
  readonly isTransaction: boolean;
  /** Whether all transactions wait for each other. */
  readonly hasOneWriter: boolean;
  /**
   * The wiki with the rights of the actor. Within a transaction it includes what that has written. Cheap: one is made for each
   * request.
   */
  readAs(actor: Actor): Reader;
  /** The wiki with the rights of administrators, for background work. */
  readAsSystem(): Reader;
  events: EventStore;
  trash: TrashStore;
  members: MemberStore;
  settings: SettingsStore;
  identities: IdentityStore;
  secondFactors: SecondFactorStore;
  passkeys: PasskeyStore;
  signUps: SignUpStore;
  sessions: SessionStore;
  idempotency: IdempotencyStore;
  leases: LeaseStore;
  imports: ImportStore;
  exportSchedule: ExportSchedule;
  mails: MailQueue;
  maintenance: MaintenanceStore;
  pendingErasures: PendingErasures;

  /**
   * Runs `work` in one read-write transaction. On SQLite writers queue in order of arrival; on PostgreSQL serialization
   * failures and deadlocks are retried, so `work` may run several times and must have no side effects outside the store. A
   * permanent failure of the engine becomes Problem `unavailable`, and so does the setting `readOnly`, unless the work
   * `worksReadOnly` or is a trial (`isTrial`), which fails at its end, so that nothing of it is left, and makes no other write
   * start again.
   */
  transact<T>(
    work: (store: Transaction) => Promise<T>,
    how?: { worksReadOnly?: boolean; isTrial?: boolean },
  ): Promise<T>;

  /**
   * Changes whenever any process commits anything, so while it stays the same, so do all results. It may also change without
   * cause. Much cheaper than any query. Returns synchronously if no waiting is needed.
   */
  revision(): string | Promise<string>;
  /**
   * Whether a result that depends only on these dependencies and on members' names, computed at that revision, is certainly
   * still valid.
   */
  isUnchanged(revision: string, dependencies: readonly Dependency[]): boolean;

  /** Calls the listener for each commit by any process that `revision` finds, with what it invalidated. One listener. */
  listen(listener: Invalidated): void;

  /** Present if the database has replicas: `work` reads from one of them; other reads and all writes use the primary. */
  reading?<T>(preference: ReadPreference, work: () => T): T;

  /**
   * Checks readiness: reads, and also writes if nothing was written for some seconds, at most once a second. Throws if the
   * engine does not respond.
   */
  ping(): Promise<Condition>;
  /**
   * Why nothing can be written, as it was last seen; `paused` by the setting `readOnly`. Costs nothing; every revision changes
   * with it.
   */
  writeTrouble(): WriteFailure | 'paused' | undefined;
  /** Number of this process's writes that are queued, if writers queue. */
  writesWaiting(): number;
  /** State of this process's connections, if the engine is a server. Costs nothing. */
  connections?(): DatabaseConnections;
  /** Number of this process's writes that failed through no fault of the request. */
  readonly failedWrites: Readonly<Record<WriteFailure, number>>;
}

/** A store that can also write pages. Its readers see its own writes. */
export interface Transaction extends Store {
  readonly pages: PageWrites;
  readonly links: LinkWrites;
  readonly files: FileWrites;
  readonly erasure: ErasureWrites;
}

/**
 * Choice of a replica. Equal keys select the same one, so that revisions can be compared. `isLatest`: it must have everything
 * acknowledged before; otherwise up to the last second may be missing.
 */
export interface ReadPreference {
  key: string;
  isLatest: boolean;
}

/** Failure because of which nothing can be written: no space, no permission, missing files, or another failure that the log describes. */
export type WriteFailure = 'full' | 'read-only' | 'gone' | 'failed';

/** Receives the dependencies that a commit invalidated. */
export type Invalidated = (dependencies: Iterable<Dependency> | 'all') => void;

export interface DatabaseConnections {
  open: number;
  idle: number;
  /** Requests that wait for a connection. */
  waiting: number;
  /** Age of what the replica that is furthest behind has certainly replayed. Undefined without replicas. */
  replicaLagMs: number | undefined;
}

/** Current state of the database. `inUse`: number of replicas at most a second behind. */
export interface Condition {
  isWritable: boolean;
  /** The trouble, if only this instance is affected. */
  trouble?: WriteFailure | undefined;
  replicas?: { inUse: number; all: number };
}

export interface NewPage {
  /** ID from `reserveIds`. */
  id: number;
  state: PageState;
  /** Oldest first, at least one; `state` and `derived` belong to the last one. `id`: from `reserveChangeIds`. */
  changes: { id?: number; at: number; editorId: number; content: Content }[];
  derived: Derived;
}

/** A page whose path changed together with an ancestor's. */
export interface MovedPage {
  id: number;
  from: string;
  to: string;
  /** Whether its links depend on its path, so that the stored ones are outdated. */
  followsPath: boolean;
}

/**
 * A run of consecutive changes of a page by one member: the last of them, and the change before the first; null if the member
 * created the page.
 */
export interface Run {
  before: number | null;
  last: number;
}

export interface ChangedInRuns {
  pageId: number;
  changes: number;
  /** Oldest first. */
  runs: Run[];
}

export interface LockedForEdit {
  page: Page;
  around?: EditSurroundings;
}

/** Facts about a locked page that stay true until the edit changes them. */
export interface EditSurroundings {
  parent: PagePlace | null;
  /** Protected pages above, in the tree and by address; empty unless they were asked for. */
  protectedAbove: Protected[];
  /** Stored links and tags, for `saveDerived`. */
  stored: StoredDerived;
}

/** Rows that only the store reads. */
export interface StoredDerived {
  links: readonly unknown[];
  tags: readonly unknown[];
  /** The terms in the text index are those of the new content, so it is not written. */
  hasSameText?: boolean;
}

export interface PageWrites {
  /**
   * Like findByPath/findById, within a transaction, and locks the row until its end. `share` prevents moving it (for creating a
   * child), `update` prevents any change (for editing). SQLite has a single writer anyway.
   */
  lockByPath(path: string, mode: 'share' | 'update'): Promise<Page | undefined>;
  lockById(id: number, mode: 'share' | 'update'): Promise<Page | undefined>;
  /**
   * Like `lockByPath` for an update, and locks the parent against moves. Reads with it what an edit compares with, in the same
   * round trip; `around` is missing if the page was changed meanwhile. `readsProtection`: for who may not pass every protection.
   */
  lockForEdit(path: string, given: { readsProtection: boolean }): Promise<LockedForEdit | undefined>;
  /** Like `lockByPath`, for several paths in one statement, without contents. */
  lockByPaths(paths: string[], mode: 'share' | 'update'): Promise<PagePlace[]>;
  /** The same, by ID. */
  lockByIds(ids: number[], mode: 'share' | 'update'): Promise<PagePlace[]>;
  /**
   * Called in a transaction that has locked these pages: sets permissions and group, with a change for each page.
   * `hidesHistory`: that change becomes the first one visible to all readers, and old paths are deleted. Runs in slices,
   * between which others have their turn.
   */
  changeAccess(
    ids: readonly number[],
    access: {
      permissions?: number;
      group?: GroupName | null;
      hidesHistory: boolean;
      isPrivate: boolean;
    },
    change: { at: number; editorId: number; msg: string },
  ): Promise<void>;
  /**
   * Within a transaction: pages that the member changed since then, at most this many of those changed last, deepest first;
   * `total`: their number. Three statements.
   */
  runsOf(
    memberId: number,
    since: number,
    limit: number,
    visibility: Visibility,
  ): Promise<{ pages: ChangedInRuns[]; total: number }>;
  /** Whether any page has defaults for new pages. */
  haveDefaults(): Promise<boolean>;
  /** Permissions and group that these pages give to new pages beneath them. */
  defaultsOf(ids: readonly number[]): Promise<Map<number, AccessDefaults>>;

  /** Reserves IDs for pages that this transaction will insert. */
  reserveIds(count: number): Promise<number[]>;
  /** Reserves IDs for changes that this transaction will insert. */
  reserveChangeIds(count: number): Promise<number[]>;
  /** Reserves all IDs up to these for the caller, who assigns them to imported rows. */
  skipIds(last: { members: number; pages: number; changes: number }): Promise<void>;
  /**
   * Inserts pages with their changes and all derived data (`LinkStore.saveDerived` is not needed), parents before children.
   * Refuses `path-taken`, naming the path if there is only one page. Runs a fixed number of statements for each hundred rows.
   * Returns the ID of each page's last change.
   */
  insertMany(pages: NewPage[]): Promise<number[]>;
  /**
   * Called in a transaction before `update`: inserts changes between a page's latest change and the coming one, oldest first.
   * Their times are raised to at least that of the change before.
   */
  addHistory(id: number, changes: NewPage['changes']): Promise<void>;
  /**
   * Adds old addresses of pages, which redirect reads and links unless another page has that path. An address that the page has
   * already counts as left again. Runs a fixed number of statements for each few hundred.
   */
  addAliases(aliases: { path: string; pageId: number }[]): Promise<void>;
  /**
   * Rows of `audiences` with these keys, made where there are none. Rows never change. At most four statements.
   */
  audiences(keys: readonly string[]): Promise<Map<string, Granted>>;
  /**
   * Called in a transaction after `update`, or after a move, if the page passes on other grants than before: computes the
   * audiences of all pages beneath it anew. In slices of the subtree, which it locks.
   */
  passGrants(id: number, change: { at: number; editorId: number; msg: string }, wiki: Wiki): Promise<void>;
  /**
   * Makes a page, and its own translations, translations of an original that the caller has locked, rendering its latest change;
   * null: it is no translation any more.
   */
  translate(page: Pick<Page, 'id' | 'originalId'>, originalId: number | null): Promise<void>;
  /** The translation renders this change of its original from now on, and of later ones the changed paragraphs with these keys. */
  render(
    page: Pick<Page, 'id' | 'originalId'>,
    changeId: number,
    paragraphs: readonly string[],
  ): Promise<void>;
  /** Null removes the protection. */
  protect(page: Page, protection: Protection | null): Promise<void>;
  /** Null removes the rule. */
  setRule(page: Page, rule: ApprovalRule | null): Promise<void>;
  /** The pages with a protection or rule among these IDs or paths; their protection may have expired. One statement. */
  protectedAmong(ids: readonly number[], paths: readonly string[]): Promise<(Protected & { id: number })[]>;
  /** Some protected descendant, or one with a rule, for which `refuses` returns true. */
  protectedBeneath(
    page: { id: number; trail: readonly number[] },
    refuses: (page: Protected) => boolean,
  ): Promise<Protected | undefined>;
  /** Former addresses that no longer lead to the page, for the `paths` of `saveDerived`. */
  removeAliases(pageId: number, paths: string[]): Promise<void>;
  /**
   * Writes the new state of a locked page and appends its change. Does not change the path: call `move` first. `updatedAt`
   * becomes the later of `change.at` and the page's previous update, so time never runs backwards.
   */
  update(
    held: Page,
    state: PageState,
    change: { id?: number; at: number; editorId: number; content: Content },
  ): Promise<void>;

  /** Called in a transaction that turns out to write nothing: cached results stay valid. */
  keep(): void;

  /**
   * Called in a transaction after `update`: makes only the latest and later changes visible to all readers, or every change.
   * Returns addresses from before a history that starts now, which are deleted, for the `paths` of `saveDerived`.
   */
  showHistory(id: number, from: 'latest change' | 'first change'): Promise<string[]>;
  /** The same from this change on, which may be a future one. Deletes no address. */
  showHistoryFrom(id: number, changeId: number): Promise<void>;

  /**
   * Gives a page a new path, parent, depth and trail, and every descendant its new depth and trail, and those
   * whose path lay beneath the old path the new prefix. Old paths become aliases.
   * Locks the whole subtree first. Refuses `path-taken` (naming the path) and changes nothing if a page outside
   * the subtree has a target; refuses `invalid` if a path would grow past 1,024 bytes or 64 segments, or
   * a depth past 250. In slices of the subtree, between which others have their turn.
   * Returns every page whose path changed, the page itself first; the caller derives anew those that follow their path.
   */
  move(
    id: number,
    to: { path: string; parentId: number | null; depth: number; trail: number[] },
    change: { at: number; editorId: number; msg: string },
  ): Promise<MovedPage[]>;

  /** Contents of the current changes of these pages, with their current paths. One statement. */
  contents(ids: number[]): Promise<{ id: number; path: string; content: Content }[]>;

  addLike(pageId: number, memberId: number, at: number): Promise<void>;
  /** Adds likes, in this order, to a page that has none. */
  addLikes(pageId: number, memberIds: readonly number[], at: number): Promise<void>;
  removeLike(pageId: number, memberId: number): Promise<void>;
}

export interface LinkWrites {
  /**
   * Replaces the links of moved pages, in a fixed number of statements. Returns every target that a page linked to either
   * before or after, but not both, for the `paths` of `saveDerived`, which counts them.
   */
  relink(pages: { id: number; links: DerivedLink[] }[]): Promise<Target[]>;

  /**
   * Replaces the rows derived from a page's current content (links, tags, search text) and updates the counts of wanted links
   * for everything that `changed` names. Call it once in each transaction that changes a page, after update and move.
   */
  saveDerived(
    page: Pick<Page, 'id' | 'title' | 'audience'>,
    derived: Derived,
    changed: {
      /** Titles under which a page appeared, disappeared or changed its audience. */
      titles: string[];
      /** Paths at which a page did so, or that other pages' links started or ceased to refer to. */
      paths: string[];
    },
    /** Rows read since the page was locked, by `lockForEdit`. */
    stored?: StoredDerived,
  ): Promise<void>;
}
