/**
 * Texts of documents, in pieces: pages of a PDF, slides of a presentation, sheets, else pieces of a few thousand characters. Bounded
 * in pieces, characters and unpacked bytes; what lies beyond is not found. Runs on a thread, because files come from strangers.
 */
import { promisify } from 'node:util';
import { extractText, getDocumentProxy } from 'unpdf';
import yauzl, { type Entry, type ZipFile } from 'yauzl';

export interface TextPiece {
  number: number;
  text: string;
}

const maxPieces = 500;
const maxCharacters = 2_000_000;
const maxPieceLength = 20_000;
const pieceLength = 4000;
/** Unpacked XML that is looked at, of a whole document. */
const maxUnpackedBytes = 60_000_000;

/** Kinds by the end of the name, because many types share the signature of an archive. */
const kinds = {
  pdf: ofPdf,
  docx: (bytes, most) => ofPacked(bytes, most, /^word\/(?:document|footnotes|endnotes)\.xml$/, inPieces),
  pptx: (bytes, most) => ofPacked(bytes, most, /^ppt\/slides\/slide\d+\.xml$/, eachFile),
  xlsx: ofSheets,
  odt: (bytes, most) => ofPacked(bytes, most, /^content\.xml$/, inPieces),
  odp: (bytes, most) =>
    ofPacked(bytes, most, /^content\.xml$/, (files) => splitAt(files, /<draw:page(?=[\s>])/)),
  ods: (bytes, most) =>
    ofPacked(bytes, most, /^content\.xml$/, (files) => splitAt(files, /<table:table(?=[\s>])/)),
  text: async (bytes) => pieces(new TextDecoder().decode(bytes.subarray(0, 4 * maxCharacters))),
} satisfies Record<string, (bytes: Uint8Array, maxUnpacked: number) => Promise<string[]>>;

export type TextKind = keyof typeof kinds;

/** Undefined for files without text that can be read. */
export function textKindOf(mime: string, filename: string): TextKind | undefined {
  const ending = filename.slice(filename.lastIndexOf('.') + 1).toLowerCase();
  if (mime === 'application/pdf') return 'pdf';
  if (/^text\/(?:plain|markdown|csv)/.test(mime)) return 'text';
  const isArchive = /^application\/(?:zip|vnd\.)|^application\/octet-stream/.test(mime);
  return isArchive && /^(?:docx|pptx|xlsx|odt|odp|ods)$/.test(ending) ? (ending as TextKind) : undefined;
}

/** Empty pieces are left out; numbers count them. Throws for damaged files. */
export async function extractPieces(
  kind: TextKind,
  bytes: Uint8Array,
  maxUnpacked = maxUnpackedBytes,
): Promise<TextPiece[]> {
  let left = maxCharacters;
  const found: TextPiece[] = [];
  for (const [index, text] of (await kinds[kind](bytes, maxUnpacked)).slice(0, maxPieces).entries()) {
    const shown = text.replace(/\s+/gu, ' ').trim().slice(0, Math.min(maxPieceLength, left)).toWellFormed();
    left -= shown.length;
    // PostgreSQL text has no NUL.
    if (shown !== '') found.push({ number: index + 1, text: shown.replaceAll('\0', '') });
  }
  return found;
}

async function ofPdf(bytes: Uint8Array): Promise<string[]> {
  const document = await getDocumentProxy(bytes, { verbosity: 0 });
  try {
    if (document.numPages <= maxPieces) return (await extractText(document)).text;
    const first: string[] = [];
    for (let number = 1; number <= maxPieces; number++) {
      const { items } = await (await document.getPage(number)).getTextContent();
      first.push(items.map((item) => ('str' in item ? item.str : '')).join(' '));
    }
    return first;
  } finally {
    await document.loadingTask.destroy();
  }
}

type Files = Map<string, string>;

