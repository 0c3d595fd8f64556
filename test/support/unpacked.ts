/** Files of a zip as text, by path. */
import { fromBufferPromise } from 'yauzl';

export async function unpacked(zip: Buffer): Promise<Record<string, string>> {
  const archive = await fromBufferPromise(zip);
  const files: Record<string, string> = {};
  for await (const entry of archive.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await archive.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    files[entry.fileName] = Buffer.concat(chunks).toString();
  }
  return files;
}
