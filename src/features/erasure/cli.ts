/** `coppice erase`: permanently removes content from the history, or a member's identity. */

import { command, UsageError } from '#cli/command/arguments.ts';
import { inWiki } from '#cli/command/in-wiki.ts';
import { memberByNameOrEmail } from '#core/members/member-by-name.ts';
import { parseId } from '#core/model/id.ts';
import { erasedJson, erasure } from './operations.ts';

const help = `Usage: coppice erase [PATH] --reason WHY [options]

  --change ID         A change of the page at PATH; may be repeated. The page's history lists the IDs.
  --file NAME         A file of the page, current or replaced, by its name in /files/; may be repeated.
  --member EMAIL      Instead of a page: the name, address and credentials of a member.
  --reason WHY        Reason for the audit log.

The history still says who changed what and when, and that it was erased. Prints what was erased, which backups still
contain it, and where else something may be left. The database is rewritten; if the wiki is running, its writes wait
meanwhile. "pending": true means that the database still contains some of it. The wiki removes the rest while it runs,
and the audit log says when it is done.
`;

const options = {
  change: { type: 'string', multiple: true, default: [] as string[] },
  file: { type: 'string', multiple: true, default: [] as string[] },
  member: { type: 'string' },
  reason: { type: 'string' },
} as const;

export const run = command('erase', help, (args, ...around) => {
  const names = args[0]?.startsWith('/') ? ['PATH'] : [];
  return inWiki(names, options, ([path], { change, file: files, member: email, reason }) => {
    if (reason === undefined) throw new UsageError('--reason WHY is missing.');
    const changes = change.map((text) => {
      const id = parseId(text);
      if (id === undefined) throw new UsageError(`--change: “${text}” is not an ID.`);
      return id;
    });
    return async ({ carry, carryAs }) => {
      const member = email === undefined ? {} : { member: (await carry(memberByNameOrEmail, { email })).id };
      const page = path === undefined ? {} : { path };
      return erasedJson(await carryAs(undefined, erasure, { ...page, ...member, changes, files, reason }));
    };
  })(args, ...around);
});
