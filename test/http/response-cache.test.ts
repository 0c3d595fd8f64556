/** Cached responses: never older than the last write, never another reader's, the same in every encoding. */
import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { addMember } from '#core/members/manage-members.ts';
import { longestInMemory } from '#http/response-cache/bodies.ts';
import type { App } from '#run/app.ts';
import { effort } from '../support/effort.ts';
import { emptyDatabases, type FreshDatabase } from '../support/postgres.ts';
import { ask, cacheHitsOf, withWiki as openWiki } from '../support/two-processes.ts';

const wikiOn =
  (fresh: () => Promise<FreshDatabase>) =>
  (work: (app: App, other: App, authorization: string) => Promise<void>, env: Record<string, string> = {}) =>
    openWiki(fresh, work, { env });

describe.each(emptyDatabases)('on %s', (_name, fresh) => {
  const withWiki = wikiOn(fresh);

  test('every process shows writes of every other process at once', async () => {
    await withWiki(async (app, other, authorization) => {
      const write = (url: string, payload: object) =>
        other.server.inject({ method: 'POST', url, payload, headers: { authorization } });
      const read = async (url: string) => JSON.parse((await ask(app, url)).body);
      await write('/v1/pages', { title: 'Mill', body: 'one [[Ghost]] [[kind:mill]]' });
      for (let round = 0; round < 2; round++) {
        expect((await read('/v1/pages/mill')).markup).toContain('one');
        expect(await read('/v1/requested')).toHaveLength(1);
        expect(await read('/v1/pages?tag=mill')).toHaveLength(1);
        expect(await read('/v1/pages?tag=Kind')).toHaveLength(1);
        expect(await read('/v1/checkpath/ghost')).toEqual({ ok: true });
      }
      await write('/v1/pages/mill', { body: 'two [[Ghost]]' });
      expect((await read('/v1/pages/mill')).markup).toContain('two');
      expect(await read('/v1/pages?tag=mill')).toHaveLength(0);
      expect(await read('/v1/pages?tag=Kind')).toHaveLength(0);
      await write('/v1/pages', { title: 'Ghost' });
      expect((await read('/v1/pages/mill')).markup).toContain('href="/ghost"');
      expect(await read('/v1/requested')).toHaveLength(0);
      expect((await read('/v1/checkpath/ghost')).ok).toBe(false);
      await write('/v1/pages/ghost', { permissions: 700 });
      expect((await ask(app, '/v1/pages/ghost')).statusCode).toBe(404);
      expect(await read('/v1/updates')).toHaveLength(1);
    });
  });

  test('after each kind of write, cached responses equal recomputed ones', async () => {
    await withWiki(async (app, _other, authorization) => {
      const headers = { authorization };
      const write = async (method: 'POST' | 'PUT' | 'DELETE', url: string, payload: object = {}) => {
        const { statusCode, body } = await app.server.inject({ method, url, payload, headers });
        expect(statusCode, body).toBeLessThan(300);
      };
      const edit = (path: string, payload: object) => write('POST', `/v1/pages${path}`, payload);
      const create = (payload: object) => write('POST', '/v1/pages', payload);
      await create({ title: 'Hill', body: 'A hill.' });
      await create({ title: 'Frame', body: 'framed [[Hill]]' });
      const body = '{{Frame}} [[Ghost]] [[Old name]] [[File:/hill/a.txt]] {{Kind}}';
      await create({ title: 'Mill', parent: '/hill', body });
      await create({ title: 'Listing', body: '{{Children|/hill}} {{Recent}}' });
      await create({ title: 'Apart', body: 'apart' });
      const program = (text: string) => `return { main = function() return '${text}' end }`;
      await create({ title: 'Ringing', body: '{{#invoke:Bell|main}}' });
      const urls = ['/hill/mill', '/hill', '/listing', '/apart', '/frame', '/high/mill', '/ringing'].map(
        (path) => `/v1/pages${path}`,
      );
      const file = { file: { name: 'a.txt', data: Buffer.from('text').toString('base64') } };
      const writes: [what: string, write: () => Promise<void>][] = [
        ['another page', () => edit('/apart', { body: 'apart, again' })],
        ['the page', () => edit('/hill/mill', { body: `${body} more` })],
        ['a template', () => edit('/frame', { body: 'framed anew' })],
        ['the description of an ancestor', () => edit('/hill', { description: 'High.' })],
        ['the body of an ancestor', () => edit('/hill', { body: 'Higher. [[Location: 1, 2]]' })],
        ['a file of an ancestor', () => edit('/hill', { files: file })],
        ['a page that was wanted', () => create({ title: 'Ghost' })],
        ['a title', () => edit('/ghost', { title: 'Old name' })],
        ['a template that was missing', () => create({ title: 'Kind', body: 'plain' })],
        ['a template of the type', () => create({ title: 'kind', path: '/other', body: 'typed' })],
        ['its type', () => edit('/other', { type: 'Template' })],
        ['a module', () => create({ title: 'Module:Bell', path: '/module', body: program('one') })],
        ['its program', () => edit('/module', { body: program('two') })],
        ['a module by its type', () => create({ title: 'Bell', type: 'Module', body: program('three') })],
        ['another type', () => edit('/bell', { type: null })],
        ['the type Module', () => edit('/bell', { type: 'Module' })],
        ['permissions of a module', () => edit('/bell', { permissions: 700 })],
        ['a like', () => write('PUT', '/v1/likes/hill/mill')],
        ['permissions of an ancestor', () => edit('/hill', { permissions: 700 })],
        ['permissions of a template', () => edit('/frame', { permissions: 700 })],
        ['permissions given back', () => edit('/hill', { permissions: 774 })],
        ['a move', () => edit('/hill', { path: '/high' })],
      ];
      for (const [what, write] of writes) {
        for (const url of urls) await ask(app, url);
        await write();
        for (const url of urls) {
          const [cached, computed] = [await ask(app, url), await ask(app, url, { cookie: 'a=b' })];
          expect([cached.statusCode, cached.body], `${url} after ${what}`).toEqual([
            computed.statusCode,
            computed.body,
          ]);
          expect(cached.headers.etag).toBe(computed.headers.etag);
        }
      }
    });
  });

  test('a response for a member is given to nobody else, in either order', async () => {
    await withWiki(async (app, _other, authorization) => {
      const headers = { authorization };
      const payload = { title: 'Secret', body: 'hidden', permissions: 700 };
      await app.server.inject({ method: 'POST', url: '/v1/pages', payload, headers });
      for (const url of ['/v1/pages/secret', '/v1/pages?path=/', '/v1/updates']) {
        for (let round = 0; round < 2; round++) {
          expect((await ask(app, url)).body, url).not.toMatch(/hidden|"Secret"/);
          const own = await ask(app, url, headers);
          expect(own.body, url).toContain('Secret');
          expect(own.headers['cache-control']).toBe('private, no-store');
        }
      }
    });
  });

  test('members share only cached responses that all of them see alike', async () => {
    await withWiki(async (app, _other, authorization) => {
      const dan = {
        email: 'dan@example.org',
        name: 'Dan',
        passphrase: 'a passphrase of his',
        isAdmin: false,
      };
      await addMember(app.service.store, app.service.passphrases, dan, 1);
      const payload = { email: dan.email, pass: dan.passphrase };
      const token = (await app.server.inject({ method: 'POST', url: '/v1/members/auth', payload })).body;
      const [ada, dans] = [{ authorization }, { authorization: `Bearer ${token}` }];
      const create = (payload: object, headers: Record<string, string> = ada) =>
        app.server.inject({ method: 'POST', url: '/v1/pages', payload, headers });
      await create({ title: 'Open', body: '[[Open]] [[Ghost]]' });
      await create({ title: 'Inside', body: `[[Open]] ${'word '.repeat(500)}`, permissions: 770 });
      await create({ title: 'Own', body: 'hidden', permissions: 700 }, dans);
      await create({ title: 'Naming', body: '[[Own]]' });
      await create({ title: 'Calling', body: '{{Own}}' });
      await create({ title: 'Listing', body: '{{Recent}}' });
      await create({ title: 'Beneath', body: 'text', parent: '/own' }, dans);
      const callers = { nobody: {}, ada, dan: dans };
      // Sequences of callers: a response made for one of them is served to those who share it.
      const cases: Record<string, string> = {
        '/open': 'nobody miss, dan hit, ada hit, nobody hit',
        '/open?history=none': 'dan miss, ada hit, nobody miss, dan hit',
        '/inside': 'ada miss, dan hit, nobody miss, ada hit',
        '/naming': 'nobody miss, nobody hit, dan miss, dan miss, ada miss, ada miss, nobody hit',
        '/calling': 'nobody miss, nobody hit, dan miss, dan miss, ada miss, ada miss, nobody hit',
        '/listing': 'ada miss, dan miss, nobody miss, dan miss',
        '/own': 'dan miss, dan miss, ada miss, ada miss, nobody miss',
        '/own/beneath': 'nobody miss, dan miss, dan miss, ada miss, ada miss, nobody hit',
      };
      for (const [path, expected] of Object.entries(cases)) {
        const given: string[] = [];
        for (const reader of expected.split(', ').map((told) => told.split(' ')[0] as keyof typeof callers)) {
          const before = await cacheHitsOf(app);
          await ask(app, `/v1/pages${path}`, callers[reader]);
          given.push(`${reader} ${(await cacheHitsOf(app)) > before ? 'hit' : 'miss'}`);
        }
        expect(given.join(', '), path).toBe(expected);
      }
      const again = await ask(app, '/v1/pages/inside', { ...dans, 'accept-encoding': 'br' });
      expect(JSON.parse(again.body).page.title).toBe('Inside');
      expect(again.headers).toMatchObject({
        'cache-control': 'private, no-store',
        'content-type': 'application/json; charset=utf-8',
        vary: 'Authorization, Cookie, Accept',
      });
      const { etag } = again.headers;
      const same = await ask(app, '/v1/pages/inside', { ...ada, 'if-none-match': String(etag) });
      expect([same.statusCode, same.body, same.headers.etag]).toEqual([304, '', etag]);
      // Hides the page from Dan; Ada may still read it.
      await app.server.inject({
        method: 'POST',
        url: '/v1/pages/inside',
        payload: { permissions: 700 },
        headers: ada,
      });
      expect((await ask(app, '/v1/pages/inside', dans)).statusCode).toBe(404);
      expect((await ask(app, '/v1/pages/inside', ada)).statusCode).toBe(200);
    });
  });

  test('a cached response equals the original, except for headers of the request', async () => {
    await withWiki(async (app, _other, authorization) => {
      await createMill(app, authorization);
      for (const url of ['/v1/pages/mill', '/v1/pages?path=/mill', '/v1/updates', '/v1/near/0/0']) {
        const [first, second] = [await ask(app, url), await ask(app, url)];
        expect(second.body).toBe(first.body);
        const own = { 'x-request-id': '', date: '' };
        expect({ ...second.headers, ...own }).toEqual({ ...first.headers, ...own });
        expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
      }
    });
  });

  test.each(['/v1/updates', '/v1/requested'])('%s can be revalidated with its tag', async (url) => {
    await withWiki(async (app, _other, authorization) => {
      const write = (payload: object) =>
        app.server.inject({ method: 'POST', url: '/v1/pages', payload, headers: { authorization } });
      const first = await ask(app, url);
      expect(first.body).toBe('[]');
      const again = (own = {}) => ask(app, url, { 'if-none-match': String(first.headers.etag), ...own });
      for (let round = 0; round < 2; round++) expect((await again()).statusCode).toBe(304);
      await write({ title: 'Mill', body: 'By the [[Ündine]], near [[Oak]].' });
      const second = await again();
      expect(second.statusCode).toBe(200);
      expect(JSON.parse(second.body)).toHaveLength(url === '/v1/updates' ? 1 : 2);
      // Responses for one reader, assembled from cached parts.
      for (const teller of [{ cookie: 'told=apart' }, { authorization }]) {
        const own = await again(teller);
        expect([own.statusCode, own.body]).toEqual([200, second.body]);
      }
    });
  });
});

