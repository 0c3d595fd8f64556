/** A page of another wiki while it is being written. */
import type { Content } from '#core/model/page.ts';
import type { Attachment } from '#core/model/page-input.ts';
import type { ExpectedPage } from './comparison/comparer.ts';
import type { PlannedPage } from './planned-page.ts';
import type { Author } from './source.ts';

/** A page being written. */
export interface Draft {
  page: PlannedPage;
  revisions: { content: Content; at: number; author: Author | null }[];
  bytes: number;
  /** Text of the source's latest revision, even if an earlier run wrote it. */
  body: string | undefined;
  at: number;
  /** Whether a part of it is written. */
  isBegun: boolean;
  /** ID of the last revision written by an earlier run. */
  after: string | undefined;
  files: Attachment[];
  /** The page as its source shows it. */
  expected?: ExpectedPage;
}

/** A draft of which nothing has been read or written. */
export function draftOf(page: PlannedPage): Draft {
  return {
    page,
    revisions: [],
    bytes: 0,
    body: undefined,
    at: 0,
    isBegun: false,
    after: undefined,
    files: [],
  };
}
