/** Exported folders. Entries are produced one at a time and zipped while they are produced. */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

export interface ExportEntry {
  /** Path within the folder, joined by `/`. */
  path: string;
  /** Modification time of the file in milliseconds since the epoch. */
  at: number;
  contents: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Stored without compression and extra fields, so that programs find it at a fixed offset (EPUB's `mimetype`). */
  isPlain?: true;
}

/** Extensions of formats that are already compressed. */
const packed =
  /\.(?:png|jpe?g|gif|webp|avif|zip|gz|bz2|zst|7z|mp[34]|m4[av]|webm|ogg|woff2?|docx|xlsx|pptx|pdf)$/i;

/** Produces an entry only when the earlier ones have been read. */
export function zipOf(entries: AsyncIterable<ExportEntry>): Readable {
  const zip = new ZipFile();
  const out = zip.outputStream as Readable;
  const isGone = new Promise<never>((_resolve, reject) => {
    out.once('close', () => reject(new Error('Nobody reads the archive any more.')));
  });
  isGone.catch(() => {});
  const add = (entry: ExportEntry) =>
    new Promise<void>((resolve, reject) => {
      const options = { mtime: new Date(entry.at), compress: !packed.test(entry.path) };
      zip.addReadStreamLazy(entry.path, options, (take) => {
        const stream = Readable.from(chunksOf(entry));
        stream.once('end', resolve).once('error', reject);
        take(null, stream);
      });
    });
  const addAll = async () => {
    for await (const entry of entries) {
      if (entry.isPlain) {
        const options = { mtime: new Date(entry.at), compress: false, forceDosTimestamp: true };
        zip.addBuffer(Buffer.from(entry.contents as string), entry.path, options);
      } else await Promise.race([add(entry), isGone]);
    }
    zip.end();
  };
  addAll().catch((error) => out.destroy(error));
  return out;
}

export async function* chunksOf({ contents }: ExportEntry): AsyncGenerator<Uint8Array> {
  if (typeof contents === 'string') yield Buffer.from(contents);
  else if (contents instanceof Uint8Array) yield contents;
  else yield* contents;
}
