/** The other thread of `lift-files.ts`: one body in, one answer out. */
import { parentPort } from 'node:worker_threads';
import { bytesOf, givenFiles, textOf } from './given-files.ts';
import type { Lifted } from './lift-files.ts';

parentPort?.on('message', (json: Uint8Array[]) => {
  const lifted = lift(json);
  parentPort?.postMessage(
    lifted,
    lifted.bytes.flatMap((bytes) => bytes?.buffer ?? []),
  );
});

function lift(json: Uint8Array[]): Lifted {
  const text = textOf(json);
  if (text === undefined) return { text, bytes: [] };
  let fields: unknown;
  try {
    fields = JSON.parse(text);
  } catch {
    // Refused where all that is malformed is.
    return { text, bytes: [] };
  }
  const bytes = givenFiles(fields).map((file) => {
    const found = bytesOf(file.data);
    if (!found) return null;
    delete file.data;
    // Of its own, so that it can be handed over.
    return new Uint8Array(found);
  });
  return { text: bytes.some(Boolean) ? JSON.stringify(fields) : text, bytes };
}
