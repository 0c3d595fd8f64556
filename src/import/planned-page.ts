/** A page of an import, as it is planned. */
import type { Page } from '#core/model/page.ts';
import type { ImportNote } from './note.ts';
import type { PageOutline } from './source.ts';

export interface PlannedPage {
  /** Undefined if the source only has descendants of it. */
  outline: PageOutline | undefined;
  title: string;
  /** Current or future path. */
  path: string;
  /** Path that the source asks for, which another page may have. */
  wanted: string;
  parentPath: string | null;
  /** Number of the pass over the source in which the page is written, after its parent's. */
  round: number;
  existing: ExistingPage | undefined;
}

/** Whether the source has no text there, as for a folder: the page lists those beneath it. */
export function isOnlyParent(outline: PageOutline | undefined): boolean {
  return !outline || outline.revisions === 0;
}

/** A page that an earlier run made. */
export type ExistingPage = Pick<Page, 'id' | 'path' | 'changeId'> & {
  note: ImportNote;
  /** Whether its text was edited here since. */
  isEdited: boolean;
  /** Whether anything of it was changed here since. */
  isTouched: boolean;
};
