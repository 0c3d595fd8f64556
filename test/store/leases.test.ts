/** Leases end with the process that holds them, and with no other. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Store } from '#core/ports/store.ts';
import { openStore } from '#run/open-store.ts';
import type { StoreConfig } from '#store/store.ts';
import { tables } from '#store/tables.ts';
import { databases, freshPostgres } from '../support/postgres.ts';
import { ask, meddle } from '../support/rows.ts';
import { addMember } from '../support/write-pages.ts';

const hour = 60 * 60 * 1000;
const now = 100 * hour;
const leased = Object.entries(tables).flatMap(([table, { columns }]) => ('holder' in columns ? [table] : []));

/** Takes a lease of each kind, for an hour. Returns which of them were free. */
async function takeAll(store: Store, at: number): Promise<string[]> {
  const key = {
    ...{ memberId: 1, key: 'session:a k', fingerprint: 'f', attempt: randomUUID() },
    ...{ at, leaseUntil: at + hour, forgetBefore: 0 },
  };
  const taken = {
    idempotency_keys: (await store.idempotency.claim(key)).state === 'mine',
    imports: (await store.imports.begin(1, at, { before: at - hour, error: 'dead' })) !== undefined,
    scheduled_exports: await store.exportSchedule.begin('jsonl', at, {
      ...{ done: at - hour, failed: at - hour, dead: at - hour },
    }),
    mails: (await store.mails.take(at, at + hour, 10)).length > 0,
    webhooks: (await store.webhooks.lease(1, randomUUID(), at, at + hour)) !== undefined,
    watched_events: await store.watches.lease(at, at + hour),
  };
  return Object.entries(taken).flatMap(([table, isTaken]) => (isTaken ? [table] : []));
}

async function prepare(config: StoreConfig): Promise<void> {
  await using store = await openStore(config);
  await addMember(store, 'Ada', true);
  await store.mails.insert({ kind: 'test', address: 'ada@example.org' }, 1);
  await store.webhooks.insert({
    ...{ memberId: 1, url: 'https://example.org/', kinds: undefined, ancestorId: null },
    ...{ format: 'standard', disabled: undefined, position: 0, secret: 's', createdAt: 1 },
  });
}

describe.each(databases)('%s', (_engine, fresh) => {
  test('every kind of lease is kept while its holder lives, and free as soon as the holder has ended', async () => {
    await using database = await fresh();
    await prepare(database.config);
    await using other = await openStore(database.config);
    await other.leases.hold();
    {
      await using store = await openStore(database.config);
      await store.leases.hold();
      expect((await takeAll(store, now + 2)).toSorted()).toEqual(leased.toSorted());
      expect(await other.leases.endAbandoned()).toBe(0);
      expect(await takeAll(other, now + 3)).toEqual([]);
    }
    expect(await other.leases.endAbandoned()).toBe(leased.length);
    expect((await takeAll(other, now + 4)).toSorted()).toEqual(leased.toSorted());
    expect(await other.leases.endAbandoned()).toBe(0);
  });

  test('an expired lease has no holder', async () => {
    await using database = await fresh();
    await prepare(database.config);
    await using store = await openStore(database.config);
    await store.leases.hold();
    await takeAll(store, now + 2);
    await store.idempotency.saveAnswer(1, await attemptOf(), { status: 200, headers: {}, body: 't' });
    await store.imports.end(1, { state: 'cancelled' });
    await store.exportSchedule.end('jsonl', now + 2, 'done', now + 3);
    await store.mails.postpone(1, 9, 'busy');
    const [webhook] = await store.webhooks.list(1);
    if (!webhook) throw new Error('There is one.');
    const done = { position: 1, lastSuccessAt: null, disabled: undefined, deliveries: [], until: null };
    const [{ leased_by: holder } = {}] = await ask(database.config, 'select leased_by from webhooks');
    await store.webhooks.finish(webhook, String(holder), done, 1);
    await store.watches.moveTo(1);
    for (const table of leased)
      expect([table, await ask(database.config, `select holder from ${table}`)]).toEqual([
        table,
        [{ holder: null }],
      ]);

    async function attemptOf(): Promise<string> {
      const [row] = await ask(database.config, 'select attempt from idempotency_keys');
      return String(row?.attempt);
    }
  });

  test('leases of a command, which is not a holder, only expire', async () => {
    await using database = await fresh();
    await prepare(database.config);
    await using server = await openStore(database.config);
    await server.leases.hold();
    {
      await using command = await openStore(database.config);
      await takeAll(command, now + 2);
    }
    expect(await server.leases.endAbandoned()).toBe(0);
    expect(await takeAll(server, now + 3)).toEqual([]);
    expect((await takeAll(server, now + 2 * hour)).toSorted()).toEqual(leased.toSorted());
  });
});

test('a holder whose session is cut keeps its leases, because it reconnects at once', async () => {
  await using database = await freshPostgres();
  await prepare(database.config);
  await using store = await openStore(database.config);
  await using other = await openStore(database.config);
  await store.leases.hold();
  await takeAll(store, now + 2);
  await meddle(
    database.config,
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'coppice-leases'`,
  );
  await other.leases.hold();
  expect(await other.leases.endAbandoned()).toBe(0);
  expect(await takeAll(other, now + 3)).toEqual([]);
});
