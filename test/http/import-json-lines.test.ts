/** JSON lines read back: a new wiki exports them unchanged, and one in use loses nothing. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { effort } from '../support/effort.ts';
import { engines, startApp, type TestApp } from '../support/http.ts';
import { pixel } from '../support/import-source.ts';

describe.each(effort(engines.slice(0, 1), engines))('from %s', (engine) => {
  let wiki: TestApp;
  let other: TestApp;
  let token = '';
  let otherToken = '';
  let exported = '';
  const picture = { data: pixel.toString('base64') };
  const long = `<!--${'x'.repeat(1_100_000)}-->`;

  beforeAll(async () => {
    wiki = await startApp({}, { engine });
    other = await startApp({}, { engine: engines.find((one) => one !== engine) ?? engine });
    token = (await wiki.member('Ada', { isAdmin: true })).token;
    otherToken = (await other.member('Ada', { isAdmin: true })).token;
    const { token: olga, id: olgaId } = await wiki.member('Olga');
    const post = async (path: string, json: object, as = token) => {
      const answer = await wiki.call('POST', path, { token: as, json });
      expect([200, 201], answer.text).toContain(answer.status);
      return answer.json;
    };
    const file = (name: string, data: Buffer) => ({ file: { name, data: data.toString('base64') } });
    await post('/v1/groups', { name: 'Editors' });
    const settings = {
      name: 'Alder',
      accent: '#336699',
      menu: [{ label: 'Shed', to: '/shed' }],
      css: 'p {}',
    };
    const chosen = await wiki.call('PATCH', '/v1/settings', { token, json: { ...settings, logo: picture } });
    expect(chosen.status, chosen.text).toBe(200);
    await post(
      '/v1/pages',
      { title: 'Garden', body: 'One [[Rose]] #green', location: { lat: 1.5, lon: 2 } },
      olga,
    );
    await post('/v1/pages', { title: 'Rose', parent: '/garden', files: file('rose.png', pixel) }, olga);
    await post('/v1/pages/garden/rose', { files: file('rose.png', randomBytes(400_000)), msg: 'Larger' });
    await post('/v1/pages/garden/rose', {
      removeFiles: ['rose.png'],
      files: file('a b.txt', Buffer.from('x')),
    });
    await post(
      '/v1/pages',
      { title: 'Secret', permissions: 700, body: 'hidden', data: { b: 1, a: [null] } },
      olga,
    );
    await post('/v1/pages', { title: 'Of a group', permissions: 770, group: 'Editors' });
    const grants = [
      { group: 'Editors', may: 'write', beneath: true },
      { member: olgaId, may: 'read' },
    ];
    const shared = await wiki.call('PUT', '/v1/access/of-a-group', { token, json: { grants } });
    expect(shared.status, shared.text).toBe(200);
    await post('/v1/pages', { title: 'Beneath', parent: '/of-a-group', permissions: 700 });
    await post('/v1/pages', { title: 'Opened', permissions: 700, body: 'hidden draft' }, olga);
    await post('/v1/pages/opened', { body: 'Open', permissions: 774, history: 'from now' }, olga);
    await post('/v1/pages/opened', { body: 'Opener', format: 'markdown' }, olga);
    // /garden is older than its new parent /shed.
    await post('/v1/pages', { title: 'Shed', body: '[[Nowhere]]' });
    await post('/v1/pages/garden', { parent: '/shed', path: '/shed/garden' });
    await post('/v1/pages/shed', { language: 'nl', translationOf: '/secret' });
    await post('/v1/pages/opened', { language: 'de', translationOf: '/shed/garden' }, olga);
    await post('/v1/pages/shed/garden', { body: 'One [[Rose]] #green\n\nTwo\n\nThree' });
    const [behind] = (await wiki.call('GET', '/v1/untranslated/opened', { token })).json;
    await post('/v1/translations/opened', { paragraphs: [behind.key] });
    await post('/v1/pages', { title: 'Long', body: long });
    for (const end of ['a', 'b', 'c']) await post('/v1/pages/long', { body: long + end });
    await wiki.call('PUT', '/v1/likes/shed', { token: olga });
    const first = await post(
      '/v1/comments',
      { page: '/shed', body: 'Whose?', quote: { text: 'Nowhere' } },
      olga,
    );
    await post('/v1/comments', { body: 'Ours.', replyTo: first.id });
    await wiki.call('PATCH', `/v1/comments/${first.id}`, { token, json: { resolved: true } });
    await post('/v1/comments', { page: '/secret', body: 'Hidden remark' }, olga);
    await wiki.app.service.store.transact(async ({ comments }) =>
      comments.insert(
        {
          pageId: first.page.id,
          authorId: first.author.id,
          body: 'A guess.',
          at: 5,
          replyTo: null,
          quote: null,
          stranger: 'Grace',
        },
        [],
      ),
    );
    const changes = [
      {
        action: 'edit',
        path: '/shed',
        body: 'Better',
        files: [file('b.txt', Buffer.from('b.txt')), file('a.txt', Buffer.from('a.txt'))],
      },
      { action: 'create', path: '/shed/new', parent: '/shed', title: 'New' },
      {
        action: 'edit',
        path: '/secret',
        body: 'Hidden proposal',
        files: [file('hidden.txt', Buffer.from('hidden.txt'))],
      },
    ];
    const proposed = await post('/v1/proposals', { title: 'More', text: 'Why', changes }, olga);
    await post(`/v1/proposals/${proposed.id}/reviews`, { verdict: 'approve', text: 'Good' });
    const done = [{ action: 'edit', path: '/of-a-group', body: 'Merged' }];
    const { id: merged } = await post('/v1/proposals', { title: 'Done', changes: done });
    await post(`/v1/proposals/${merged}/merge`, {});
    const draft = { title: 'Draft', changes: changes.slice(0, 1), state: 'draft' };
    await post('/v1/proposals', draft, olga);
    const rule = { approvals: 2, group: 'Editors' };
    expect((await wiki.call('PUT', '/v1/rules/shed', { token, json: rule })).status).toBe(200);
    exported = await linesOf(wiki, token);
  });
  afterAll(async () => {
    await wiki.close();
    await other.close();
  });

  const linesOf = async (from: TestApp, as: string) => {
    const answer = await from.call('GET', '/v1/export?format=jsonl', { token: as });
    expect(answer.status).toBe(200);
    return answer.text;
  };
  const imported = async (to: TestApp, as: string, body: string, query = '') => {
    const begun = await to.call('POST', `/v1/imports${query}`, {
      ...{ token: as, body: Buffer.from(body), headers: { 'content-type': 'application/jsonl' } },
    });
    expect(begun.status, begun.text).toBe(202);
    for (let tries = 0; tries < 1000; tries++) {
      const { json } = await to.call('GET', `/v1/imports/${begun.json.id}`, { token: as });
      if (json.state !== 'running') return json;
      await new Promise((done) => setTimeout(done, 20));
    }
    throw new Error('It does not end.');
  };

  test('an import into an empty wiki exports the same lines again, and a second import changes nothing', async () => {
    const dry = await imported(other, otherToken, exported, '?dryRun=true');
    expect(dry.certificate.tree).toContainEqual({ path: '/shed/garden', title: 'Garden', isKnown: false });
    expect((await other.call('GET', '/v1/pages/shed')).status).toBe(404);

    const first = await imported(other, otherToken, exported);
    expect(first).toMatchObject({ state: 'done', error: null, certificate: { kind: 'jsonl' } });
    const { numbers, leftOut, approximated } = first.certificate;
    expect([leftOut.list, approximated.list]).toEqual([[], []]);
    expect(numbers.result).toMatchObject({ pages: 8, authors: 2, files: 6, links: 1 });
    expect(await linesOf(other, otherToken)).toBe(exported);
    const set = await other.call('GET', '/v1/translations/shed/garden');
    expect(set.json).toMatchObject([
      { path: '/opened', language: 'de', behind: { changes: 1, paragraphs: 1 } },
    ]);
    expect((await other.call('GET', '/v1/comments?page=/shed')).json).toMatchObject([
      {
        body: 'Whose?',
        author: { name: 'Olga' },
        resolved: true,
        quote: { text: 'Nowhere', state: 'present' },
      },
      { body: 'Ours.', resolved: true },
      { body: 'A guess.', stranger: 'Grace' },
    ]);
    const ask = async (url: string) => (await other.call('GET', url, { token: otherToken })).json;
    expect(await ask('/v1/rules/shed')).toMatchObject({ approvals: 2, group: 'Editors' });
    const [done, more, ...rest] = await ask('/v1/proposals');
    expect([done.title, done.state, more.title, rest]).toEqual(['Done', 'merged', 'More', []]);
    expect(await ask(`/v1/proposals/${more.id}`)).toMatchObject({
      ...{ title: 'More', text: 'Why', state: 'open', author: { name: 'Olga' }, mergeable: true },
      changes: [
        { path: '/shed', body: 'Better', files: [{ name: 'b.txt' }, { name: 'a.txt' }] },
        { action: 'create', title: 'New' },
        { path: '/secret' },
      ],
      reviews: [{ verdict: 'approve', text: 'Good', current: true }],
    });
    const reader = await other.member('Reader');
    const seen = await other.call('GET', `/v1/proposals/${more.id}`, { token: reader.token });
    expect(seen.json.changes).toHaveLength(2);
    const [{ url }] = seen.json.changes[0].files;
    expect((await other.call('GET', url, { token: reader.token })).text).toBe('b.txt');
    expect(exported).not.toContain('"title":"Draft"');
    const theirs = await linesOf(wiki, (await wiki.member('Guest')).token);
    expect(theirs).toContain('"kind":"proposal"');
    expect(theirs).toContain('"filename":"a.txt"');
    expect(theirs).not.toContain('Hidden proposal');
    expect(theirs).not.toContain('hidden.txt');
    // The original of /shed is private.
    expect(theirs.match(/"translationOf":\d+/g)).toEqual(['"translationOf":1']);
    expect((await other.call('GET', '/v1/settings')).json).toMatchObject({
      name: 'Alder',
      accent: '#336699',
    });
    const audit = await other.call('GET', '/v1/audit?kind=settings-changed', { token: otherToken });
    expect(audit.json.entries).toHaveLength(5);
    const { service } = other.app;
    expect(await service.store.maintenance.violations(10)).toEqual([]);

    const again = await imported(other, otherToken, exported);
    expect(again.certificate.pages).toEqual({ created: 0, changed: 0, unchanged: 8 });
    expect(await linesOf(other, otherToken)).toBe(exported);
  });

  test('settings go only to an empty wiki, by administrators, and open no private one', async () => {
    const settingsLine = (lines: string) =>
      lines.split('\n').filter((line) => line.startsWith('{"kind":"settings"'));
    expect(settingsLine(exported)).toHaveLength(1);
    const { token: max } = await wiki.member('Max');
    expect(settingsLine(await linesOf(wiki, max))).toEqual([]);
    const within = await wiki.call('GET', '/v1/export?format=jsonl&ancestor=/shed', { token });
    expect(settingsLine(within.text)).toEqual([]);

    const closed = await startApp({ COPPICE_NAME: 'Fixed' }, { engine });
    try {
      const { token: eve } = await closed.member('Eve', { isAdmin: true });
      await closed.call('PATCH', '/v1/settings', { token: eve, json: { private: true } });
      const [line = ''] = settingsLine(exported);
      const { settings } = JSON.parse(line);
      const odd = { ...settings, private: false, readOnly: true, font: 'comic', taste: 'sweet' };
      const { certificate, error } = await imported(
        closed,
        eve,
        exported
          .replace(line, JSON.stringify({ kind: 'settings', settings: odd }))
          .replace(Buffer.from('b.txt').toString('base64'), Buffer.from('c.txt').toString('base64')),
      );
      expect(error).toBeNull();
      expect(certificate.leftOut.list.map(({ source }: { source: string }) => source)).toEqual([
        ...['name', 'font', 'taste'].map((name) => `setting ${name}`),
        'b.txt',
      ]);
      const [, { id }] = (await closed.call('GET', '/v1/proposals', { token: eve })).json;
      const { json: more } = await closed.call('GET', `/v1/proposals/${id}`, { token: eve });
      expect(more.changes[0].files).toMatchObject([{ name: 'a.txt' }]);
      const { json } = await closed.call('GET', '/v1/settings', { token: eve });
      expect(json).toMatchObject({ name: 'Fixed', private: true, readOnly: false, accent: '#336699' });
      expect((await closed.call('GET', '/v1/pages/shed')).status).toBe(404);
      // With pages, the wiki keeps its own settings.
      await closed.call('PATCH', '/v1/settings', { token: eve, json: { accent: null } });
      await imported(closed, eve, exported);
      expect((await closed.call('GET', '/v1/settings', { token: eve })).json.accent).toBeNull();
    } finally {
      await closed.close();
    }
  });

  test('hidden content stays hidden, and nobody can sign in as an imported author', async () => {
    expect((await other.call('GET', '/v1/pages/secret')).status).toBe(404);
    const opened = await other.call('GET', '/v1/pages/opened?history=all');
    expect(opened.text).not.toContain('hidden draft');
    const moved = await other.call('GET', '/v1/pages/garden/rose');
    expect([moved.status, moved.headers.location]).toEqual([
      308,
      expect.stringContaining('/shed/garden/rose'),
    ]);
    const { members } = await other.app.service.store.members.list({ limit: 9, offset: 0 });
    const olga = members.find(({ name }) => name === 'Olga');
    expect(olga).toMatchObject({ isActive: false });
    const made = await other.call('POST', '/v1/pages', { token: otherToken, json: { title: 'Fresh' } });
    const ids = exported
      .split('\n')
      .flatMap((line) => (line.startsWith('{"kind":"page"') ? JSON.parse(line).id : []));
    expect(made.json.id).toBeGreaterThan(Math.max(...ids));
  });

  test('in a wiki with content IDs differ, the certificate says so, and new pages are added', async () => {
    const begin = await other.call('POST', '/v1/pages/shed', { token: otherToken, json: { body: 'Ours' } });
    expect(begin.status).toBe(200);
    await wiki.call('POST', '/v1/pages/secret', { token, json: { body: 'News' } });
    await wiki.call('POST', '/v1/pages/shed', { token, json: { body: 'Theirs' } });
    await wiki.call('POST', '/v1/pages', { token, json: { title: 'Fresh', body: 'Theirs, too' } });
    const { certificate, error } = await imported(other, otherToken, await linesOf(wiki, token));
    expect(error).toBeNull();
    expect(certificate.pages).toEqual({ created: 1, changed: 1, unchanged: 7 });
    expect(certificate.edited).toEqual([{ path: '/shed', outcome: 'kept' }]);
    expect(certificate.collisions).toEqual([{ title: 'Fresh', wanted: '/fresh', path: '/fresh-2' }]);
    expect(certificate.approximated.list).toContainEqual(
      expect.objectContaining({ page: '/fresh-2', construct: 'ID of a page' }),
    );
    const secret = await other.call('GET', '/v1/pages/secret', { token: otherToken });
    expect(secret.json.page.history.at(-1).content.body).toBe('News');
    expect(await other.app.service.store.maintenance.violations(10)).toEqual([]);
  });

  test('an incomplete or contradictory file is refused before anything is written', async () => {
    const lines = exported.trimEnd().split('\n');
    const without = (part: string) => lines.filter((line) => !line.includes(part)).join('\n');
    const before = await linesOf(other, otherToken);
    const refused: [string, RegExp][] = [
      [lines.slice(0, -1).join('\n'), /ends too early/],
      [without('"kind":"file"'), /incomplete/],
      [exported.replace('"path":"/shed"', '"path":"/v1"'), /cannot be the path of a page/],
      [exported.replace(/"permissions":774/, '"permissions":999'), /cannot be read/],
      [exported.replace('{"kind":"page"', '{"kind":"page",'), /not JSON/],
    ];
    for (const [body, why] of refused)
      expect(await imported(other, otherToken, body)).toMatchObject({
        ...{ state: 'failed', error: expect.stringMatching(why) },
      });
    expect((await imported(other, otherToken, exported, '?parent=/in')).error).toMatch(/Leave “parent”/);
    expect(await linesOf(other, otherToken)).toBe(before);
    // Bytes with another hash do not belong to the file.
    const { hash } = JSON.parse(lines.find((line) => line.includes('"kind":"file"')) ?? '');
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });
});
