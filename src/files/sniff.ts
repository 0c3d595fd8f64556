/**
 * Detects types of files by their bytes, whatever their names say. `file-type` knows the signatures of binary formats. Markup
 * and text have none, so they are checked here, and anything that resembles markup gets the type of the markup that a browser
 * would run.
 */
import { bareType } from '#core/ports/file-store.ts';
import { type Encoding, encodingOf, findActiveBeginning, findActiveWithin } from './markup.ts';

/** Enough for every signature that matters, and to recognise documents. */
export const sniffedBytes = 64 * 1024;

export const octets = 'application/octet-stream';

/**
 * Text types whose signatures no other text begins with. All other results of `file-type` count only for binary files: any text
 * that begins with "BM" would be a bitmap, and the byte order mark of UTF-16 would make it an MP3.
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

/** `head`: the first `sniffedBytes` of the file, or the whole file. */
export async function sniff(head: Uint8Array, filename: string, isWhole: boolean): Promise<string> {
  const beginning = findActiveBeginning(head, isWhole);
  if (beginning) return beginning;
  const text = decode(head, isWhole);
  // Loaded for the first file.
  const { fileTypeFromBuffer } = await import('file-type');
  const signature = (await fileTypeFromBuffer(head))?.mime;
  if (text === undefined) return binaryKind(head, signature);
  if (signature && textSignatures.has(signature)) return signature;
  // A string within JSON may quote HTML, and no browser runs JSON as HTML.
  if (hasExtension(filename, 'json') && isJson(text, isWhole)) return 'application/json';
  return findActiveWithin(text) ?? textKind(filename, encodingOf(head));
}

/** Whether a browser could execute something in the file. Such files are always downloaded. */
export function isActive(mime: string): boolean {
  return !passive.some((pattern) => pattern.test(bareType(mime)));
}

/** Whether a page may show the file in place. */
export function isInlineImage(mime: string): boolean {
  return /^image\/(png|jpeg|gif|webp|avif)$/.test(bareType(mime));
}

/** Types that are displayed inline. All others, including unknown types, are downloaded. */
const passive = [
  /^image\/(png|jpeg|gif|webp|avif|apng|bmp|x-icon|tiff|heic|heif)$/,
  /^audio\/(?!.*xml)/,
  /^video\/(?!.*xml)/,
  /^text\/(plain|csv|markdown)$/,
  /^application\/json$/,
];

/** Returns whether the text has no binary data bytes (WHATWG MIME Sniffing §3). */
export function isText(text: string): boolean {
  return !/[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/.test(text);
}

/** The head may end within a character. */
function decode(head: Uint8Array, isWhole: boolean): string | undefined {
  try {
    const text = new TextDecoder(encodingOf(head), { fatal: true }).decode(head, { stream: !isWhole });
    return isText(text) ? text : undefined;
  } catch {
    // `fatal` makes it throw for bytes that are invalid in the encoding, so the file is no text.
    return undefined;
  }
}

function binaryKind(head: Uint8Array, signature: string | undefined): string {
  if (signature === 'image/apng') return 'image/png';
  if (signature) return signature;
  // PDF readers accept up to 1,024 other bytes before the header.
  const start = Buffer.from(head.subarray(0, 1024)).toString('latin1');
  return start.includes('%PDF-') ? 'application/pdf' : octets;
}

function textKind(filename: string, encoding: Encoding): string {
  if (hasExtension(filename, 'csv')) return `text/csv; charset=${encoding}`;
  if (hasExtension(filename, 'md', 'markdown')) return `text/markdown; charset=${encoding}`;
  return `text/plain; charset=${encoding}`;
}

/** Returns whether the text is an object or array, or for a longer file whether it begins like one. */
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
