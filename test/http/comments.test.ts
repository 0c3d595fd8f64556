/** Comments: threads, rights, mentions, quotes, and what moves, deletions, erasures and others leave of them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { notifyWatchers } from '#src/features/watches/notify.ts';
import { type Answer, engines, type Method, startApp, type TestApp } from '../support/http.ts';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  type Who = { id: number; token: string };
  let ada: Who;
  let bob: Who;
  let root: Who;

  beforeAll(async () => {
    wiki = await startApp({}, { engine });
    ada = await wiki.member('Ada Lovelace');
    bob = await wiki.member('Bob');
    root = await wiki.member('Root', { isAdmin: true });
  });
  afterAll(async () => {
    expect(await wiki.app.service.store.maintenance.violations(10)).toEqual([]);
    await wiki.close();
  });

  const call = (method: Method, url: string, who?: Who, json?: unknown) =>
    wiki.call(method, url, { ...(who ? { token: who.token } : {}), ...(json === undefined ? {} : { json }) });
  const say = (who: Who | undefined, json: object) => call('POST', '/v1/comments', who, json);
  const said = async (who: Who, json: object) => {
    const { status, json: made, text } = await say(who, json);
    expect(status, text).toBe(200);
    return made;
  };
  const ids = ({ json }: Answer) => json.map(({ id }: { id: number }) => id);
  const list = async (query: string, who?: Who) => ids(await call('GET', `/v1/comments?${query}`, who));
  const role = (id: number, role: string) => call('PATCH', `/v1/members/${id}`, root, { role });

  test('members comment, answer, resolve, edit and delete; others see it', async () => {
    const { path, id: pageId } = await wiki.page(ada.token, { title: 'Roses', body: 'Red roses grow here.' });
    const first = await said(bob, {
      page: path,
      body: 'See [[Oak]] and **this** <b>tag</b> {{x}}, @ada lovelace!\n\n# Head',
    });
    expect(first).toMatchObject({
      page: { id: pageId, path, title: 'Roses' },
      author: { id: bob.id, name: 'Bob' },
      editedAt: null,
      quote: null,
      replyTo: null,
      resolved: false,
      mentions: [{ id: ada.id, name: 'Ada Lovelace' }],
    });
    expect(first.markup).toContain('<strong>this</strong>');
    expect(first.markup).not.toMatch(/ id=|Template:/);
    const answer = await said(ada, { body: 'Yes.', replyTo: first.id });
    const deeper = await said(bob, { page: path, body: 'Good.', replyTo: answer.id });
    expect([answer.replyTo, deeper.replyTo]).toEqual([first.id, first.id]);
    expect(await list(`page=${path}`)).toEqual([first.id, answer.id, deeper.id]);
    expect((await call('GET', `/v1/comments/${answer.id}`)).json.body).toBe('Yes.');
    // Lists.
    expect(await list('author=me', ada)).toEqual([answer.id]);
    expect(await list(`author=${bob.id}&page=${path}`)).toEqual([first.id, deeper.id]);
    expect(await list('mentions=me', ada)).toEqual([first.id]);
    expect(await list('mentions=me', bob)).toEqual([]);
    const paged = await call('GET', `/v1/comments?page=${path}&limit=2&cursor=`);
    expect(ids(paged)).toEqual([first.id, answer.id]);
    const next = /<([^>]+)>/.exec(String(paged.headers.link))?.[1] ?? '';
    expect(ids(await call('GET', next))).toEqual([deeper.id]);
    // The thread is resolved as a whole.
    const resolved = await call('PATCH', `/v1/comments/${first.id}`, ada, { resolved: true });
    expect(resolved.json).toMatchObject({ resolved: true, resolvedBy: { id: ada.id } });
    expect(await list(`page=${path}&state=open`)).toEqual([]);
    expect(await list(`page=${path}&state=resolved`)).toEqual([first.id, answer.id, deeper.id]);
    expect((await call('PATCH', `/v1/comments/${answer.id}`, ada, { resolved: false })).status).toBe(400);
    expect((await call('PATCH', `/v1/comments/${first.id}`, bob, { resolved: false })).json.resolved).toBe(
      false,
    );
    // Own ones, moderators any.
    expect((await call('PATCH', `/v1/comments/${first.id}`, ada, { body: 'x' })).status).toBe(401);
    expect((await call('DELETE', `/v1/comments/${first.id}`, ada)).status).toBe(401);
    const edited = await call('PATCH', `/v1/comments/${first.id}`, bob, { body: 'Shorter' });
    expect(edited.json).toMatchObject({ body: 'Shorter', mentions: [] });
    expect(edited.json.editedAt).not.toBeNull();
    expect(await list('mentions=me', ada)).toEqual([]);
    expect((await call('PATCH', `/v1/comments/${answer.id}`, root, { body: 'Moderated' })).status).toBe(200);
    // The first comment goes; the answers stay, and what is left goes with them.
    expect((await call('DELETE', `/v1/comments/${first.id}`, bob)).status).toBe(204);
    expect((await call('GET', `/v1/comments/${first.id}`)).status).toBe(404);
    expect(await list(`page=${path}`)).toEqual([answer.id, deeper.id]);
    expect((await say(ada, { body: 'Late.', replyTo: deeper.id })).status).toBe(404);
    for (const id of [answer.id, deeper.id])
      expect((await call('DELETE', `/v1/comments/${id}`, root)).status).toBe(204);
    expect(await list(`page=${path}`)).toEqual([]);
    const feed = await call('GET', '/v1/changes?kind=commented&limit=1000');
    expect(feed.json.changes.filter((one: { page: { id: number } }) => one.page.id === pageId)).toMatchObject(
      [first, answer, deeper].map(({ id }) => ({ kind: 'commented', comment: id, msg: '' })),
    );
  });

  test('a quote stays with its words through edits, rollbacks, moves and edits of templates', async () => {
    await wiki.page(ada.token, { title: 'Note', type: 'Template', body: 'Mind the thorns at night.' });
    const body = 'Intro here.\n\nThe old roses were planted in 1912 by Ada.\n\n{{Note}}\n\nRoses were red.';
    const { path, id } = await wiki.page(ada.token, { title: 'Quoted', body });
    const quoted = (text: string, more: object = {}) =>
      said(bob, { page: path, body: 'Sure?', quote: { text, ...more } });
    const planted = await quoted('planted  in\n1912', { before: 'roses were ' });
    expect(planted.quote).toMatchObject({ text: 'planted in 1912', state: 'present', goneIn: null });
    expect(planted.quote.end - planted.quote.start).toBe('planted in 1912'.length);
    const thorns = await quoted('the thorns at night');
    const second = await quoted('oses were', { after: ' red' });
    expect(second.quote.start).toBeGreaterThan(thorns.quote.end);
    const quotes = async () =>
      (await call('GET', `/v1/comments?page=${path}`)).json.map(
        ({ quote }: { quote: { state: string } }) => quote.state,
      );
    const edit = async (fields: object) => {
      const { status, json } = await call('POST', `/v1/pages${path}`, ada, fields);
      expect(status).toBe(200);
      return json.page.history.at(-1).id as number;
    };
    const firstChange = (await call('GET', `/v1/history${path}`)).json.at(-1)?.id;
    await edit({ body: `A new beginning, before all.\n\n${body.replace('by Ada', 'by Ada and Bob')}` });
    expect(await quotes()).toEqual(['present', 'present', 'present']);
    const later = (await call('GET', `/v1/comments/${planted.id}`)).json.quote;
    expect(later.start - planted.quote.start).toBe('A new beginning, before all.\n'.length);
    await edit({ body: body.replace('planted in 1912', 'planted in May 1913') });
    expect(await quotes()).toEqual(['changed', 'present', 'present']);
    await call('POST', '/v1/pages/note', ada, { body: 'Nothing to see.' });
    const gone = await edit({ body: 'Intro here.\n\n{{Note}}\n\nRoses were red.' });
    expect(await quotes()).toEqual(['gone', 'gone', 'present']);
    expect((await call('GET', `/v1/comments?ancestor=/&author=${bob.id}`)).json.at(0).quote).toMatchObject({
      text: 'planted in 1912',
      goneIn: gone,
    });
    await call('POST', '/v1/pages/note', ada, { body: 'Mind the thorns at night.' });
    expect((await call('POST', `/v1/rollback${path}`, ada, { to: firstChange })).status).toBe(200);
    expect(await quotes()).toEqual(['present', 'present', 'present']);
    await call('POST', `/v1/pages${path}`, ada, { slug: 'quoted-elsewhere' });
    const moved = (await call('GET', `/v1/comments/${planted.id}`)).json;
    expect(moved).toMatchObject({ page: { id, path: '/quoted-elsewhere' }, quote: { state: 'present' } });
    // Two edits between two reads are followed one by one.
    const [one, two] = ['The old roses were grown in 1912 by Ada.', 'Some roses were grown in 1912 by Ada.'];
    for (const line of [one, two])
      await call('POST', '/v1/pages/quoted-elsewhere', ada, { body: `Intro here.\n\n${line}` });
    expect((await call('GET', `/v1/comments/${planted.id}`)).json.quote.state).toBe('changed');
    for (const text of ['', '   ', 'no such words', 'x'.repeat(2001)])
      expect((await say(bob, { page: '/quoted-elsewhere', body: 'x', quote: { text } })).status).toBe(400);
  });

  test('names are completed among members who may read the page, for those who may comment on it', async () => {
    const { path } = await wiki.page(ada.token, { title: 'Names', body: 'Words' });
    const named = async (name: string, who?: Who, page = path) => {
      const { status, json } = await call('GET', `/v1/mentions?page=${page}&name=${name}`, who);
      return status === 200 ? json.map(({ name }: { name: string }) => name) : status;
    };
    expect(await named('b', ada)).toEqual(['Bob']);
    expect(await named('LOVE', bob)).toEqual(['Ada Lovelace']);
    expect(await named('nobody', bob)).toEqual([]);
    expect([await named('b'), await named('', ada), await named('b', ada, '/nowhere')]).toEqual([
      401, 400, 404,
    ]);
    await call('POST', `/v1/pages${path}`, ada, { permissions: 700 });
    expect(await named('b', ada)).toEqual([]);
    expect(await named('a', ada)).toEqual(['Ada Lovelace']);
    expect(await named('a', bob)).toBe(404);
    await call('POST', `/v1/pages${path}`, ada, { permissions: 774, comments: 'off' });
    expect(await named('b', ada)).toBe(401);
    const crowd = await Promise.all(Array.from({ length: 10 }, (_, n) => wiki.member(`Crowd ${n}`)));
    await call('POST', `/v1/pages${path}`, ada, { comments: 'members' });
    expect(await named('crowd', ada)).toHaveLength(8);
    expect(crowd).toHaveLength(10);
  });

  test('guests of a private wiki quote, and are shown, only words that they can read', async () => {
    const gus = await wiki.member('Gus');
    await wiki.page(ada.token, { title: 'Inner', type: 'Template', body: 'Words for members only.' });
    const { path } = await wiki.page(ada.token, { title: 'Shared', body: 'Open words.\n\n{{Inner}}' });
    expect((await role(gus.id, 'guest')).status).toBe(200);
    expect((await call('PATCH', '/v1/settings', root, { private: true })).status).toBe(200);
    const grants = [{ member: gus.id, may: 'write' }];
    expect((await call('PUT', `/v1/access${path}`, ada, { grants })).status).toBe(200);
    const quoted = (who: Who, text: string) => say(who, { page: path, body: 'Sure?', quote: { text } });
    const refused = await Promise.all(
      ['for members only', 'for nobody at all'].map((text) => quoted(gus, text)),
    );
    expect(refused.map(({ status }) => status)).toEqual([400, 400]);
    expect(refused[0]?.text.replace('members only', '')).toBe(refused[1]?.text.replace('nobody at all', ''));
    expect((await quoted(ada, 'for members only')).json.quote).toMatchObject({ state: 'present' });
    expect((await quoted(ada, 'Open words')).json.quote.after).toContain('Words for');
    const seen = (await call('GET', `/v1/comments?page=${path}`, gus)).json;
    expect(seen.map(({ quote }: { quote: { text: string } | null }) => quote?.text)).toEqual([
      undefined,
      'Open words',
    ]);
    expect(JSON.stringify(seen)).not.toContain('Words for');
    const all = (await call('GET', `/v1/comments?page=${path}`, bob)).json;
    expect(all[0].quote.text).toBe('for members only');
    expect((await call('PATCH', '/v1/settings', root, { private: false })).status).toBe(200);
  });

  test('refused: strangers, blocked members, those whom the page excludes, hidden pages and bad input', async () => {
    const { path } = await wiki.page(ada.token, { title: 'Rules', body: 'Text', permissions: 744 });
    expect((await say(undefined, { page: path, body: 'x' })).status).toBe(401);
    for (const json of [
      {},
      { page: path },
      { page: path, body: '  ' },
      { page: path, body: 'x'.repeat(10_001) },
      { body: 'x' },
      { page: path, body: 'a\0b' },
      { page: path, body: 3 },
    ])
      expect((await say(bob, json)).status, JSON.stringify(json).slice(0, 60)).toBe(400);
    expect((await say(bob, { page: '/nowhere', body: 'x' })).status).toBe(404);
    expect((await say(bob, { body: 'x', replyTo: 999_999 })).status).toBe(404);
    const own = await said(ada, { page: path, body: 'Hello' });
    expect((await say(bob, { page: '/roses', body: 'x', replyTo: own.id })).status).toBe(400);
    expect((await say(bob, { body: 'x', replyTo: own.id, quote: { text: 'Text' } })).status).toBe(400);
    expect((await call('PATCH', `/v1/comments/${own.id}`, ada, {})).status).toBe(400);
    for (const query of ['cursor=x', 'author=x', 'state=x', 'mentions=bob', 'limit=0'])
      expect((await call('GET', `/v1/comments?${query}`, ada)).status, query).toBe(400);
    expect((await call('GET', '/v1/comments?author=me')).status).toBe(401);
    // Readers comment; the page decides about the others.
    await role(bob.id, 'reader');
    expect((await say(bob, { page: path, body: 'As a reader' })).status).toBe(200);
    await role(bob.id, 'writer');
    const set = (comments: string) => call('POST', `/v1/pages${path}`, ada, { comments });
    expect((await set('writers')).json.page.comments).toBe('writers');
    expect((await say(bob, { page: path, body: 'x' })).status).toBe(401);
    expect((await say(ada, { page: path, body: 'x' })).status).toBe(200);
    expect((await set('off')).json.page.comments).toBe('off');
    expect((await say(ada, { page: path, body: 'x' })).status).toBe(401);
    expect((await set('nobody')).status).toBe(400);
    expect((await set('members')).json.page).not.toHaveProperty('comments');
    await call('POST', `/v1/members/${bob.id}/block`, root, { reason: 'Spam' });
    expect((await say(bob, { page: path, body: 'x' })).status).toBe(403);
    await call('DELETE', `/v1/members/${bob.id}/block`, root);
    // Hidden comments are answered as missing ones.
    await call('POST', `/v1/pages${path}`, ada, { permissions: 700 });
    for (const [method, url, json] of [
      ['GET', `/v1/comments/${own.id}`],
      ['PATCH', `/v1/comments/${own.id}`, { resolved: true }],
      ['DELETE', `/v1/comments/${own.id}`],
      ['POST', '/v1/comments', { body: 'x', replyTo: own.id }],
    ] as const) {
      const hidden = await call(method, url, bob, json);
      expect(hidden.status).toBe(404);
      const missing = await call(
        method,
        url.replace(String(own.id), '999999'),
        bob,
        json && JSON.parse(JSON.stringify(json).replace(String(own.id), '999999')),
      );
      expect(hidden.json.detail).toBe(missing.json.detail.replace('999999', String(own.id)));
    }
    expect((await call('GET', `/v1/comments?page=${path}`, bob)).status).toBe(404);
    expect(await list(`author=${ada.id}`, bob)).not.toContain(own.id);
    expect(await list(`author=${ada.id}`, ada)).toContain(own.id);
    // A member who cannot read the page is not mentioned.
    expect((await said(ada, { page: path, body: '@Bob and @Root' })).mentions).toEqual([
      { id: root.id, name: 'Root' },
    ]);
  });

  test('a page in the trash hides its comments, a restore brings them back, and they go with a purge', async () => {
    const { path } = await wiki.page(ada.token, { title: 'Bin', body: 'Some words' });
    const beneath = await wiki.page(ada.token, { title: 'Lid', parent: path, body: 'Other words' });
    const one = await said(bob, { page: beneath.path, body: 'Here', quote: { text: 'words' } });
    const above = await said(bob, { page: path, body: 'There' });
    expect(await list(`ancestor=${path}`)).toEqual([one.id, above.id]);
    const bin = async () => (await call('DELETE', `/v1/pages${path}?subtree=true`, ada)).json.trash.id;
    const trash = await bin();
    expect((await call('GET', `/v1/comments/${one.id}`, bob)).status).toBe(404);
    expect((await call('GET', `/v1/comments?page=${beneath.path}`, bob)).status).toBe(410);
    expect(await list('author=me', bob)).not.toContain(one.id);
    await call('POST', `/v1/trash/${trash}/restore`, ada, {});
    expect(await list(`ancestor=${path}`)).toEqual([one.id, above.id]);
    expect((await call('DELETE', `/v1/trash/${await bin()}`, root)).status).toBe(204);
    const { rows } = await rowsLeft(one.id);
    expect(rows).toBe(0);
  });
  const rowsLeft = async (id: number) => ({ rows: (await wiki.app.service.store.comments.find(id)) ? 1 : 0 });

  test('an erasure takes the words of erased changes out of quotes, and the name out of mentions', async () => {
    const carl = await wiki.member('Carl Secret');
    const { path } = await wiki.page(ada.token, {
      title: 'Erased',
      body: 'The password is swordfish.\n\nAll else stays.',
    });
    await said(bob, { page: path, body: 'Ask @Carl Secret.', quote: { text: 'swordfish' } });
    await said(carl, { page: path, body: 'Fine', quote: { text: 'All else' } });
    const first = (await call('GET', `/v1/history${path}`)).json.at(-1).id;
    await call('POST', `/v1/pages${path}`, ada, { body: 'All else stays.' });
    await call('GET', `/v1/comments?page=${path}`);
    expect((await call('POST', '/v1/erase', root, { path, changes: [first], reason: 'Leak' })).status).toBe(
      200,
    );
    expect((await call('POST', '/v1/erase', root, { member: carl.id, reason: 'Asked' })).status).toBe(200);
    const { json, text } = await call('GET', `/v1/comments?page=${path}`);
    expect(text).not.toMatch(/swordfish|Secret/);
    expect(json).toMatchObject([
      { body: `Ask @Former member ${carl.id}.`, quote: { text: '', state: 'gone' }, mentions: [] },
      {
        author: { id: carl.id, name: `Former member ${carl.id}` },
        quote: { text: 'All else', state: 'present' },
      },
    ]);
  });

  test('members who are mentioned, wrote in the thread or watch the page are notified once, with a switch for each', async () => {
    const [eve, max] = [await wiki.member('Eve'), await wiki.member('Max')];
    const { path } = await wiki.page(ada.token, { title: 'Told', body: 'Words' });
    const { store } = wiki.app.service;
    const told = async (who: Who) => {
      while (await notifyWatchers(store, Date.now));
      const { json, headers } = await call('GET', '/v1/notifications?unread=true', who);
      await call('POST', '/v1/notifications/read', who, { upTo: Number.MAX_SAFE_INTEGER });
      return [json.map(({ comment }: { comment?: number }) => comment), headers['x-total-count']];
    };
    await call('POST', '/v1/watches', max, { page: path });
    for (const who of [eve, max, ada]) await told(who);
    const first = await said(eve, { page: path, body: 'Look, @Max and @Ada Lovelace and @Eve' });
    expect(await told(max)).toEqual([[first.id], '1']);
    expect(await told(ada)).toEqual([[first.id], '1']);
    expect(await told(eve)).toEqual([[], '0']);
    const answer = await said(bob, { body: 'I see', replyTo: first.id });
    expect(await told(eve)).toEqual([[answer.id], '1']);
    expect(await told(ada)).toEqual([[], '0']);
    const watches = (await call('GET', '/v1/watches', eve)).json;
    expect(watches).toMatchObject([
      { kind: 'threads', mail: 'now' },
      { kind: 'mentions', mail: 'now' },
    ]);
    expect((await call('POST', '/v1/watches', eve, { comments: 'threads', mail: 'daily' })).json.mail).toBe(
      'daily',
    );
    expect((await call('DELETE', `/v1/watches/${watches[0].id}`, eve)).status).toBe(204);
    expect((await call('POST', '/v1/watches', eve, { comments: 'all' })).status).toBe(400);
    // A mention on a page that became private tells nobody.
    const hidden = await said(bob, { page: path, body: '@Eve' });
    await call('POST', `/v1/pages${path}`, ada, { permissions: 700 });
    expect(await told(eve)).toEqual([[], '0']);
    expect(hidden.mentions).toEqual([{ id: eve.id, name: 'Eve' }]);
  });

  test('comments at the same time are all kept, and each quote is in its place', async () => {
    const { path } = await wiki.page(ada.token, { title: 'Busy', body: 'One two three four five.' });
    const words = ['One', 'two', 'three', 'four', 'five'];
    const [edited, ...made] = await Promise.all([
      call('POST', `/v1/pages${path}`, ada, { body: 'Before.\n\nOne two three four five.' }),
      ...words.map((text) => say(bob, { page: path, body: text, quote: { text } })),
    ]);
    expect([edited, ...made].map(({ status }) => status)).toEqual(Array(6).fill(200));
    const { json } = await call('GET', `/v1/comments?page=${path}`);
    const text = 'Before.\nOne two three four five.';
    for (const { body, quote } of json) expect(text.slice(quote.start, quote.end)).toBe(body);
    expect(json).toHaveLength(5);
  });
});
