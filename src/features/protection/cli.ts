/** `coppice protect`: protects pages. */
import { command, UsageError } from '#cli/command/arguments.ts';
import { inWiki } from '#cli/command/in-wiki.ts';
import { protectPage } from './operations.ts';

const help = `Usage: coppice protect PATH [options]

Protects a page: only moderators and administrators, or only administrators, can change, move and delete it, whatever
its permissions say.

  --level LEVEL     moderators, administrators, or none to lift the protection; moderators by default.
  --subtree         Also protects all pages beneath it, and no page can be added there.
  --reason TEXT     Shown on the page.
  --until TIME      When the protection ends by itself, such as 2026-03-14T09:00:00Z.
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
    throw new UsageError(`“${level}” is not a level. Give moderators, administrators or none.`);
  const input = { path, level: levels[level as keyof typeof levels], subtree };
  const others = { ...(reason === undefined ? {} : { reason }), ...(until === undefined ? {} : { until }) };
  return async ({ carry }) => {
    const { page, protection } = await carry(protectPage, { ...input, ...others });
    return { path: page.path, protection };
  };
});

export const run = command('protect', help, protect);
