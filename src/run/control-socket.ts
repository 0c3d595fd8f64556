/**
 * A socket in the data folder, by which a command asks the running server for something. Only the user of the server can open it.
 */
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';

/** Answers each line with a line. Fails if the path is too long for a socket or the folder cannot be written. */
export async function openControlSocket(
  path: string,
  answer: (asked: string) => Promise<string>,
): Promise<AsyncDisposable> {
  await rm(path, { force: true });
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.setEncoding('utf8').once('data', (asked: string) => {
      void answer(asked.trim()).then((line) => socket.end(`${line}\n`));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  return {
    async [Symbol.asyncDispose]() {
      server.close();
      await rm(path, { force: true });
    },
  };
}
