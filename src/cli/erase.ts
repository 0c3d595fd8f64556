/** `coppice erase`: permanently removes content from the history, or a member's identity. */

import { erase } from '#core/erasure/erase.ts';
import { getByEmail } from '#core/members/manage-members.ts';
import { parseId } from '#core/model/id.ts';
import { isoTime } from '#core/model/iso-time.ts';
import { command, UsageError } from './command/arguments.ts';
import { actorFor } from './command/first-administrator.ts';
import { inWiki } from './command/in-wiki.ts';

const help = `Usage: coppice erase [PATH] --reason WHY [options]

  --change ID         A change of the page at PATH; may be given several times. The page's history lists them.
  --file NAME         A file of the page, current or replaced, by its name in /files/; may be given several times.
  --member EMAIL      Instead of a page: the name and address of a member, and all that they sign in by.
  --reason WHY        For the audit log.

The history says who changed what when, and that it was erased. Prints what was erased, which backups still hold it, and
where else something may be left. The database is rewritten: the wiki may be running, and its writes wait meanwhile.
"pending": true says that the database still holds some of it. The wiki removes that while it runs, and the audit log
says when it is done.
`;

const options = {
  change: { type: 'string', multiple: true, default: [] as string[] },
  file: { type: 'string', multiple: true, default: [] as string[] },
  member: { type: 'string' },
  reason: { type: 'string' },
} as const;

export const run = command('erase', help, (args, ...around) => {
  const names = args[0]?.startsWith('/') ? ['PATH'] : [];
  return inWiki(names, options, ([page], { change, file: files, member: email, reason }, { context }) => {
    if (reason === undefined) throw new UsageError('--reason WHY is missing.');
    const changes = change.map((text) => {
      const id = parseId(text);
      if (id === undefined) throw new UsageError(`--change: “${text}” is no ID.`);
      return id;
    });
    return async (wiki, now) => {
      const { store } = wiki;
      const member = email === undefined ? undefined : (await getByEmail(store, email)).id;
      // A running server empties its own caches within seconds.
      const around = { store, files: wiki.files.store, emptyCaches: () => {}, backups: context.backups };
      const input = { page, changes, files, member, reason };
      const { backups, ...done } = await erase(around, await actorFor(store, undefined), input, now);
      return { ...done, backups: backups.map(({ at, place }) => ({ at: isoTime(at), place })) };
    };
  })(args, ...around);
});
