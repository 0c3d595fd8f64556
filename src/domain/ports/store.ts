/**
 * The port to the database: all that the wiki asks of it. One implementation over Kysely runs on both engines. Pages are read
 * through readers (`domain/reader.ts`) and written in transactions; members and maintenance have files of their own.
 *
 * Rules that every method keeps:
 * - Methods run a fixed number of statements whatever the number of rows, and each uses an index.
 * - Inside `transact` the store passed to `work` must be used, never the outer one.
 */

import type { Dialect } from '@coppice/wikitext/dialect';
import type { Dependency } from '#cache/dependency.ts';
import type { Derived, DerivedLink } from '../content/derive.ts';
import type {
  AccessDefaults,
  Content,
  GroupName,
  Page,
  PagePlace,
  PageState,
  Protected,
  Protection,
} from '../pages/page.ts';
import type { Actor, Visibility } from '../permission.ts';
import type { Reader, Target } from '../reader.ts';
import type { AuditStore } from './audit-store.ts';
import type { ErasureWrites } from './erasure-store.ts';
import type { EventStore } from './event-store.ts';
import type { ExportSchedule } from './export-schedule.ts';
import type { FileWrites } from './file-rows.ts';
import type { GroupStore } from './group-store.ts';
import type { IdempotencyStore } from './idempotency-store.ts';
import type { ImportStore } from './import-store.ts';
import type { MailQueue } from './mail.ts';
import type { MaintenanceStore } from './maintenance-store.ts';
import type { ApiTokenStore, IdentityStore, MemberStore, SessionStore } from './member-store.ts';
import type { PasskeyStore } from './passkeys.ts';
import type { SecondFactorStore } from './second-factor-store.ts';
import type { SignUpStore } from './sign-up-store.ts';
import type { TrashStore } from './trash-store.ts';
import type { WatchStore } from './watch-store.ts';
import type { WebhookStore } from './webhook-store.ts';

export interface Store extends AsyncDisposable {
  /** How the wiki's pages are read: what is derived from them follows from it. */
  readonly dialect: Dialect;
  /** The wiki as the actor sees it. Within a transaction it sees what that has written. Cheap: one for each request. */
  readAs(actor: Actor): Reader;
  /** The wiki as administrators see it, for work that nobody asked for. */
  readAsSystem(): Reader;
  audit: AuditStore;
  events: EventStore;
  trash: TrashStore;
  members: MemberStore;
  groups: GroupStore;
  identities: IdentityStore;
  secondFactors: SecondFactorStore;
  passkeys: PasskeyStore;
  signUps: SignUpStore;
  sessions: SessionStore;
  apiTokens: ApiTokenStore;
  idempotency: IdempotencyStore;
  imports: ImportStore;
  exportSchedule: ExportSchedule;
  mails: MailQueue;
  webhooks: WebhookStore;
  watches: WatchStore;
  maintenance: MaintenanceStore;

  /**
   * Runs `work` in one read-write transaction; all or nothing. Writers on SQLite wait for each other in the order
   * they came; serialization failures and deadlocks on PostgreSQL are retried, so `work` may run more than once
   * and must have no effect outside the store. A lasting refusal of the engine is Problem `unavailable`.
   */
  transact<T>(work: (store: Transaction) => Promise<T>): Promise<T>;

  /**
   * Differs from an earlier revision if anything was committed in between, by whatever process: while it is the same, so
   * is every answer. Much cheaper than any other query. It may differ though nothing of the wiki did.
   * At once where that takes no waiting.
   */
  revision(): string | Promise<string>;
  /** Whether what was made from these dependencies alone, and from members' names, at that revision is surely still the same. */
  isUnchanged(revision: string, dependencies: readonly Dependency[]): boolean;

  /** There if the database has replicas: all that `work` reads comes from one of them; everything else from where writes go. */
  reading?<T>(preference: ReadPreference, work: () => T): T;

