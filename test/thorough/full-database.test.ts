/** PostgreSQL with a full disk, simulated by triggers that raise SQLSTATE 53100, and a read-only one. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { addMember } from '#core/members/manage-members.ts';
import { engines, startApp, type TestApp } from '../support/http.ts';
import { freshPostgres } from '../support/postgres.ts';
import { meddle } from '../support/rows.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const fill = `
  create function refuse() returns trigger language plpgsql as $$ begin
    raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
  end $$;
  create function refuse_tables() returns event_trigger language plpgsql as $$ begin
    raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
  end $$;
  create trigger full_disk before insert on changes for each row execute function refuse();
  create event trigger full_disk on ddl_command_start when tag in ('CREATE TABLE AS')
    execute function refuse_tables()`;
const makeRoom = 'drop event trigger full_disk; drop trigger full_disk on changes';

test('a full disk refuses writes with a message, is counted and reported by readyz until there is space, and reads work', async () => {
  await using postgres = await freshPostgres();
  const wiki = await startApp({ DATABASE_URL: postgres.url });
  try {
    const { token } = await wiki.member('Ada');
    await wiki.page(token, { title: 'Oak', body: 'before' });
    const edit = (body: string) => wiki.call('POST', '/v1/pages/oak', { token, json: { body } });
    const ready = () => wiki.call('GET', '/readyz');
    await meddle(postgres.config, fill);

    const refused = await edit('lost?');
    expect([refused.status, refused.json.detail]).toEqual([
      503,
      'There is no space on the disk to save this. Please try again later.',
    ]);
    expect((await ready()).json).toMatchObject({ reads: 'ok', writes: 'full', status: 503 });
    // Longer than a failure is remembered before the next check.
    await sleep(1100);
    expect((await ready()).json).toMatchObject({ writes: 'full' });
    expect((await wiki.call('GET', '/v1/pages/oak')).json.page.history).toHaveLength(1);
    const { text } = await wiki.call('GET', '/metrics');
    expect(text).toMatch(/^coppice_writes_failed_total\{reason="full"\} [1-9]/m);

    await meddle(postgres.config, makeRoom);
    expect((await edit('after')).status).toBe(200);
    for (let tries = 0; tries < 40 && (await ready()).status !== 200; tries++) await sleep(100);
    expect((await ready()).json).toMatchObject({ status: 'ok', writes: 'ok' });
    expect((await wiki.call('GET', '/v1/pages/oak')).json.page.history).toHaveLength(2);
  } finally {
    await wiki.close();
  }
});

test('readyz reports a read-only database while it is read-only, even without writes', async () => {
  await using postgres = await freshPostgres();
  const wiki = await startApp({ DATABASE_URL: postgres.url });
  const ready = async () => (await wiki.call('GET', '/readyz')).json;
  const name = new URL(postgres.url).pathname.slice(1);
  const setReadOnly = (word: string) =>
    meddle(
      postgres.config,
      `set transaction read write; alter database ${name} set default_transaction_read_only = ${word};
      select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`,
    );
  try {
    const { token } = await wiki.member('Ada');
    await wiki.page(token, { title: 'Oak' });
    await setReadOnly('on');
    const refused = await wiki.call('POST', '/v1/pages/oak', { token, json: { body: 'lost?' } });
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);
    expect(await ready()).toMatchObject({ reads: 'ok', writes: 'read-only', status: 503 });
    // Longer than a failure is remembered before the next check.
    await sleep(1100);
    expect(await ready()).toMatchObject({ reads: 'ok', writes: 'read-only', status: 503 });
    expect((await wiki.call('GET', '/v1/pages/oak')).status).toBe(200);
    await setReadOnly('off');
    await expect.poll(ready, { interval: 200 }).toMatchObject({ status: 'ok', writes: 'ok' });
  } finally {
    await wiki.close();
  }
});

test.each(engines)('readyz reports that pages cannot be read: %s', async (engine) => {
  await using _ = { [Symbol.asyncDispose]: async () => wiki.close() };
  const wiki = await startApp({}, { engine });
  const config = wiki.databaseUrl
    ? ({ kind: 'postgres', url: wiki.databaseUrl } as const)
    : ({ kind: 'sqlite', file: join(wiki.folder, 'coppice.db') } as const);
  const { token } = await wiki.member('Ada');
  await wiki.page(token, { title: 'Oak' });
  await meddle(config, 'alter table changes rename to moved');
  expect((await wiki.call('GET', '/v1/pages/oak', { mayFail: true })).status).toBeGreaterThanOrEqual(500);
  const ready = await wiki.call('GET', '/readyz');
  expect([ready.status, ready.json]).toMatchObject([503, { reads: 'failed' }]);
  await meddle(config, 'alter table moved rename to changes');
  expect((await wiki.call('GET', '/readyz')).status).toBe(200);
});

/** The same for every new row of pages, sessions and the audit log. Others fit into blocks that have room. */
const fillWhole = `${fill}; create trigger full_disk before insert on sessions for each row execute function refuse();
  create trigger full_disk before insert on audit for each row execute function refuse()`;
const emptyWhole =
  'drop event trigger full_disk; drop function refuse() cascade; drop function refuse_tables() cascade';
const readOnly = (name: string, word: string) =>
  `set transaction read write; alter database ${name} set default_transaction_read_only = ${word};
  select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`;

test.each(['full', 'read-only'] as const)(
  'a wiki starts read-only on a database that is %s, says so, signs administrators in, and writes again by itself',
  async (trouble) => {
    await using postgres = await freshPostgres();
    const name = new URL(postgres.url).pathname.slice(1);
    const env = { DATABASE_URL: postgres.url, COPPICE_DATA: await temporaryFolder() };
    const credentials = { email: 'ada@example.org', pass: 'a passphrase of our own' };
    {
      await using first = closing(await startApp(env));
      const { store, passphrases } = first.app.service;
      const ada = { ...credentials, name: 'Ada', passphrase: credentials.pass, isAdmin: true };
      await addMember(store, passphrases, ada, 1);
      const { token } = await first.member('Max');
      await first.page(token, { title: 'Oak', body: 'Old wood.' });
    }
    await meddle(postgres.config, trouble === 'full' ? fillWhole : readOnly(name, 'on'));
    await using wiki = closing(await startApp(env));
    const page = async () => (await wiki.call('GET', '/oak', { headers: { accept: 'text/html' } })).text;
    const banner =
      trouble === 'full' ? 'The disk of this wiki is full' : 'The data of this wiki is read-only';
    expect(await page()).toContain('Old wood.');
    expect(await page()).toContain(banner);
    expect((await wiki.call('GET', '/readyz')).json).toMatchObject({ reads: 'ok', writes: trouble });
    const signedIn = await wiki.call('POST', '/v1/members/auth', { json: credentials });
    expect(signedIn.status, signedIn.text).toBe(200);
    const edit = () =>
      wiki.call('POST', '/v1/pages/oak', { token: signedIn.text, json: { body: 'New leaves.' } });
    expect((await edit()).status).toBe(503);

    await meddle(postgres.config, trouble === 'full' ? emptyWhole : readOnly(name, 'off'));
    await expect.poll(async () => (await edit()).status).toBe(200);
    await expect.poll(page).not.toContain(banner);
    expect(await page()).toContain('New leaves.');
    expect((await wiki.call('GET', '/readyz')).status).toBe(200);
  },
);

function closing(app: TestApp): TestApp & AsyncDisposable {
  return { ...app, [Symbol.asyncDispose]: () => app.close() };
}