async function ofPacked(
  bytes: Uint8Array,
  maxUnpacked: number,
  wanted: RegExp,
  split: (files: Files) => string[],
): Promise<string[]> {
  return split(await unpacked(bytes, maxUnpacked, wanted));
}

/** The XML files whose names match, by name, numbers in their order. */
async function unpacked(bytes: Uint8Array, maxUnpacked: number, wanted: RegExp): Promise<Files> {
  const open = promisify(yauzl.fromBuffer) as (buffer: Buffer, options: yauzl.Options) => Promise<ZipFile>;
  const zip = await open(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
    lazyEntries: true,
  });
  const found: [string, string][] = [];
  let left = maxUnpacked;
  await new Promise<void>((settle, fail) => {
    zip.on('error', fail).on('end', settle);
    zip.on('entry', (entry: Entry) => {
      if (!wanted.test(entry.fileName) || found.length >= maxPieces) return zip.readEntry();
      contentOf(zip, entry, left).then((text) => {
        left -= text.length;
        found.push([entry.fileName, text]);
        zip.readEntry();
      }, fail);
    });
    zip.readEntry();
  });
  return new Map(found.sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })));
}

/** Leaves out the rest beyond the limit: sizes that archives declare may lie. */
async function contentOf(zip: ZipFile, entry: Entry, limit: number): Promise<string> {
  const stream = await promisify(zip.openReadStream.bind(zip))(entry);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function inPieces(files: Files): string[] {
  return pieces([...files.values()].map(textOfXml).join('\n'));
}

function eachFile(files: Files): string[] {
  return [...files.values()].map(textOfXml);
}

function splitAt(files: Files, boundary: RegExp): string[] {
  const [, ...parts] = [...files.values()].join('').split(boundary);
  return parts.map((part) => textOfXml(`<x${part}`));
}

/** Cells name shared strings by their index. */
async function ofSheets(bytes: Uint8Array, maxUnpacked: number): Promise<string[]> {
  const files = await unpacked(bytes, maxUnpacked, /^xl\/(?:sharedStrings|worksheets\/sheet\d+)\.xml$/);
  const shared = (files.get('xl/sharedStrings.xml') ?? '').split(/<si(?=[\s>])/).slice(1);
  files.delete('xl/sharedStrings.xml');
  return [...files.values()].map((sheet) => {
    const values = sheet
      .split(/<c(?=[\s>])/)
      .slice(1)
      .map((cell) => {
        const value = textOfXml(`<c${cell}`).trim();
        return /^[^>]{0,200}\bt="s"/.test(cell) ? textOfXml(`<si${shared[Number(value)] ?? '>'}`) : value;
      });
    return values.join(' ');
  });
}

/** Pieces that end between words. */
function pieces(text: string): string[] {
  const found: string[] = [];
  for (let from = 0; from < text.length && found.length < maxPieces; ) {
    const space = text.slice(from, from + pieceLength).search(/\s\S*$/u);
    const isLast = text.length - from <= pieceLength;
    const to = isLast ? text.length : from + (space > 0 ? space : pieceLength);
    found.push(text.slice(from, to));
    from = to;
  }
  return found;
}

/** Text between tags; paragraphs, lines, tabs and cells are apart, and runs within a word are not. */
function textOfXml(xml: string): string {
  return xml
    .replace(
      /<(?:\/w:p|w:br|w:tab|\/a:p|a:br|\/text:p|\/text:h|text:s|text:tab|text:line-break|\/t)\b[^<>]*>/g,
      ' ',
    )
    .replace(/<[^<>]*>/g, '')
    .replace(/&(?:amp|lt|gt|quot|apos|#x?[0-9a-f]{1,6});/gi, characterOf);
}

const named: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};

function characterOf(entity: string): string {
  const known = named[entity.toLowerCase()];
  if (known !== undefined) return known;
  const code = /x/i.test(entity)
    ? Number.parseInt(entity.slice(3), 16)
    : Number.parseInt(entity.slice(2), 10);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
}