  /**
   * For readiness: reads, and writes where nothing was written for some seconds, at most once a second. Throws when the engine
   * does not answer.
   */
  ping(): Promise<Condition>;
  /** Writes of this process that wait for their turn, where they take turns. */
  writesWaiting(): number;
  /** Writes of this process that failed for a reason that is not theirs. */
  readonly failedWrites: Readonly<Record<WriteTrouble, number>>;
}

/** A store that can also write pages. Its readers see what was written in it. */
export interface Transaction extends Store {
  readonly pages: PageWrites;
  readonly links: LinkWrites;
  readonly files: FileWrites;
  readonly erasure: ErasureWrites;
}

/**
 * Which replica will do. Equal keys lead to the same one, so that revisions can be compared. `isLatest`: it has all that was
 * acknowledged before; otherwise the last second may be missing.
 */
export interface ReadPreference {
  key: string;
  isLatest: boolean;
}

/** Why nothing can be written: no room, no right, the files are not where they were, or what the log says. */
export type WriteTrouble = 'full' | 'read-only' | 'gone' | 'failed';

/** Current state of the database. `inUse`: replicas that are not more than a second behind. */
export interface Condition {
  isWritable: boolean;
  /** Why not, if it lies with this instance: others may write. */
  trouble?: WriteTrouble | undefined;
  replicas?: { inUse: number; all: number };
}

export interface NewPage {
  /** ID from `reserveIds`. */
  id: number;
  state: PageState;
  /** Oldest first, at least one; the last one's content is what `state` and `derived` follow from. `id`: from `reserveChangeIds`. */
  changes: { id?: number; at: number; editorId: number; content: Content }[];
  derived: Derived;
}

/** A page whose path changed with one above it. */
export interface MovedPage {
  id: number;
  from: string;
  to: string;
  /** Its links are derived from its path, and those stored are still of the old one. */
  followsPath: boolean;
}

/** Changes of a page by one member, one after another: the last of them, and the one before the first; null: it made the page. */
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

export interface PageWrites {
  /**
   * In a transaction: as findByPath/findById, and holds the row until its end. `share` keeps it from being moved
   * (creating a child), `update` from being changed by anyone else (editing). On SQLite the writer is alone anyway.
   */
  lockByPath(path: string, mode: 'share' | 'update'): Promise<Page | undefined>;
  lockById(id: number, mode: 'share' | 'update'): Promise<Page | undefined>;
  /** Like `lockByPath`, for the pages that are at these paths, in one statement and without their contents. */
  lockByPaths(paths: string[], mode: 'share' | 'update'): Promise<PagePlace[]>;
  /** The same, by ID. */
  lockByIds(ids: number[], mode: 'share' | 'update'): Promise<PagePlace[]>;
  /**
   * In a transaction that holds these pages: other permissions and another group, with a change for each page that says so. `hidesHistory`:
   * that change is the first one that all readers may see, and old paths are forgotten. In slices, between which others have their turn.
   */
  changeAccess(
    ids: readonly number[],
    access: { permissions?: number; group?: GroupName | null; hidesHistory: boolean },
    change: { at: number; editorId: number; msg: string },
  ): Promise<void>;
  /**
   * In a transaction: pages that the member changed since then, at most so many of those changed last, deepest first; `total`: how many
   * there are. Three statements.
   */
  runsOf(
    memberId: number,
    since: number,
    limit: number,
    visibility: Visibility,
  ): Promise<{ pages: ChangedInRuns[]; total: number }>;
  /** Whether any page does what `defaultsOf` tells. */
  haveDefaults(): Promise<boolean>;
  /** Permissions and group that these pages give to new pages beneath them, for those that do. */
  defaultsOf(ids: readonly number[]): Promise<Map<number, AccessDefaults>>;

