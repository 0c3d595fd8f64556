/** Format of changed pages in a copy, compressed by Zstandard: a header of five numbers, and each page after its number. */
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';

export interface PageChanges {
  pageBytes: number;
  /** By number, from 1. */
  pages: ReadonlyMap<number, Uint8Array>;
  /** Length of the database, or 0 if the commit continues in the next changes. */
  databasePages: number;
}

const magic = 0x43504731;
const headerBytes = 20;
/** The least that SQLite has for a page, and the most. */
const [minPageBytes, maxPageBytes] = [512, 65_536];
/** More than one object ever holds. */
const maxBytes = 64_000_000;
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

export async function encodeChanges({ pageBytes, pages, databasePages }: PageChanges): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(headerBytes + pages.size * (4 + pageBytes));
  for (const [i, value] of [magic, 1, pageBytes, databasePages, pages.size].entries())
    bytes.writeUInt32BE(value, 4 * i);
  let at = headerBytes;
  for (const [number, page] of pages) {
    bytes.writeUInt32BE(number, at);
    bytes.set(page, at + 4);
    at += 4 + pageBytes;
  }
  return compress(bytes);
}

/** Throws an error if the bytes are damaged. */
export async function decodeChanges(compressed: Uint8Array): Promise<PageChanges> {
  const bytes = await decompress(compressed, { maxOutputLength: maxBytes });
  const [found, version, pageBytes = 0, databasePages = 0, count = 0] = [0, 1, 2, 3, 4].map((i) =>
    bytes.readUInt32BE(4 * i),
  );
  const isPageSize = pageBytes >= minPageBytes && pageBytes <= maxPageBytes;
  if (
    found !== magic ||
    version !== 1 ||
    !isPageSize ||
    bytes.length !== headerBytes + count * (4 + pageBytes)
  )
    throw new Error('The changes are damaged.');
  const pages = new Map<number, Uint8Array>();
  for (let at = headerBytes; at < bytes.length; at += 4 + pageBytes) {
    const number = bytes.readUInt32BE(at);
    if (number === 0) throw new Error('The changes are damaged.');
    pages.set(number, bytes.subarray(at + 4, at + 4 + pageBytes));
  }
  return { pageBytes, pages, databasePages };
}
