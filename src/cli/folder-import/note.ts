/** Import record in a page's `data.import`, by which a later run recognises the page and its state. */
import type { Page } from '#core/model/page.ts';

export interface ImportNote {
  /** Path of the document in the imported folder. */
  source: string;
  /** Hash of the document's bytes. */
  sha256: string;
  /** Title given by the import. */
  title: string;
  /** SHA-256 of the body as the import wrote it. */
  body: string;
  /** Number of its links that lead to imported pages and files. */
  links: number;
  /** Name of the folder among all that were imported. */
  origin?: string;
}

export function noteOf(page: Page): ImportNote | undefined {
  const note = page.content.data.import as Partial<ImportNote> | null | undefined;
  const isNote =
    typeof note === 'object' &&
    note !== null &&
    typeof note.source === 'string' &&
    typeof note.sha256 === 'string' &&
    typeof note.title === 'string' &&
    typeof note.body === 'string' &&
    typeof note.links === 'number';
  return isNote ? (note as ImportNote) : undefined;
}
