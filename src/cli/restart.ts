/** `coppice restart`: asks a running server to replace its workers without refusing a request. */
import { connect } from 'node:net';
import { command, readArguments } from './command/arguments.ts';

const help = `Usage: coppice restart

Replaces the workers of a running server one after the other: each new one serves before the old one stops
accepting, finishes its requests and ends. No request is refused. For a server with COPPICE_WORKERS of at least 2, on
this machine and this data folder. Environment variables stay as they were at the start of the server; to change them,
or to migrate the database, restart the server.
`;

const noServer =
  'No server with several workers runs on this data folder, or its workers are still starting. Set COPPICE_WORKERS to at least 2, or restart the server itself.\n';
const serverEnded = 'The server ended before all of its workers were replaced. Its log may say why.\n';

export const run = command('restart', help, async (args, context, io) => {
  readArguments(args, [], {});
  const answer = await asked(context.controlSocket, 'restart').catch(() => undefined);
  if (!answer) {
    io.stderr.write(answer === undefined ? noServer : serverEnded);
    return 1;
  }
  const isDone = answer === 'done';
  if (isDone) io.stdout.write('All workers have been replaced.\n');
  else io.stderr.write(`${answer}\n`);
  return isDone ? 0 : 1;
});

function asked(path: string, question: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(path, () => socket.write(`${question}\n`));
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    socket.on('error', reject).on('close', () => resolve(answer.trim()));
  });
}
