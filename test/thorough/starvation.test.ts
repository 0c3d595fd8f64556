/**
 * Expensive requests delay only their own callers: floods of previews, hostile texts and huge comparisons hold up neither
 * readers nor members who save, on a machine of any size.
 */
import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strangersCpu } from '#http/costs.ts';
import { createCounts } from '#http/limits.ts';
import { effort } from '../support/effort.ts';
import { engines, startApp, type TestApp } from '../support/http.ts';

const long = (word: string, characters: number) =>
  `'''${word}''' [[Mill]]\n\n`.repeat(Math.ceil(characters / (word.length + 18)));

/** Rendering and comparing use the same threads on either engine. */
describe.each(effort(engines.slice(0, 1), engines))('%s', (engine) => {
  let wiki: TestApp;
  let token: string;

  beforeAll(async () => {
    const environment = {
      COPPICE_RATE_LIMIT: 'on',
      COPPICE_TRUST_PROXY: '1',
      COPPICE_URL: 'https://wiki.example.org',
    };
    wiki = await startApp(environment, { engine, cpuLimits: { strangerMs: 2500 } });
    ({ token } = await wiki.member('Ada'));
  });
  afterAll(() => wiki.close());

  const preview = (body: string, address: string, more = {}) =>
    wiki.call('POST', '/v1/preview', {
      json: { body, ...more },
      headers: { 'x-forwarded-for': address },
    });

  test('any number of previews by strangers delay no long page that is read or saved', async () => {
    for (const name of ['One', 'Two', 'Three'])
      await wiki.page(token, { title: `Long ${name}`, body: long(name, 200_000) });
    const order: string[] = [];
    const flood = Array.from({ length: effort(44, 132) }, (_, i) =>
      preview(long(`flood ${i}`, 100_000), `198.51.100.${i >> 1}`).then(({ status }) => {
        if (status === 200) order.push('flood');
        return status;
      }),
    );
    const others = [
      ...['one', 'two', 'three'].map((name) => wiki.call('GET', `/v1/pages/long-${name}`)),
      wiki.call('GET', '/long-one'),
      ...['one', 'two', 'three'].map((name) =>
        wiki.call('POST', `/v1/pages/long-${name}`, {
          token,
          json: { body: long(`saved ${name}`, 200_000) },
        }),
      ),
      wiki.call('POST', '/v1/preview', { token, json: { body: long('mine', 160_000) } }),
    ];
    const statuses = await Promise.all(
      others.map((other) =>
        other.then(({ status }) => {
          order.push('other');
          return status;
        }),
      ),
    );
    expect(statuses).toEqual(Array(others.length).fill(200));
    expect(new Set(await Promise.all(flood)).difference(new Set([200, 429, 503]))).toEqual(new Set());
    expect(order.filter((who) => who === 'flood').length).toBeGreaterThan(0);
    // The other requests did not have to wait for the flood to end.
    expect(order.at(-1)).toBe('flood');
  });

  test('while strangers crawl from any number of addresses, members read and save, and the rest are told when to try again', async () => {
    for (let n = 0; n < 40; n++) await wiki.page(token, { title: `Crawled ${n}`, body: long(`n${n}`, 2000) });
    const address = new URL(await wiki.app.server.listen({ port: 0, host: '127.0.0.1' }));
    const ask = (path: string, localAddress: string, headers = {}) =>
      new Promise<{ status: number | undefined; retryAfter: string | undefined }>((resolve, reject) => {
        const options = {
          host: address.hostname,
          port: address.port,
          path,
          localAddress,
          headers,
          agent: false,
        };
        const asked = get(options, (answer) => {
          answer
            .resume()
            .on('end', () =>
              resolve({ status: answer.statusCode, retryAfter: answer.headers['retry-after'] }),
            );
        });
        asked.on('error', reject);
      });
    const addresses = effort(300, 10_000);
    // Each asks for something that nobody has asked for.
    const crawler = (n: number) =>
      ask(
        `/v1/pages?ancestor=/&limit=${(n % 40) + 1}&offset=${Math.floor(n / 40) % 40}&seen=${n}`,
        `127.${1 + (n >> 16)}.${(n >> 8) & 255}.${1 + (n & 127)}`,
      );
    let next = 0;
    const crawl = async () => {
      const answers = [];
      while (next < addresses) answers.push(await crawler(next++));
      return answers;
    };
    const crawling = Promise.all(Array.from({ length: effort(300, 1000) }, crawl));
    const members: unknown[] = [];
    for (let n = 0; n < 10; n++) {
      members.push(
        (await ask(`/v1/pages/crawled-${n}`, '127.0.0.1', { authorization: `Bearer ${token}` })).status,
      );
      members.push(
        (await wiki.call('POST', `/v1/pages/crawled-${n}`, { token, json: { body: `Saved ${n}` } })).status,
      );
    }
    expect(members).toEqual(Array(20).fill(200));
    const answers = (await crawling).flat();
    expect(answers).toHaveLength(addresses);
    const statuses = new Set(answers.map(({ status }) => status));
    expect(statuses.difference(new Set([200, 503]))).toEqual(new Set());
    for (const { status, retryAfter } of answers) if (status === 503) expect(retryAfter).toBe('5');
    expect((await ask('/v1/pages/crawled-39', '127.0.0.9')).status).toBe(200);
  });

  test('one address can run a few long previews at once, and is told when to try again', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 12 }, (_, i) => preview(long(`${i}`, 160_000), '203.0.113.7')),
    );
    const refused = statuses.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(6);
    for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(statuses.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  });

  test('a short preview of nested templates ends at the lower limit for strangers', async () => {
    await wiki.page(token, { title: 'L0', body: 'x'.repeat(60) });
    for (let level = 1; level <= 4; level++)
      await wiki.page(token, { title: `L${level}`, body: `{{L${level - 1}}}`.repeat(20) });
    const shown = await preview('{{L4}} {{L4}}', '203.0.113.8');
    expect(shown.status).toBe(200);
    expect(shown.json.notices.join()).toContain('500000 characters');
  });

  test('Markdown that opens thousands of boxes is rendered normally', async () => {
    const shown = await preview('> [!note]\n\n'.repeat(5000), '203.0.113.9', { format: 'markdown' });
    expect(shown.status).toBe(200);
    expect(shown.json.markup.split('callout-note')).toHaveLength(5001);
  });

  test('Markdown of any length is saved as it is rendered, whichever thread parses it', async () => {
    const body = `# Head\n\n${'Some *words* of [[Mill]].\n\n'.repeat(400)}[[season:summer]]`;
    const made = await wiki.page(token, { title: 'Marked', format: 'markdown', body });
    expect(made.tags).toEqual({ season: ['summer'] });
    const edited = await wiki.call('POST', '/v1/pages/marked', {
      token,
      json: { body: `${body}\n\n[[season:winter]]` },
    });
    expect(edited.json.page.tags).toEqual({ season: ['summer', 'winter'] });
    expect(edited.json.markup).toContain('<em>words</em>');
    // An edit without a body.
    const renamed = await wiki.call('POST', '/v1/pages/marked', { token, json: { title: 'Marked up' } });
    expect(renamed.json.page.tags).toEqual({ season: ['summer', 'winter'] });
    const first = made.history[0].id;
    const old = await wiki.call('GET', `/v1/pages/marked?version=${first}`);
    expect(old.json.page.tags).toEqual({ season: ['summer'] });
    const back = await wiki.call('POST', '/v1/rollback/marked', { token, json: { to: first } });
    expect(back.json.page.tags).toEqual({ season: ['summer'] });
  });

  test('a huge comparison delays nobody, is limited, and is computed once', async () => {
    const text = (word: string) => Array.from({ length: 60_000 }, (_, i) => `${word} ${i}`).join('\n');
    await wiki.page(token, { title: 'Rows', body: text('from') });
    await wiki.call('POST', '/v1/pages/rows', { token, json: { body: text('to') } });
    const order: string[] = [];
    const comparing = wiki.call('GET', '/v1/diff/rows').then((answer) => {
      order.push('diff');
      return answer;
    });
    for (let i = 0; i < 10; i++) {
      await wiki.call('GET', `/v1/children/rows?offset=${i}`);
      order.push('small');
    }
    const { json, status } = await comparing;
    expect(status).toBe(200);
    // The number of requests served meanwhile depends on the machine.
    expect(order[0]).toBe('small');
    expect(json.body.flatMap(({ lines }: { lines: unknown[] }) => lines)).toHaveLength(2500);
    expect(json.linesLeftOut).toBe(117_500);
    expect(json.html).toContain('117500 more lines');
    const [before, after] = [json.from.id, json.to.id];
    expect(wiki.app.service.renderer.comparisons.get(`${before} ${after}`)).toBeDefined();
    const shown = await wiki.call('GET', `/diff/rows?from=${before}&to=${after}`);
    expect(shown.text).toContain('117500 more lines');
  });
});

