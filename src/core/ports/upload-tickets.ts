/**
 * Uploads that wait for their form: when a form is shown again for a preview or after a mistake, it refers to them, so that
 * nobody has to choose a file twice. The bytes are in the file store, and no page refers to them yet.
 */
import type { Upload } from '../model/page-input.ts';

/** Bytes that no page refers to are removed later than this. */
export const uploadTicketLifetimeMs = 12 * 60 * 60 * 1000;

export interface UploadTickets {
  /** A reference that only this member can use, because knowing a file's hash must not give access to it. */
  issue(memberId: number, upload: Upload): Promise<string>;
  /** Returns undefined unless it is a valid, unexpired reference of this member. Never throws on input. */
  find(memberId: number, reference: string): Promise<Upload | undefined>;
}
