/** `coppice audit`: lists the audit log. */
import { command, readArguments, UsageError } from '#cli/command/arguments.ts';
import type { Terminal } from '#cli/command/context.ts';
import { printable } from '#cli/command/printable.ts';
import type { AuditEntry } from '#core/model/audit-entry.ts';
import { auditKinds } from '#core/model/audit-kinds.ts';
import { isoTime } from '#core/model/iso-time.ts';
import { memberByEmail } from '#core/operations/member-by-email.ts';
import { auditJson, readAudit } from './operations.ts';

const help = `Usage: coppice audit [options]

Prints who did what to accounts, rights and pages, when and from where; the latest entries, oldest of them first.

  --limit N         How many entries; 50 if it is not given.
  --after ID        From the entry after this place on, instead of the latest ones; 0: from the beginning.
  --kind KINDS      Only these, separated by commas. There are:
${Object.keys(auditKinds)
  .map((kind) => `                      ${kind}\n`)
  .join('')}  --member EMAIL    What this member did, and what was done to their account.
  --json            JSON lines instead of columns; each has its place for --after.
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
      : { member: (await carry(memberByEmail, { email: values.member })).id }),
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
  if (entries.length === 0) io.stderr.write('Nothing was recorded that fits.\n');
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
