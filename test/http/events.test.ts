/**
 * The change feed as JSON and as a stream: every event once, in order, for everyone who may read it; pages not named as
 * affected have not changed.
 */
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, startApp, type TestApp } from '../support/http.ts';

interface Told {
  id: number;
  kind: string;
  page: { id: number; path: string; title: string | null };
  from?: string;
  affects: { pages: { id: number; path: string }[]; lists: string[]; more?: true };
}

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  let ada: { id: number; token: string };
  let bob: typeof ada;
  let origin: string;

  beforeAll(async () => {
    wiki = await startApp({}, { engine });
    ada = await wiki.member('Ada', { isAdmin: true });
    bob = await wiki.member('Bob');
    await wiki.app.server.listen({ port: 0, host: '127.0.0.1' });
    origin = `http://127.0.0.1:${(wiki.app.server.server.address() as AddressInfo).port}`;
  });
  afterAll(() => wiki.close());

  const edit = async (path: string, json: object, token = ada.token) => {
    const answer = await wiki.call('POST', `/v1/pages${path}`, { token, json });
    expect(answer.status, answer.text).toBe(200);
  };
  const feed = async (query: Record<string, string> = {}, token?: string) => {
    const answer = await wiki.call(
      'GET',
      `/v1/changes?${new URLSearchParams(query)}`,
      token ? { token } : {},
    );
    expect(answer.status, answer.text).toBe(200);
    return answer.json as { changes: Told[]; next: string };
  };

  /** Reads the stream until it has `count` events or ends. */
  async function listen(count: number, { token, lastId }: { token?: string; lastId?: string } = {}) {
    const leaving = new AbortController();
    const answer = await fetch(`${origin}/v1/changes?${lastId ? '' : 'after=latest'}`, {
      signal: leaving.signal,
      headers: {
        accept: 'text/event-stream',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(lastId ? { 'last-event-id': lastId } : {}),
      },
    });
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const events: { id: string; kind: string; data: Told }[] = [];
    const read = async () => {
      let text = '';
      const decoder = new TextDecoder();
      try {
        for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
          text += decoder.decode(chunk, { stream: true });
          for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
            const [id, kind, data] = text.slice(0, end).split('\n');
            text = text.slice(end + 2);
            if (data)
              events.push({
                id: String(id).slice(4),
                kind: String(kind).slice(7),
                data: JSON.parse(data.slice(6)) as Told,
              });
          }
          if (events.length >= count) break;
        }
      } finally {
        leaving.abort();
      }
      return events;
    };
    return { events, done: read() };
  }

  test('pages of the feed contain each readable event once, from beginning to end', async () => {
    await wiki.page(ada.token, { title: 'Garden', body: '[[kind:bed]]' });
    await wiki.page(ada.token, { title: 'Rose', parent: '/garden', body: 'red', msg: 'Planted' });
    await wiki.page(ada.token, { title: 'Secret', permissions: 700 });
    await edit('/garden', { slug: 'yard' });
    const all = await feed({}, ada.token);
    expect(all.changes.map(({ kind, page, from }) => [kind, page.path, from])).toEqual([
      ['created', '/garden', undefined],
      ['created', '/garden/rose', undefined],
      ['created', '/secret', undefined],
      ['moved', '/yard', '/garden'],
      ['moved', '/yard/rose', '/garden/rose'],
    ]);
    expect(all.changes[1]).toMatchObject({ msg: 'Planted', editor: { id: ada.id, name: 'Ada' } });
    const one: Told[] = [];
    let next = '0';
    for (;;) {
      const part = await feed({ after: next, limit: '1' });
      next = part.next;
      if (part.changes.length === 0) break;
      one.push(...part.changes);
    }
    expect(one.map(({ id }) => id)).toEqual(
      all.changes.filter(({ page }) => page.path !== '/secret').map(({ id }) => id),
    );
    expect(await feed({ after: 'latest' })).toEqual({ changes: [], more: false, next });
    expect((await feed({ kind: 'moved,edited', ancestor: '/yard' })).changes).toHaveLength(1);
    expect((await feed({ tag: 'kind:bed' })).changes).toHaveLength(2);
    expect((await feed({ editor: String(bob.id) })).changes).toEqual([]);
    expect((await feed({ ancestor: '/secret' })).changes).toEqual([]);
    for (const bad of ['after=1-1', 'after=x', 'kind=liked', 'limit=0', 'ancestor=/a/../b'])
      expect((await wiki.call('GET', `/v1/changes?${bad}`)).status, bad).toBe(400);
  });

  test('streams send everybody what they may read, continue after the last event, and end with the session', async () => {
    const asAnyone = await listen(2);
    const asAda = await listen(3, { token: ada.token });
    await wiki.page(ada.token, { title: 'One' });
    await wiki.page(ada.token, { title: 'Hidden one', permissions: 700 });
    await edit('/one', { body: 'more' });
    const [seen, all] = await Promise.all([asAnyone.done, asAda.done]);
    expect(seen.map(({ kind, data }) => [kind, data.page.path])).toEqual([
      ['created', '/one'],
      ['edited', '/one'],
    ]);
    expect(all.map(({ data }) => data.page.path)).toEqual(['/one', '/hidden-one', '/one']);
    const resumed = await listen(2, { token: ada.token, lastId: String(all[0]?.id) });
    expect(await resumed.done).toEqual(all.slice(1));

    const asBob = await listen(2, { token: bob.token });
    await wiki.call('POST', '/v1/members/signout', { token: bob.token });
    // The server ends the stream.
    expect(await asBob.done).toEqual([]);
    const head = await wiki.call('HEAD', '/v1/changes', { headers: { accept: 'text/event-stream' } });
    expect(head.status).toBe(200);
  });

  test('deleting and restoring are reported for all pages beneath', async () => {
    await wiki.page(ada.token, { title: 'Bin' });
    await wiki.page(ada.token, { title: 'Leaf', parent: '/bin' });
    await wiki.page(ada.token, { title: 'Note', permissions: 700 });
    const { next } = await feed({ after: 'latest' });
    const headers = { token: ada.token };
    const deleted = await wiki.call('DELETE', '/v1/pages/bin?subtree=true', headers);
    await wiki.call('DELETE', '/v1/pages/note', headers);
    const gone = (await feed({ after: next })).changes;
    expect(gone.map(({ kind, page }) => [kind, page.path])).toEqual([
      ['deleted', '/bin'],
      ['deleted', '/bin/leaf'],
    ]);
    // Events of before are told as long as the page is in the trash, to those who could read it.
    const created = async () => (await feed({ kind: 'created' })).changes.map(({ page }) => page.path);
    expect(await created()).toEqual(expect.arrayContaining(['/bin', '/bin/leaf']));
    expect(await created()).not.toContain('/note');
    const { id } = deleted.json.trash;
    await wiki.call('POST', `/v1/trash/${id}/restore`, { ...headers, json: {} });
    expect((await feed({ after: next })).changes.map(({ kind, page }) => [kind, page.path])).toEqual([
      ['deleted', '/bin'],
      ['deleted', '/bin/leaf'],
      ['restored', '/bin'],
      ['restored', '/bin/leaf'],
    ]);
  });

  test('filters of type and tag find events of a deleted page by its last state', async () => {
    await wiki.page(ada.token, { title: 'Rubbish', type: 'Litter', body: '[[Smell:bad]]' });
    await wiki.call('DELETE', '/v1/pages/rubbish', { token: ada.token });
    const kinds = async (query: string) => {
      const { json } = await wiki.call('GET', `/v1/changes?${query}`);
      return json.changes.map(
        ({ kind, page }: { kind: string; page: { path: string } }) => `${kind} ${page.path}`,
      );
    };
    for (const query of ['type=Litter', 'tag=smell:bad', 'tag=smell', 'tag=bad'])
      expect(await kinds(query)).toEqual(['created /rubbish', 'deleted /rubbish']);
    for (const query of ['type=Place', 'tag=smell:good'])
      expect(await kinds(query)).not.toContain('created /rubbish');
  });

  test('responses that an event does not name as affected stay the same', async () => {
    const titles = ['Alpha', 'Beta', 'Box', 'Inner', 'Gamma', 'Delta'];
    const bodies = [
      '[[Delta]] {{Box}} [[/gamma]]',
      '[[Nowhere]] [[Alpha]]',
      'boxed {{Inner}} [[Delta]]',
      'inner [[Gamma]] [[Nowhere]]',
      '[[Beta|b]] {{Children|/alpha}}',
    ];
    for (const [i, body] of bodies.entries())
      await wiki.page(ada.token, {
        title: titles[i],
        body,
        ...(titles[i] === 'Box' || titles[i] === 'Inner' ? { type: 'Template' } : {}),
        ...(titles[i] === 'Beta' ? { parent: '/alpha' } : {}),
      });
    await wiki.page(ada.token, { title: 'Deep', parent: '/alpha/beta', body: 'x' });
    const paths = ['/alpha', '/alpha/beta', '/alpha/beta/deep', '/box', '/inner', '/gamma', '/yard', '/one'];
    const lists: Record<string, string> = {
      updates: '/v1/updates/1000',
      requested: '/v1/requested/1000',
      search: '/v1/pages?path=/&history=none',
      'children:/': '/v1/children',
      'children:/alpha': '/v1/children/alpha',
      'children:/alpha/beta': '/v1/children/alpha/beta',
    };
    const listing = new Set(['/gamma']);
    const answers = async () => {
      const found = new Map<string, string>();
      for (const path of paths) found.set(path, (await wiki.call('GET', `/v1/pages${path}`)).text);
      for (const [name, url] of Object.entries(lists)) found.set(name, (await wiki.call('GET', url)).text);
      return found;
    };
    const writes: (() => Promise<unknown>)[] = [
      () => edit('/inner', { body: 'other words [[Gamma]]' }),
      () => wiki.page(ada.token, { title: 'Delta' }),
      () => edit('/alpha', { body: '[[Delta]] {{Box}}' }),
      () => edit('/gamma', { title: 'Gamma ray' }),
      () => edit('/alpha', { description: 'First of all' }),
      () => edit('/alpha/beta', { permissions: 700 }),
      () => edit('/alpha/beta', { permissions: 774 }),
      () => edit('/delta', { parent: '/alpha/beta' }),
      () => edit('/alpha/beta', { parent: '/one' }),
      () => edit('/one/beta', { parent: '/alpha' }),
      () => wiki.page(ada.token, { title: 'Nowhere', parent: '/alpha', type: 'Template', body: 'now here' }),
      () => edit('/box', { title: 'Case', body: 'renamed {{Nowhere}}' }),
      () => edit('/alpha/nowhere', { permissions: 700 }),
    ];
    for (const [i, write] of writes.entries()) {
      const before = await answers();
      const { next } = await feed({ after: 'latest' });
      await write();
      const { changes } = await feed({ after: next });
      expect(changes.length).toBeGreaterThan(0);
      const after = await answers();
      const pages = new Set(changes.flatMap(({ affects }) => affects.pages.map(({ path }) => path)));
      const named = new Set(changes.flatMap(({ affects }) => affects.lists));
      for (const [what, text] of after) {
        if (pages.has(what) || named.has(what) || (named.has('listings') && listing.has(what))) continue;
        expect(text, `${what} after write ${i}`).toBe(before.get(what));
      }
    }
  });
});
