/** Reads a passphrase from standard input: one line of a pipe, or typed twice on a terminal without echo. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { invalid } from '#core/model/problem.ts';
import { UsageError } from './arguments.ts';
import type { Terminal } from './context.ts';

/** Far longer than any passphrase; input piped by mistake is not read to its end. */
const maxLineBytes = 8192;

export async function readPassphrase(io: Terminal, fromPipe: boolean): Promise<string> {
  if (fromPipe) return readLine(io.stdin);
  if (!io.stdin.isTTY) {
    throw new UsageError('There is no terminal to ask for a passphrase. Pipe it in with --passphrase-stdin.');
  }
  const passphrase = await ask(io, 'Passphrase: ');
  if ((await ask(io, 'Repeat the passphrase: ')) !== passphrase) {
    throw invalid('/pass', 'The passphrases do not match. Nothing was changed.');
  }
  return passphrase;
}

async function readLine(stdin: AsyncIterable<Uint8Array | string>): Promise<string> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of stdin) {
    bytes = Buffer.concat([bytes, Buffer.from(chunk)]);
    if (bytes.includes(0x0a) || bytes.length > maxLineBytes) break;
  }
  const end = bytes.indexOf(0x0a);
  const line = (end < 0 ? bytes : bytes.subarray(0, end)).toString('utf8').replace(/\r$/, '');
  if (line === '')
    throw new UsageError('The first line of standard input must be the passphrase, but it is empty.');
  return line;
}

async function ask(io: Terminal, question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: io.stdin, output: silent, terminal: true });
  // Otherwise Ctrl-C would leave the question pending, and the process would exit successfully.
  const interrupted = new AbortController();
  lines.on('SIGINT', () => interrupted.abort());
  io.stderr.write(question);
  try {
    return await lines.question('', { signal: interrupted.signal });
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    throw invalid('/pass', 'Interrupted. Nothing was changed.');
  } finally {
    lines.close();
    io.stderr.write('\n');
  }
}
