/**
 * Uploads that wait for the form they were sent with: shown again for a preview or a mistake, it names them by reference,
 * so that nobody has to choose a file twice. The bytes are in the file store, and no page names them yet.
 */
import type { Upload } from '../pages/page-input.ts';

/** Bytes that no page names are swept later than this. */
export const uploadTicketLifetimeMs = 12 * 60 * 60 * 1000;

export interface UploadTickets {
  /** A reference that this member alone can use: who knows the hash of a file has not thereby the file. */
  issue(memberId: number, upload: Upload): Promise<string>;
  /** Undefined for anything that is no valid, unexpired reference of this member. Never throws on input. */
  find(memberId: number, reference: string): Promise<Upload | undefined>;
}
