/** `coppice key`: rotates the key that seals tokens. */
import { invalid } from '#core/model/problem.ts';
import { command, readArguments, UsageError } from './command/arguments.ts';

const help = `Usage: coppice key rotate

Puts a new key first in the key file of the data folder. Tokens sealed with the old key stay readable until they
expire (15 minutes). Restart the wiki at once afterwards, because it reads the keys at start.
`;

export const run = command('key', help, async ([what, ...args], context, io) => {
  if (what !== 'rotate') throw new UsageError('Say what to do: rotate.');
  readArguments(args, [], {});
  if (context.keyFile === undefined) {
    throw invalid('', 'The key is set by COPPICE_KEY. Put a new key before it there, separated by a comma.');
  }
  const kept = await context.rotateKey(context.keyFile);
  io.stdout.write(`The new key is used from the next start on. Keys kept: ${kept}.\n`);
  return 0;
});