describe('a page’s limits', () => {
  test('a page that takes too long is shown as source, is not cached, and is logged', async () => {
    const wiki = await startApp({}, { cpuLimits: { memberMs: 1 } });
    const { token } = await wiki.member('Ada');
    const body = `<b>${long('word', 200_000)}`;
    // A save succeeds even if rendering fails.
    await wiki.page(token, { title: 'Endless', body });
    const saved = await wiki.call('POST', '/v1/pages/endless', { token, json: { msg: 'again' } });
    expect([saved.status, saved.json.markup.slice(0, 30)]).toEqual([200, '<p class="error wikitext-notic']);
    const told = () =>
      wiki.logged.filter(
        (line) => line.includes('page shown as source') && line.includes('"path":"/endless"'),
      ).length;
    let before = told();
    expect(before).toBeGreaterThan(0);
    for (const url of ['/v1/pages/endless', '/v1/pages/endless', '/endless', '/endless']) {
      const shown = await wiki.call('GET', url);
      expect(shown.status).toBe(200);
      expect(shown.text).toContain('takes too long to render');
      expect(shown.headers['cache-control']).toBe('no-store');
      // Each request renders again, because the result is not cached.
      expect(told()).toBe(++before);
    }
    for (const url of ['/v1/pages/endless', '/v1/pages/endless']) {
      expect((await wiki.call('GET', url, { token })).headers['cache-control']).toBe('no-store');
      expect(told()).toBe(++before);
    }
    await wiki.page(token, { title: 'Short', body: "''short''" });
    const short = await wiki.call('GET', '/v1/pages/short');
    expect(short.headers['cache-control']).toContain('public');
    await wiki.close();
  });
});

