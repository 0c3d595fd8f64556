/** Bytes of uploads, before they belong to a page. Files of pages are in `page.ts`. */

export interface StoredBlob {
  hash: string;
  sizeBytes: number;
  /** MD5 of the bytes in hex; callers may send one for verification. */
  md5: string;
}
