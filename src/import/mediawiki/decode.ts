/**
 * Decodes a dump: plain, `.gz`, `.bz2` (also several streams) or `.zst`, in UTF-8, UTF-16 or the encoding of its XML
 * declaration. The format is detected by the first bytes, not by the name.
 */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import unbzip2 from 'unbzip2-stream';
import { Problem } from '#core/model/problem.ts';

const beginningBytes = 4;
/** Maximum size to which one piece of a file packed by bzip2 grows: texts that repeat themselves shrink to a ten thousandth. */
const maxUnpackedAtOnce = 256_000_000;
const declaration = /^<\?xml[^>]{0,200}\bencoding\s*=\s*["']([\w.:-]{1,40})["']/;

export type Packing = 'bzip2' | 'gzip' | 'zstd' | 'none';

export async function packingOf(path: string): Promise<Packing> {
  await using file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(beginningBytes), 0, beginningBytes, 0);
  if (buffer.toString('latin1', 0, 3) === 'BZh') return 'bzip2';
  if (buffer[0] === 0x1f && buffer[1] === 0x8b) return 'gzip';
  if (buffer.readUInt32LE(0) === 0xfd2fb528) return 'zstd';
  return 'none';
}

/** Refuses `invalid` for a damaged or truncated file, and for an unknown encoding. */
export async function* decodedText(path: string): AsyncGenerator<string> {
  const packing = await packingOf(path);
  try {
    let decoder: TextDecoder | undefined;
    for await (const chunk of unpackedBytes(path, packing)) {
      decoder ??= decoderFor(chunk);
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder?.decode() ?? '';
  } catch (error) {
    if (error instanceof Problem || (error as NodeJS.ErrnoException).syscall) throw error;
    throw new Problem('invalid', `The file is damaged or incomplete: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

/** Bytes of a file, without its packing. */
export function unpackedBytes(
  path: string,
  packing: Packing,
  maxAtOnce = maxUnpackedAtOnce,
): AsyncIterable<Buffer> {
  const bytes = createReadStream(path);
  if (packing === 'none') return bytes;
  if (packing === 'bzip2') return withoutBzip2(bytes, maxAtOnce);
  const unpacking = packing === 'gzip' ? createGunzip() : createZstdDecompress();
  bytes.on('error', (error) => unpacking.destroy(error));
  return bytes.pipe(unpacking);
}

/** The library predates Node's streams, so its output is collected after each input. */
async function* withoutBzip2(bytes: AsyncIterable<Buffer>, maxAtOnce: number): AsyncGenerator<Buffer> {
  const unpacking = unbzip2();
  let unpacked: Buffer[] = [];
  let unpackedBytes = 0;
  let failure: Error | undefined;
  unpacking.on('data', (chunk: Buffer) => {
    unpackedBytes += chunk.length;
    // The library makes an error event of it, and stops.
    if (unpackedBytes > maxAtOnce) throw new Error('it is packed so tightly that it fills the memory');
    unpacked.push(chunk);
  });
  unpacking.on('error', (error: Error) => {
    failure ??= error;
  });
  for await (const chunk of bytes) {
    unpacking.write(chunk);
    if (failure) throw failure;
    yield* unpacked;
    unpacked = [];
    unpackedBytes = 0;
  }
  unpacking.end();
  if (failure) throw failure;
  yield* unpacked;
}

function decoderFor(beginning: Buffer): TextDecoder {
  const [first, second] = beginning;
  const options = { fatal: true };
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0))
    return new TextDecoder('utf-16le', options);
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c))
    return new TextDecoder('utf-16be', options);
  const [, named] = declaration.exec(beginning.toString('latin1', 0, 300)) ?? [];
  try {
    return new TextDecoder(named ?? 'utf-8', options);
  } catch {
    throw new Problem('invalid', `The encoding ${named}, which the file names, is not supported.`);
  }
}
