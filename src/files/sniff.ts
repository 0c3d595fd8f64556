/**
 * What bytes are, whatever anyone calls them. `file-type` knows binary formats by their signatures; markup and text have
 * none, so they are looked at here, and whatever smells of markup counts as the markup that a browser would run.
 */
import { fileTypeFromBuffer } from 'file-type';

/** Enough for every signature that matters, and for a document to show what it is. */
export const sniffedBytes = 64 * 1024;

const octets = 'application/octet-stream';

/** `head`: the first `sniffedBytes` of the file, or all of it. */
export async function sniff(head: Uint8Array, filename: string, isWhole: boolean): Promise<string> {
  const text = decode(head, isWhole);
  const markup = text === undefined ? undefined : markupKind(text);
  const signed = await fileTypeFromBuffer(head);
  // Some formats carry free text before their signature counts: what a browser might read as markup is markup.
  // The mark of UTF-16 is also how some MP3 frames begin.
  const isMarked = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (signed && !(markup && (isMarked || isTextual(signed.mime)))) return signed.mime;
  if (markup) return markup;
  if (text === undefined) return octets;
  return textKind(text, filename);
}

/** Whether a browser could run something in it: such files are only ever downloaded. */
export function isActive(mime: string): boolean {
  const kind = mime.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return !passive.some((pattern) => pattern.test(kind));
}

/** What is shown in place; everything else, and every kind not known yet, is downloaded. */
const passive = [
  /^image\/(png|jpeg|gif|webp|avif|apng|bmp|x-icon|tiff|heic|heif)$/,
  /^audio\//,
  /^video\//,
  /^text\/(plain|csv|markdown)$/,
  /^application\/json$/,
];

/** UTF-8 or UTF-16 with a mark, else undefined. The last character of a head may be cut in two. */
function decode(head: Uint8Array, isWhole: boolean): string | undefined {
  const [a, b] = head;
  const encoding = a === 0xff && b === 0xfe ? 'utf-16le' : a === 0xfe && b === 0xff ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(head, { stream: !isWhole });
    // Control characters other than white space and escape: no text that anyone reads.
    return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** By the first thing that is neither white space, comment, declaration nor doctype; and by tags that run wherever they stand. */
function markupKind(text: string): string | undefined {
  let rest = text.trimStart();
  for (let skipped = true; skipped && rest.startsWith('<'); ) {
    skipped = false;
    for (const [open, close] of [
      ['<!--', '-->'],
      ['<?', '?>'],
      ['<!', '>'],
    ] as const) {
      if (!rest.startsWith(open)) continue;
      if (/^<!doctype\s+html/i.test(rest)) return 'text/html';
      if (/^<!doctype\s+svg/i.test(rest)) return 'image/svg+xml';
      const end = rest.indexOf(close, open.length);
      rest = end < 0 ? '' : rest.slice(end + close.length).trimStart();
      skipped = true;
      break;
    }
  }
  if (/^<(?:[\w-]+:)?svg[\s>/]/i.test(rest)) return 'image/svg+xml';
  if (
    /^<(?:html|head|body|script|style|title|iframe|img|a|p|b|br|div|table|h1|font|form|object|embed|link|meta|base)[\s>/]/i.test(
      rest,
    )
  ) {
    return 'text/html';
  }
  if (text.trimStart().startsWith('<?xml') || /^<[\w-]+:?[\w-]*[^<>]*\bxmlns\b/.test(rest.slice(0, 1000))) {
    return 'application/xml';
  }
  return undefined;
}

function isTextual(mime: string): boolean {
  return /xml|html|svg|^text\//.test(mime);
}

function textKind(text: string, filename: string): string {
  const extension = /\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase();
  if (extension === 'csv') return 'text/csv; charset=utf-8';
  if (extension === 'md' || extension === 'markdown') return 'text/markdown; charset=utf-8';
  if (extension === 'json' && /^\s*[[{"]/.test(text)) return 'application/json';
  return 'text/plain; charset=utf-8';
}
