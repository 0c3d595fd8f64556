/** Store port of proposals: sets of changes that are merged together or not at all. The rules in `store.ts` apply. */
import type { AbsentMember } from '../model/member.ts';
import type { MemberName } from '../model/page.ts';
import type { PageInput } from '../model/page-input.ts';
import type { Visibility } from '../model/permission.ts';
import type { Range } from './list-reads.ts';

export const proposalStates = ['draft', 'open', 'withdrawn', 'merged'] as const;
type ProposalState = (typeof proposalStates)[number];
export const proposalActions = ['create', 'edit', 'move', 'delete'] as const;
export type ProposalAction = (typeof proposalActions)[number];
export const verdicts = ['approve', 'reject', 'comment'] as const;
export type Verdict = (typeof verdicts)[number];

/** Fields of a page, from a change as it is given. */
export const proposedFieldNames = [
  'title',
  'slug',
  'parent',
  'description',
  'type',
  'permissions',
  'group',
  'defaults',
  'location',
  'format',
  'body',
  'data',
  'image',
  'language',
  'comments',
  'msg',
] as const satisfies (keyof PageInput)[];

/** Maximum number of changes of a proposal. */
export const maxChanges = 200;
/** Maximum number of files of a change. */
export const maxFilesOfChange = 20;

/** Fields of the page as its author gave them. `subtree`: deletes the pages beneath as well. */
export type ProposedFields = Omit<PageInput, 'files'> & { subtree?: boolean };

/** A change without its fields. */
export interface ChangeRow {
  proposalId: number;
  /** Position in the proposal. */
  n: number;
  action: ProposalAction;
  /** Path of the page when it was proposed; of a new page its future path. */
  path: string;
  /** Null for a new page, until it is merged. */
  pageId: number | null;
  /** Page whose readers may see the change: the page, or the nearest one above a new page; null for a new root page. */
  shownWith: number | null;
  /** Null for a new page. */
  base: number | null;
  /** Length of the fields as JSON. */
  bytes: number;
}

export type ProposedChange = Omit<ChangeRow, 'proposalId' | 'n' | 'bytes'> & {
  fields: ProposedFields;
  files: readonly NewFile[];
};

/** A file that a change attaches. Its bytes are stored. */
export interface NewFile {
  filename: string;
  hash: string;
  mime: string;
  sizeBytes: number;
  width: number | null;
  height: number | null;
  thumbnailHash: string | null;
  thumbnailMime: string | null;
  uploadedAt: number;
  uploaderId: number;
}

/** `name`: by which it is served. */
export type ProposedFile = NewFile & { name: string; proposalId: number; n: number };

export interface Review {
  id: number;
  member: MemberName;
  verdict: Verdict;
  text: string;
  at: number;
  /** Revision of the proposal that was reviewed. */
  revision: number;
  /** The change that it is about; null for the whole proposal. */
  on: ReviewedChange | null;
}

export interface ReviewedChange {
  path: string;
  /** Page whose readers may see the change, and so the review. */
  shownWith: number | null;
  /** Words of the proposed text. */
  quote: string | null;
}

export interface ProposalRow {
  id: number;
  title: string;
  text: string;
  state: ProposalState;
  /** The moderator who let it in, if a stranger wrote it. */
  author: MemberName;
  /** Name of the person without an account who proposed it. */
  stranger: string | null;
  /** Members who can read the draft. */
  invited: number[];
  createdAt: number;
  updatedAt: number;
  /** Raised when the changes are replaced. */
  revision: number;
  publishAt: number | null;
  publishProblem: string | null;
  mergedAt: number | null;
  mergedBy: MemberName | null;
}

/** A proposal of another wiki, with its reviews. It does not merge by itself here. */
interface ImportedProposal
  extends Omit<ProposalRow, 'id' | 'author' | 'mergedBy' | 'publishAt' | 'publishProblem'> {
  authorId: number;
  mergedBy: number | null;
  changes: readonly ProposedChange[];
  reviews: readonly (Omit<Review, 'id' | 'member'> & { memberId: number })[];
}

