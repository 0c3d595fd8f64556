/** A page of an import, as it is planned. */
import type { Page } from '#domain/pages/page.ts';
import type { ImportNote } from './note.ts';
import type { PageOutline } from './source.ts';

export interface PlannedPage {
  /** Undefined if the source has only pages beneath it. */
  outline: PageOutline | undefined;
  title: string;
  /** Path that it has, or will have. */
  path: string;
  parentPath: string | null;
  /** Number of the pass over the source in which the page is written, later than its parent's. */
  round: number;
  existing: ExistingPage | undefined;
}

/** A page that an earlier run made. */
export type ExistingPage = Pick<Page, 'id' | 'path' | 'changeId'> & { note: ImportNote; isEdited: boolean };
