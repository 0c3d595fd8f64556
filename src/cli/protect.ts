/** `coppice protect`: protects pages. */
import { protectPage } from '#core/pages/protect-page.ts';
import { command, UsageError } from './command/arguments.ts';
import { actorFor } from './command/first-administrator.ts';
import { inWiki } from './command/in-wiki.ts';

const help = `Usage: coppice protect PATH [options]

Lets only moderators and administrators, or only administrators, change, move and delete a page, whatever its
permissions say.

  --level LEVEL     moderators, administrators, or none to lift the protection; moderators by default.
  --subtree         With all pages beneath it: none can be added there either.
  --reason TEXT     Shown on the page.
  --until TIME      When it ends by itself, such as 2026-03-14T09:00:00Z.
`;

const levels = { moderators: 'moderators', administrators: 'administrators', none: null } as const;

const options = {
  level: { type: 'string', default: 'moderators' },
  subtree: { type: 'boolean', default: false },
  reason: { type: 'string' },
  until: { type: 'string' },
} as const;

const protect = inWiki(['PATH'], options, ([path], { level, subtree, reason, until }) => {
  if (!Object.hasOwn(levels, level))
    throw new UsageError(`“${level}” is no level: give moderators, administrators or none.`);
  const input = {
    ...{ level: levels[level as keyof typeof levels], subtree, reason },
    until: until === undefined ? null : Date.parse(until),
  };
  return async ({ store }, now) => protectPage(store, await actorFor(store, undefined), path, input, now);
});

export const run = command('protect', help, protect);