export type NewProposal = Pick<ProposalRow, 'title' | 'text' | 'state' | 'invited' | 'publishAt'> & {
  stranger?: string;
};

/** Reader for whom proposals are listed. `memberId`: sees their own, and drafts they are invited to. `seesRoot`: new root pages as well. */
export interface ProposalReader {
  memberId: number | null;
  visibility: Visibility;
  seesRoot: boolean;
}

export interface ProposalFilter {
  state?: ProposalState | undefined;
  authorId?: number | undefined;
  /** A change of this page, or the creation of a page at this path. */
  path?: { pageId: number | null; path: string } | undefined;
  /** Only with a higher ID, and by ID. */
  after?: number | undefined;
  /** A change of this page, or of one beneath it. */
  ancestor?: { id: number; trail: readonly number[] } | undefined;
}

export interface ProposalStore {
  insert(
    proposal: NewProposal & { authorId: number },
    changes: readonly ProposedChange[],
    at: number,
  ): Promise<number>;
  /** Writes a proposal of another wiki, unless its author has made one at that time. Returns whether it did. */
  bringBack(proposal: ImportedProposal): Promise<boolean>;
  /**
   * `changes` replaces all of them, and raises the revision; a withdrawn proposal loses its files, and only the latest hundred withdrawn
   * ones of an author are kept. Called in a transaction that has
   * locked the proposal. Returns the hashes of files that were removed, which other rows may name.
   */
  update(
    id: number,
    fields: Partial<NewProposal> & { publishProblem?: string | null },
    changes: readonly ProposedChange[] | undefined,
    at: number,
  ): Promise<string[]>;
  find(id: number): Promise<ProposalRow | undefined>;
  /** Within a transaction: like `find`, and locks the row until its end. */
  lock(id: number): Promise<ProposalRow | undefined>;
  /** Newest first, unless the filter says after which ID. */
  list(
    reader: ProposalReader,
    filter: ProposalFilter,
    range: Range,
  ): Promise<{ proposals: ProposalRow[]; total: number }>;
  /** Number of open proposals and drafts of a member, up to this many. */
  countUnfinished(authorId: number, most: number): Promise<number>;
  /** Changes of these proposals, in order, without their fields. */
  changesOf(ids: readonly number[]): Promise<ChangeRow[]>;
  /** Fields of these changes, by proposal and position: `7/0`. */
  fieldsOf(changes: readonly Pick<ChangeRow, 'proposalId' | 'n'>[]): Promise<Map<string, ProposedFields>>;
  /** Files of these proposals, by change and in the order in which they were given. */
  filesOf(ids: readonly number[]): Promise<ProposedFile[]>;
  /** By its name, or that of its thumbnail. */
  findFile(name: string): Promise<ProposedFile | undefined>;
  /** Size of all files that the member has in proposals. */
  fileBytesOf(memberId: number): Promise<number>;
  /** Reviews of these proposals, oldest first, at most the latest hundred of each. */
  reviewsOf(ids: readonly number[]): Promise<Map<number, Review[]>>;
  /** Present facts of these members, by ID, that decide what counts of their approvals. Deactivated members are absent. */
  approvers(memberIds: readonly number[]): Promise<Map<number, AbsentMember>>;
  /** Number of comments among the reviews, of all and of this member. */
  countComments(id: number, memberId: number): Promise<{ all: number; own: number }>;
  /** Only the latest twenty verdicts of each member are kept. */
  addReview(
    id: number,
    review: Pick<Review, 'verdict' | 'text' | 'revision' | 'on'> & { memberId: number },
    at: number,
  ): Promise<void>;
  /** `pageIds`: IDs of the pages by position of their change. `names`: members whom the messages of the merge name. */
  close(
    id: number,
    merged: { by: number; pageIds: ReadonlyMap<number, number>; names: readonly MemberName[] },
    at: number,
  ): Promise<void>;
  /** Paths among these at which there are pages. */
  takenAmong(paths: readonly string[]): Promise<{ path: string; id: number }[]>;
  /** Open proposals whose time to be merged has come, earliest first. */
  due(now: number, limit: number): Promise<number[]>;
}
