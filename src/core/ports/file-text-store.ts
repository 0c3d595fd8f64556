/** Store port of the texts of attached files, by the hash of their bytes. The rules in `store.ts` apply. */

/** A current file, and the position after which the next ones follow. */
interface UnreadFile {
  hash: string;
  mime: string;
  filename: string;
  sizeBytes: number;
  position: FileTextPosition;
  /** Whether its text has been read, or another process reads it. */
  isKnown: boolean;
}

export interface FileTextPosition {
  uploadedAt: number;
  name: string;
}

/** A page of a document, a slide, a sheet or a piece of a text, counted from 1. */
interface FileTextPart {
  number: number;
  text: string;
  /** Each once. */
  terms: readonly string[];
}

export interface FileTextStore {
  /** Current files in the order of their uploads. */
  after(position: FileTextPosition, staleBefore: number, limit: number): Promise<UnreadFile[]>;
  /** Returns whether the caller may read it: not if another process began after `staleBefore`, or it failed twice. */
  claim(hash: string, now: number, staleBefore: number): Promise<boolean>;
  /** Replaces the text of a file. Without parts it has none that can be read. Writes nothing for bytes that no page has. */
  save(hash: string, parts: readonly FileTextPart[], now: number): Promise<void>;
}

/** Reads texts out of files, on a thread and within bounds. */
export interface FileTextReader extends AsyncDisposable {
  canRead(mime: string, filename: string): boolean;
  /** Pieces of its text in order. Undefined if the bytes are gone; empty for a damaged file, or one that takes too long. */
  read(hash: string, mime: string, filename: string): Promise<{ number: number; text: string }[] | undefined>;
}
