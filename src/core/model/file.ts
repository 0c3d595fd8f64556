/** Bytes of uploads, before they belong to a page. Files of pages are in `page.ts`. */

export interface StoredBlob {
  hash: string;
  sizeBytes: number;
  /** MD5 of the bytes in hex; callers may send one for verification. */
  md5: string;
}

/** Bytes that the site has stored for a form. A class, so that no text of a request can name the bytes of others. */
export class StoredBytes {
  readonly blob: StoredBlob;
  constructor(blob: StoredBlob) {
    this.blob = blob;
  }
}
