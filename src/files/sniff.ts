/**
 * Types of files by their bytes, independent of names. `file-type` knows binary formats by their signatures; markup and
 * text have none, so they are checked here, and anything that resembles markup counts as the markup that a browser would
 * run.
 */
import { bareType } from '#domain/ports/file-store.ts';
import { type Encoding, encodingOf, findActiveBeginning, findActiveWithin } from './markup.ts';

/** Enough for every signature that matters, and for a document to show what it is. */
export const sniffedBytes = 64 * 1024;

export const octets = 'application/octet-stream';

/**
 * Kinds made of text whose signature no other text begins with. All others of `file-type` count for binary files
 * alone: two letters make a bitmap of any text that begins "BM", and the mark of UTF-16 makes it an MP3.
 */
const textSignatures = new Set([
  'application/eps',
  'application/pdf',
  'application/postscript',
  'application/rtf',
  'text/calendar',
  'text/vcard',
  'text/vtt',
]);

/** `head`: the first `sniffedBytes` of the file, or all of it. */
export async function sniff(head: Uint8Array, filename: string, isWhole: boolean): Promise<string> {
  const beginning = findActiveBeginning(head, isWhole);
  if (beginning) return beginning;
  const text = decode(head, isWhole);
  // Loaded for the first file.
  const { fileTypeFromBuffer } = await import('file-type');
  const signature = (await fileTypeFromBuffer(head))?.mime;
  if (text === undefined) return binaryKind(head, signature);
  if (signature && textSignatures.has(signature)) return signature;
  // A string inside JSON may well quote HTML; nothing takes JSON for HTML.
  if (hasExtension(filename, 'json') && isJson(text, isWhole)) return 'application/json';
  return findActiveWithin(text) ?? textKind(filename, encodingOf(head));
}

/** Whether a browser could run something in it: such files are only ever downloaded. */
export function isActive(mime: string): boolean {
  return !passive.some((pattern) => pattern.test(bareType(mime)));
}

/** Whether a page may show it in place. */
export function isInlineImage(mime: string): boolean {
  return /^image\/(png|jpeg|gif|webp|avif)$/.test(bareType(mime));
}

/** Types that are displayed inline; everything else, including types not known yet, is downloaded. */
const passive = [
  /^image\/(png|jpeg|gif|webp|avif|apng|bmp|x-icon|tiff|heic|heif)$/,
  /^audio\/(?!.*xml)/,
  /^video\/(?!.*xml)/,
  /^text\/(plain|csv|markdown)$/,
  /^application\/json$/,
];

/** None of the characters that never stand in text: WHATWG MIME Sniffing §3, binary data bytes. */
export function isText(text: string): boolean {
  return !/[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/.test(text);
}

/** The last character of a head may be cut in two. */
function decode(head: Uint8Array, isWhole: boolean): string | undefined {
  try {
    const text = new TextDecoder(encodingOf(head), { fatal: true }).decode(head, { stream: !isWhole });
    return isText(text) ? text : undefined;
  } catch {
    // `fatal` throws for whatever is not in the encoding: no text.
    return undefined;
  }
}

function binaryKind(head: Uint8Array, signature: string | undefined): string {
  if (signature === 'image/apng') return 'image/png';
  if (signature) return signature;
  // Readers find a PDF behind up to 1,024 other bytes.
  const start = Buffer.from(head.subarray(0, 1024)).toString('latin1');
  return start.includes('%PDF-') ? 'application/pdf' : octets;
}

function textKind(filename: string, encoding: Encoding): string {
  if (hasExtension(filename, 'csv')) return `text/csv; charset=${encoding}`;
  if (hasExtension(filename, 'md', 'markdown')) return `text/markdown; charset=${encoding}`;
  return `text/plain; charset=${encoding}`;
}

/** An object or array; of a longer file, what begins like one. */
function isJson(text: string, isWhole: boolean): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  if (!isWhole) return true;
  try {
    JSON.parse(text.replace(/^\ufeff/, ''));
    return true;
  } catch {
    return false;
  }
}

function hasExtension(filename: string, ...extensions: string[]): boolean {
  return extensions.some((extension) => filename.toLowerCase().endsWith(`.${extension}`));
}
