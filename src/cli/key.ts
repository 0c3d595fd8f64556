/** `coppice key`: rotates the key that seals tokens. */
import { invalid } from '#core/model/problem.ts';
import { command, readArguments, UsageError } from './command/arguments.ts';

const help = `Usage: coppice key rotate

Puts a new key first in the key file of the data folder. Tokens sealed with the old one stay readable until they
expire (15 minutes). Restart the wiki at once afterwards: it reads the keys when it starts.
`;

export const run = command('key', help, async ([what, ...args], context, io) => {
  if (what !== 'rotate') throw new UsageError('Say what to do: rotate.');
  readArguments(args, [], {});
  if (context.keyFile === undefined) {
    throw invalid(
      '',
      'The key is given by COPPICE_KEY: put a new one before it there, separated by a comma.',
    );
  }
  const kept = await context.rotateKey(context.keyFile);
  io.stdout.write(`A new key seals tokens from the next start on. Keys kept: ${kept}.\n`);
  return 0;
});
