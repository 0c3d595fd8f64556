/** `coppice protect`: who alone may change a page. */
import { protectPage } from '#domain/pages/protect-page.ts';
import { command, readArguments, UsageError } from './command/arguments.ts';
import { actorFor } from './command/first-administrator.ts';
import { print } from './command/print.ts';

const help = `Usage: coppice protect PATH [options]

Lets only moderators and administrators, or only administrators, change, move and delete a page, whatever its
permissions say.

  --level LEVEL     moderators, administrators, or none to lift the protection; moderators by default.
  --subtree         With all pages beneath it: none can be added there either.
  --reason TEXT     Shown on the page.
  --until TIME      When it ends by itself, such as 2026-03-14T09:00:00Z.
`;

const levels = { moderators: 'moderators', administrators: 'administrators', none: null } as const;

export const run = command('protect', help, async (args, context, io) => {
  const { values, positionals } = readArguments(args, ['PATH'], {
    level: { type: 'string', default: 'moderators' },
    subtree: { type: 'boolean', default: false },
    reason: { type: 'string' },
    until: { type: 'string' },
  });
  if (!Object.hasOwn(levels, values.level))
    throw new UsageError(`“${values.level}” is no level: give moderators, administrators or none.`);
  const input = {
    level: levels[values.level as keyof typeof levels],
    subtree: values.subtree,
    reason: values.reason,
    until: values.until === undefined ? null : Date.parse(values.until),
  };
  await using open = await context.open();
  const actor = await actorFor(open.store, undefined);
  print(io, await protectPage(open.store, actor, positionals[0] ?? '', input, context.clock()));
  return 0;
});