describe('a stranger’s limits per minute', () => {
  test('are counted by address; then expensive requests are refused, and cheap ones are not', async () => {
    let now = Date.UTC(2026, 0, 1);
    const environment = {
      COPPICE_RATE_LIMIT: 'on',
      COPPICE_TRUST_PROXY: '1',
      COPPICE_URL: 'https://wiki.example.org',
    };
    const wiki = await startApp(environment, { clock: () => now });
    const { token } = await wiki.member('Ada');
    const { history } = await wiki.page(token, { title: 'Mill', body: 'A mill.' });
    const ask = (url: string, address: string, more = {}) =>
      wiki.call('GET', url, { headers: { 'x-forwarded-for': address }, ...more });
    const [mine, neighbours] = ['2001:db8::1', '2001:db8:0:1::1'];
    let asked = 0;
    for (let status = 200; status === 200 && asked < 5000; asked++)
      ({ status } = await ask(`/v1/pages?text=mill&offset=${asked}`, mine));
    expect(asked).toBeLessThanOrEqual(strangersCpu.maxMs / 20 + 2);
    expect(asked).toBeGreaterThan(100);
    const expensive = [
      '/v1/pages?text=word',
      '/search?text=mill',
      `/v1/pages/mill?version=${history[0].id}&history=none`,
      '/v1/diff/mill?to=1',
      '/v1/history/mill?offset=1',
      '/diff/mill?view=inline',
    ];
    for (const url of expensive) {
      const refused = await ask(url, '2001:db8::ffff');
      expect([url, refused.status]).toEqual([url, 429]);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    }
    for (const url of ['/v1/pages/mill', '/mill', '/v1/updates'])
      expect([url, (await ask(url, mine)).status]).toEqual([url, 200]);
    expect((await ask('/v1/pages?text=word', neighbours)).status).toBe(200);
    const member = { headers: { 'x-forwarded-for': mine }, token };
    expect((await ask('/v1/pages?text=mill&limit=7', mine, member)).status).toBe(200);
    now += strangersCpu.windowMs;
    expect((await ask('/v1/pages?text=mill&limit=8', mine)).status).toBe(200);
    await wiki.close();
  });

  test('are counted by network, too, and last as long for all of it', async () => {
    const environment = {
      COPPICE_RATE_LIMIT: 'on',
      COPPICE_TRUST_PROXY: '1',
      COPPICE_URL: 'https://wiki.example.org',
    };
    // Sums so far, of all processes.
    const spent = new Map<string, number>();
    const count = async (key: string, _windowMs: number, amount = 1) => {
      spent.set(key, (spent.get(key) ?? 0) + amount);
      return { current: spent.get(key) ?? 0, ttl: 30_000 };
    };
    const wiki = await startApp(environment, { siblings: { count, shareMetrics: () => {} } as never });
    const search = async (address: string) =>
      (await wiki.call('GET', `/v1/pages?text=${spent.size}`, { headers: { 'x-forwarded-for': address } }))
        .status;
    const { maxMs, maxMsOfNetwork } = strangersCpu;
    for (const [address, network, other] of [
      ['203.0.113.', '203.0.113.0/24', '203.0.114.1'],
      ['2001:db8:7::', '2001:db8:7::/48', '2001:db8:8::1'],
    ] as const) {
      spent.clear();
      expect(await search(`${address}1`)).toBe(200);
      spent.set(`cpu ${network}`, maxMsOfNetwork);
      expect(await search(`${address}2`)).toBe(200);
      // No address has used up its own share.
      expect(
        Math.max(...[...spent].flatMap(([key, ms]) => (key.endsWith(network) ? [] : [ms]))),
      ).toBeLessThan(maxMs);
      expect(await search(`${address}3`)).toBe(429);
      expect(await search(other)).toBe(200);
    }
    await wiki.close();
  });

  test('long previews count by their CPU time, and COPPICE_RATE_LIMIT=off lifts all limits', async () => {
    const spent: [string, number][] = [];
    for (const setting of ['on', 'off']) {
      const wiki = await startApp({ COPPICE_RATE_LIMIT: setting });
      const statuses = await Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          wiki
            .call('POST', '/v1/preview', { json: { body: long(`${i}`, 60_000) } })
            .then(({ status }) => status),
        ),
      );
      spent.push([setting, statuses.filter((status) => status === 429).length]);
      await wiki.close();
    }
    expect(spent).toEqual([
      ['on', 4],
      ['off', 0],
    ]);
  });

  test('amounts are added up for all processes', () => {
    const count = createCounts(() => 0);
    expect(count('cpu a', 1000, 250).current).toBe(250);
    expect(count('cpu a', 1000, 500).current).toBe(750);
    expect(count('cpu b', 1000).current).toBe(1);
  });
});