  /** In a transaction: IDs for pages that it will insert. */
  reserveIds(count: number): Promise<number[]>;
  /** The same for changes that it will insert. */
  reserveChangeIds(count: number): Promise<number[]>;
  /** IDs up to these are given to nobody by themselves from now on: whoever calls this gives them to rows that bring them from elsewhere. */
  skipIds(last: { members: number; pages: number; changes: number }): Promise<void>;
  /**
   * Inserts pages with their changes and everything derived from them (nothing of `LinkStore.saveDerived` is left to do),
   * parents before children. Refuses `path-taken`, naming the path if there is one page. A fixed number of statements for
   * each hundred rows. The ID of each page's last change.
   */
  insertMany(pages: NewPage[]): Promise<number[]>;
  /**
   * In a transaction, before `update`: appends changes that lie between a page's latest one and the one to come, oldest first.
   * Their times become no earlier than that of the change before.
   */
  addHistory(id: number, changes: NewPage['changes']): Promise<void>;
  /**
   * Old addresses of pages: reads and links by path lead on from them, unless a page lies there. One that a page has already
   * counts as left anew. A fixed number of statements for each few hundred.
   */
  addAliases(aliases: { path: string; pageId: number }[]): Promise<void>;
  /** Old addresses that lead to the page no longer, for the `paths` of `saveDerived`. */
  /** Null lifts it. */
  protect(page: Page, protection: Protection | null): Promise<void>;
  /** Protected pages among these; the protection may be over. */
  protectedAmong(ids: readonly number[]): Promise<Protected[]>;
  /** Any protection of a page beneath this one for which `refuses` holds. */
  protectedBeneath(
    page: { id: number; trail: readonly number[] },
    refuses: (protection: Protection) => boolean,
  ): Promise<Protection | undefined>;
  removeAliases(pageId: number, paths: string[]): Promise<void>;
  /**
   * Writes the new state of a page, which was `held` for it, and appends its change. The path is not changed here: call `move` first.
   * `updatedAt` becomes the later of `change.at` and the page's previous update, so time never runs backwards.
   */
  update(
    held: Page,
    state: PageState,
    change: { id?: number; at: number; editorId: number; content: Content },
  ): Promise<void>;

  /** In a transaction that turns out to write nothing: what was made from pages is still true. */
  keep(): void;

  /**
   * In a transaction, after `update`: all readers of the page may see its latest change and later ones, or every change. Addresses
   * that the page had before a history that begins now are forgotten, and returned for the `paths` of `saveDerived`.
   */
  showHistory(id: number, from: 'latest change' | 'first change'): Promise<string[]>;
  /** The same from this change on, which may be one to come. Forgets no address. */
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

  /** Contents of the current changes of these pages, with the paths at which they lie now. One statement. */
  contents(ids: number[]): Promise<{ id: number; path: string; content: Content }[]>;

  addLike(pageId: number, memberId: number, at: number): Promise<void>;
  /** Likes of a page that has none, in this order. */
  addLikes(pageId: number, memberIds: readonly number[], at: number): Promise<void>;
  removeLike(pageId: number, memberId: number): Promise<void>;
}

export interface LinkWrites {
  /**
   * Replaces the links of pages that moved, in a fixed number of statements. Returns every target that a page
   * named before or names now and not both, for the `paths` of `saveDerived`, which counts them.
   */
  relink(pages: { id: number; links: DerivedLink[] }[]): Promise<Target[]>;

  /**
   * Replaces the rows derived from a page's current content (links, tags, search text) and brings the counts
   * of wanted links up to date for everything that `changed` names: call it once in each transaction that changes a page, after
   * update and move.
   */
  saveDerived(
    page: Pick<Page, 'id' | 'title' | 'audience'>,
    derived: Derived,
    changed: {
      /** Titles under which a page appeared, vanished or changed its audience. */
      titles: string[];
      /** Paths at which one did, or that links of other pages came to name or ceased to. */
      paths: string[];
    },
  ): Promise<void>;
}
