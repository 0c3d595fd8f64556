/** `coppice audit`: lists the audit log. */
import { command, readArguments, UsageError } from '#cli/command/arguments.ts';
import type { Terminal } from '#cli/command/context.ts';
import { printable } from '#cli/command/printable.ts';
import { memberByNameOrEmail } from '#core/members/member-by-name.ts';
import type { AuditEntry } from '#core/model/audit-entry.ts';
import { auditKinds } from '#core/model/audit-kinds.ts';
import { isoTime } from '#core/model/iso-time.ts';
import { auditJson, readAudit } from './operations.ts';

const help = `Usage: coppice audit [options]

Prints the log of actions on accounts, rights and pages: who did what, when and from where. Shows the latest entries,
oldest first.

  --limit N         Number of entries; the default is 50.
  --after ID        Only entries after this one, instead of the latest ones; 0: from the beginning.
  --kind KINDS      Only these kinds, separated by commas:
${auditKinds
  .map((kind) => `                      ${kind}\n`)
  .join('')}  --member EMAIL    Only actions by this member and on their account.
  --json            JSON lines instead of columns, each with the ID for --after.
`;

export const run = command('audit', help, async (args, context, io) => {
  const { values } = readArguments(args, [], {
    limit: { type: 'string', default: '50' },
    after: { type: 'string' },
    kind: { type: 'string' },
    member: { type: 'string' },
    json: { type: 'boolean', default: false },
  });
  const limit = readNumber('--limit', values.limit);
  const after = values.after === undefined ? undefined : readNumber('--after', values.after);
  await using open = await context.open({ isToBeRead: true });
  const { carry } = open;
  const query = {
    ...(values.kind === undefined ? {} : { kind: values.kind }),
    ...(values.member === undefined
      ? {}
      : { member: (await carry(memberByNameOrEmail, { email: values.member })).id }),
  };
  const entries: AuditEntry[] = [];
  // A single answer is limited.
  for (let place = after ?? 0; entries.length < limit; ) {
    const from = after === undefined ? { before: place } : { after: place };
    const found = await carry(readAudit, { ...query, ...from, limit: limit - entries.length });
    if (found.entries.length === 0) break;
    entries.push(...found.entries);
    place = found.next;
  }
  if (after === undefined) entries.reverse();
  for (const entry of entries) print(io, entry, values.json);
  if (entries.length === 0) io.stderr.write('No matching entries.\n');
  return 0;
});

function readNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${name}: expected a number.`);
  return Number(text);
}

function print({ stdout }: Terminal, entry: AuditEntry, asJson: boolean): void {
  const { at, kind, actor, subject, from, via, note, times } = entry;
  const time = isoTime(at);
  if (asJson) {
    stdout.write(`${JSON.stringify({ ...auditJson(entry), after: entry.position })}\n`);
    return;
  }
  const done = times > 1 ? `${kind} (${times} times)` : kind;
  const who = actor ? `${actor.name} (${actor.id})` : via === 'site' || via === 'api' ? 'a stranger' : via;
  const to = subject ? `${subject.kind} ${[subject.id, subject.name].filter(Boolean).join(' ')}` : '';
  stdout.write(`${[time, done, who, to, note, from ?? ''].map(printable).join('\t')}\n`);
}
