/** Store port of comments and the places of their quotes. The rules in `store.ts` apply. Comments on pages in the trash do not exist. */
import type { Member } from '../model/member.ts';
import type { MemberName, PageName } from '../model/page.ts';
import type { Visibility } from '../model/permission.ts';

type QuoteState = 'present' | 'changed' | 'gone';

/** Words of a page that a comment is about, and their place in the page's plain text (W3C Web Annotation, §4.2.4 and §4.2.5). */
export interface Quote {
  text: string;
  before: string;
  after: string;
  /** Position in UTF-16 code units. If the words are gone: where they were. */
  start: number;
  end: number;
  state: QuoteState;
  /** The change that removed the words. */
  goneId: number | null;
}

export interface Comment {
  id: number;
  page: PageName;
  /** The moderator who approved it, if a stranger wrote it. */
  author: MemberName;
  /** Name of the person without an account who wrote it. */
  stranger: string | null;
  body: string;
  at: number;
  editedAt: number | null;
  quote: Quote | null;
  /** The first comment of the thread; null for the first comment itself. */
  replyTo: number | null;
  /** When and by whom the thread was resolved; null while it is open. */
  resolved: { at: number; by: MemberName } | null;
  /** Members whom it mentions, by ID. */
  mentions: MemberName[];
  /** A deleted first comment, which stays while it has replies. Only in threads. */
  isDeleted: boolean;
}

export interface NewComment {
  pageId: number;
  authorId: number;
  body: string;
  at: number;
  replyTo: number | null;
  quote: Quote | null;
  stranger?: string | null;
  editedAt?: number | null;
  resolved?: { at: number; by: number } | null;
}

/** All that are given must hold. */
export interface CommentCriteria {
  pageId?: number;
  /** On any of these pages. */
  pageIds?: readonly number[];
  ancestor?: { id: number; trail: readonly number[] };
  authorId?: number;
  /** Comments that mention this member. */
  mentionedId?: number;
  /** Whether the thread is open. */
  isOpen?: boolean;
}

/** Plain text of a page after a change, in which the positions of its quotes count. */
export interface KnownText {
  changeId: number;
  text: string;
}

type PlacedQuote = Pick<Quote, 'start' | 'end' | 'state' | 'goneId'> & { id: number };

export interface CommentStore {
  /** Writes a comment and its mentions. Returns its ID. */
  insert(comment: NewComment, mentions: readonly MemberName[]): Promise<number>;
  /** A comment that is not deleted, on any page. */
  find(id: number): Promise<Comment | undefined>;
  /** The same within a transaction, whose end others wait for. */
  lock(id: number): Promise<Comment | undefined>;
  /** Comments with a higher ID than `after` on visible pages, by ID, and the number of all that meet the criteria. */
  list(
    criteria: CommentCriteria,
    after: number,
    limit: number,
    visibility: Visibility,
  ): Promise<{ comments: Comment[]; total: number }>;
  /** Threads of a page, first comments by ID, each followed by its replies, at most `maxReplies` of a thread. */
  threads(
    pageId: number,
    range: { limit: number; offset: number; isOpen?: boolean },
    maxReplies: number,
  ): Promise<{ comments: Comment[]; total: number }>;
  /** Number of open threads of a page. */
  countOpen(pageId: number): Promise<number>;
  /** Within a transaction: new text and mentions of a comment. */
  edit(
    comment: Pick<Comment, 'id' | 'page'>,
    body: string,
    mentions: readonly MemberName[],
    at: number,
  ): Promise<void>;
  /** Null reopens the thread. */
  resolve(comment: Pick<Comment, 'id' | 'page'>, resolved: { at: number; by: number } | null): Promise<void>;
  /** Within a transaction: removes a comment. The row of a first comment with replies stays, without text, until they are removed. */
  remove(comment: Pick<Comment, 'id' | 'page' | 'replyTo'>, at: number): Promise<void>;
  /** Active members with one of these names, compared by how they look without regard to case. */
  membersNamed(names: readonly string[]): Promise<Member[]>;

  /** Number of quotes on a page, counted up to `limit`. */
  countQuotes(pageId: number, limit: number): Promise<number>;
  /** Undefined if the page has no quotes, or none was looked for yet. */
  textOf(pageId: number): Promise<KnownText | undefined>;
  /** Quotes of the page's comments, by ID. */
  quotesOf(pageId: number): Promise<(Quote & { id: number })[]>;
  /** Pages among these whose text is that of an older change. */
  outdatedAmong(pageIds: readonly number[]): Promise<number[]>;
  /** Like `textOf`, within a transaction, until whose end nobody else changes it. */
  lockText(pageId: number): Promise<KnownText | undefined>;
  /** Within a transaction: writes the text of a page and the places of its quotes. */
  place(pageId: number, text: KnownText, quotes: readonly PlacedQuote[]): Promise<void>;
}
