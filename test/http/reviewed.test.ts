/** Recent changes, latest first, by author, role, tag, type and place; and the review marks of moderators. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awaitsReviewForMs, forgetReviews } from '#core/events/review-events.ts';
import { type Answer, engines } from '../support/http.ts';
import { meddle } from '../support/rows.ts';
import { tokenFor } from '../support/sessions.ts';
import { startSite, type TestSite, type Visitor } from '../support/web.ts';

type Who = { id: number; token: string };
type Listed = { id: number; kind: string; page: { path: string }; reviewed?: boolean };

describe.each(engines)('on %s', (engine) => {
  let wiki: TestSite;
  let now = Date.UTC(2026, 0, 1);
  let root: Who;
  let ada: Who;
  let mo: Who & Visitor;
  let paths: Record<'garden' | 'rose' | 'secret' | 'rules', string>;

  beforeAll(async () => {
    wiki = await startSite({ COPPICE_URL: 'http://wiki.test' }, { engine, clock: () => (now += 1000) });
    root = await wiki.member('Root', { isAdmin: true });
    ada = await wiki.member('Ada');
    mo = await wiki.signedIn('Mo');
    ok(await call(root, 'PATCH', `/v1/members/${mo.id}`, { role: 'moderator' }));
    const create = async (who: Who, page: Record<string, unknown>) =>
      (await wiki.page(who.token, page)).path as string;
    const garden = await create(ada, { title: 'Garden', body: '[[kind:place]]' });
    paths = {
      garden,
      rose: await create(ada, { title: 'Rose', parent: garden, type: 'Plant' }),
      secret: await create(ada, { title: 'Secret', permissions: 700 }),
      rules: await create(mo, { title: 'Rules' }),
    };
    ok(await call(root, 'POST', `/v1/pages${paths.rose}`, { body: 'Pruned.', msg: 'Prune' }));
  });
  afterAll(() => wiki.close());

  const call = (
    who: Who | undefined,
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    json?: object,
  ) => wiki.call(method, url, { ...(who ? { token: who.token } : {}), ...(json ? { json } : {}) });
  const ok = (answer: Answer) => {
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json;
  };
  const latest = async (who: Who | undefined, query = ''): Promise<Listed[]> =>
    ok(await call(who, 'GET', `/v1/changes?before=latest${query}`)).changes;
  const pathsOf = (events: Listed[]) => events.map(({ page }) => page.path);
  const review = async (who: Who, ids: number[], reviewed = true) =>
    ok(await call(who, 'POST', '/v1/changes/reviewed', { ids, reviewed })).changed;

  test('the latest come first, pages of the list are complete, and filters match author, role, tag, type and place', async () => {
    const { garden, rose, secret, rules } = paths;
    const forward = ok(await call(ada, 'GET', '/v1/changes')).changes;
    expect(await latest(ada)).toEqual(forward.toReversed());
    const pieces = [];
    for (let before = 'latest'; ; ) {
      const { changes, next } = ok(await call(ada, 'GET', `/v1/changes?before=${before}&limit=2`));
      if (changes.length === 0) {
        expect(next).toBe(before);
        break;
      }
      pieces.push(...changes);
      before = next;
    }
    expect(pieces).toEqual(await latest(ada));
    expect(pathsOf(await latest(undefined))).toEqual([rose, rules, rose, garden]);
    expect(pathsOf(await latest(ada, `&editor=${ada.id}`))).toEqual([secret, rose, garden]);
    expect(pathsOf(await latest(undefined, '&role=administrator'))).toEqual([rose]);
    expect(pathsOf(await latest(undefined, '&role=moderator'))).toEqual([rules]);
    expect(pathsOf(await latest(undefined, '&tag=kind:place'))).toEqual([garden]);
    expect(pathsOf(await latest(undefined, '&type=Plant&role=writer'))).toEqual([rose]);
    expect(pathsOf(await latest(undefined, `&ancestor=${garden}`))).toEqual([rose, rose]);
    for (const wrong of ['before=latest&after=0', 'before=nonsense', 'before=latest&role=king'])
      expect((await call(ada, 'GET', `/v1/changes?${wrong}`)).status, wrong).toBe(400);
    const stream = await wiki.call('GET', '/v1/changes?before=latest', {
      headers: { accept: 'text/event-stream' },
    });
    expect(stream.status).toBe(400);
  });

  test('changes of writers wait until one moderator marks them for all; nobody else sees the marks', async () => {
    const { garden, rose } = paths;
    const waiting = await latest(mo, '&reviewed=false');
    expect(pathsOf(waiting)).toEqual([rose, garden]);
    expect(pathsOf(await latest(root, '&reviewed=false'))).toEqual([paths.secret, rose, garden]);
    expect((await latest(mo)).filter(({ reviewed }) => !reviewed)).toEqual(waiting);
    for (const who of [ada, undefined]) {
      expect((await latest(who)).some((event) => 'reviewed' in event)).toBe(false);
      expect((await call(who, 'GET', '/v1/changes?reviewed=false')).status).toBe(403);
    }
    const [first] = waiting as [Listed];
    const mark = { ids: [first.id] };
    expect((await call(ada, 'POST', '/v1/changes/reviewed', mark)).status).toBe(403);
    expect((await call(undefined, 'POST', '/v1/changes/reviewed', mark)).status).toBe(401);
    // Two concurrent reviews: only one of them changes the mark.
    const both = await Promise.all([review(mo, [first.id]), review(root, [first.id])]);
    expect(both.sort()).toEqual([0, 1]);
    expect(pathsOf(await latest(mo, '&reviewed=false'))).toEqual([garden]);
    expect(await review(mo, [first.id], false)).toBe(1);
    expect(await latest(mo, '&reviewed=false')).toEqual(waiting);
  });

  test('unreadable pages and unknown events are skipped, and too many at once are refused', async () => {
    const hidden = (await latest(root, '&reviewed=false')).find(({ page }) => page.path === paths.secret);
    expect(await review(mo, [hidden?.id ?? 0, 99_999])).toBe(0);
    expect(await review(root, [hidden?.id ?? 0])).toBe(1);
    const many = Array.from({ length: 1001 }, (_, i) => i + 1);
    expect((await call(mo, 'POST', '/v1/changes/reviewed', { ids: many })).status).toBe(413);
    expect(await review(mo, [])).toBe(0);
  });

  test('on the site moderators filter and mark changes, one or all that are shown', async () => {
    const waiting = '/updates/changes?review=waiting';
    const shown = await mo.get(waiting);
    expect(shown.text).toContain('Mark all 2 changes here as reviewed');
    const [event] = (await latest(mo, '&reviewed=false')) as [Listed];
    const marked = await mo.post('/updates/changes', { [`id-${event.id}`]: String(event.id), next: waiting });
    expect(marked).toMatchObject({ status: 303, location: waiting });
    expect((await mo.get(waiting)).text).not.toContain('Rose');
    const bob = await wiki.signedIn('Bob');
    expect((await bob.get('/updates/changes?role=moderator')).text).not.toContain('Mark as reviewed');
    expect((await bob.get(waiting)).status).toBe(403);
    expect((await bob.post('/updates/changes', { 'id-1': '1' })).status).toBe(403);
    expect((await mo.post('/updates/changes', { 'id-1': 'x' })).status).toBe(400);
    const byAda = await wiki.visitor().get(`/updates/changes?editor=${ada.id}&below=${paths.garden}`);
    expect(byAda.text).toContain('Only by <strong dir="auto">Ada</strong>.');
    expect(byAda.text).not.toContain('Rules');
  });

  test('changes that nobody reviewed for long stop waiting', async () => {
    const { store } = wiki.app.service;
    await wiki.page(ada.token, { title: 'Newer' });
    expect(await forgetReviews(store, now)).toBe(0);
    const waiting = await latest(root, '&reviewed=false');
    expect(waiting.length).toBeGreaterThan(0);
    expect(await forgetReviews(store, now + awaitsReviewForMs)).toBe(waiting.length);
    now += awaitsReviewForMs;
    const later = { id: root.id, token: await tokenFor(wiki.app.service, root.id, { now }) };
    expect(await latest(later, '&reviewed=false')).toEqual([]);
  });

  test('one response looks through some thousand events, and says where to continue', async () => {
    const copies = `insert into events (kind, at, page_id, change_id, path, title, trail, audience, owner_id, editor_id, msg)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < 5100)
      select e.kind, e.at, e.page_id, e.change_id, e.path, e.title, e.trail, e.audience, e.owner_id, e.editor_id, e.msg
        from n cross join events e where e.id = (select min(id) from events)`;
    const { databaseUrl: url } = wiki;
    await meddle(
      url ? { kind: 'postgres', url } : { kind: 'sqlite', file: join(wiki.folder, 'coppice.db') },
      copies,
    );
    const ask = async (query: string) => ok(await call(undefined, 'GET', `/v1/changes?type=Plant&${query}`));
    const plants = (await ask('after=0')).changes;
    expect(pathsOf(plants)).toEqual([paths.rose, paths.rose]);
    const { next, more } = await ask('after=0');
    expect(more).toBe(true);
    expect(await ask(`after=${next}`)).toMatchObject({ changes: [], more: false });

    const first = await ask('before=latest');
    expect(first).toMatchObject({ changes: [], more: true });
    expect(await ask(`before=${first.next}`)).toMatchObject({ changes: plants.toReversed(), more: false });
    const site = await wiki.visitor().get('/updates/changes?type=Plant');
    expect(site.text).toContain(`before=${first.next}`);
  });
});
