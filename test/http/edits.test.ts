/** Edits and moves of pages over HTTP: refusals and concurrency. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Problem } from '#core/model/problem.ts';
import { createPages, draftOf } from '#core/pages/create-pages.ts';
import { editPage } from '#core/pages/edit-page.ts';
import { engines, startApp, type TestApp } from '../support/http.ts';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  let ada: { id: number; token: string; email: string };
  let bob: typeof ada;
  let root: typeof ada;

  beforeAll(async () => {
    wiki = await startApp({}, { engine });
    root = await wiki.member('Root', { isAdmin: true });
    ada = await wiki.member('Ada');
    bob = await wiki.member('Bob');
  });
  afterAll(() => wiki.close());

  const edit = (path: string, json: unknown, token = ada.token, headers: Record<string, string> = {}) =>
    wiki.call('POST', `/v1/pages${path}`, { token, json, headers });
  const titles = (pages: { title: string }[]) => pages.map(({ title }) => title);

  describe('edit', () => {
    test('fields that are left out stay as they are, permissions above all', async () => {
      const made = await wiki.page(ada.token, {
        title: 'Diary',
        body: 'Secret',
        permissions: 700,
        description: 'Mine',
        type: 'Note',
        data: { a: 1 },
      });
      const { status, json } = await edit('/diary', { body: 'Still secret', msg: 'more' });
      expect(status).toBe(200);
      expect(json.page).toMatchObject({
        id: made.id,
        title: 'Diary',
        description: 'Mine',
        type: 'Note',
        data: { a: 1 },
      });
      expect(json.page.permissions).toEqual({ read: true, write: true, code: 700 });
      expect(json.page.history.at(-1)).toMatchObject({
        msg: 'more',
        content: { permissions: 700, body: 'Still secret' },
      });
      expect(json.markup).toContain('Still secret');
      expect((await wiki.call('GET', '/v1/pages/diary')).status).toBe(404);
    });

    test('an edit without a body is an edit that changes nothing', async () => {
      const made = await wiki.page(ada.token, { title: 'Untouched', body: 'Same' });
      for (const options of [
        { json: {} },
        {},
        { body: '', headers: { 'content-type': 'application/json' } },
      ]) {
        const answer = await wiki.call('POST', '/v1/pages/untouched', { token: ada.token, ...options });
        expect(answer.status, answer.text).toBe(200);
        expect(answer.json.page).toMatchObject({ id: made.id, title: 'Untouched' });
        expect(answer.json.markup).toContain('Same');
      }
    });

    test('a path of a different page is refused with 400; its own path is accepted', async () => {
      await wiki.page(ada.token, { title: 'Left' });
      await wiki.page(ada.token, { title: 'Right' });
      expect((await edit('/left', { path: '/right' })).status).toBe(400);
      expect((await edit('/left', { path: '/left', title: 'Still left' })).status).toBe(200);
    });

    test('a missing page is 404 for every valid token', async () => {
      for (const { token } of [ada, root])
        expect((await edit('/there-is-nothing', { body: 'x' }, token)).status).toBe(404);
    });

    test('a request without a token or without write permission is 401', async () => {
      await wiki.page(root.token, { title: 'Locked', permissions: 444 });
      await wiki.page(ada.token, { title: 'Hidden', permissions: 700 });
      expect((await wiki.call('POST', '/v1/pages/locked', { json: { body: 'x' } })).status).toBe(401);
      for (const path of ['/locked', '/hidden']) {
        const answer = await edit(path, { body: 'x' }, bob.token);
        expect(answer.status).toBe(401);
        expect(answer.headers['www-authenticate']).toBe('Bearer');
      }
      // A member who may not write gets this error before any other.
      expect((await edit('/locked', { title: '' }, bob.token)).status).toBe(401);
      expect((await edit('/locked', { body: 'x' }, root.token)).status).toBe(200);
    });

    test('a parent can be named by its old path, even if a hidden page has that path now', async () => {
      const home = await wiki.page(ada.token, { title: 'Home', path: '/first-home' });
      await edit('/first-home', { path: '/second-home' });
      await wiki.page(ada.token, { title: 'Squatter', path: '/first-home', permissions: 700 });
      const child = await wiki.page(bob.token, { title: 'Guest', parent: '/first-home' });
      expect([child.parent, child.path]).toEqual([home.id, '/second-home/guest']);
    });

    test('only the owner and administrators change permissions', async () => {
      await wiki.page(ada.token, { title: 'Shared' });
      expect((await edit('/shared', { permissions: 777, body: 'taken over' }, bob.token)).status).toBe(401);
      const after = await wiki.call('GET', '/v1/pages/shared');
      expect(after.json.page.permissions).toBe(774);
      expect(after.json.markup).not.toContain('taken over');
      expect((await edit('/shared', { permissions: 774, body: 'fine' }, bob.token)).status).toBe(200);
      expect((await edit('/shared', { permissions: 744 }, ada.token)).json.page.permissions.code).toBe(744);
      expect((await edit('/shared', { permissions: 770 }, root.token)).json.page.permissions.code).toBe(770);
    });

    test('a new title alone moves nothing, a new slug moves the page and its subtree', async () => {
      await wiki.page(ada.token, { title: 'Old' });
      await wiki.page(ada.token, { title: 'Child', parent: '/old' });
      await wiki.page(ada.token, { title: 'Grandchild', parent: '/old/child' });
      expect((await edit('/old', { title: 'Older' })).json.page.path).toBe('/old');
      expect((await edit('/old', { slug: 'new-home' })).json.page.path).toBe('/new-home');
      const moved = await wiki.call('GET', '/v1/pages/new-home/child/grandchild');
      expect(moved.status).toBe(200);
      expect(titles(moved.json.page.lineage)).toEqual(['Older', 'Child']);
    });

    test('a history too long for a response is replaced by its latest change, and listed whole', async () => {
      const textOf = (name: string | number) => `${name} ${'.'.repeat(3_900_000)}`;
      await wiki.page(ada.token, { title: 'Thick', body: 'thin' });
      const { store, files, renderer } = wiki.app.service;
      const actor = { memberId: ada.id, name: 'Ada', isAdmin: false };
      for (let i = 0; i < 3; i++)
        await editPage(
          { store, files, renderer, actor, now: Date.now() },
          '/thick',
          { body: textOf(i) },
          'none',
        );
      const fitting = await edit('/thick', { body: textOf(3) });
      expect([fitting.status, fitting.json.page.history.length]).toEqual([200, 5]);
      const edited = await edit('/thick', { body: textOf('last') });
      const read = await wiki.call('GET', '/v1/pages/thick');
      const found = await wiki.call('GET', '/v1/pages?path=/thick');
      for (const page of [edited.json.page, read.json.page, found.json[0]]) {
        expect(page.history).toHaveLength(1);
        expect(page.history[0].content.body.slice(0, 4)).toBe('last');
      }
      const listed = await wiki.call('GET', '/v1/history/thick?limit=1&offset=5');
      expect(listed.headers['x-total-count']).toBe('6');
      expect(listed.json[0].content.body).toBe('thin');
      // Changes that do not fit are on the next page of the list.
      const first = await wiki.call('GET', '/v1/history/thick');
      expect(
        first.json.map(({ content }: { content: { body: string } }) => content.body.slice(0, 4)),
      ).toEqual(['last', '3 ..', '2 ..', '1 ..']);
      expect(first.headers.link).toBe('</v1/history/thick?limit=50&offset=4>; rel="next"');
      const rest = await wiki.call('GET', '/v1/history/thick?limit=50&offset=4');
      expect(rest.json.map(({ content }: { content: { body: string } }) => content.body.slice(0, 4))).toEqual(
        ['0 ..', 'thin'],
      );
      expect(rest.headers.link).toBeUndefined();
    });

    test('the old path of a moved page answers reads with 308 and edits with 404 and the new path', async () => {
      await wiki.page(ada.token, { title: 'Wanderer' });
      await edit('/wanderer', { path: '/ça va/ici' });
      const read = await wiki.call('GET', '/v1/pages/wanderer?history=none');
      expect(read.status).toBe(308);
      expect(read.headers.location).toBe('/v1/pages/%C3%A7a%20va/ici?history=none');
      for (const read of ['history', 'diff', 'backlinks', 'children', 'moves']) {
        const answer = await wiki.call('GET', `/v1/${read}/wanderer?to=1`, { token: ada.token });
        expect([answer.status, answer.headers.location], read).toEqual([
          308,
          `/v1/${read}/%C3%A7a%20va/ici?to=1`,
        ]);
      }
      const refused = await edit('/wanderer', { body: 'x' });
      expect(refused.status).toBe(404);
      expect(refused.json.detail).toContain('/ça va/ici');
    });

    test('a move is refused as a whole if any target path is in use', async () => {
      await wiki.page(ada.token, { title: 'Mover' });
      await wiki.page(ada.token, { title: 'Leaf', parent: '/mover' });
      await wiki.page(ada.token, { title: 'Blocker', path: '/moved/leaf' });
      expect((await edit('/mover', { path: '/moved', title: 'Changed' })).status).toBe(400);
      const after = await wiki.call('GET', '/v1/pages/mover/leaf');
      expect(after.json.page.lineage[0]).toMatchObject({ title: 'Mover', path: '/mover' });
    });

    test('a page cannot become its own ancestor', async () => {
      await wiki.page(ada.token, { title: 'Ouroboros' });
      await wiki.page(ada.token, { title: 'Tail', parent: '/ouroboros' });
      expect((await edit('/ouroboros', { parent: '/ouroboros/tail' })).status).toBe(400);
      expect((await edit('/ouroboros', { parent: '/ouroboros' })).status).toBe(400);
    });

    test('a move can be previewed', async () => {
      await wiki.page(ada.token, { title: 'Planned' });
      await wiki.page(ada.token, { title: 'Below', parent: '/planned' });
      const answer = await wiki.call('GET', '/v1/moves/planned?to=/elsewhere-now', { token: ada.token });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.json.moves.map(({ to }: { to: string }) => to)).toEqual([
        '/elsewhere-now',
        '/elsewhere-now/below',
      ]);
      expect((await wiki.call('GET', '/v1/pages/planned')).status).toBe(200);
      expect((await wiki.call('GET', '/v1/moves/planned?to=/x')).status).toBe(401);
      expect((await wiki.call('GET', '/v1/moves/planned', { token: ada.token })).json.errors[0].pointer).toBe(
        '?to',
      );
    });
  });

  test('a preview is refused whenever the move would be: pages beneath too long or too deep', async () => {
    const word = 'w'.repeat(200);
    await wiki.page(ada.token, { title: 'Tall', path: '/tall' });
    await wiki.page(ada.token, {
      title: 'Top',
      parent: '/tall',
      path: `/tall/${word}/${word}/${word}/${word}`,
    });
    await wiki.page(ada.token, {
      title: 'Hidden',
      parent: '/tall',
      path: `/tall${'/s'.repeat(60)}`,
      permissions: 700,
    });
    const { store, files } = wiki.app.service;
    const levels = Array.from({ length: 249 }, (_, i) => ({
      title: `Level ${i + 2}`,
      parent: i === 0 ? '/tall' : `/level-${i + 1}`,
      path: `/level-${i + 2}`,
    }));
    const drafts = levels.map((level) => draftOf(level, store.dialect));
    const actor = { memberId: ada.id, name: 'Ada', isAdmin: false };
    const made = await createPages({ store, files, actor, now: Date.now() }, drafts);
    expect(made.filter((one) => one instanceof Problem)).toEqual([]);
    await wiki.page(ada.token, { title: 'Root of it', path: '/deep' });
    await wiki.page(ada.token, { title: 'Below', parent: '/deep', path: '/deeper' });
    const both = async (to: string, newParent?: string) => {
      const query = new URLSearchParams({ to, ...(newParent === undefined ? {} : { parent: newParent }) });
      const looked = await wiki.call('GET', `/v1/moves/tall?${query}`, { token: ada.token });
      const done = await edit('/tall', {
        path: to,
        ...(newParent === undefined ? {} : { parent: newParent }),
      });
      expect([looked.status, looked.json.detail]).toEqual([done.status, done.json.detail]);
      return [looked.status, looked.json.errors?.[0].pointer];
    };
    expect(await both(`/${'x'.repeat(250)}`)).toEqual([400, '?to']);
    expect(await both('/a/b/c/d/e/f')).toEqual([400, '?to']);
    expect(await both('/tall', '/deeper')).toEqual([400, '?parent']);
    expect(await both('/tall', '/level-9')).toEqual([400, '/parent']);
    expect(await both(`/${'x'.repeat(190)}`, '/deep')).toEqual([200, undefined]);
  });

  describe('concurrent edits', () => {
    test('a stale edit merges if it does not overlap, otherwise it is 412 with base, yours and theirs', async () => {
      const made = await wiki.page(ada.token, { title: 'Meeting', body: 'one\n\ntwo\n\nthree' });
      const base = made.history[0].id;
      expect((await edit('/meeting', { body: 'ONE\n\ntwo\n\nthree' }, bob.token)).status).toBe(200);
      const merged = await edit('/meeting', { body: 'one\n\ntwo\n\nTHREE', base });
      expect(merged.status, merged.text).toBe(200);
      expect(merged.json.page.history.at(-1).content.body).toBe('ONE\n\ntwo\n\nTHREE');
      const refused = await edit('/meeting', { body: '1\n\ntwo\n\nthree', base });
      expect(refused.status).toBe(412);
      expect(refused.json).toMatchObject({
        base: { content: { body: 'one\n\ntwo\n\nthree', parent: '' } },
        theirs: { content: { body: 'ONE\n\ntwo\n\nTHREE' } },
        yours: { content: { body: '1\n\ntwo\n\nthree' } },
      });
    });

    test('the ETag of a read works for If-Match, a weak or foreign one never matches, and * matches any', async () => {
      await wiki.page(ada.token, { title: 'Tagged', body: 'a' });
      const { etag } = (await wiki.call('GET', '/v1/pages/tagged')).headers;
      expect((await edit('/tagged', { body: 'b' }, ada.token, { 'if-match': String(etag) })).status).toBe(
        200,
      );
      for (const tag of [`W/${etag}`, '"abc"', 'nonsense', '']) {
        const answer = await edit('/tagged', { body: 'c' }, ada.token, { 'if-match': tag });
        expect(answer.status, tag).toBe(412);
      }
      expect((await edit('/tagged', { body: 'c' }, ada.token, { 'if-match': '*' })).status).toBe(200);
      const next = await edit('/tagged', { body: 'd' });
      expect(next.headers.etag).toBe(`"${next.json.page.history.at(-1).id}"`);
      expect(
        (await edit('/tagged', { body: 'e' }, ada.token, { 'if-match': String(next.headers.etag) })).status,
      ).toBe(200);
    });

    test('If-Match with a list of tags matches if one of them does', async () => {
      const made = await wiki.page(ada.token, { title: 'Listed', body: 'a' });
      const first = `"${made.history[0].id}"`;
      const matched = `"999999999999", W/"1", ${first}`;
      expect((await edit('/listed', { body: 'b' }, ada.token, { 'if-match': matched })).status).toBe(200);
      const stale = await edit('/listed', { body: 'c' }, ada.token, { 'if-match': `"abc", ${first}` });
      expect(stale.status).toBe(412);
      expect(stale.json).toMatchObject({
        base: { content: { body: 'a' } },
        theirs: { content: { body: 'b' } },
      });
    });

    test('an edit that is impossible is refused as such, whatever If-Match says', async () => {
      await wiki.page(ada.token, { title: 'Out of reach', permissions: 700 });
      for (const tag of ['W/"1"', '"abc"', '"1"']) {
        const headers = { 'if-match': tag };
        expect((await edit('/out-of-reach', { body: 'x' }, bob.token, headers)).status, tag).toBe(401);
        expect((await edit('/no-such-page', { body: 'x' }, bob.token, headers)).status, tag).toBe(404);
        expect((await edit('/out-of-reach', { title: '' }, ada.token, headers)).status, tag).toBe(400);
      }
    });

    test('repeating the old parent does not undo a move, and repeating the current one does not conflict', async () => {
      const home = async (title: string) => (await wiki.page(ada.token, { title })).id;
      const ids = [await home('Home one'), await home('Home two'), await home('Home three')];
      const made = await wiki.page(ada.token, { title: 'Tenant', parent: '/home-one', path: '/tenant' });
      const base = made.history[0].id;
      await edit('/tenant', { parent: '/home-two', path: '/tenant' }, bob.token);
      for (const parent of [ids[0], '/home-one', ids[1], '/home-two']) {
        const kept = await edit('/tenant', { parent, path: '/tenant', base });
        expect([kept.status, kept.json.page?.parent], String(parent)).toEqual([200, ids[1]]);
      }
      const refused = await edit('/tenant', { parent: ids[2], path: '/tenant', base });
      expect([refused.status, refused.json.fields]).toEqual([412, ['parent']]);
    });

    test('a rollback with If-Match does nothing once the page has changed', async () => {
      const made = await wiki.page(ada.token, { title: 'Back', body: 'a' });
      const [to, tag] = [made.history[0].id, (await edit('/back', { body: 'b' })).headers.etag];
      const back = (headers: Record<string, string>) =>
        wiki.call('POST', '/v1/rollback/back', { token: ada.token, json: { to }, headers });
      expect((await back({ 'if-match': `"${to}"` })).status).toBe(412);
      expect((await back({ 'if-match': String(tag) })).status).toBe(200);
      expect((await back({ 'if-match': '*' })).status).toBe(200);
    });

    test('repeating the old address does not undo a move of a page above', async () => {
      await wiki.page(ada.token, { title: 'Above' });
      const made = await wiki.page(ada.token, { title: 'Beneath', parent: '/above', body: 'a\n\nb' });
      await edit('/above/beneath', { body: 'A\n\nb' }, bob.token);
      await edit('/above', { slug: 'moved-above' }, bob.token);
      const base = made.history[0].id;
      const { json } = await edit('/moved-above/beneath', { path: made.path, body: 'a\n\nB', base });
      expect(json.page).toMatchObject({ path: '/moved-above/beneath' });
      expect(json.page.history.at(-1).content.body).toBe('A\n\nB');
    });

    test('repeating a hidden parent keeps it, and naming it for another page is refused', async () => {
      const den = await wiki.page(ada.token, { title: 'Den', permissions: 700 });
      const cub = await wiki.page(ada.token, { title: 'Cub', parent: '/den' });
      await wiki.page(bob.token, { title: 'Stray' });
      for (const parent of [cub.parent, cub.lineage[0].path]) {
        const kept = await edit('/den/cub', { parent, body: String(parent) }, bob.token);
        expect([kept.status, kept.json.page?.parent], String(parent)).toEqual([200, den.id]);
        expect((await edit('/stray', { parent }, bob.token)).status).toBe(400);
      }
    });

    test('without a base the last write wins and both stay in history', async () => {
      await wiki.page(ada.token, { title: 'Last wins', body: '0' });
      await Promise.all([edit('/last-wins', { body: '1' }), edit('/last-wins', { body: '2' }, bob.token)]);
      const { json } = await wiki.call('GET', '/v1/pages/last-wins');
      expect(
        json.page.history.map(({ content }: { content: { body: string } }) => content.body).sort(),
      ).toEqual(['0', '1', '2']);
    });
  });
});
