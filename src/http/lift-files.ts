/**
 * Takes the bytes of files out of large JSON, on a thread of its own: reading 27 MB and their base64 takes a quarter of a
 * second, in which nobody else would be answered. What is left is small and read here like any other JSON.
 */
import { takeTurns } from '#domain/turns.ts';
import { Thread } from '#threads/thread.ts';

/** `text`: JSON without the files' bytes; undefined: it is not UTF-8. `bytes`: in the order of `givenFiles`; null: left in the text. */
export interface Lifted {
  text: string | undefined;
  bytes: (Uint8Array<ArrayBuffer> | null)[];
}

/** `json`: all of its pieces, which can be used no more. */
export type LiftFiles = (json: Buffer[]) => Promise<Lifted>;

/** One body at a time. Problem `unavailable` when too many wait, as each of them lies in memory. */
export function createLiftFiles(): LiftFiles {
  const inTurn = takeTurns(1, 16, 'Too many files are being uploaded at this moment: try again in a minute.');
  const thread = new Thread<Buffer[], Lifted>(new URL('./lift-files-thread.ts', import.meta.url));
  return (json) => {
    // What has a block of memory of its own is handed over instead of copied.
    const own = json.filter(({ buffer, length }) => buffer.byteLength === length);
    return inTurn(() => thread.run(json, { transfer: own.map(({ buffer }) => buffer as ArrayBuffer) }));
  };
}
