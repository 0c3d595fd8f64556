/** Webhooks: recipients, signatures, retries and giving up; who may make them; one process of several. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeMember } from '#core/members/manage-members.ts';
import { buildApp } from '#run/app.ts';
import type { WebhookLoop } from '#src/features/webhooks/loop.ts';
import { engines, startApp, type TestApp } from '../support/http.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { expectNoWrite } from '../support/revision.ts';
import { addApiToken } from '../support/tokens.ts';

const minute = 60_000;
const hour = 60 * minute;
/** Interval in ms so long that only `deliverDue` sends anything. */
const byHand = 2 ** 31 - 1;

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  let loop: WebhookLoop;
  let receiver: Receiver;
  let shift = 0;
  const clock = () => Date.now() + shift;
  let root: { id: number; token: string };
  let olga: { id: number; token: string };

  beforeAll(async () => {
    wiki = await startApp(
      { COPPICE_OUTGOING_ALLOW: '127.0.0.1', COPPICE_URL: 'https://wiki.example.org' },
      { engine, clock },
    );
    loop = wiki.app.startWebhooks(byHand);
    receiver = await startReceiver();
    root = await member('Root', true);
    olga = await member('Olga', false);
  });
  afterAll(async () => {
    await wiki.close();
    await receiver[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    await loop.deliverDue();
    receiver.answer(204);
    receiver.received.length = 0;
  });
  afterEach(async () => {
    const { json } = await wiki.call('GET', '/v1/webhooks', { token: root.token });
    for (const { id } of json) await wiki.call('DELETE', `/v1/webhooks/${id}`, { token: root.token });
  });

  /** Makes a member with an API token that outlives the hours of a test. */
  const member = async (name: string, isAdmin: boolean) => {
    const { id } = await wiki.member(name, { isAdmin });
    const { store } = wiki.app.service;
    const input = { name: 'all', scopes: ['read', 'write', 'admin'] };
    const made = await addApiToken(store, { memberId: id, name, isAdmin }, input, clock());
    return { id, token: made.secret };
  };
  const make = async (fields: Record<string, unknown> = {}, token = root.token) => {
    const made = await wiki.call('POST', '/v1/webhooks', { token, json: { url: receiver.url, ...fields } });
    expect(made.status, made.text).toBe(200);
    return made.json;
  };
  const edit = (id: number, json: Record<string, unknown>, token = root.token) =>
    wiki.call('PATCH', `/v1/webhooks/${id}`, { token, json });
  const read = async (id: number) =>
    (await wiki.call('GET', `/v1/webhooks/${id}`, { token: root.token })).json;
  const log = async (id: number) =>
    (await wiki.call('GET', `/v1/webhooks/${id}/deliveries?limit=1000`, { token: root.token })).json;
  /** Delivers what is due and returns the IDs received. */
  const arriving = async () => {
    receiver.received.length = 0;
    await loop.deliverDue();
    return receiver.received.map(({ id }) => id);
  };
  let pages = 0;
  const page = (fields: Record<string, unknown> = {}) =>
    wiki.page(root.token, { title: `Page ${++pages}`, ...fields });
  const feed = async (after: string, token = root.token) =>
    (await wiki.call('GET', `/v1/changes?limit=1000&after=${after}`, { token })).json;

  test('an event is sent as the change feed shows it, signed with the secret that was shown once', async () => {
    const before = (await feed('latest')).next;
    const made = await make();
    expect(made).toEqual({
      id: expect.any(Number),
      url: receiver.url,
      kinds: null,
      ancestor: null,
      format: 'standard',
      member: { id: root.id, name: 'Root' },
      createdAt: expect.any(String),
      enabled: true,
      disabledAt: null,
      disabledReason: null,
      lastDeliveredAt: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const { secret, ...listed } = made;
    expect((await wiki.call('GET', '/v1/webhooks', { token: root.token })).json).toEqual([listed]);

    await page({ body: '[[Elsewhere]]', permissions: 700 });
    await loop.deliverDue();
    const { changes, next } = await feed(before);
    expect(receiver.received.map(({ json }) => json)).toEqual(changes);
    const [sent] = receiver.received;
    if (!sent) throw new Error('Nothing was sent.');
    expect(changes[0].affects.lists).toContain('requested');
    expect(sent.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': next });
    receiver.verify(secret, sent);
    expect(() => receiver.verify(secret, { ...sent, body: `${sent.body} ` })).toThrow();
    expect(await log(made.id)).toMatchObject([
      {
        messageId: next,
        kind: 'created',
        path: changes[0].page.path,
        state: 'delivered',
        attempts: 1,
        status: 204,
      },
    ]);
    expect((await read(made.id)).lastDeliveredAt).not.toBeNull();
    expect(await arriving()).toEqual([]);
  });

  test('chat programs get messages that they can show, with all mark-up of members escaped', async () => {
    const formats = ['slack', 'teams', 'discord'] as const;
    const hooks = [];
    for (const format of formats) hooks.push(await make({ format }));
    const title = `@here <!channel> [x](http://evil.example) & **bold** ${'long '.repeat(35)}`;
    await page({ title, path: '/odd(one)', msg: 'Pruned <b> `now`' });
    await loop.deliverDue();
    const url = 'https://wiki.example.org/odd%28one%29';
    const sent = receiver.received.map(({ body }) => JSON.parse(body));
    const slack = sent.find((message) => 'text' in message);
    expect(slack.mrkdwn).toBe(false);
    expect(slack.text).toContain(
      `Root created <${url}|@here &lt;!channel&gt; [x](http://evil.example) &amp; **bold**`,
    );
    expect(slack.text).toMatch(/…>: Pruned &lt;b&gt; `now`$/);
    const { body, actions } = sent.find((message) => 'attachments' in message).attachments[0].content;
    expect(body[0].text).toContain('Root created \\@here \\<\\!channel\\> \\[x\\]\\(http\\://evil');
    expect(actions).toEqual([{ type: 'Action.OpenUrl', title: 'Open the page', url }]);
    const discord = sent.find((message) => 'content' in message);
    expect(discord.allowed_mentions).toEqual({ parse: [] });
    expect(discord.content).toContain(`](<${url}>): Pruned`);
    expect(discord.content.length).toBeLessThan(2000);
    expect((await edit(hooks[0].id, { format: 'irc' })).status).toBe(400);
    expect((await edit(hooks[0].id, { format: 'standard' })).json.format).toBe('standard');
    receiver.received.length = 0;
    const path = `/v1/webhooks/${hooks[2].id}/test`;
    expect((await wiki.call('POST', path, { token: root.token })).json.state).toBe('delivered');
    expect(receiver.received[0]?.json).toMatchObject({ content: 'Root sent a test: A test' });
  });

  test('a valid secret of the caller is used', async () => {
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    expect((await make({ secret })).secret).toBe(secret);
    await page();
    await loop.deliverDue();
    for (const one of receiver.received) receiver.verify(secret, one);
    expect(receiver.received).toHaveLength(1);
    for (const bad of ['whsec_abc', 'abc', `whsec_${Buffer.alloc(23).toString('base64')}`, 'whsec_', '']) {
      const refused = await wiki.call('POST', '/v1/webhooks', {
        token: root.token,
        json: { url: receiver.url, secret: bad },
      });
      expect([refused.status, refused.json.errors[0].pointer], bad).toEqual([400, '/secret']);
    }
  });

  test('only administrators manage webhooks, by tokens with the scope for it', async () => {
    const { id } = await make();
    await page();
    await loop.deliverDue();
    const [{ id: delivery }] = await log(id);
    const { store } = wiki.app.service;
    const actor = { memberId: root.id, name: 'Root', isAdmin: true };
    const token = async (scopes: string[]) =>
      (await addApiToken(store, actor, { name: 'x', scopes }, clock())).secret;
    const requests = [
      ['POST', '/v1/webhooks', { url: receiver.url }],
      ['GET', '/v1/webhooks'],
      ['GET', `/v1/webhooks/${id}`],
      ['PATCH', `/v1/webhooks/${id}`, { enabled: false }],
      ['DELETE', `/v1/webhooks/${id}`],
      ['POST', `/v1/webhooks/${id}/test`],
      ['GET', `/v1/webhooks/${id}/deliveries`],
      ['POST', `/v1/webhooks/${id}/deliveries/${delivery}/replay`],
    ] as const;
    receiver.received.length = 0;
    const answers = async (given: { token?: string }) => {
      const answers = [];
      for (const [method, url, json] of requests)
        answers.push((await wiki.call(method, url, { ...given, ...(json ? { json } : {}) })).json.type);
      return new Set(answers);
    };
    expect(await answers({})).toEqual(new Set(['/v1/docs#problem-unauthenticated']));
    expect(await answers({ token: olga.token })).toEqual(new Set(['/v1/docs#problem-administrators-only']));
    const insufficient = new Set(['/v1/docs#problem-insufficient-scope']);
    expect(await answers({ token: await token(['read', 'write', 'members']) })).toEqual(insufficient);
    expect(receiver.received).toEqual([]);
    expect((await read(id)).enabled).toBe(true);
    const listed = await wiki.call('GET', '/v1/webhooks', { token: await token(['admin']) });
    expect(listed.status).toBe(200);
  });

  test.each([
    [{}, '/url'],
    [{ url: 'http://10.0.0.1/' }, '/url'],
    [{ url: 'https://169.254.169.254/latest/meta-data' }, '/url'],
    [{ url: 'https://[::ffff:7f00:2]/' }, '/url'],
    [{ url: 'http://example.org/' }, '/url'],
    [{ url: 'gopher://example.org/' }, '/url'],
    [{ url: `https://example.org/${'x'.repeat(2000)}` }, '/url'],
    [{ url: 'https://example.org/', kinds: [] }, '/kinds'],
    [{ url: 'https://example.org/', kinds: ['liked'] }, '/kinds'],
    [{ url: 'https://example.org/', ancestor: '/nowhere' }, '/ancestor'],
    [{ url: 'https://example.org/', after: 'zz-zz' }, '/after'],
  ])('%.60j is refused for its %s', async (json, pointer) => {
    const refused = await wiki.call('POST', '/v1/webhooks', { token: root.token, json });
    expect([refused.status, refused.json.errors[0].pointer.slice(0, pointer.length)]).toEqual([400, pointer]);
  });

  test('a webhook for some kinds, or for a part of the tree, is sent nothing else', async () => {
    const garden = await page();
    const { id } = await make({ kinds: ['created', 'edited'], ancestor: garden.path });
    await page();
    const rose = await page({ parent: garden.path });
    await wiki.call('POST', `/v1/pages${rose.path}`, { token: root.token, json: { body: 'Red.' } });
    await wiki.call('POST', `/v1/pages${rose.path}`, { token: root.token, json: { permissions: 770 } });
    await loop.deliverDue();
    expect(receiver.received.map(({ json }) => [json.kind, json.page.id])).toEqual([
      ['created', rose.id],
      ['edited', rose.id],
    ]);
    expect((await edit(id, { kinds: null, ancestor: null })).json).toMatchObject({
      kinds: null,
      ancestor: null,
    });
    await page();
    expect(await arriving()).toHaveLength(1);
  });

  test('a failed delivery is tried again later under the same ID, and does not delay later events', async () => {
    const { id } = await make();
    const bad = await page();
    await page();
    receiver.answer(({ json }) => (json.page.id === bad.id ? 500 : 200));
    const [first = ''] = await arriving();
    expect(
      (await log(id)).map(({ state, status, answer }: Record<string, unknown>) => [state, status, answer]),
    ).toEqual([
      ['delivered', 200, 'as 200'],
      ['waiting', 500, 'as 500'],
    ]);
    expect(await arriving()).toEqual([]);
    for (const pause of [5000, minute, 5 * minute, 30 * minute, 2 * hour]) {
      shift += pause - 1000;
      expect(await arriving(), String(pause)).toEqual([]);
      shift += 1000;
      expect(await arriving(), String(pause)).toEqual([first]);
    }
    receiver.answer(204);
    shift += 5 * hour;
    expect(await arriving()).toEqual([first]);
    expect((await log(id))[1]).toMatchObject({ state: 'delivered', attempts: 7, nextAttemptAt: null });
    expect((await read(id)).enabled).toBe(true);
  });

  test('a receiver that asks for a pause is left alone for it, at most for 20 hours', async () => {
    const { id } = await make();
    const pauses = async (pause: string) => {
      receiver.answer(429, { 'retry-after': pause });
      await page();
      await loop.deliverDue();
      const [{ nextAttemptAt, attemptedAt }] = await log(id);
      return (Date.parse(nextAttemptAt) - Date.parse(attemptedAt)) / 1000;
    };
    expect(Math.round(await pauses('3600'))).toBe(3600);
    expect(Math.abs((await pauses(new Date(clock() + hour).toUTCString())) - 3600)).toBeLessThan(60);
    for (const odd of ['soon', '-60', '1.5e9', '']) expect(Math.round(await pauses(odd)), odd).toBe(5);
    expect(Math.round(await pauses('9'.repeat(400)))).toBe(20 * 3600);
  });

  test('a receiver that is slow to answer does not delay the events of other webhooks', async () => {
    const other = await buildApp(wiki.config, { clock, logger: wiki.logger });
    const { promise: released, resolve: release } = Promise.withResolvers<number>();
    try {
      const slow = await make({ url: `${receiver.url}/slow` });
      other.startWebhooks(10);
      let asked = 0;
      const at = (path: string) => receiver.received.filter(({ url }) => url === path).length;
      receiver.answer(({ url }) => (url === '/hook/slow' && asked++ === 0 ? released : 204));
      await page();
      await expect.poll(() => at('/hook/slow')).toBe(1);
      await make();
      await page();
      await expect.poll(() => at('/hook')).toBe(1);
      // A receiver of an address that was given up meanwhile stops nothing.
      await edit(slow.id, { url: `${receiver.url}/new` });
      release(410);
      await expect.poll(() => at('/hook/new')).toBe(1);
      expect(await read(slow.id)).toMatchObject({ enabled: true });
    } finally {
      release(204);
      await other.close();
    }
  });

  test('after three days without a success the webhook stops, and enabling it loses nothing', async () => {
    const { id } = await make();
    receiver.answer(0);
    const first = await page();
    const started = clock();
    for (let i = 0; i < 60 && (await read(id)).enabled; i++) {
      await loop.deliverDue();
      shift += 2 * hour;
    }
    const days = (clock() - started) / (24 * hour);
    expect(days).toBeGreaterThan(2.8);
    expect(days).toBeLessThan(3.6);
    expect(await read(id)).toMatchObject({
      enabled: false,
      disabledReason:
        'The receiver accepted nothing for three days: The connection was closed without a response.',
    });
    receiver.answer(204);
    const second = await page();
    expect(await arriving()).toEqual([]);
    expect((await edit(id, { enabled: true })).json).toMatchObject({ enabled: true, disabledReason: null });
    await loop.deliverDue();
    expect(receiver.received.map(({ json }) => json.page.id)).toEqual([second.id]);
    // A failed delivery is replayed by hand.
    const [, failed] = await log(id);
    expect(failed).toMatchObject({ state: 'failed', path: first.path });
    const replayed = await wiki.call('POST', `/v1/webhooks/${id}/deliveries/${failed.id}/replay`, {
      token: root.token,
    });
    expect(replayed.json).toMatchObject({ id: failed.id, state: 'delivered', messageId: failed.messageId });
  });

  test('one event that always fails does not disable a webhook that accepts others', async () => {
    const { id } = await make();
    const bad = await page();
    receiver.answer(({ json }) => (json.page.id === bad.id ? 500 : 204));
    for (let i = 0; i < 12; i++) {
      await loop.deliverDue();
      shift += 20 * hour;
      await page();
    }
    await loop.deliverDue();
    expect((await read(id)).enabled).toBe(true);
    expect((await log(id)).filter(({ state }: { state: string }) => state !== 'delivered')).toMatchObject([
      { state: 'failed', attempts: 11 },
    ]);
  });

  test('a receiver that answers 410 is sent nothing more', async () => {
    const { id } = await make();
    receiver.answer(410);
    await page();
    await page();
    await loop.deliverDue();
    expect(await read(id)).toMatchObject({
      enabled: false,
      disabledReason: 'The receiver answered 410 Gone.',
    });
    shift += hour;
    expect(await arriving()).toEqual([]);
  });

  test('a redirect is not a success and is not followed', async () => {
    const { id } = await make();
    receiver.answer(302);
    await page();
    expect(await arriving()).toHaveLength(1);
    expect(await log(id)).toMatchObject([
      { state: 'waiting', status: 302, answer: 'Redirects are not followed.' },
    ]);
  });

  test('the webhook keeps its place through a long outage, and then everything arrives once', async () => {
    const { id } = await make();
    receiver.answer(503);
    const made: number[] = [];
    for (let i = 0; i < 90; i++) made.push((await page()).id);
    expect(await arriving()).toHaveLength(64);
    expect(await log(id)).toHaveLength(64);
    receiver.answer(204);
    shift += minute;
    await arriving();
    expect(receiver.received.map(({ json }) => json.page.id).sort((a, b) => a - b)).toEqual(made);
  });

  test('with a cursor, all later events are sent once more', async () => {
    const { id } = await make();
    const cursor = (await feed('latest')).next;
    await page();
    const sent = await arriving();
    expect((await edit(id, { after: cursor })).status).toBe(200);
    expect(await arriving()).toEqual(sent);
    expect((await edit(id, { enabled: false })).json.disabledReason).toBe('Root disabled it.');
    await page();
    expect(await arriving()).toEqual([]);
    await edit(id, { enabled: true, after: 'latest' });
    expect(await arriving()).toEqual([]);
  });

  test('a webhook ends with the rights of its owner, and belongs to the administrator who enables it', async () => {
    const other = await member('Vera', true);
    const { id } = await make({}, other.token);
    const { store } = wiki.app.service;
    await changeMember(store, 'vera@example.org', { role: 'writer' });
    await page();
    expect(await arriving()).toEqual([]);
    expect(await read(id)).toMatchObject({
      enabled: false,
      disabledReason: 'Its owner is no longer an administrator.',
      member: { name: 'Vera' },
    });
    expect((await edit(id, { enabled: true })).json).toMatchObject({
      enabled: true,
      member: { name: 'Root' },
    });
    expect(await arriving()).toHaveLength(1);
  });

  test('pages that have become unreadable before an attempt are left out', async () => {
    const { id } = await make({ kinds: ['created'] });
    receiver.answer(500);
    const { path } = await page();
    await loop.deliverDue();
    receiver.answer(204);
    const { json } = await wiki.call('DELETE', `/v1/pages${path}`, { token: root.token });
    await wiki.call('DELETE', `/v1/trash/${json.trash.id}`, { token: root.token });
    shift += minute;
    expect(await arriving()).toEqual([]);
    const [{ id: delivery, ...rest }] = await log(id);
    expect(rest).toMatchObject({ state: 'left-out', nextAttemptAt: null });
    const again = await wiki.call('POST', `/v1/webhooks/${id}/deliveries/${delivery}/replay`, {
      token: root.token,
    });
    expect(again.status).toBe(404);
  });

  test('a test is sent at once, also by a disabled webhook, and is logged', async () => {
    const { id, secret } = await make();
    await edit(id, { enabled: false });
    const tested = await wiki.call('POST', `/v1/webhooks/${id}/test`, { token: root.token });
    expect(tested.json).toMatchObject({
      kind: 'test',
      path: null,
      state: 'delivered',
      status: 204,
      attempts: 1,
    });
    const [sent] = receiver.received;
    if (!sent) throw new Error('Nothing was sent.');
    receiver.verify(secret, sent);
    expect(sent.json).toMatchObject({ kind: 'test', page: null, affects: { pages: [], lists: [] } });
    receiver.answer(500);
    const failed = await wiki.call('POST', `/v1/webhooks/${id}/test`, { token: root.token });
    expect(failed.json).toMatchObject({ state: 'failed', nextAttemptAt: null, answer: 'as 500' });
    expect((await log(id)).map(({ state }: { state: string }) => state)).toEqual(['failed', 'delivered']);
    shift += hour;
    expect(await arriving()).toEqual([]);
  });

  test('one of several processes sends, and another one continues when it dies', async () => {
    const { config } = wiki;
    const other = await buildApp(config, { clock, logger: wiki.logger });
    try {
      const second = other.startWebhooks(byHand);
      const { id } = await make();
      const made: number[] = [];
      for (let i = 0; i < 40; i++) made.push((await page()).id);
      await Promise.all([loop.deliverDue(), second.deliverDue(), loop.deliverDue(), second.deliverDue()]);
      expect(receiver.received.map(({ json }) => json.page.id).sort((a, b) => a - b)).toEqual(made);
      // A dead process holds the webhook until its lease expires.
      const { store } = wiki.app.service;
      expect(await store.webhooks.lease(id, 'dead', clock(), clock() + minute)).toBeDefined();
      await page();
      expect(await arriving()).toEqual([]);
      shift += minute;
      await Promise.all([loop.deliverDue(), second.deliverDue()]);
      expect(receiver.received).toHaveLength(1);
      // The process writes its results after its lease has expired.
      const [webhook] = await store.webhooks.list(1);
      if (!webhook) throw new Error('There is no webhook.');
      const late = { position: 0, lastSuccessAt: null, disabled: undefined, until: null, deliveries: [] };
      expect(await store.webhooks.finish(webhook, 'dead', late, 1)).toBeUndefined();
      expect((await store.webhooks.find(id))?.position).toBe(webhook.position);
    } finally {
      await other.close();
    }
  });

  test('nothing is written while nothing happens, and seldom for unrelated events', async () => {
    const { store } = wiki.app.service;
    const { id } = await make({ kinds: ['erased'] });
    await loop.deliverDue();
    const place = async () => (await store.webhooks.find(id))?.position ?? 0;
    const start = await place();
    await page();
    await loop.deliverDue();
    await expectNoWrite(engine, store, async () => {
      for (let i = 0; i < 5; i++) await loop.deliverDue();
    });
    expect(await place()).toBe(start);
    const { memberId } = (await store.webhooks.find(id)) ?? { memberId: 0 };
    const { id: pageId } = await page();
    const event = { kind: 'edited', pageId, at: clock(), editorId: memberId, msg: '' } as const;
    await store.transact((store) => store.events.record(Array.from({ length: 1100 }, () => event)));
    await loop.deliverDue();
    expect(await place()).toBe(start + 1102);
    expect(await arriving()).toEqual([]);
  });

  test('the log keeps the latest deliveries, and waiting ones', async () => {
    const { id } = await make();
    receiver.answer(500);
    const { id: pageId } = await page();
    await loop.deliverDue();
    receiver.answer(204);
    shift -= minute;
    const event = { kind: 'edited', pageId, at: clock(), editorId: root.id, msg: '' } as const;
    const { store } = wiki.app.service;
    await store.transact((store) => store.events.record(Array.from({ length: 560 }, () => event)));
    await loop.deliverDue();
    const deliveries = await log(id);
    expect(deliveries).toHaveLength(501);
    expect(deliveries.at(-1)).toMatchObject({ state: 'waiting' });
  });
});
