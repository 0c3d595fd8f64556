/** Reads texts out of stored files on a thread, which ends if a document takes too much of its time or memory. */
import type { FileStore } from '#core/ports/file-store.ts';
import type { FileTextReader } from '#core/ports/file-text-store.ts';
import { CpuLimitReached, Thread } from '#scheduling/thread.ts';
import { type TextKind, type TextPiece, textKindOf } from './extract-text.ts';

const cpuLimitMs = 20_000;
const limitMs = 120_000;
const maxMegabytes = 512;

export function createFileTextReader(files: FileStore): FileTextReader {
  const thread = new Thread<{ kind: TextKind; bytes: Uint8Array }, TextPiece[]>(
    new URL('./extract-text-thread.ts', import.meta.url),
    { resourceLimits: { maxOldGenerationSizeMb: maxMegabytes } },
  );
  return {
    canRead: (mime, filename) => textKindOf(mime, filename) !== undefined,
    async read(hash, mime, filename) {
      const kind = textKindOf(mime, filename);
      const stream = await files.open(hash);
      if (!kind || !stream) return undefined;
      const chunks: Uint8Array[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      const bytes = new Uint8Array(Buffer.concat(chunks));
      try {
        const signal = AbortSignal.timeout(limitMs);
        return await thread.run({ kind, bytes }, { cpuLimitMs, signal, transfer: [bytes.buffer] });
      } catch (error) {
        if (isOfDocument(error)) return [];
        throw error;
      }
    },
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
}

/** Whether the document is too much for the thread, rather than the server stopping it. */
function isOfDocument(error: unknown): boolean {
  if (error instanceof CpuLimitReached) return true;
  const { code, name } = error as NodeJS.ErrnoException;
  return code === 'ERR_WORKER_OUT_OF_MEMORY' || name === 'TimeoutError';
}
