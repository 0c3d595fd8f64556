/** `coppice webhook`: manages webhooks on behalf of an administrator. */
import { commandOf, type Given, idArgument, type Work } from '#cli/command/arguments.ts';
import type { Terminal } from '#cli/command/context.ts';
import { inWiki } from '#cli/command/in-wiki.ts';
import { print, printList } from '#cli/command/print.ts';
import { printable } from '#cli/command/printable.ts';
import { type EventKind, eventKinds } from '#core/model/event.ts';
import { isoTime } from '#core/model/iso-time.ts';
import type { Carry } from '#core/operations/carry-out.ts';
import type { ListedDelivery, WebhookFormat } from '#core/ports/webhook-store.ts';
import {
  createWebhook,
  deleteWebhook,
  editWebhook,
  listDeliveries,
  listWebhooks,
  replayDelivery,
  testWebhook,
} from './operations.ts';
import { deliveryJson, webhookJson } from './schemas.ts';
import type { ListedWebhook } from './webhooks.ts';

const help = `Usage: coppice webhook <what> [arguments]

  add URL                    Makes a webhook and prints it as JSON with its secret, which is not shown again.
                             --kind KIND, may be repeated: ${eventKinds.slice(0, 6).join(', ')},
                             ${eventKinds.slice(6).join(', ')};
                             --ancestor PATH limits it to a page and everything beneath;
                             --format slack, teams or discord sends messages instead of events.
  list [--json]              Lists webhooks, oldest first, without secrets.
  enable ID · disable ID     Continues where the webhook stopped, or stops it. --after latest skips events in between;
                             --after CURSOR sends all events since then.
  test ID                    Sends a test and prints the response.
  log ID [--json]            Lists what was sent, newest first.
  replay ID DELIVERY         Sends an event again and prints the response.
  remove ID                  Deletes a webhook with its log.

Each command acts for the first administrator, or with --as EMAIL for another one. A webhook belongs to the
administrator who made or enabled it. Events are sent by the server, while one runs.
`;

const options = {
  as: { type: 'string' },
  kind: { type: 'string', multiple: true, default: [] as string[] },
  ancestor: { type: 'string' },
  after: { type: 'string' },
  format: { type: 'string', default: 'standard' },
  json: { type: 'boolean', default: false },
} as const;
const loggedAtOnce = 1000;

export const run = commandOf('webhook', help, {
  add: acting(['URL'], async (carry, [url], { kind, ancestor, after, format }, io) => {
    // The operation refuses kinds and formats that do not exist.
    const kinds = kind.length === 0 ? null : (kind as EventKind[]);
    const places = {
      ...(ancestor === undefined ? {} : { ancestor }),
      ...(after === undefined ? {} : { after }),
    };
    const made = await carry(createWebhook, { url, kinds, format: format as WebhookFormat, ...places });
    print(io, { ...shown(made), secret: made.secret });
    io.stderr.write(
      'The secret is not shown again. Give it to the receiver, and keep it as safe as a passphrase.\n',
    );
    return 0;
  }),
  list: acting([], async (carry, _, { json }, io) => {
    printList(io, json, await carry(listWebhooks, {}), { shown, row, none: 'There are no webhooks.' });
    return 0;
  }),
  enable: enabling(true),
  disable: enabling(false),
  test: acting(['ID'], async (carry, [id], _, io) =>
    printResult(await carry(testWebhook, { id: Number(id) }), io),
  ),
  log: acting(['ID'], async (carry, [id], { json }, io) => {
    const { items } = await carry(listDeliveries, { id: Number(id), limit: loggedAtOnce });
    printList(io, json, items, { shown: deliveryJson, row: deliveryRow, none: 'Nothing has been sent yet.' });
    return 0;
  }),
  replay: acting(['ID', 'DELIVERY'], async (carry, [id, delivery], _, io) =>
    printResult(await carry(replayDelivery, { id: Number(id), delivery: Number(delivery) }), io),
  ),
  remove: acting(['ID'], async (carry, [id]) => {
    await carry(deleteWebhook, { id: Number(id) });
    return { removed: Number(id) };
  }),
});

function acting<const N extends readonly string[]>(
  names: N,
  work: (
    carry: Carry,
    positionals: Given<N, typeof options>['positionals'],
    values: Given<N, typeof options>['values'],
    io: Terminal,
  ) => Promise<object | number>,
): Work {
  return inWiki(names, options, (positionals, values, { io }) => {
    for (const [i, name] of names.entries())
      if (name !== 'URL') idArgument(positionals[i], 'webhook list and log');
    return async ({ carryAs }) => {
      const carry: Carry = (operation, input) => carryAs(values.as, operation, input);
      return work(carry, positionals, values, io);
    };
  });
}

function enabling(enabled: boolean): Work {
  return acting(['ID'], async (carry, [id], { after }) =>
    shown(await carry(editWebhook, { id: Number(id), enabled, ...(after === undefined ? {} : { after }) })),
  );
}

/** Returns exit code 1 if it was not accepted. */
function printResult(delivery: ListedDelivery, io: Terminal): number {
  print(io, deliveryJson(delivery));
  return delivery.state === 'delivered' ? 0 : 1;
}

/** A webhook in the API's form, but its member by name. */
function shown(webhook: ListedWebhook) {
  return { ...webhookJson(webhook), member: webhook.memberName };
}

function row({ id, url, kinds, ancestor, memberName, disabled }: ListedWebhook): string[] {
  const state = disabled ? `disabled: ${printable(disabled.reason)}` : 'enabled';
  const of = kinds?.join(',') ?? 'all';
  return [String(id), url, of, ancestor ?? 'the whole wiki', printable(memberName), state];
}

function deliveryRow(delivery: ListedDelivery): string[] {
  const { id, kind, path, state, attempts, attemptedAt, status, answer } = delivery;
  const result = [status, printable(answer)].filter((part) => part !== null && part !== '').join(' ');
  return [String(id), isoTime(attemptedAt) ?? '', kind, printable(path ?? ''), state, `${attempts}×`, result];
}