/** Parts of the cache that do not depend on the database engine. */
describe.each(effort(emptyDatabases.slice(0, 1), emptyDatabases))(
  'cached responses on %s',
  (_name, fresh) => {
    const withWiki = wikiOn(fresh);

    test('compressed forms have the same content and their own tags', async () => {
      await withWiki(async (app, _other, authorization) => {
        await createMill(app, authorization);
        const url = '/v1/pages/mill';
        const accepting = (accept: string, more = {}) =>
          ask(app, url, { 'accept-encoding': accept, ...more });
        const plain = await accepting('identity');
        const tags = new Set([plain.headers.etag]);
        for (let round = 0; round < 2; round++) {
          for (const [accept, encoding, unpack] of [
            ['gzip, deflate, br', 'br', brotliDecompressSync],
            ['gzip;q=0.5, br;q=0', 'gzip', gunzipSync],
          ] as const) {
            const packed = await accepting(accept);
            expect(packed.headers['content-encoding']).toBe(encoding);
            expect(Number(packed.headers['content-length'])).toBe(packed.rawPayload.length);
            expect(unpack(packed.rawPayload).toString()).toBe(plain.body);
            tags.add(packed.headers.etag);
            const again = await accepting(accept, { 'if-none-match': packed.headers.etag });
            expect([again.statusCode, again.body]).toEqual([304, '']);
            const edit = {
              method: 'POST',
              url,
              payload: {},
              headers: { authorization, 'if-match': String(packed.headers.etag) },
            } as const;
            if (round === 1 && encoding === 'gzip')
              expect((await app.server.inject(edit)).statusCode).toBe(200);
          }
        }
        expect(tags.size).toBe(3);
      });
    });

    test('a response too large for memory is served from disk, and recomputed after a write', async () => {
      await withWiki(async (app, _other, authorization) => {
        const write = (url: string, payload: object) =>
          app.server.inject({ method: 'POST', url, payload, headers: { authorization } });
        const text = 'Many words, wörds, 字. '.repeat(30_000);
        for (const title of ['Mill 1', 'Mill 2', 'Mill 3']) await write('/v1/pages', { title, body: text });
        const url = '/v1/pages?path=/mill';
        const [first, second] = [await ask(app, url), await ask(app, url)];
        expect(first.rawPayload.length).toBeGreaterThan(longestInMemory);
        expect(second.rawPayload.equals(first.rawPayload)).toBe(true);
        await expectKept(app, () => ask(app, url));
        for (let round = 0; round < 2; round++) {
          const packed = await ask(app, url, { 'accept-encoding': 'gzip' });
          expect(gunzipSync(packed.rawPayload).equals(first.rawPayload)).toBe(true);
        }
        await expectKept(app, () => ask(app, url, { 'accept-encoding': 'gzip' }));
        const before = await cacheHitsOf(app);
        await write('/v1/pages/mill-3', { body: 'short' });
        expect((await ask(app, url)).body).toContain('"body":"short"');
        expect(await cacheHitsOf(app)).toBe(before);
      });
    });

    test('long lists are sent whole to all concurrent callers, whether they are cached or made for one reader', async () => {
      await withWiki(async (app, _other, authorization) => {
        const titles = Array.from({ length: 12 }, (_, i) => `Mill ${i}`);
        for (const title of titles) {
          const payload = { title, body: `${title}: many words, wörds, 字. `.repeat(9000) };
          await app.server.inject({ method: 'POST', url: '/v1/pages', payload, headers: { authorization } });
        }
        // Lengths of about 270 kB, 1.6 MB and 3.2 MB.
        for (const limit of [1, 6, 12]) {
          const url = `/v1/pages?path=/mill&limit=${limit}`;
          const readers: Record<string, string>[] = [{}, { cookie: 'told=apart' }, { authorization }];
          for (const headers of readers) {
            const answers = await Promise.all(Array.from({ length: 3 }, () => ask(app, url, headers)));
            const [first] = answers;
            for (const { rawPayload, headers } of answers) {
              expect(rawPayload.length).toBe(Number(headers['content-length']));
              expect(rawPayload.equals(first?.rawPayload as Buffer)).toBe(true);
              expect(headers.etag).toBe(first?.headers.etag);
            }
            const pages = JSON.parse(String(first?.rawPayload)) as { title: string }[];
            expect(pages.map(({ title }) => title).sort()).toEqual(titles.toSorted().slice(0, limit).sort());
            const tag = String(first?.headers.etag);
            const again = await ask(app, url, { ...headers, 'if-none-match': tag });
            expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
          }
        }
      });
    });

    // Lengths of 1.2 MB (one buffer) and 9 MB (several pieces): more than a connection accepts at once.
    test.each(effort([3], [3, 24]))(
      'lists of %d pages in reused memory stay intact for slow readers, whoever disconnects halfway',
      async (pages) => {
        await withWiki(async (app, _other, authorization) => {
          for (const [title, permissions] of [
            ['Open', 774],
            ['Secret', 700],
          ]) {
            for (let i = 0; i < pages; i++) {
              const payload = { title: `${title} ${i}`, body: `${title} words. `.repeat(26000), permissions };
              await app.server.inject({
                method: 'POST',
                url: '/v1/pages',
                payload,
                headers: { authorization },
              });
            }
          }
          const { port } = app.server.server.address() as AddressInfo;
          const agent = new Agent({ keepAlive: true, maxSockets: 24 });
          const read = (path: string, headers: Record<string, string>, leaves: boolean) =>
            new Promise<string>((resolve, reject) => {
              const asked = get({ port, path, agent, headers }, async (response) => {
                const pieces: Buffer[] = [];
                try {
                  for await (const piece of response) {
                    pieces.push(piece as Buffer);
                    if (leaves) break;
                    await new Promise((resolve) => setTimeout(resolve, 1));
                  }
                  resolve(leaves ? '' : Buffer.concat(pieces).toString());
                } catch (error) {
                  reject(error);
                }
              });
              asked.on('error', reject);
            });
          const open = `/v1/pages?path=/open&limit=${pages}`;
          const secret = `/v1/pages?path=/secret&limit=${pages}`;
          const member = { authorization };
          const expected = {
            [open]: await read(open, {}, false),
            [secret]: await read(secret, member, false),
          };
          expect(expected[open]).not.toContain('Secret');
          expect(expected[secret]).toContain('Secret');
          const readings = Array.from({ length: effort(24, 120) }, async (_, i) => {
            const path = i % 2 === 0 ? open : secret;
            const leaves = i % 5 > 2;
            const visitor: Record<string, string> = i % 4 === 0 ? { cookie: 'told=apart' } : {};
            const own = path === secret ? member : visitor;
            const text = await read(path, own, leaves);
            return leaves || text === expected[path];
          });
          expect(await Promise.all(readings)).not.toContain(false);
          agent.destroy();
        });
      },
    );

    test('a rendering too large for memory shows the same as a recomputed one', async () => {
      await withWiki(async (app, other, authorization) => {
        const write = (url: string, payload: object) =>
          app.server.inject({ method: 'POST', url, payload, headers: { authorization } });
        await write('/v1/pages', { title: 'Frame', body: 'framed' });
        const body = `{{Frame}} [[Ghost]] [[kind:mill]]\n== Head ==\n${'Many words, wörds. '.repeat(40_000)}`;
        await write('/v1/pages', { title: 'Mill', body });
        const headers = { cookie: 'told=apart' };
        const url = '/v1/pages/mill';
        const expectSame = async () => {
          const shown = await ask(app, url, headers);
          expect((await ask(app, url, headers)).body).toBe(shown.body);
          // Another process, with its own cache of renderings.
          expect((await ask(other, url, headers)).body).toBe(shown.body);
          return shown.body;
        };
        expect(await expectSame()).toContain('framed');
        await write('/v1/pages', { title: 'Ghost' });
        expect(JSON.parse(await expectSame()).markup).toContain('href="/ghost"');
        await write('/v1/pages/frame', { body: 'framed anew' });
        expect(await expectSame()).toContain('framed anew');
      });
    });

    test('entries that are no longer stored are recomputed', async () => {
      const withCache = async (cache: string) => {
        await withWiki(
          async (app, _other, authorization) => {
            const payload = { title: 'Mill', body: 'Many words. '.repeat(80_000) };
            const write = (url: string) =>
              app.server.inject({ method: 'POST', url, payload, headers: { authorization } });
            await write('/v1/pages');
            const url = '/v1/pages/mill';
            const [first, second] = [await ask(app, url), await ask(app, url)];
            expect(first.rawPayload.length).toBeGreaterThan(longestInMemory);
            expect(second.rawPayload.equals(first.rawPayload)).toBe(true);
            expect(await cacheHitsOf(app)).toBe(0);
            // A 304 needs no body and is served from the cache.
            await expectKept(app, async () => {
              const again = await ask(app, url, { 'if-none-match': String(first.headers.etag) });
              expect(again.statusCode).toBe(304);
            });
          },
          { COPPICE_CACHE: cache },
        );
      };
      // The cache on disk is off or too small.
      await withCache('off');
      await withCache('1MB');
    });

    test('a response of the site is not served at another host', async () => {
      await withWiki(async (app, _other, authorization) => {
        const payload = { title: 'Mill', body: 'text' };
        await app.server.inject({ method: 'POST', url: '/v1/pages', payload, headers: { authorization } });
        const [here, there] = [
          await ask(app, '/mill'),
          await ask(app, '/mill', { host: 'elsewhere.example' }),
        ];
        expect(here.body).not.toContain('elsewhere.example');
        expect(there.body).toContain('elsewhere.example');
        expect((await ask(app, '/mill')).body).not.toContain('elsewhere.example');
      });
    });

    test('pages that show the time are never cached', async () => {
      await withWiki(async (app, _other, authorization) => {
        const payload = { title: 'Clock', body: '{{#time:U}} {{CURRENTTIMESTAMP}}' };
        await app.server.inject({ method: 'POST', url: '/v1/pages', payload, headers: { authorization } });
        const first = (await ask(app, '/v1/pages/clock')).body;
        await new Promise((resolve) => setTimeout(resolve, 1100));
        expect((await ask(app, '/v1/pages/clock')).body).not.toBe(first);
      });
    });
  },
);

/** Expects a cache hit once nothing is written in between. On PostgreSQL, writes of other tests on the server count, too. */
async function expectKept(app: App, asking: () => Promise<unknown>): Promise<void> {
  await expect
    .poll(
      async () => {
        const before = await cacheHitsOf(app);
        await asking();
        return (await cacheHitsOf(app)) - before;
      },
      { interval: 10 },
    )
    .toBe(1);
}

/** Creates `/mill`, long enough to be compressed. */
async function createMill(app: App, authorization: string): Promise<void> {
  const payload = { title: 'Mill', body: `text ${'word '.repeat(1000)}` };
  const answer = await app.server.inject({
    method: 'POST',
    url: '/v1/pages',
    payload,
    headers: { authorization },
  });
  expect(answer.statusCode).toBe(200);
}
