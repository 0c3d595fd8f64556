/** Words that were erased, looked for in every table: each place is erased or named in the answer. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tableNames } from '#store/tables.ts';
import { type Answer, engines } from '../support/http.ts';
import { ask } from '../support/rows.ts';
import { startSite, type TestSite, type Visitor } from '../support/web.ts';

/** No part of any other word. */
const secret = 'Qxzvwjk';

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

  const ok = (answer: Answer) => {
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json;
  };
  const post = async (url: string, json: unknown, token = root.token, headers: Record<string, string> = {}) =>
    ok(await wiki.call('POST', url, { json, token, headers }));
  const idsOf = async (path: string): Promise<number[]> =>
    ok(await wiki.call('GET', `/v1/history${path}`, root)).map((one: { id: number }) => one.id);
  const erase = (json: unknown) => post('/v1/erase', json);

  /** Columns that contain the word in any case, with the pages of these rows. */
  async function columnsWith(word: string): Promise<{ column: string; pageId: unknown }[]> {
    const config = wiki.databaseUrl
      ? ({ kind: 'postgres', url: wiki.databaseUrl } as const)
      : ({ kind: 'sqlite', file: `${wiki.folder}/coppice.db` } as const);
    const found: { column: string; pageId: unknown }[] = [];
    for (const table of tableNames)
      for (const row of await ask(config, `select * from ${table}`))
        for (const [column, value] of Object.entries(row))
          if (typeof value === 'string' && value.toLowerCase().includes(word.toLowerCase()))
            found.push({ column: `${table}.${column}`, pageId: row.page_id ?? row.source_id ?? row.id });
    return found;
  }

  /** A page at an address that its title made, with the word wherever a page can have it. */
  async function everywhere(): Promise<{ id: number; path: string; bad: number[] }> {
    const text = Buffer.from('text').toString('base64');
    const { id, path } = await wiki.page(writer.token, {
      title: secret,
      body: `---\naliases: [/old-${secret}]\n---\nText of ${secret}, [[${secret} wanted]], [[Tag:${secret}]].`,
      format: 'markdown',
      description: `About ${secret}`,
      type: secret,
      image: `https://example.org/${secret}.png`,
      data: { [secret]: secret },
      msg: `Begun for ${secret}`,
      files: { file: { name: `${secret}.txt`, data: text } },
    });
    await wiki.page(writer.token, { title: 'Child', body: 'x', parent: path });
    const gone = await wiki.page(writer.token, { title: 'Gone', body: 'x', parent: path });
    ok(await wiki.call('DELETE', `/v1/pages${gone.path}`, { token: writer.token }));
    const clean = { title: 'Neutral', body: 'Clean.', description: '', type: '', image: '', data: {} };
    await post(`/v1/pages${path}`, { ...clean, removeFiles: [`${secret}.txt`] }, writer.token, {
      'idempotency-key': 'a',
    });
    const [last, ...bad] = await idsOf(path);
    expect(last).toBeDefined();
    return { id, path, bad };
  }

  test('an erased title disappears with the address made from it, in the history, beneath the page and in the trash', async () => {
    const { id, bad } = await everywhere();
    expect((await columnsWith(secret)).map(({ column }) => column)).toEqual(
      expect.arrayContaining([
        ...['pages.path', 'pages.slug', 'changes.content', 'events.path', 'events.title', 'events.msg'],
        ...['files.filename', 'trash.path', 'trashed_pages.path', 'audit.subject_name'],
      ]),
    );
    const done = await erase({ id, changes: bad, reason: 'A name' });
    expect(done.page).toEqual({ id, path: '/neutral' });
    expect(await columnsWith(secret)).toEqual([]);
    expect(done.left.filter((sentence: string) => !sentence.includes('PostgreSQL'))).toEqual([]);
    expect((await wiki.call('GET', '/v1/pages/neutral/child', root)).status).toBe(200);
    const [deletion] = ok(await wiki.call('GET', '/v1/trash', root));
    expect(deletion.path).toBe('/neutral/gone');
    await post(`/v1/trash/${deletion.id}/restore`, {});
    expect(await wiki.app.service.store.maintenance.violations(100)).toEqual([]);
  });

  test('the text of a page is erased from proposals, open and merged, and drafts go with their author', async () => {
    const { id, path } = await wiki.page(writer.token, { title: 'Page', body: 'Clean' });
    const propose = (body: string, more: object = {}, token = writer.token) =>
      post('/v1/proposals', { title: 'Better', changes: [{ action: 'edit', path, body }], ...more }, token);
    const merged = await propose(`Text of ${secret}`);
    await post(`/v1/proposals/${merged.id}/merge`, {});
    const open = await propose(`More text of ${secret}`);
    await post(`/v1/pages${path}`, { body: 'Clean again' }, writer.token);
    const [, bad] = await idsOf(path);
    await erase({ id, changes: [bad], reason: 'A name' });
    expect(await columnsWith(secret)).toEqual([]);
    const ask = (one: { id: number }) => wiki.call('GET', `/v1/proposals/${one.id}`, { token: writer.token });
    expect(ok(await ask(open))).toMatchObject({ state: 'open', changes: [] });
    const draft = await propose(`Draft of ${secret}`, { state: 'draft', invited: [root.id] });
    await post(`/v1/proposals/${draft.id}/reviews`, { verdict: 'comment', text: 'Why?' });
    await erase({ member: writer.id, reason: 'Asked' });
    expect(await columnsWith(secret)).toEqual([]);
    expect((await wiki.call('GET', `/v1/proposals/${draft.id}`, root)).status).toBe(404);
    expect(await wiki.app.service.store.maintenance.violations(100)).toEqual([]);
  });

  test('the wiki forgets the name of a member in the messages of merged proposals', async () => {
    const ann = await wiki.signedIn(`Ann ${secret}`);
    const { path } = await wiki.page(writer.token, { title: 'Page', body: 'One' });
    const change = async (body: string, token: string) =>
      (await post('/v1/proposals', { title: 'Better', changes: [{ action: 'edit', path, body }] }, token)).id;
    const approved = await change('Two', writer.token);
    await post(`/v1/proposals/${approved}/reviews`, { verdict: 'approve' }, ann.token);
    await post(`/v1/proposals/${approved}/merge`, {});
    await post(`/v1/proposals/${await change('Three', ann.token)}/merge`, {});
    await post(`/v1/proposals/${await change('Four', writer.token)}/merge`, {}, ann.token);
    // Merges keep the name that the member had then.
    ok(await wiki.call('PATCH', `/v1/members/${ann.id}`, { json: { name: 'Anna' }, token: root.token }));
    expect((await columnsWith(secret)).map(({ column }) => column)).toEqual(
      expect.arrayContaining(['changes.content', 'events.msg']),
    );
    const { left } = await erase({ member: ann.id, reason: 'Asked' });
    expect(await columnsWith(secret)).toEqual([]);
    expect(left.join(' ')).not.toContain(path);
    const history = ok(await wiki.call('GET', `/v1/history${path}`, root));
    const messages = history.map(({ msg }: { msg: string }) => msg).join();
    for (const part of ['approved by', 'by', 'merged by'])
      expect(messages).toContain(`${part} Former member ${ann.id}`);
    expect(await wiki.app.service.store.maintenance.violations(100)).toEqual([]);
  });

  test('if an address is in use, it is made from the next title and the ID of the page', async () => {
    const { id, bad } = await everywhere();
    await wiki.page(writer.token, { title: 'Neutral', body: 'x' });
    expect((await erase({ id, changes: bad, reason: 'A name' })).page.path).toBe(`/neutral-${id}`);
    expect(await columnsWith(secret)).toEqual([]);
  });

  test('an address stays if a remaining version has its title', async () => {
    const { path } = await wiki.page(writer.token, { title: secret, body: 'Bad' });
    const [first] = await idsOf(path);
    await post(`/v1/pages${path}`, { body: 'Good' }, writer.token);
    expect((await erase({ path, changes: [first], reason: 'x' })).page.path).toBe(path);
  });

  test('every other place that mentions it is named', async () => {
    const { id, bad } = await everywhere();
    const other = await wiki.page(writer.token, { title: 'Other', body: `[[/${secret.toLowerCase()}|see]]` });
    const past = await wiki.page(writer.token, { title: 'Past', body: `About ${secret}.` });
    await post(`/v1/pages${past.path}`, { body: 'Clean.' }, writer.token);
    const unlike = await wiki.page(writer.token, { title: 'Unlike', body: `${secret}like is another word.` });
    await post('/v1/watches', { search: `text=${secret}`, mail: 'off' }, writer.token);
    await post('/v1/groups', { name: `Friends of ${secret}` });
    await post('/v1/preview', { body: secret }, writer.token, { 'idempotency-key': secret });
    ok(
      await wiki.call('PUT', `/v1/protection${other.path}`, {
        token: root.token,
        json: { level: 'administrators', reason: `Because of ${secret}` },
      }),
    );
    const { left } = await erase({ id, changes: bad, reason: `So that ${secret} is gone` });
    const said = left.join(' ');
    const labels: Record<string, string> = {
      changes: 'These pages mention',
      ...{ watches: 'watches of members', audit: 'the audit log', pages: 'reasons of protections' },
      ...{
        idempotency_keys: 'idempotency keys',
        groups: 'the table groups',
      },
    };
    const derived = ['pages.description', 'links.target', 'links.key', 'wanted.key', 'wanted.sort_key'];
    const found = await columnsWith(secret);
    expect(found.length).toBeGreaterThan(5);
    for (const { column } of found)
      if (!derived.includes(column)) expect(said, column).toContain(labels[column.split('.')[0] ?? '']);
    for (const { path } of [other, past]) expect(said).toContain(path);
    expect(said).not.toContain(unlike.path);
    expect(said).not.toContain(secret);
  });

  test('signatures of a member lose the name in every version, and texts that mention it are named', async () => {
    const ann = await wiki.signedIn(`Ann ${secret}`);
    const page = await wiki.page(ann.token, { title: 'Talk', body: 'Hello. ~~~~' });
    await post(`/v1/pages${page.path}`, { body: 'Hello again. ~~~~' }, ann.token);
    const other = await wiki.page(writer.token, { title: 'Other', body: `Ann ${secret} said so.` });
    expect((await wiki.call('GET', `/v1/pages?text=${secret}`, root)).text).toContain('"/talk"');
    const { left } = await erase({ member: ann.id, reason: 'x' });
    const found = await columnsWith(secret);
    expect(new Set(found.map(({ column }) => column))).toEqual(
      new Set(['changes.content', 'pages.description']),
    );
    expect(left.join(' ')).toContain(other.path);
    expect(left.join(' ')).not.toContain(page.path);
    const shown = ok(await wiki.call('GET', `/v1/pages${page.path}`, root));
    expect(shown.markup).toContain(`Former member ${ann.id}`);
    expect((await wiki.call('GET', `/v1/pages?text=${secret}`, root)).text).not.toContain('"/talk"');
    expect(await wiki.app.service.store.maintenance.violations(100)).toEqual([]);
  });
});
