/** Watches in the API: who gets events, what is shown of them, and mail through a real mail server. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sendMails } from '#core/mail/send-mails.ts';
import { everything } from '#core/model/permission.ts';
import type { MailServer } from '#core/ports/mail.ts';
import { createMailServer } from '#mail/smtp.ts';
import { notifyWatchers } from '#src/features/watches/notify.ts';
import { engines } from '../support/http.ts';
import { expectNoWrite } from '../support/revision.ts';
import { mailSettings, startMailbox, type TestMailbox } from '../support/smtp.ts';
import { startSite, type TestSite } from '../support/web.ts';

const hour = 60 * 60_000;
const day = 24 * hour;

describe.each(engines)('watching on %s', (engine) => {
  let mailbox: TestMailbox;
  let wiki: TestSite;
  let server: MailServer;
  /** Thursday, 13:00 UTC. */
  let now = Date.UTC(2026, 0, 1, 13);
  let ada: { id: number; token: string; email: string };
  let max: typeof ada;
  let root: typeof ada;
  let n = 0;

  beforeAll(async () => {
    mailbox = await startMailbox();
    wiki = await startSite(mailSettings(mailbox), { engine, clock: () => now });
    server = createMailServer({ url: mailbox.url, from: 'Testwood <wiki@example.org>' });
  });
  afterAll(async () => {
    server.close();
    await wiki.close();
    await mailbox[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    for (const who of n === 0 ? [] : [ada, max, root]) {
      const { json } = await wiki.call('GET', '/v1/watches', { token: who.token });
      for (const { id } of Array.isArray(json) ? json : [])
        await wiki.call('DELETE', `/v1/watches/${id}`, { token: who.token });
    }
    await mails();
    n += 1;
    [ada, max, root] = [
      await wiki.member(`Ada ${n}`),
      await wiki.member(`Max ${n}`),
      await wiki.member(`Root ${n}`, { isAdmin: true }),
    ];
  });

  const page = (who: typeof ada, path: string, fields: Record<string, unknown> = {}) =>
    wiki.page(who.token, {
      title: path.split('/').at(-1),
      path,
      parent: path.slice(0, path.lastIndexOf('/')),
      body: 'one two three',
      ...fields,
    });
  const edit = async (who: typeof ada, path: string, fields: Record<string, unknown>) => {
    const edited = await wiki.call('POST', `/v1/pages${path}`, { token: who.token, json: fields });
    expect(edited.status, edited.text).toBe(200);
  };
  const watch = (who: typeof ada, json: Record<string, unknown>) =>
    wiki.call('POST', '/v1/watches', { token: who.token, json });
  const tell = async () => {
    while (await notifyWatchers(wiki.app.service.store, () => now));
  };
  const told = async (who: typeof ada, query = '') => {
    await tell();
    const { json } = await wiki.call('GET', `/v1/notifications${query}`, { token: who.token });
    return json as { id: number; kind: string; page: { path: string }; read: boolean }[];
  };
  const paths = async (who: typeof ada) =>
    (await told(who)).map(({ kind, page }) => `${kind} ${page.path}`).reverse();
  /** Sends due mail directly, as no server loop runs that could send it in between. */
  const send = async () => {
    const { store, secrets } = wiki.app.service;
    const writer = {
      store,
      secrets,
      wiki: { name: 'Testwood', language: 'en', url: 'https://wiki.example.org' },
    };
    while (
      (await sendMails(
        writer,
        server,
        () => now,
        () => {},
      )) > 0
    );
  };
  const mails = async () => {
    mailbox.received.length = 0;
    await tell();
    await send();
    return [...mailbox.received];
  };

  test('a page, a subtree, a tag and a search are watched; one’s own edits notify nobody', async () => {
    await page(max, `/wood${n}`);
    await page(max, `/wood${n}/oak`);
    await watch(ada, { page: `/wood${n}` });
    await watch(max, { ancestor: `/wood${n}` });
    await watch(root, { tag: `kind:tree${n}` });
    await edit(ada, `/wood${n}`, { body: 'four' });
    await edit(max, `/wood${n}`, { body: 'five' });
    await edit(max, `/wood${n}/oak`, { body: `[[Kind:tree${n}]]` });
    await page(ada, `/wood${n}/ash`);
    expect(await paths(ada)).toEqual([`edited /wood${n}`]);
    expect(await paths(max)).toEqual([`edited /wood${n}`, `created /wood${n}/ash`]);
    expect(await paths(root)).toEqual([`edited /wood${n}/oak`]);

    expect((await watch(ada, { search: `text=zebra${n}&order=relevance` })).json).toMatchObject({
      kind: 'search',
      search: `text=zebra${n}`,
    });
    await edit(max, `/wood${n}/oak`, { body: `a zebra${n} was here` });
    await edit(max, `/wood${n}/ash`, { body: 'no horse' });
    expect(await paths(ada)).toEqual([`edited /wood${n}`, `edited /wood${n}/oak`]);
  });

  test('a bare tag is a name or a value; moves and deletions notify', async () => {
    await watch(ada, { tag: `leaf${n}` });
    await watch(root, { ancestor: `/old${n}` }).then(({ status }) => expect(status).toBe(400));
    await page(max, `/old${n}`);
    await tell();
    await watch(root, { ancestor: `/old${n}` });
    await page(max, `/old${n}/by-name`, { body: `[[Leaf${n}:green]]` });
    await page(max, `/old${n}/by-value`, { body: `[[Part:leaf${n}]]` });
    expect(await paths(ada)).toEqual([`created /old${n}/by-name`, `created /old${n}/by-value`]);
    await edit(max, `/old${n}/by-name`, { path: `/new${n}`, parent: '' });
    await wiki.call('DELETE', `/v1/pages/old${n}/by-value`, { token: max.token });
    // Events of a page in the trash are told as before.
    expect(await paths(root)).toEqual([
      `created /old${n}/by-name`,
      `created /old${n}/by-value`,
      `moved /new${n}`,
      `deleted /old${n}/by-value`,
    ]);
  });

  test('events of a page deleted before the notification match tags and searches by its last state', async () => {
    await watch(ada, { tag: `leaf${n}` });
    await watch(root, { search: `text=gorilla${n}&type=Ape` });
    await tell();
    await page(max, `/short${n}`, { body: `[[Leaf${n}:green]] gorilla${n}`, type: 'Ape' });
    await page(max, `/other${n}`, { body: `gorilla${n}` });
    for (const path of [`/short${n}`, `/other${n}`])
      await wiki.call('DELETE', `/v1/pages${path}`, { token: max.token });
    const told = [`created /short${n}`, `deleted /short${n}`];
    expect(await paths(ada)).toEqual(told);
    expect(await paths(root)).toEqual(told);
  });

  test('notifications never concern pages that their member may not read, then or later', async () => {
    await page(max, `/open${n}`);
    await watch(ada, { ancestor: '/', mail: 'now' });
    await watch(root, { ancestor: `/open${n}` });
    await page(max, `/open${n}/secret`, { permissions: 700 });
    await edit(max, `/open${n}`, { body: 'new words', msg: 'public at first' });
    await tell();
    await edit(max, `/open${n}`, { permissions: 700 });
    const { json, headers } = await wiki.call('GET', '/v1/notifications', { token: ada.token });
    expect([json, headers['x-total-count']]).toEqual([[], '0']);
    expect((await mails()).filter(({ to }) => JSON.stringify(to).includes(ada.email))).toEqual([]);
    expect(await paths(root)).toContain(`created /open${n}/secret`);
    await edit(max, `/open${n}`, { permissions: 774 });
    expect(await paths(ada)).toContain(`edited /open${n}`);
  });

  test('notifications are marked as read, one by one or all together, only by their member', async () => {
    await page(max, `/read${n}`);
    await watch(ada, { page: `/read${n}` });
    for (const body of ['a', 'b', 'c']) await edit(max, `/read${n}`, { body });
    const [third, second, first] = await told(ada);
    const read = (who: typeof ada, json: unknown) =>
      wiki.call('POST', '/v1/notifications/read', { token: who.token, json });
    expect((await read(max, { upTo: third?.id })).status).toBe(204);
    expect((await read(ada, { ids: [second?.id] })).status).toBe(204);
    expect((await told(ada)).map(({ read }) => read)).toEqual([false, true, false]);
    expect((await told(ada, '?unread=true')).map(({ id }) => id)).toEqual([third?.id, first?.id]);
    const { headers } = await wiki.call('GET', '/v1/notifications?limit=1', { token: ada.token });
    expect([headers['x-total-count'], headers.link]).toEqual([
      '3',
      '</v1/notifications?limit=1&offset=1>; rel="next"',
    ]);
    await read(ada, { upTo: third?.id });
    const left = await wiki.call('GET', '/v1/notifications?unread=true', { token: ada.token });
    expect([left.json, left.headers['x-total-count']]).toEqual([[], '0']);
  });

  test('there is one watch for each target; invalid targets are refused', async () => {
    await page(max, `/twice${n}`);
    const first = (await watch(ada, { page: `/twice${n}` })).json;
    expect(first).toMatchObject({ kind: 'page', mail: 'off', page: { path: `/twice${n}` } });
    expect((await watch(ada, { page: `/twice${n}`, mail: 'weekly' })).json).toMatchObject({
      id: first.id,
      mail: 'weekly',
    });
    const refused = async (json: Record<string, unknown>) => {
      const { status, json: problem } = await watch(ada, json);
      return [status, problem.errors?.[0]?.pointer ?? ''];
    };
    expect(await refused({})).toEqual([400, '']);
    expect(await refused({ page: '/', tag: 'x' })).toEqual([400, '']);
    expect(await refused({ page: `/nowhere${n}` })).toEqual([400, '/page']);
    expect(await refused({ search: 'order=alphabetical' })).toEqual([400, '/search']);
    expect(await refused({ search: `ancestor=/nowhere${n}` })).toEqual([400, '/search']);
    expect(await refused({ tag: 'kind:' })).toEqual([400, '/tag']);
    expect(await refused({ tag: 'x'.repeat(1001) })).toEqual([400, '/tag']);
    expect(await refused({ tag: 'x', mail: 'hourly' })).toEqual([400, '/mail']);
    expect((await wiki.call('POST', '/v1/watches', { json: { tag: 'x' } })).status).toBe(401);
    for (let i = 0; i < 20; i++) await watch(ada, { search: `text=word${i}` });
    expect(await refused({ search: 'text=more' })).toEqual([400, '/search']);
    expect((await watch(ada, { search: 'text=word3', mail: 'now' })).status).toBe(200);
    const gone = await wiki.call('DELETE', `/v1/watches/${first.id}`, { token: max.token });
    expect(gone.status).toBe(404);
    expect((await wiki.call('DELETE', `/v1/watches/${first.id}`, { token: ada.token })).status).toBe(204);
  });

  test('mail is sent at once with the changed words, and one click unsubscribes', async () => {
    await page(max, `/mail${n}`, { body: 'the quick brown fox\n\nstays' });
    await watch(ada, { page: `/mail${n}`, mail: 'now' });
    await edit(max, `/mail${n}`, { body: 'the quick <red> fox\n\nstays', msg: 'Repainted' });
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail?.subject).toBe(`Testwood: news of “mail${n}”`);
    expect(mail?.to).toMatchObject({ value: [{ address: ada.email }] });
    expect(mail?.text).toContain(`Max ${n} changed it on 1 January 2026 at 13:00 UTC: Repainted`);
    expect(mail?.text).toContain('- the quick brown fox\n+ the quick <red> fox');
    expect(mail?.html).toMatch(/<del [^>]*>brown<\/del>/);
    expect(mail?.html).toMatch(/<ins [^>]*>&lt;red&gt;<\/ins>/);
    expect(mail?.html).toContain(`https://wiki.example.org/mail${n}`);
    const list = mail?.headerLines.find(({ key }) => key === 'list-unsubscribe')?.line ?? '';
    const url = /<https:\/\/wiki\.example\.org(.*)>/.exec(list)?.[1] ?? '';
    expect(mail?.headerLines.find(({ key }) => key === 'list-unsubscribe-post')?.line).toBe(
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    );
    await send();
    expect(await mails()).toEqual([]);

    // RFC 8058 §3.1: sent by the mail program, without cookies, from another site.
    const headers = { origin: 'https://mail.example.com', 'sec-fetch-site': 'cross-site' };
    const asked = await wiki.call('GET', url, { headers });
    expect([asked.status, asked.text.includes('<form')]).toEqual([200, true]);
    const once = () => wiki.call('POST', url, { form: { 'List-Unsubscribe': 'One-Click' }, headers });
    expect([(await once()).status, (await once()).status]).toEqual([200, 200]);
    await edit(max, `/mail${n}`, { body: 'again' });
    expect(await mails()).toEqual([]);
    expect(await paths(ada)).toHaveLength(2);
    expect((await wiki.call('POST', `${url}0`, { headers })).status).not.toBe(500);
    expect((await wiki.call('POST', '/account/unsubscribe/x/now', { headers })).status).toBe(404);
  });

  test('digests are sent in the morning and on Mondays, once, with notifications that are still readable and unread', async () => {
    await page(max, `/daily${n}`);
    await page(max, `/weekly${n}`);
    await page(max, `/private${n}`);
    await watch(ada, { page: `/daily${n}`, mail: 'daily' });
    await watch(ada, { page: `/private${n}`, mail: 'daily' });
    await watch(root, { page: `/weekly${n}`, mail: 'weekly' });
    const start = now;
    for (const body of ['a', 'b']) await edit(max, `/daily${n}`, { body });
    await edit(max, `/weekly${n}`, { body: 'a' });
    await edit(max, `/private${n}`, { body: 'words of ours' });
    expect(await mails()).toEqual([]);
    await edit(max, `/private${n}`, { permissions: 700 });
    now = Date.UTC(2026, 0, 2, 6, 59);
    expect(await mails()).toEqual([]);
    now = Date.UTC(2026, 0, 2, 7, 0);
    const [daily, ...others] = await mails();
    expect(others).toEqual([]);
    expect(daily?.subject).toBe('Testwood: your daily digest');
    expect(daily?.text).toContain('- one two three\n+ b');
    expect(daily?.text).not.toContain(`private${n}`);
    now = Date.UTC(2026, 0, 5, 6, 59);
    expect(await mails()).toEqual([]);
    now = Date.UTC(2026, 0, 5, 7, 0);
    expect((await mails()).map(({ subject }) => subject)).toEqual(['Testwood: your weekly digest']);
    now += day;
    expect(await mails()).toEqual([]);
    now = start;
  });

  test('a refusing mail server loses nothing: the next attempt contains the same', async () => {
    await page(max, `/later${n}`);
    await watch(ada, { page: `/later${n}`, mail: 'now' });
    await edit(max, `/later${n}`, { body: 'first' });
    mailbox.refusal = { code: 451, message: 'later' };
    expect(await mails()).toEqual([]);
    mailbox.refusal = undefined;
    await edit(max, `/later${n}`, { body: 'second' });
    const [soon] = await mails();
    expect(soon?.text).toContain('+ second');
    now += 2 * 60_000;
    const [late, ...more] = await mails();
    expect([late?.text?.includes('+ first'), more]).toEqual([true, []]);
    now -= 2 * 60_000;
  });

  test('the private feed can be read only by its address, until there is a new one', async () => {
    await page(max, `/feed${n}`);
    await watch(ada, { page: `/feed${n}` });
    await edit(max, `/feed${n}`, { body: 'news', msg: 'Something <new>' });
    await tell();
    const made = await wiki.call('POST', '/v1/notifications/feed', { token: ada.token });
    const path = new URL(made.json.url).pathname;
    const feed = await wiki.call('GET', path);
    expect([feed.status, feed.headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8']);
    expect(feed.headers['cache-control']).toBe('private, no-store');
    expect(feed.text).toContain(`feed${n}`);
    expect(feed.text).toContain('Something &lt;new&gt;');
    await edit(max, `/feed${n}`, { permissions: 700 });
    expect((await wiki.call('GET', path)).text).not.toContain(`feed${n}`);
    await wiki.call('POST', '/v1/notifications/feed', { token: ada.token });
    expect((await wiki.call('GET', path)).status).toBe(404);
    await wiki.call('DELETE', '/v1/notifications/feed', { token: ada.token });
  });

  test('two concurrent processes notify everybody once, and an idle wiki writes nothing', async () => {
    await page(max, `/once${n}`);
    await watch(ada, { page: `/once${n}` });
    for (let i = 0; i < 30; i++) await edit(max, `/once${n}`, { body: `version ${i}` });
    const { store } = wiki.app.service;
    await Promise.all([1, 2, 3].map(() => notifyWatchers(store, () => now)));
    expect(await told(ada)).toHaveLength(30);
    await expectNoWrite(engine, store, async () =>
      expect(await notifyWatchers(store, () => now)).toBe(false),
    );
  });

  test('the newest 1,000 notifications of each member are kept, and a deactivated member gets none', async () => {
    await page(max, `/many${n}`);
    await watch(ada, { page: `/many${n}`, mail: 'now' });
    await watch(root, { page: `/many${n}` });
    const { store } = wiki.app.service;
    await store.members.update(ada.id, { isActive: false });
    await edit(max, `/many${n}`, { body: 'x' });
    expect(await mails()).toEqual([]);
    const [only] = await told(root);
    const { store: s } = wiki.app.service;
    const event = await s.events.last(everything);
    const member = await s.members.findById(root.id);
    if (!only || !event || !member) throw new Error('Nothing was told.');
    const matches = Array.from({ length: 1010 }, (_, i) => ({
      eventId: 1_000_000 + i,
      kind: 'edited' as const,
      editorId: max.id,
      watchId: 1,
      mail: 'off' as const,
      member,
      page: { audience: 0 as const, ownerId: max.id },
    }));
    await s.watches.deliver(matches, now, { now, daily: now, weekly: now });
    // Missing events are hidden; the real one was the oldest and is no longer kept.
    expect(await told(root)).toEqual([]);
  });
});
