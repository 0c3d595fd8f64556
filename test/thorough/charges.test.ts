/**
 * Charges for CPU time follow its use: every operation that is open to strangers is called with large
 * input, and CPU time of the whole process, threads included, is compared with what was counted for the caller's address.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPages, draftOf } from '#core/pages/create-pages.ts';
import { createCounts } from '#http/limits.ts';
import type { Siblings } from '#http/service.ts';
import { effort } from '../support/effort.ts';
import { engines, type Method, startApp, type TestApp } from '../support/http.ts';

const pages = 1100;
const prose = 'The old mill stands by the river and turns its wheel in every season of the year. ';
const many = (part: string, size: number) => part.repeat(Math.ceil(size / part.length));

/** A share of the CPU time that is charged at least. */
const leastShare = 0.4;
/** CPU time that may be free: cached responses, short pages, and the cost of any request. Less than 20 ms is counted later. */
const freeMs = 30;

interface Operation {
  operationId: string;
  security?: object[];
  parameters?: { name: string; schema?: { maximum?: number } }[];
}

type Call = { method: Method; url: string; json?: unknown };

// One engine in the usual run: what is charged is counted above them.
describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  let wiki: TestApp;
  let charged = 0;
  let number = 0;
  let versions: { id: number }[] = [];

  beforeAll(async () => {
    const counts = createCounts(Date.now);
    const siblings: Siblings = {
      count: async (key, windowMs, amount = 1) => {
        const isCpu = key.startsWith('cpu ');
        if (isCpu) charged += amount;
        // Nobody is refused here, because every call has to do its work.
        return isCpu ? { current: 0, ttl: windowMs } : counts(`${key} ${number++}`, windowMs, amount);
      },
      metrics: async () => '',
      shareMetrics: () => {},
    };
    wiki = await startApp({ COPPICE_RATE_LIMIT: 'on' }, { engine, siblings });
    const { store, files } = wiki.app.service;
    const ada = await wiki.member('Ada', { isAdmin: true });
    const actor = { memberId: ada.id, name: 'Ada', isAdmin: true };
    const inputs = Array.from({ length: pages }, (_, i) => ({
      title: `Page ${i}`,
      parent: i === 0 ? null : '/page-0',
      body: `${many(prose, 2000)}\n\n${Array.from({ length: 8 }, (_, k) => `[[Page ${(i * 7 + k * 13) % pages}]]`).join(' ')} [[kind:tree]]`,
      location: { lat: i % 80, lon: i % 170 },
    }));
    for (const some of [inputs.slice(0, 1), inputs.slice(1)])
      await createPages(
        { store, files, actor, now: 1000 },
        some.map((input) => draftOf(input, store.dialect)),
      );
    for (let i = 0; i < 6; i++) {
      const json = { title: 'Long', format: 'markdown', body: many(`${i} *a* ${prose.slice(i)}`, 300_000) };
      const { json: saved } = await wiki.call('POST', i === 0 ? '/v1/pages' : '/v1/pages/long', {
        ...{ token: ada.token, json },
      });
      versions = saved.page?.history ?? saved.history;
    }
  });
  afterAll(() => wiki.close());

  const get = (url: string): Call => ({ method: 'GET', url });
  /** Calls with large input. Each is new, so that no cache answers. */
  const large: Record<string, () => Call[]> = {
    changes: () => [
      get(`/v1/changes?limit=1000&after=${number++ % 2}`),
      get('/v1/changes?limit=1000&before=latest'),
    ],
    preview: () =>
      ['markdown', 'wikitext'].map((format) => ({
        ...{ method: 'POST', url: '/v1/preview' },
        json: { format, body: many(`${number++} *a* ''b'' [[Mill]] ${prose}`, 300_000) },
      })),
    document: () => [
      {
        method: 'POST',
        url: '/v1/document',
        json: { format: 'markdown', body: many(`${number++} *a* `, 300_000) },
      },
    ],
    readPage: () => [
      get(`/v1/pages/long?attempt=${number++}`),
      get(`/v1/pages/long?format=md&attempt=${number++}`),
    ],
    diff: () => {
      const [from, to] = [versions[number % 3], versions[3 + (number++ % 3)]].map((version) => version?.id);
      return [get(`/v1/diff/long?from=${from}&to=${to}&attempt=${number}`)];
    },
    history: () => [get(`/v1/history/page-0?limit=1000&attempt=${number++}`)],
    searchPages: () => [
      get(`/v1/pages?text=mill%20river&limit=1000&order=distance&near=${number++},1`),
      get(`/v1/pages?title=page&text=mill&logic=or&limit=1000&offset=${number++ % 9}`),
    ],
    export: () => ['jsonl', 'site', 'epub'].map((format) => get(`/v1/export?format=${format}`)),
    batch: () => [
      {
        ...{ method: 'POST', url: '/v1/batch' },
        json: {
          operations: Array.from({ length: 40 }, (_, i) => ({
            ...{ method: 'GET', path: `/v1/pages?text=mill%20river&limit=${50 + i}&offset=${number++ % 50}` },
          })),
        },
      },
    ],
  };

  function usual(method: string, path: string, { parameters = [] }: Operation): Call {
    const filled = path
      .replace('{path}', 'page-0')
      .replace('{lat}/{lon}', '10/20')
      .replace(/\{\w+\}/g, '1');
    const limit = parameters.find(({ name }) => name === 'limit')?.schema?.maximum ?? 1000;
    const url = `${filled}?limit=${limit}&attempt=${number++}`;
    const json = { title: many('word ', 20_000), body: many('word ', 20_000), name: 'word' };
    return { method: method as Method, url, ...(/^(POST|PUT|PATCH)$/.test(method) ? { json } : {}) };
  }

  async function costOf({ method, url, json }: Call): Promise<{ usedMs: number; chargedMs: number }> {
    charged = 0;
    const before = process.cpuUsage();
    await wiki.app.server.inject({
      ...{ method, url, headers: { host: 'wiki.test' } },
      ...(json === undefined ? {} : { payload: json as object }),
    });
    const { user, system } = process.cpuUsage(before);
    return { usedMs: (user + system) / 1000, chargedMs: charged };
  }

  test('every operation that is open to strangers charges a large part of the CPU time that it uses', async () => {
    const { json } = await wiki.call('GET', '/v1/openapi.json');
    const short: string[] = [];
    const seen = new Set<string>();
    for (const [path, methods] of Object.entries(json.paths as Record<string, Record<string, Operation>>))
      for (const [method, operation] of Object.entries(methods)) {
        const calls = large[operation.operationId] ?? (() => [usual(method.toUpperCase(), path, operation)]);
        for (const index of calls().keys()) {
          let worst = '';
          // The first attempt loads code, and a collection of garbage may fall into any.
          for (let attempt = 0; attempt < 10; attempt++) {
            const { usedMs, chargedMs } = await costOf(calls()[index] as Call);
            if (chargedMs > 0) seen.add(operation.operationId);
            worst = `${operation.operationId} ${index}: ${chargedMs.toFixed()} of ${usedMs.toFixed()} ms`;
            if (chargedMs >= leastShare * (usedMs - freeMs)) {
              worst = '';
              break;
            }
          }
          if (worst !== '') short.push(worst);
        }
      }
    expect(short).toEqual([]);
    expect([...seen]).toEqual(
      expect.arrayContaining(['changes', 'document', 'export', 'preview', 'searchPages']),
    );
  }, 300_000);
});
