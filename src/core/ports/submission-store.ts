/** Store port of submissions by people without an account, until a moderator decides. The rules in `store.ts` apply. */
import type { PageName } from '../model/page.ts';
import type { Visibility } from '../model/permission.ts';
import type { Range } from './list-reads.ts';
import type { ProposedChange } from './proposal-store.ts';

export interface SubmittedComment {
  body: string;
  replyTo: number | null;
  quote: { text: string; before: string; after: string } | null;
}

export interface SubmittedProposal {
  title: string;
  text: string;
  change: ProposedChange;
}

type Contents =
  | { kind: 'comment'; contents: SubmittedComment }
  | { kind: 'proposal'; contents: SubmittedProposal };

export type NewSubmission = Contents & {
  /** The page, or the nearest one above a new page; null for a new root page. */
  pageId: number | null;
  /** The name that the person gave, and the e-mail address if they gave one. */
  stranger: string;
  email: string | null;
  /** Key of the network address. */
  sender: string;
  at: number;
};

export type Submission = NewSubmission & { id: number; page: PageName | null };
/** `ofSender`: number of all from the same address, this one included. */
export type ListedSubmission = Submission & { ofSender: number };

/** Submissions about pages that moderators see. */
export interface SubmissionStore {
  insert(submission: NewSubmission): Promise<number>;
  /** Counts a submission of the sender on this day. Returns their number, and forgets earlier days. */
  countToday(sender: string, day: number): Promise<number>;
  /** Number of all that wait. */
  countWaiting(): Promise<number>;
  count(visibility: Visibility): Promise<number>;
  /** Oldest first. */
  list(visibility: Visibility, range: Range): Promise<{ submissions: ListedSubmission[]; total: number }>;
  find(id: number, visibility: Visibility): Promise<Submission | undefined>;
  /** Number of removed ones. `sender`: all of that sender. */
  remove(which: { ids: readonly number[] } | { sender: string }, visibility: Visibility): Promise<number>;
  /**
   * Within a transaction: removes what a stranger of this name submitted, their comments, and their proposals that are not merged.
   * Merged ones lose title, text and name.
   */
  erase(stranger: string): Promise<{ submissions: number; comments: number; proposals: number }>;
}
