/** `coppice mail`: whether mail leaves, and what did not. */
import { discardMail, handOverMail, listMails, retryMail } from '#domain/mail/administer-mails.ts';
import { writeLetter } from '#domain/mail/write-letter.ts';
import { checkEmail } from '#domain/members/manage-members.ts';
import { MailRefused, type QueuedMail } from '#domain/ports/mail.ts';
import { invalid, Problem } from '#domain/problem.ts';
import { command, idArgument, oneOf, readArguments } from './command/arguments.ts';
import type { CommandContext, Terminal } from './command/context.ts';
import { table } from './command/print.ts';

const help = `Usage: coppice mail <what> [arguments]

  test ADDRESS      Sends a test there at once, and says what the mail server answered.
  list [--json]     Mail that waits, is tried again, or was given up, the latest first.
  link ID           Prints the link that a mail would bring, for you to hand on; the mail is not sent any more.
  retry ID          Makes a mail due: a running server sends it within a few seconds.
  discard ID        Removes a mail unsent.

The mail server is set by COPPICE_MAIL and COPPICE_MAIL_FROM. Without one, links that would be mailed wait in this list.
`;

type Subcommand = (args: string[], context: CommandContext, io: Terminal) => Promise<void>;

const subcommands: Record<string, Subcommand> = { test, list, link, retry, discard };

export const run = command('mail', help, async ([what = '', ...args], context, io) => {
  await oneOf(subcommands, what)(args, context, io);
  return 0;
});

async function test(args: string[], context: CommandContext, io: Terminal): Promise<void> {
  const [address = ''] = readArguments(args, ['ADDRESS'], {}).positionals;
  const to = checkEmail(address);
  const server = await context.mailServer();
  if (!server) throw invalid('', 'No mail server is set: set COPPICE_MAIL and COPPICE_MAIL_FROM.');
  await using open = await context.open();
  const writer = { ...open, wiki: context.settings.letterHead };
  try {
    const letter = await writeLetter(writer, { kind: 'test', address: to }, context.clock());
    if (letter) await server.send(letter);
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    throw new Problem('unavailable', `The mail server did not take it: ${error.message}`);
  } finally {
    server.close();
  }
  io.stdout.write(`The mail server took a test to ${to}.\n`);
}

async function list(args: string[], context: CommandContext, io: Terminal): Promise<void> {
  const { values } = readArguments(args, [], { json: { type: 'boolean', default: false } });
  await using open = await context.open();
  const mails = await listMails(open.store, 'command line');
  if (values.json) io.stdout.write(`${JSON.stringify(mails.map(shown), null, 2)}\n`);
  else if (mails.length === 0) io.stderr.write('No mail waits.\n');
  else io.stdout.write(table(mails.map(row)));
}

async function link(args: string[], context: CommandContext, io: Terminal): Promise<void> {
  const id = readId(args);
  await using open = await context.open();
  const writer = { ...open, wiki: context.settings.letterHead };
  const letter = await handOverMail(writer, 'command line', id, context.clock());
  io.stdout.write(`${letter.link?.url}\n`);
}

async function retry(args: string[], context: CommandContext, io: Terminal): Promise<void> {
  const id = readId(args);
  await using open = await context.open();
  await retryMail(open.store, 'command line', id, context.clock());
  io.stdout.write('It is due.\n');
}

async function discard(args: string[], context: CommandContext, io: Terminal): Promise<void> {
  const id = readId(args);
  await using open = await context.open();
  await discardMail(open.store, 'command line', id);
  io.stdout.write('Discarded.\n');
}

function readId(args: string[]): number {
  return idArgument(readArguments(args, ['ID'], {}).positionals[0], 'mail list');
}

function shown({ id, mail, createdAt, dueAt, attempts, error }: QueuedMail) {
  const at = (ms: number) => new Date(ms).toISOString();
  return {
    id,
    kind: mail.kind,
    to: mail.address,
    createdAt: at(createdAt),
    nextAttemptAt: dueAt === null ? null : at(dueAt),
    attempts,
    error,
  };
}

function row({ id, mail, createdAt, dueAt, attempts, error }: QueuedMail): string[] {
  const state = dueAt === null ? 'given up' : attempts === 0 ? 'waits' : `tried ${attempts}×`;
  return [String(id), mail.kind, mail.address, new Date(createdAt).toISOString(), state, error ?? ''];
}
