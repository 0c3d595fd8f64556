/** Reads the text of files that nobody has read yet: new uploads, and those from before texts were searched. */
import { joinedStemsOf } from '#core/model/stems.ts';
import { termsOf } from '#core/model/terms.ts';
import type { FileTextPosition, FileTextReader } from '#core/ports/file-text-store.ts';
import type { Store } from '#core/ports/store.ts';

/** Reading ends long before; another process may then try again. */
const staleAfterMs = 10 * 60_000;
const lookedAt = 200;
const maxTermsOfPart = 4000;

export interface ReadingFiles {
  store: Store;
  reader: FileTextReader;
  /** Larger files are not read. */
  maxBytes: number;
}

export const fromTheFirst: FileTextPosition = { uploadedAt: 0, name: '' };

/**
 * Reads at most one file after the position. Returns where to go on, and whether more files may follow. A damaged file is read
 * once, and has no text; what fails otherwise is tried twice.
 */
export async function readNextFile(
  { store, reader, maxBytes }: ReadingFiles,
  position: FileTextPosition,
  now: number,
): Promise<{ position: FileTextPosition; hasMore: boolean }> {
  const staleBefore = now - staleAfterMs;
  const files = await store.fileTexts.after(position, staleBefore, lookedAt);
  for (const { hash, mime, filename, sizeBytes, isKnown, position } of files) {
    if (isKnown || sizeBytes === 0 || sizeBytes > maxBytes || !reader.canRead(mime, filename)) continue;
    if (!(await store.fileTexts.claim(hash, now, staleBefore))) continue;
    const pieces = (await reader.read(hash, mime, filename)) ?? [];
    const parts = pieces.map(({ number, text }) => ({
      number,
      text,
      terms: termsOfPiece(text, store.dialect.language),
    }));
    await store.fileTexts.save(hash, parts, now);
    return { position, hasMore: true };
  }
  return { position: files.at(-1)?.position ?? position, hasMore: files.length === lookedAt };
}

/** The language of a file is unknown, so its words get the stems of the wiki's language. */
function termsOfPiece(text: string, language: string): string[] {
  const stems = joinedStemsOf(text, language).split(' ').filter(Boolean);
  return [...new Set([...termsOf(text), ...stems])].slice(0, maxTermsOfPart);
}
