/** Thread that reads texts out of documents: see `extract-text.ts`. A damaged document has no text. */
import { parentPort } from 'node:worker_threads';
import { extractPieces, type TextKind } from './extract-text.ts';

parentPort?.on('message', async ({ kind, bytes }: { kind: TextKind; bytes: Uint8Array }) => {
  parentPort?.postMessage(await extractPieces(kind, bytes).catch(() => []));
});
