/**
 * Permanent erasure of changes, files and members: what the history shows afterwards, and that the bytes are gone everywhere.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addMember } from '#core/members/manage-members.ts';
import { erase } from '#src/features/erasure/erasure.ts';
import { buildApp } from '../../src/run/app.ts';
import { finishPending } from '../../src/run/housekeeping.ts';
import { type Answer, engines, type TestApp } from '../support/http.ts';
import { passphrase as pass, startSite, type TestSite, type Visitor } from '../support/web.ts';

/** Unique word, as the search indexes keep it, too. */
const secret = 'qxzvwjkqxzvw';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestSite;
  let root: Visitor & { token: string; id: number };
  let writer: { token: string; id: number; email: string };

  beforeEach(async () => {
    wiki = await startSite({}, { engine });
    root = await wiki.signedIn('Root', { isAdmin: true });
    writer = await wiki.member('Writer');
  });
  afterEach(() => wiki.close());

  const post = (url: string, json: unknown, token = root.token, headers: Record<string, string> = {}) =>
    wiki.call('POST', url, { json, token, headers });
  const ok = (answer: Answer) => {
    expect(answer.status, answer.text).toBe(200);
    return answer.json;
  };
  const historyOf = async (path: string) => ok(await wiki.call('GET', `/v1/history${path}`, root));
  const edit = async (path: string, fields: unknown) => {
    ok(await post(`/v1/pages${path}`, fields, writer.token));
    return (await historyOf(path))[0].id as number;
  };
  const file = (name: string, data: Buffer) => ({
    file: { name, data: data.toString('base64') },
  });

  test('erased changes show only who and when, in every response and in the data folder', async () => {
    const { id, path } = await wiki.page(writer.token, { title: 'Roses', body: 'Roses are red.' });
    const bad = await edit(path, {
      title: `About ${secret}`,
      body: `Text with ${secret} in it, [[${secret} linked]], [[Tag:${secret}]]. `.repeat(200),
      description: `It is ${secret}.`,
      msg: `The ${secret} message`,
      data: { name: secret },
    });
    await edit(path, { title: 'Roses', body: 'Roses are pink.', description: '', data: {}, msg: 'Cleaned' });
    // Fills everything that could keep the secret: caches, stored responses, links from other pages.
    for (const url of [
      `/v1/pages${path}?version=${bad}`,
      `/v1/pages${path}`,
      `/v1/history${path}`,
      `/v1/changes`,
    ])
      ok(await wiki.call('GET', url, root));
    await root.get(`${path}?version=${bad}`);
    ok(await post(`/v1/rollback${path}`, { to: bad }, root.token, { 'idempotency-key': 'one' }));
    const again = (await historyOf(path))[0].id as number;
    expect(await places(wiki, secret)).not.toEqual([]);

    const done = ok(await post('/v1/erase', { path, changes: [bad, again], reason: 'Court order' }));
    expect(done.erased).toEqual({ changes: [bad, again], files: [], member: null });
    expect(done.left.length).toBe((engine === 'SQLite' ? 0 : 1) + Number(done.pending));

    const changes = await historyOf(path);
    expect(changes.map((one: { id: number }) => one.id)).toHaveLength(5);
    expect(changes[0].msg).toMatch(/^Restored change \d+, because later changes were erased$/);
    for (const erased of changes.filter((one: { id: number }) => [bad, again].includes(one.id)))
      expect(erased).toMatchObject({
        msg: '',
        erased: expect.any(String),
        timestamp: expect.any(String),
        content: { body: '', title: 'Roses' },
      });
    expect(changes.filter((one: { erased?: string }) => one.erased)).toHaveLength(2);
    const { page, markup } = ok(await wiki.call('GET', `/v1/pages${path}`, root));
    expect(page).toMatchObject({ id, title: 'Roses', tags: {} });
    expect(markup).toContain('Roses are pink.');
    for (const url of [
      `/v1/pages${path}?version=${bad}`,
      `/v1/pages${path}`,
      `/v1/history${path}`,
      `/v1/changes`,
      `/v1/requested`,
      `/v1/pages?text=${secret}`,
      `/v1/audit?limit=1000`,
      `/v1/diff${path}?to=${bad}`,
    ])
      expect((await wiki.call('GET', url, root)).text, url).not.toContain(
        url.includes('text=') ? '"id"' : secret,
      );
    expect((await root.get(`/history${path}`)).text).toContain('Erased ');
    expect(await placesLeft(wiki, secret)).toEqual([]);

    const events = ok(await wiki.call('GET', '/v1/changes?kind=erased', root)).changes;
    expect(events).toMatchObject([{ kind: 'erased', page: { id }, editor: { id: root.id } }]);
    const audit = ok(await wiki.call('GET', '/v1/audit?kind=content-erased', root)).entries;
    expect(audit).toMatchObject([{ actor: { id: root.id }, note: expect.stringContaining('Court order') }]);
    expect((await post(`/v1/rollback${path}`, { to: bad })).status).toBe(400);
    expect((await post(`/v1/pages${path}`, { body: 'New', base: bad })).status).toBe(412);
    // The stored response is not replayed, and the request is not carried out again.
    const replayed = await post(`/v1/rollback${path}`, { to: bad }, root.token, { 'idempotency-key': 'one' });
    expect(replayed.text).not.toContain(secret);
    expect(await historyOf(path)).toHaveLength(5);
    expect(await wiki.app.service.store.maintenance.violations(100)).toEqual([]);
  });

  test('an old title and address disappear with the changes that had them', async () => {
    const { path: old } = await wiki.page(writer.token, { title: secret, body: 'Of the title.' });
    await wiki.page(writer.token, { title: 'Child', body: 'x', parent: old });
    const first = (await historyOf(old))[0].id as number;
    ok(await post(`/v1/pages${old}`, { title: 'Neutral', slug: 'neutral' }, writer.token));
    expect((await wiki.call('GET', `/v1/pages${old}`)).status).toBe(308);
    // PostgreSQL also does this automatically: statistics contain sample values.
    if (wiki.databaseUrl !== undefined) await query(wiki.databaseUrl, 'analyze');
    ok(await post('/v1/erase', { path: '/neutral', changes: [first], reason: 'A name' }));
    expect((await wiki.call('GET', `/v1/pages${old}`)).status).toBe(404);
    expect((await wiki.call('GET', `/v1/pages${old}/child`)).status).toBe(404);
    expect((await wiki.call('GET', '/v1/pages/neutral/child')).status).toBe(200);
    // The child's own change records its original address.
    const child = (await historyOf('/neutral/child'))[0].id as number;
    ok(await post('/v1/pages/neutral/child', { body: 'y' }, writer.token));
    ok(await post('/v1/erase', { path: '/neutral/child', changes: [child], reason: 'A name' }));
    expect(await placesLeft(wiki, secret)).toEqual([]);
    expect(await wiki.app.service.store.maintenance.violations(100)).toEqual([]);
  });

  test('erased files disappear with their thumbnails, current and replaced, and the changes remain without them', async () => {
    const { path } = await wiki.page(writer.token, { title: 'Roses', body: '[[File:rose.png]]' });
    const noise = () => Buffer.from(crypto.getRandomValues(new Uint8Array(60 * 60 * 3)));
    const picture = () =>
      sharp(noise(), { raw: { width: 60, height: 60, channels: 3 } })
        .png()
        .toBuffer();
    const [one, two, three] = [await picture(), await picture(), await picture()];
    await edit(path, { files: file('rose.png', one) });
    await edit(path, { files: file('rose.png', two) });
    await edit(path, { files: file('kept.png', three) });
    const history = await historyOf(path);
    const [replaced] = history[2].content.files as string[];
    const { page } = ok(await wiki.call('GET', `/v1/pages${path}`, root));
    const named = (name: string) => page.files.find((one: { filename: string }) => one.filename === name);
    const current = named('rose.png').name as string;
    expect(await places(wiki, one)).not.toEqual([]);
    const thumbnail = (await wiki.app.server.inject(`/files/${named('rose.png').thumbnail}`)).rawPayload;
    expect(await places(wiki, thumbnail)).not.toEqual([]);

    const { erased } = ok(await post('/v1/erase', { path, files: [replaced, current], reason: 'Faces' }));
    expect(erased.files.toSorted()).toEqual([replaced, current].toSorted());
    for (const bytes of [one, two, thumbnail]) expect(await placesLeft(wiki, bytes)).toEqual([]);
    expect(await places(wiki, three)).not.toEqual([]);
    for (const name of [replaced, current]) expect((await root.get(`/files/${name}`)).status).toBe(404);
    const after = ok(await wiki.call('GET', `/v1/pages${path}`, root)).page;
    expect(after.files.map((one: { filename: string }) => one.filename)).toEqual(['kept.png']);
    expect((await historyOf(path))[0].msg).toBe('Files were erased');
    expect((await root.get(`/history${path}`)).text).toContain('(1 file erased)');
    expect(await wiki.app.service.store.maintenance.violations(100)).toEqual([]);
  });

  test('files that only erased changes had are erased; those of other pages with the same bytes stay', async () => {
    const bytes = Buffer.from(`${secret} in a text`);
    const { path } = await wiki.page(writer.token, { title: 'One', body: 'x' });
    const bad = await edit(path, { files: file('a.txt', bytes) });
    ok(await post(`/v1/pages${path}`, { removeFiles: ['a.txt'] }, writer.token));
    const other = await wiki.page(writer.token, { title: 'Two', body: 'x', files: file('b.txt', bytes) });
    const done = ok(await post('/v1/erase', { path, changes: [bad], reason: 'x' }));
    expect(done.erased.files).toHaveLength(1);
    expect(done.left).toContainEqual(expect.stringContaining('Another page'));
    expect((await root.get(other.files[0].file ?? `/files/${other.files[0].name}`)).status).toBe(200);
  });

  test('a member’s identity is erased, and contributions stay as those of a former member', async () => {
    const { store, passphrases } = wiki.app.service;
    const email = `${secret}@example.org`;
    const made = await addMember(
      store,
      passphrases,
      { email, name: `Jo ${secret}`, passphrase: pass, isAdmin: false },
      Date.now(),
    );
    const token = (await wiki.call('POST', '/v1/members/auth', { json: { email, pass } })).text;
    const { path } = await wiki.page(token, { title: 'Hers', body: 'Hers.' });
    ok(await post('/v1/tokens', { name: `${secret} bot`, scopes: ['read'] }, token));
    expect((await post('/v1/members/forgot', { email }, root.token)).status).toBe(202);
    expect((await post('/v1/watches', { page: path, mail: 'off' }, token)).status).toBe(200);
    expect((await wiki.call('GET', `/v1/pages${path}`, root)).text).toContain(secret);
    await root.get(path);
    expect(await places(wiki, secret)).not.toEqual([]);

    const done = ok(await post('/v1/erase', { member: made.id, reason: 'She asked for it' }));
    expect(done.erased).toEqual({ changes: [], files: [], member: made.id });
    expect(await placesLeft(wiki, secret)).toEqual([]);
    const { page } = ok(await wiki.call('GET', `/v1/pages${path}`, root));
    expect(page.owner).toEqual({ id: made.id, name: `Former member ${made.id}` });
    expect((await wiki.call('GET', '/v1/members/me', { token })).status).toBe(401);
    expect((await wiki.call('POST', '/v1/members/auth', { json: { email, pass } })).status).toBe(401);
    const { entries } = ok(await wiki.call('GET', `/v1/audit?member=${made.id}`, root));
    expect(
      entries.every(
        (one: { from: string | null; kind: string }) => one.from === null || one.kind === 'member-erased',
      ),
    ).toBe(true);
    expect(entries.at(-1)).toMatchObject({ kind: 'member-erased', note: 'She asked for it' });
    expect((await post('/v1/erase', { member: root.id, reason: 'x' })).json.detail).toContain(
      'last active administrator',
    );
  });

  test('only administrators erase; invalid requests are refused, and nothing is changed', async () => {
    const { id, path } = await wiki.page(writer.token, { title: 'Roses', body: 'Red.' });
    const first = (await historyOf(path))[0].id as number;
    const other = await wiki.page(writer.token, { title: 'Other', body: 'x' });
    const foreign = (await historyOf(other.path))[0].id as number;
    const before = (await historyOf(path)).length;
    const refusals: [unknown, number][] = [
      [{ path, changes: [first], reason: 'x' }, 400],
      [{ path, changes: [foreign], reason: 'x' }, 400],
      [{ path, files: ['none.png'], reason: 'x' }, 400],
      [{ path, changes: [first], reason: ' ' }, 400],
      [{ path, changes: [first] }, 400],
      [{ path, reason: 'x' }, 400],
      [{ reason: 'x' }, 400],
      [{ path, id, changes: [first], reason: 'x' }, 400],
      [{ path, member: writer.id, changes: [first], reason: 'x' }, 400],
      [{ path: '/nowhere', changes: [first], reason: 'x' }, 404],
      [{ id: 999_999, changes: [first], reason: 'x' }, 404],
      [{ member: 999_999, reason: 'x' }, 404],
    ];
    for (const [body, status] of refusals)
      expect((await post('/v1/erase', body)).status, JSON.stringify(body)).toBe(status);
    expect((await post('/v1/erase', { path, changes: [first], reason: 'x' }, writer.token)).status).toBe(403);
    expect(
      (await wiki.call('POST', '/v1/erase', { json: { path, changes: [first], reason: 'x' } })).status,
    ).toBe(401);
    expect(await historyOf(path)).toHaveLength(before);
    expect(ok(await wiki.call('GET', '/v1/audit?kind=content-erased', root)).entries).toEqual([]);
  });

  test.runIf(engine === 'PostgreSQL')('erasing waits for running reads', async () => {
    const { path } = await wiki.page(writer.token, { title: 'Roses', body: 'Red.' });
    const bad = await edit(path, { body: `Now ${secret}.` });
    await edit(path, { body: 'Clean.' });
    const reader = new pg.Client(wiki.databaseUrl);
    await reader.connect();
    try {
      await reader.query('begin isolation level repeatable read');
      // The first statement takes the snapshot without locking a table.
      await reader.query('select 1');
      const erasing = post('/v1/erase', { path, changes: [bad], reason: 'A name' });
      await sleep(500);
      await reader.query('commit');
      const { left, pending } = ok(await erasing);
      expect(left).toHaveLength(1 + Number(pending));
    } finally {
      await reader.end();
    }
    expect(await placesLeft(wiki, secret)).toEqual([]);
  });

  /** Opens a read or transaction that keeps erased bytes. Call the result to end it. */
  const holder = async () => {
    if (wiki.databaseUrl === undefined) {
      const reader = new DatabaseSync(join(wiki.folder, 'coppice.db'), { readOnly: true });
      reader.exec('begin');
      reader.prepare('select count(*) from changes').get();
      return async () => reader.close();
    }
    const other = new pg.Client(Object.assign(new URL(wiki.databaseUrl), { pathname: '/postgres' }).href);
    await other.connect();
    await other.query('begin');
    await other.query('select pg_current_xact_id()');
    return () => other.end();
  };

  test('data that is still being read is reported as left, and removed later by itself, once, also after a restart', async () => {
    const { path } = await wiki.page(writer.token, { title: 'Roses', body: 'Red.' });
    const bad = await edit(path, { body: `Now ${secret}.` });
    await edit(path, { body: 'Clean.' });
    const release = await holder();
    const service = wiki.app.service;
    const pendingInMetrics = async () =>
      (await wiki.app.server.inject('/metrics')).body.match(/^coppice_erasures_pending (\d+)$/m)?.[1];
    try {
      const done = ok(await post('/v1/erase', { path, changes: [bad], reason: 'A name' }));
      expect(done.pending).toBe(true);
      expect(done.left.at(-1)).toContain(
        engine === 'SQLite' ? 'another process is reading the database' : 'a transaction in the database',
      );
      expect(await finishPending(service)).toBe(0);
      expect(await places(wiki, secret)).not.toEqual([]);
      expect(await pendingInMetrics()).toBe('1');
      const site = await root.post(`/erase${path}`, {
        change: String((await historyOf(path)).at(-1).id),
        reason: 'x',
        sure: 'yes',
      });
      expect(site.text).toContain('The wiki removes the rest by itself');
    } finally {
      await release();
    }
    const other = await buildApp(wiki.config, { logger: wiki.logger });
    try {
      // Both processes look at the same time.
      await Promise.all([untilFinished(other), untilFinished(wiki.app)]);
    } finally {
      await other.close();
    }
    expect(await places(wiki, secret)).toEqual([]);
    expect(await pendingInMetrics()).toBe('0');
    const { entries } = ok(await wiki.call('GET', '/v1/audit?kind=erasure-finished', root));
    expect(entries).toMatchObject(
      [1, 2].map(() => ({ via: 'wiki', note: expect.stringContaining('begun ') })),
    );
  });

  test('an erasure is finished after its process was killed between commit and end', async () => {
    const bytes = Buffer.from(`${secret} in a text`);
    const { path } = await wiki.page(writer.token, {
      title: 'Roses',
      body: 'x',
      files: file('a.txt', bytes),
    });
    const { store, files } = wiki.app.service;
    const { page } = ok(await wiki.call('GET', `/v1/pages${path}`, root));
    const dies = () => {
      throw new Error('killed');
    };
    const erasing = {
      files: { ...files.store, remove: dies },
      ...{ store, emptyCaches: () => {}, backups: () => [] },
    };
    const actor = { memberId: root.id, name: 'Root', isAdmin: true };
    const input = { page: path, files: [page.files[0].name], reason: 'x' };
    const done = await erase(erasing, actor, input, Date.now());
    expect(done).toMatchObject({ pending: true, left: [expect.stringContaining('(killed)')] });
    expect(await places(wiki, bytes)).not.toEqual([]);
    expect(await placesLeft(wiki, bytes)).toEqual([]);
  });

  test('administrators erase versions and members on the site, with a reason and a confirmation', async () => {
    const { path } = await wiki.page(writer.token, { title: 'Roses', body: 'Red.' });
    const bad = await edit(path, { body: `Now ${secret}.` });
    await edit(path, { body: 'Clean.' });
    const ada = await wiki.signedIn('Ada');
    expect((await ada.get(`/erase${path}`)).status).toBe(403);
    expect((await ada.get(`/history${path}`)).text).not.toContain('/erase');
    expect((await root.get(`/history${path}`)).text).toContain(`/erase${path}`);
    expect((await root.get(`/erase${path}`)).text).toContain(`value="${bad}"`);
    const unsure = await root.post(`/erase${path}`, { change: String(bad), reason: 'x' });
    expect([unsure.status, unsure.text.includes('Confirm that')]).toEqual([400, true]);
    expect(unsure.text).toContain(`value="${bad}" checked`);
    const done = await root.post(`/erase${path}`, { change: String(bad), reason: 'A name', sure: 'yes' });
    expect(done.text).toContain('1 version.');
    expect(await placesLeft(wiki, secret)).toEqual([]);
    const zoe = await wiki.member('Zoe');
    const form = `/members/${zoe.id}/erase`;
    expect((await root.get(`/members/${zoe.id}`)).text).toContain(`action="${form}"`);
    expect((await ada.post(form, { reason: 'x', sure: 'yes' })).status).toBe(403);
    const hasty = await root.post(form, { reason: 'x' });
    expect([hasty.status, hasty.text.includes('Confirm that'), (await root.get(form)).status]).toEqual([
      400,
      true,
      404,
    ]);
    const erased = await root.post(form, { reason: 'She asked for it', sure: 'yes' });
    expect([erased.status, erased.text.includes('name, address')]).toEqual([200, true]);
    expect((await root.get(`/members/${zoe.id}`)).text).toContain(`Former member ${zoe.id}`);
    const foreign = await root.post(
      `/erase${path}`,
      { change: '1', reason: 'x', sure: 'yes' },
      { headers: { 'sec-fetch-site': 'cross-site' } },
    );
    expect(foreign.status).toBe(403);
  });
});

