/**
 * Reads the write-ahead log of a SQLite file: https://sqlite.org/fileformat2.html#walformat. A frame is valid if it carries the
 * log's salts and continues the checksum of all frames before it, so a frame that is only half written is recognised.
 */
import { fstatSync, readSync } from 'node:fs';
import { endianness } from 'node:os';

const headerBytes = 32;
const frameHeaderBytes = 24;
const framesAtOnce = 128;

/** The end of a commit in the log. */
export interface LogPosition {
  /** Changes whenever the log restarts: the first salt counts up. */
  salts: readonly [number, number];
  /** Number of frames before. */
  frames: number;
  sums: readonly [number, number];
  pageBytes: number;
  /** Length of the database after this commit. */
  databasePages: number;
}

/** The last commit in the log. `known` is returned if there is none since; undefined if the log has none at all. */
export function lastCommit(log: number, known: LogPosition | undefined): LogPosition | undefined {
  const start = startOf(log);
  if (!start) return known;
  const isContinued = known?.salts[0] === start.salts[0] && known.salts[1] === start.salts[1];
  const from = isContinued ? known : start;
  let last: LogPosition | undefined;
  const { salts, pageBytes } = from;
  let [a, b] = from.sums;
  for (const frame of framesFrom(log, pageBytes, from.frames)) {
    if (frame.header.readUInt32BE(8) !== salts[0] || frame.header.readUInt32BE(12) !== salts[1]) break;
    [a, b] = summed(frame.header.subarray(0, 8), start.isBigEndian, a, b);
    [a, b] = summed(frame.page, start.isBigEndian, a, b);
    if (frame.header.readUInt32BE(16) !== a >>> 0 || frame.header.readUInt32BE(20) !== b >>> 0) break;
    const databasePages = frame.header.readUInt32BE(4);
    if (databasePages > 0) last = { salts, frames: frame.number, sums: [a, b], pageBytes, databasePages };
  }
  return last ?? known;
}

/** Pages of the frames after the first `from`, up to `to`, each in its last version. Ends early where they exceed `maxBytes`. */
export function pagesBetween(
  log: number,
  from: number,
  { frames: to, pageBytes }: LogPosition,
  maxBytes: number,
): { pages: Map<number, Buffer>; frames: number } {
  const pages = new Map<number, Buffer>();
  let frames = from;
  for (const { header, page, number } of framesFrom(log, pageBytes, from)) {
    if (number > to || pages.size * pageBytes >= maxBytes) break;
    pages.set(header.readUInt32BE(0), Buffer.from(page));
    frames = number;
  }
  return { pages, frames };
}

/** Position before the first frame. Undefined while the header is missing or being written. */
function startOf(log: number): (LogPosition & { isBigEndian: boolean }) | undefined {
  const header = Buffer.from(new ArrayBuffer(headerBytes));
  if (readSync(log, header, 0, headerBytes, 0) < headerBytes) return undefined;
  const magic = header.readUInt32BE(0);
  if (magic !== 0x377f0682 && magic !== 0x377f0683) return undefined;
  const isBigEndian = magic === 0x377f0683;
  const [a, b] = summed(header.subarray(0, 24), isBigEndian, 0, 0);
  if (header.readUInt32BE(24) !== a >>> 0 || header.readUInt32BE(28) !== b >>> 0) return undefined;
  return {
    salts: [header.readUInt32BE(16), header.readUInt32BE(20)],
    frames: 0,
    sums: [a, b],
    isBigEndian,
    pageBytes: header.readUInt32BE(8),
    databasePages: 0,
  };
}

/** Frames after the first `from`, valid or not. Their bytes are valid until the next one is taken. */
function* framesFrom(
  log: number,
  pageBytes: number,
  from: number,
): Iterable<{ header: Buffer; page: Buffer; number: number }> {
  const frameBytes = frameHeaderBytes + pageBytes;
  const count = Math.floor((fstatSync(log).size - headerBytes) / frameBytes);
  if (count <= from) return;
  const buffer = Buffer.from(new ArrayBuffer(Math.min(framesAtOnce, count - from) * frameBytes));
  for (let done = from; done < count; ) {
    const read = readSync(log, buffer, 0, buffer.length, headerBytes + done * frameBytes);
    const whole = Math.floor(read / frameBytes);
    if (whole === 0) return;
    for (let i = 0; i < whole; i++) {
      const at = i * frameBytes;
      yield {
        header: buffer.subarray(at, at + frameHeaderBytes),
        page: buffer.subarray(at + frameHeaderBytes, at + frameBytes),
        number: ++done,
      };
    }
  }
}

const isBigEndianHere = endianness() === 'BE';

/** Continues the checksum. `bytes` begin at a multiple of 4 in their memory, and their length is one of 8. */
function summed(bytes: Buffer, isBigEndian: boolean, a: number, b: number): [number, number] {
  const ours = isBigEndian === isBigEndianHere ? bytes : Buffer.from(bytes).swap32();
  const words = new Int32Array(ours.buffer, ours.byteOffset, ours.length / 4);
  for (let i = 0; i < words.length; i += 2) {
    a = (a + (words[i] ?? 0) + b) | 0;
    b = (b + (words[i + 1] ?? 0) + a) | 0;
  }
  return [a, b];
}
