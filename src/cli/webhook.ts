/** `coppice webhook`: webhooks by the command line, which acts for an administrator. */

import { eventKinds } from '#domain/events/event.ts';
import { isoTime } from '#domain/iso-time.ts';
import type { Actor } from '#domain/permission.ts';
import type { ListedDelivery } from '#domain/ports/webhook-store.ts';
import {
  createWebhook,
  deleteWebhook,
  editWebhook,
  type ListedWebhook,
  listWebhooks,
} from '#domain/webhooks/administer-webhooks.ts';
import type { WebhookSender } from '#domain/webhooks/send-webhook.ts';
import { listDeliveries, replayDelivery, testWebhook } from '#domain/webhooks/webhook-log.ts';
import { command, idArgument, oneOf, readArguments } from './command/arguments.ts';
import type { OpenWiki, Terminal } from './command/context.ts';
import { actorFor } from './command/first-administrator.ts';
import { print, table } from './command/print.ts';
import { printable } from './command/printable.ts';

const help = `Usage: coppice webhook <what> [arguments]

  add URL                    Makes a webhook and prints it as JSON, with its secret, which is not shown again.
                             --kind KIND, may be repeated:
                             ${eventKinds.join(', ')};
                             --ancestor PATH limits it to a page and what lies beneath.
  list [--json]              Webhooks, oldest first, without their secrets.
  enable ID · disable ID     Goes on where it stopped, or stops. --after latest: leaves out what happened meanwhile;
                             --after CURSOR: sends everything since then.
  test ID                    Sends a test and prints what came back.
  log ID [--json]            What was sent, newest first.
  replay ID DELIVERY         Sends an event again and prints what came back.
  remove ID                  Deletes a webhook with its log.

Each acts for the first administrator, or with --as EMAIL for another one, who then owns what is made or enabled.
Events are sent by the server, as long as one runs.
`;

type Wiki = Pick<OpenWiki, 'store'> & { webhooks: WebhookSender; actor: Actor; now: number };
type Subcommand = (wiki: Wiki, given: Given, io: Terminal) => Promise<number>;
interface Given {
  positionals: string[];
  kinds: string[];
  ancestor: string | undefined;
  after: string | undefined;
  isJson: boolean;
}

/** The work of each subcommand, and the names of its arguments. */
const subcommands: Record<string, { names: string[]; work: Subcommand }> = {
  add: { names: ['URL'], work: add },
  list: { names: [], work: list },
  enable: { names: ['ID'], work: (wiki, given, io) => setEnabled(wiki, given, io, true) },
  disable: { names: ['ID'], work: (wiki, given, io) => setEnabled(wiki, given, io, false) },
  test: { names: ['ID'], work: test },
  log: { names: ['ID'], work: log },
  replay: { names: ['ID', 'DELIVERY'], work: replay },
  remove: { names: ['ID'], work: remove },
};
const loggedAtOnce = 1000;

export const run = command('webhook', help, async ([what = '', ...args], context, io) => {
  const subcommand = oneOf(subcommands, what);
  const { values, positionals } = readArguments(args, subcommand.names, {
    as: { type: 'string' },
    kind: { type: 'string', multiple: true, default: [] },
    ancestor: { type: 'string' },
    after: { type: 'string' },
    json: { type: 'boolean', default: false },
  });
  for (const [i, name] of subcommand.names.entries())
    if (name !== 'URL') idArgument(positionals[i], 'webhook list and log');
  await using open = await context.open();
  const actor = await actorFor(open.store, values.as);
  const { kind: kinds, ancestor, after, json: isJson } = values;
  const { store } = open;
  const webhooks = await open.openWebhooks();
  return await subcommand.work(
    { store, webhooks, actor, now: context.clock() },
    { positionals, kinds, ancestor, after, isJson },
    io,
  );
});

async function add(
  { store, webhooks, actor, now }: Wiki,
  { positionals, kinds, ancestor, after }: Given,
  io: Terminal,
) {
  const [url] = positionals;
  const input = { url, kinds: kinds.length === 0 ? null : kinds, ancestor, after };
  const made = await createWebhook({ ...webhooks, store }, actor, input, now);
  print(io, { ...shown(made), secret: made.secret });
  io.stderr.write('The secret is not shown again: give it to the receiver, and keep it like a passphrase.\n');
  return 0;
}

