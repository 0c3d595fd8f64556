/** Zip archives as plain or hostile programs write them: names are not checked, entries are not compressed. */
import { crc32 } from 'node:zlib';

export interface ZipEntry {
  /** A buffer holds a name in an encoding that the archive does not state. */
  name: string | Buffer;
  content: string | Buffer;
  /** Unix mode, such as 0o120777 for a symbolic link. */
  mode?: number;
  /** Length stated in the archive, if not the real one. */
  declaredBytes?: number;
  /** Whether the content is already compressed. */
  isDeflated?: boolean;
}

export function zipOf(entries: ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, mode = 0o100644, declaredBytes, isDeflated } of entries) {
    const bytes = Buffer.from(content);
    const file = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    if (typeof name === 'string') common.writeUInt16LE(0x800, 2);
    if (isDeflated) common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(declaredBytes ?? bytes.length, 18);
    common.writeUInt16LE(file.length, 22);
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), common, file, bytes);
    const more = Buffer.alloc(14);
    more.writeUInt32LE((mode << 16) >>> 0, 6);
    more.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, more, file);
    offset += 30 + file.length + bytes.length;
  }
  const whole = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(whole.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, whole, Buffer.from('PK\x05\x06', 'latin1'), end]);
}
