/** `coppice erase`: takes content out of the history for good, or what identifies a member. */

import { erase } from '#domain/erasure/erase.ts';
import { parseId } from '#domain/id.ts';
import { getByEmail } from '#domain/members/manage-members.ts';
import { command, readArguments, UsageError } from './command/arguments.ts';
import { actorFor } from './command/first-administrator.ts';
import { print } from './command/print.ts';

const help = `Usage: coppice erase [PATH] --reason WHY [options]

  --change ID         A change of the page at PATH; may be given several times. The page's history lists them.
  --file NAME         A file of the page, current or replaced, by its name in /files/; may be given several times.
  --member EMAIL      Instead of a page: the name and address of a member, and all that they sign in by.
  --reason WHY        For the audit log.

The history says who changed what when, and that it was erased. Prints what was erased, which backups still hold it, and
where else something may be left. The database is rewritten: the wiki may be running, and its writes wait meanwhile.
`;

export const run = command('erase', help, async (args, context, io) => {
  const { values, positionals } = readArguments(args, args[0]?.startsWith('/') ? ['PATH'] : [], {
    change: { type: 'string', multiple: true, default: [] },
    file: { type: 'string', multiple: true, default: [] },
    member: { type: 'string' },
    reason: { type: 'string' },
  });
  if (values.reason === undefined) throw new UsageError('--reason WHY is missing.');
  const { reason, file: files } = values;
  const changes = values.change.map((text) => {
    const id = parseId(text);
    if (id === undefined) throw new UsageError(`--change: “${text}” is no ID.`);
    return id;
  });
  await using open = await context.open();
  const { store } = open;
  const member = values.member === undefined ? undefined : (await getByEmail(store, values.member)).id;
  const erasing = {
    store,
    files: open.files.store,
    // A running server empties its own within seconds.
    emptyCaches: () => {},
    backups: context.backups,
  };
  const input = { page: positionals[0], changes, files, member, reason };
  const { backups, ...done } = await erase(erasing, await actorFor(store, undefined), input, context.clock());
  print(io, {
    ...done,
    backups: backups.map(({ at, place }) => ({ at: new Date(at).toISOString(), place })),
  });
  return 0;
});
