/** `coppice webhook`: manages webhooks on behalf of an administrator. */

import { eventKinds } from '#core/model/event.ts';
import { isoTime } from '#core/model/iso-time.ts';
import type { Actor } from '#core/model/permission.ts';
import type { Store } from '#core/ports/store.ts';
import type { ListedDelivery } from '#core/ports/webhook-store.ts';
import {
  createWebhook,
  deleteWebhook,
  editWebhook,
  type ListedWebhook,
  listWebhooks,
} from '#core/webhooks/administer-webhooks.ts';
import type { WebhookSender } from '#core/webhooks/send-webhook.ts';
import { listDeliveries, replayDelivery, testWebhook } from '#core/webhooks/webhook-log.ts';
import { commandOf, type Given, idArgument, type Work } from './command/arguments.ts';
import type { Terminal } from './command/context.ts';
import { actorFor } from './command/first-administrator.ts';
import { inWiki } from './command/in-wiki.ts';
import { print, printList } from './command/print.ts';
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

const options = {
  as: { type: 'string' },
  kind: { type: 'string', multiple: true, default: [] as string[] },
  ancestor: { type: 'string' },
  after: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;
const loggedAtOnce = 1000;

export const run = commandOf('webhook', help, {
  add: acting(['URL'], async ({ webhooks, actor, now }, [url], { kind, ancestor, after }, io) => {
    const input = { url, kinds: kind.length === 0 ? null : kind, ancestor, after };
    const made = await createWebhook(webhooks, actor, input, now);
    print(io, { ...shown(made), secret: made.secret });
    io.stderr.write(
      'The secret is not shown again: give it to the receiver, and keep it like a passphrase.\n',
    );
    return 0;
  }),
  list: acting([], async ({ store, actor }, _, { json }, io) => {
    printList(io, json, await listWebhooks(store, actor), { shown, row, none: 'There are no webhooks.' });
    return 0;
  }),
  enable: enabling(true),
  disable: enabling(false),
  test: acting(['ID'], async ({ webhooks, actor }, [id], _, io) =>
    printResult(await testWebhook(webhooks, actor, Number(id)), io),
  ),
  log: acting(['ID'], async ({ store, actor }, [id], { json }, io) => {
    const range = { limit: loggedAtOnce, offset: 0 };
    const { deliveries } = await listDeliveries(store, actor, Number(id), range);
    printList(io, json, deliveries, { shown: deliveryOf, row: deliveryRow, none: 'Nothing was sent yet.' });
    return 0;
  }),
  replay: acting(['ID', 'DELIVERY'], async ({ webhooks, actor }, [id, delivery], _, io) =>
    printResult(await replayDelivery(webhooks, actor, Number(id), Number(delivery)), io),
  ),
  remove: acting(['ID'], async ({ store, actor }, [id]) => {
    await deleteWebhook(store, actor, Number(id));
    return { removed: Number(id) };
  }),
});

interface Wiki {
  store: Store;
  webhooks: WebhookSender & { store: Store };
  actor: Actor;
  now: number;
}

function acting<const N extends readonly string[]>(
  names: N,
  work: (
    wiki: Wiki,
    positionals: Given<N, typeof options>['positionals'],
    values: Given<N, typeof options>['values'],
    io: Terminal,
  ) => Promise<object | number>,
): Work {
  return inWiki(names, options, (positionals, values, { io }) => {
    for (const [i, name] of names.entries())
      if (name !== 'URL') idArgument(positionals[i], 'webhook list and log');
    return async ({ store, openWebhooks }, now) => {
      const actor = await actorFor(store, values.as);
      const webhooks = { ...(await openWebhooks()), store };
      return work({ store, webhooks, actor, now }, positionals, values, io);
    };
  });
}

function enabling(enabled: boolean): Work {
  return acting(['ID'], async ({ webhooks, actor, now }, [id], { after }) => {
    const input = { enabled, ...(after === undefined ? {} : { after }) };
    return shown(await editWebhook(webhooks, actor, Number(id), input, now));
  });
}

/** Returns exit code 1 if it was not accepted. */
function printResult(delivery: ListedDelivery, io: Terminal): number {
  print(io, deliveryOf(delivery));
  return delivery.state === 'delivered' ? 0 : 1;
}

/** A webhook in the API's form. */
function shown({ id, url, kinds, ancestor, memberName, createdAt, disabled, lastSuccessAt }: ListedWebhook) {
  return {
    ...{ id, url, kinds: kinds ?? null, ancestor, member: memberName, createdAt: isoTime(createdAt) },
    ...{ enabled: disabled === undefined, disabledAt: isoTime(disabled?.at ?? null) },
    ...{ disabledReason: disabled?.reason ?? null, lastDeliveredAt: isoTime(lastSuccessAt) },
  };
}

function row({ id, url, kinds, ancestor, memberName, disabled }: ListedWebhook): string[] {
  const state = disabled ? `disabled: ${printable(disabled.reason)}` : 'enabled';
  const of = kinds?.join(',') ?? 'all';
  return [String(id), url, of, ancestor ?? 'the whole wiki', printable(memberName), state];
}

function deliveryOf({ id, messageId, kind, path, state, attempts, ...last }: ListedDelivery) {
  const { attemptedAt, dueAt, status, answer, tookMs } = last;
  const times = { attemptedAt: isoTime(attemptedAt), nextAttemptAt: isoTime(dueAt) };
  return { id, messageId, kind, path, state, attempts, ...times, status, answer, tookMs };
}

function deliveryRow(delivery: ListedDelivery): string[] {
  const { id, kind, path, state, attempts, attemptedAt, status, answer } = delivery;
  const result = [status, printable(answer)].filter((part) => part !== null && part !== '').join(' ');
  return [String(id), isoTime(attemptedAt) ?? '', kind, printable(path ?? ''), state, `${attempts}×`, result];
}