/** Places that contain the bytes once the erasure is finished, for which transactions of other tests have to end. */
async function placesLeft(wiki: TestApp, bytes: string | Buffer): Promise<string[]> {
  await untilFinished(wiki.app);
  return places(wiki, bytes);
}

async function untilFinished({ service }: Pick<TestApp['app'], 'service'>): Promise<void> {
  while ((await service.store.pendingErasures.list()).length > 0) {
    await finishPending(service);
    await sleep(100);
  }
}

/** Places that contain the bytes: files of the data folder, unlinked files open in this process, PostgreSQL tables. */
async function places({ folder, databaseUrl }: TestApp, bytes: string | Buffer): Promise<string[]> {
  const named = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  const unnamed = readdirSync('/proc/self/fd').map((name) => join('/proc/self/fd', name));
  // Connections and files of this process may be closed between one step and the next.
  const found = [...named, ...unnamed].filter(
    (path) => statSync(path, { throwIfNoEntry: false })?.isFile() && bytesOf(path).includes(bytes),
  );
  return databaseUrl === undefined
    ? found
    : [...found, ...(await tablesWith(databaseUrl, Buffer.from(bytes)))];
}

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return Buffer.alloc(0);
  }
}

async function tablesWith(url: string, bytes: Buffer): Promise<string[]> {
  // Writes dirty pages to disk.
  await query(url, 'checkpoint');
  const rows = await query(
    url,
    `select c.oid::regclass::text as name from pg_class c where c.relkind in ('r', 'i', 't', 'm')
      and pg_relation_filepath(c.oid) is not null and position($1::bytea in pg_read_binary_file(pg_relation_filepath(c.oid))) > 0`,
    [bytes],
  );
  return rows.map(({ name }) => name);
}

async function query(url: string, text: string, values: unknown[] = []): Promise<{ name: string }[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}
