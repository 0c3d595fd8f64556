/** The plan of an import: which document becomes which page, with which files. */
import type { Format, Page } from '#core/model/page.ts';
import type { ImportNote } from './note.ts';
import type { LeftOut } from './walk.ts';

export interface PlannedPage {
  /** Path of its document; `folder/` for a folder without one. */
  source: string;
  format: Format | undefined;
  /** Current or future path. */
  path: string;
  parentPath: string | null;
  title: string;
  /** SHA-256 of the document's bytes. */
  sha256: string;
  /** Size of the document. */
  sizeBytes: number;
  /** The page from an earlier run. */
  existing: { page: Page; note: ImportNote } | undefined;
  files: PlannedFile[];
}

export interface PlannedFile {
  source: string;
  /** Unique on its page. */
  filename: string;
}

export interface Plan {
  /** Name under which the pages are recorded. */
  origin: string;
  /** Names of earlier imports that may have read the same folder. */
  unclear: readonly string[];
  /** Parents before children. */
  pages: PlannedPage[];
  leftOut: LeftOut[];
}

/** Name without folder and extension. */
export function stemOf(source: string): string {
  const name = source.slice(source.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}