async function list({ store, actor }: Wiki, { isJson }: Given, io: Terminal) {
  const hooks = await listWebhooks(store, actor);
  if (isJson) print(io, hooks.map(shown));
  else if (hooks.length === 0) io.stderr.write('There are no webhooks.\n');
  else io.stdout.write(table(hooks.map(rowOf)));
  return 0;
}

async function setEnabled(
  { store, webhooks, actor, now }: Wiki,
  { positionals, after }: Given,
  io: Terminal,
  enabled: boolean,
) {
  const input = { enabled, ...(after === undefined ? {} : { after }) };
  print(io, shown(await editWebhook({ ...webhooks, store }, actor, Number(positionals[0]), input, now)));
  return 0;
}

async function test({ store, webhooks, actor }: Wiki, { positionals }: Given, io: Terminal) {
  return printResult(await testWebhook({ ...webhooks, store }, actor, Number(positionals[0])), io);
}

async function replay({ store, webhooks, actor }: Wiki, { positionals }: Given, io: Terminal) {
  const [id, delivery] = positionals.map(Number) as [number, number];
  return printResult(await replayDelivery({ ...webhooks, store }, actor, id, delivery), io);
}

async function log({ store, actor }: Wiki, { positionals, isJson }: Given, io: Terminal) {
  const range = { limit: loggedAtOnce, offset: 0 };
  const { deliveries } = await listDeliveries(store, actor, Number(positionals[0]), range);
  if (isJson) print(io, deliveries.map(deliveryOf));
  else if (deliveries.length === 0) io.stderr.write('Nothing was sent yet.\n');
  else io.stdout.write(table(deliveries.map(deliveryRow)));
  return 0;
}

async function remove({ store, actor }: Wiki, { positionals }: Given, io: Terminal) {
  await deleteWebhook(store, actor, Number(positionals[0]));
  print(io, { removed: Number(positionals[0]) });
  return 0;
}

/** Exit code 1 if it was not taken. */
function printResult(delivery: ListedDelivery, io: Terminal): number {
  print(io, deliveryOf(delivery));
  return delivery.state === 'delivered' ? 0 : 1;
}

/** The webhook as the API shows it. */
function shown({ id, url, kinds, ancestor, memberName, createdAt, disabled, lastSuccessAt }: ListedWebhook) {
  return {
    id,
    url,
    kinds: kinds ?? null,
    ancestor,
    member: memberName,
    createdAt: isoTime(createdAt),
    enabled: disabled === undefined,
    disabledAt: isoTime(disabled?.at ?? null),
    disabledReason: disabled?.reason ?? null,
    lastDeliveredAt: isoTime(lastSuccessAt),
  };
}

function rowOf({ id, url, kinds, ancestor, memberName, disabled }: ListedWebhook): string[] {
  const state = disabled ? `disabled: ${printable(disabled.reason)}` : 'enabled';
  return [
    String(id),
    url,
    kinds?.join(',') ?? 'all',
    ancestor ?? 'the whole wiki',
    printable(memberName),
    state,
  ];
}

function deliveryOf({ id, messageId, kind, path, state, attempts, ...last }: ListedDelivery) {
  const { attemptedAt, dueAt, status, answer, tookMs } = last;
  const times = { attemptedAt: isoTime(attemptedAt), nextAttemptAt: isoTime(dueAt) };
  return { id, messageId, kind, path, state, attempts, ...times, status, answer, tookMs };
}

function deliveryRow({
  id,
  kind,
  path,
  state,
  attempts,
  attemptedAt,
  status,
  answer,
}: ListedDelivery): string[] {
  const result = [status, printable(answer)].filter((part) => part !== null && part !== '').join(' ');
  return [String(id), isoTime(attemptedAt) ?? '', kind, printable(path ?? ''), state, `${attempts}×`, result];
}
