/** Saving exactly once: compare-and-set, edits that change nothing, responses after the commit. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Problem } from '#core/model/problem.ts';
import { engines, startApp, type TestApp } from '../support/http.ts';

type Version = { content: { body: string; title: string } };

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  let ada: { id: number; token: string };
  let bob: typeof ada;

  beforeAll(async () => {
    wiki = await startApp({}, { engine });
    ada = await wiki.member('Ada');
    bob = await wiki.member('Bob');
  });
  afterAll(() => wiki.close());

  const send = (kind: 'pages' | 'rollback', path: string, json: unknown, more: Sent = {}) =>
    wiki.call('POST', `/v1/${kind}${path}`, {
      token: more.token ?? ada.token,
      json,
      headers: more.tag === undefined ? {} : { 'if-match': more.tag },
    });
  const edit = (path: string, json: unknown, more?: Sent) => send('pages', path, json, more);
  const read = async (path: string) => (await wiki.call('GET', `/v1/pages${path}`)).json.page;
  const changesOf = async (path: string) => (await read(path)).history.length;

  describe('If-Match', () => {
    test('each acknowledged increment of many concurrent ones is counted', async () => {
      await wiki.page(ada.token, { title: 'Counter', body: '0' });
      const attempts = 12;
      const count = async (token: string) => {
        let acknowledged = 0;
        for (let n = 0; n < attempts; n++) {
          const { headers, json } = await wiki.call('GET', '/v1/pages/counter?history=latest', { token });
          const body = String(Number(json.page.history[0].content.body) + 1);
          const { status } = await edit('/counter', { body }, { token, tag: String(headers.etag) });
          expect([200, 412]).toContain(status);
          if (status === 200) acknowledged++;
        }
        return acknowledged;
      };
      const counts = await Promise.all(
        Array.from({ length: 8 }, (_, n) => count(n % 2 === 0 ? ada.token : bob.token)),
      );
      const acknowledged = counts.reduce((sum, one) => sum + one);
      expect(acknowledged).toBeGreaterThan(0);
      const { history } = await read('/counter');
      expect(history.at(-1).content.body).toBe(String(acknowledged));
      expect(history).toHaveLength(acknowledged + 1);
    });

    test('a stale value is 412 with the three versions, even if the edits would merge or are equal', async () => {
      const made = await wiki.page(ada.token, { title: 'Compared', body: 'one\n\ntwo\n\nthree' });
      const tag = `"${made.history[0].id}"`;
      await edit('/compared', { body: 'ONE\n\ntwo\n\nthree' }, { token: bob.token });
      for (const body of ['one\n\ntwo\n\nTHREE', 'ONE\n\ntwo\n\nthree']) {
        const refused = await edit('/compared', { body }, { tag });
        expect(refused.status, body).toBe(412);
        expect(refused.json).toMatchObject({
          fields: ['body'],
          base: { change: made.history[0].id, content: { body: 'one\n\ntwo\n\nthree' } },
          theirs: { content: { body: 'ONE\n\ntwo\n\nthree' } },
          yours: { content: { body } },
        });
      }
      expect(await changesOf('/compared')).toBe(2);
    });

    test('is checked before a base, which merges afterwards', async () => {
      const made = await wiki.page(ada.token, { title: 'Both given', body: 'one\n\ntwo\n\nthree' });
      const base = made.history[0].id;
      const theirs = await edit('/both-given', { body: 'ONE\n\ntwo\n\nthree' }, { token: bob.token });
      const yours = { body: 'one\n\ntwo\n\nTHREE', base };
      expect((await edit('/both-given', yours, { tag: `"${base}"` })).status).toBe(412);
      const list = `"999999999999", W/"1", ${theirs.headers.etag}`;
      const merged = await edit('/both-given', yours, { tag: list });
      expect(merged.status, merged.text).toBe(200);
      expect(merged.json.page.history.at(-1).content.body).toBe('ONE\n\ntwo\n\nTHREE');
    });

    test('a stale rollback gets 412 with the three versions; * matches any existing page', async () => {
      const made = await wiki.page(ada.token, { title: 'Gone back', body: 'first' });
      const to = made.history[0].id;
      const second = await edit('/gone-back', { body: 'second' });
      await edit('/gone-back', { body: 'third' }, { token: bob.token });
      const back = (tag: string) => send('rollback', '/gone-back', { to }, { tag });
      const refused = await back(String(second.headers.etag));
      expect(refused.status).toBe(412);
      const bodyOf = (version: Version) => version.content.body;
      expect([refused.json.base, refused.json.theirs, refused.json.yours].map(bodyOf)).toEqual([
        'second',
        'third',
        'first',
      ]);
      expect((await back(`W/"${to}"`)).status).toBe(412);
      expect((await back('*')).status).toBe(200);
      expect((await edit('/nothing-is-here', { body: 'x' }, { tag: '*' })).status).toBe(404);
    });
  });

  describe('an edit that changes nothing', () => {
    test('adds no change and returns the page as it is', async () => {
      const made = await wiki.page(ada.token, { title: 'Still', body: 'Same', data: { a: [1] } });
      const tag = `"${made.history[0].id}"`;
      const before = await wiki.app.service.store.revision();
      const fields = { title: 'Still', body: 'Same', path: '/still', parent: '', data: { a: [1] } };
      for (const json of [{}, { msg: '' }, fields, { slug: 'still', permissions: 774 }]) {
        const answer = await edit('/still', json, { token: ada.token });
        expect(answer.status, answer.text).toBe(200);
        expect(answer.headers.etag).toBe(tag);
        expect(answer.json.page.history).toEqual(made.history);
        expect(answer.json.markup).toContain('Same');
      }
      const after = await read('/still');
      expect(after.history).toEqual(made.history);
      // Responses that depend on the page stay cached.
      expect(wiki.app.service.store.isUnchanged(before, [made.id])).toBe(true);
      expect((await edit('/still', { description: 'Same' })).json.page.history).toHaveLength(2);
    });

    test('adds a change for its message, but none when it is sent again', async () => {
      await wiki.page(ada.token, { title: 'Remarked', body: 'Same', msg: 'first' });
      for (const [msg, changes] of [
        ['first', 1],
        ['Looked at again', 2],
        ['Looked at again', 2],
        ['first', 3],
      ] as const) {
        const { json } = await edit('/remarked', { msg, body: 'Same' });
        expect(json.page.history.map((change: { msg: string }) => change.msg).at(-1)).toBe(msg);
        expect(json.page.history).toHaveLength(changes);
      }
    });

    test('is still refused for people who may not write the page', async () => {
      await wiki.page(ada.token, { title: 'Mine alone', body: 'x', permissions: 744 });
      expect((await edit('/mine-alone', {}, { token: bob.token })).status).toBe(401);
      expect((await edit('/mine-alone', {}, { tag: '"1"' })).status).toBe(412);
    });

    test('includes an edit that is sent again after its response was lost, with or without base, also once merged', async () => {
      const made = await wiki.page(ada.token, { title: 'Lost answer', body: 'one\n\ntwo\n\nthree' });
      const base = made.history[0].id;
      const first = { body: 'ONE\n\ntwo\n\nthree', msg: 'shouted', base };
      const merged = { body: 'one\n\ntwo\n\nTHREE', msg: 'at the end', base };
      for (const json of [first, first, { ...first, base: undefined }]) {
        const answer = await edit('/lost-answer', json);
        expect([answer.status, answer.json.page.history.length]).toEqual([200, 2]);
        expect(answer.json.page.history.at(-1).msg).toBe('shouted');
      }
      for (const json of [merged, merged]) {
        const answer = await edit('/lost-answer', json);
        expect([answer.status, answer.json.page.history.length]).toEqual([200, 3]);
        expect(answer.json.page.history.at(-1).content.body).toBe('ONE\n\ntwo\n\nTHREE');
      }
    });

    test('one of many concurrent identical edits adds a change', async () => {
      await wiki.page(ada.token, { title: 'Impatient', body: 'a' });
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => edit('/impatient', { body: 'b', msg: 'once' })),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
      expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(1);
      expect(await changesOf('/impatient')).toBe(2);
    });

    test('is also to restore the current text', async () => {
      const made = await wiki.page(ada.token, { title: 'Round trip', body: 'a' });
      const first = made.history[0].id;
      const latest = await edit('/round-trip', { body: 'b' });
      const to = latest.json.page.history.at(-1).id;
      expect((await send('rollback', '/round-trip', { to })).headers.etag).toBe(`"${to}"`);
      for (let n = 0; n < 2; n++)
        expect((await send('rollback', '/round-trip', { to: first })).status).toBe(200);
      expect(await changesOf('/round-trip')).toBe(3);
    });

    test('attaching a file that has the same name and bytes is one, and with other bytes is none', async () => {
      await wiki.page(ada.token, { title: 'Drawer', body: 'x' });
      const attach = (text: string, name = 'note.txt') =>
        edit('/drawer', { files: { file: { name, data: Buffer.from(text).toString('base64') } } });
      const first = await attach('one');
      expect(first.json.page.history).toHaveLength(2);
      await sleep(2);
      const again = await attach('one');
      expect(again.headers.etag).toBe(first.headers.etag);
      expect(again.json.page.files).toEqual(first.json.page.files);
      expect((await attach('two')).json.page.history).toHaveLength(3);
      expect((await attach('two', 'other.txt')).json.page.files).toHaveLength(2);
      expect(await changesOf('/drawer')).toBe(4);
    });
  });

  test('an edit and a rollback return as much of the history as requested', async () => {
    const made = await wiki.page(ada.token, { title: 'Brief', body: '0' });
    const to = made.history[0].id;
    for (const [query, expected] of [
      ['', [2, 3]],
      ['?history=all', [4, 5]],
      ['?history=latest', [1, 1]],
      ['?history=none', [0, 0]],
    ] as const) {
      const edited = await edit(`/brief${query}`, { body: `1 ${query}` });
      const back = await send('rollback', `/brief${query}`, { to });
      const shown = [edited, back].map(({ json }) => json.page.history.length);
      expect(shown, query).toEqual(expected);
      expect(edited.json.markup).toContain('1');
      const { json } = await wiki.call('GET', `/v1/history/brief?limit=1`);
      if (query !== '?history=none') expect(back.json.page.history.at(-1)).toEqual(json[0]);
    }
    const refused = await edit('/brief?history=some', { body: '2' });
    expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, '?history']);
    expect(await changesOf('/brief')).toBe(9);
  });

  test('writers who remove their own permission to read are told that the page is saved', async () => {
    const made = await wiki.page(bob.token, { title: 'Closed', permissions: 0 });
    expect(made.permissions).toBe(0);
    await wiki.page(bob.token, { title: 'Open' });
    const closed = await edit('/open', { permissions: 0 }, { token: bob.token });
    expect([closed.status, closed.json.page.permissions.code]).toEqual([200, 0]);
    expect((await wiki.call('GET', '/v1/pages/open', { token: bob.token })).status).toBe(404);
  });

  describe('a failure after the commit', () => {
    test('does not fail the response: the page is shown as source, this once', async () => {
      const made = await wiki.page(ada.token, { title: 'Crowded', body: 'a' });
      const { language } = wiki.app.service.renderer;
      const { open } = language;
      const saved = [];
      try {
        language.open = async () => {
          throw new Problem('unavailable', 'Too many large pages are being drawn at this moment.');
        };
        saved.push(await edit('/crowded', { body: "''b'' <script>alert(1)</script>" }));
        saved.push(await edit('/crowded', { body: "''b'' <script>alert(1)</script>" }));
        saved.push(await send('rollback', '/crowded', { to: made.history[0].id }));
      } finally {
        language.open = open;
      }
      expect(saved.map(({ status }) => status)).toEqual([200, 200, 200]);
      const [edited, again, back] = saved.map(({ json }) => json);
      expect(edited.markup).toContain('The page is saved.');
      expect(edited.markup).toContain('b&#39;&#39; &lt;script&gt;alert(1)&lt;/script&gt;</pre>');
      expect(edited.page.history.at(-1).content.body).toContain("''b''");
      expect(again.page.history).toHaveLength(2);
      expect(back.page.history).toHaveLength(3);
      expect(wiki.logged.filter((line) => line.includes('saved, but not rendered'))).toHaveLength(3);
      const after = await wiki.call('GET', '/v1/pages/crowded');
      expect(after.json.markup).toMatch(/^<p>a\s*<\/p>$/);
    });
  });
});

interface Sent {
  token?: string;
  tag?: string;
}
