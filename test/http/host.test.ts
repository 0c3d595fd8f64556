/** Allowed Host headers, sent over raw connections, as cached responses are served before other checks. */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/http.ts';

async function withServer(
  environment: Record<string, string>,
  work: (ask: Ask, wiki: TestApp) => Promise<void>,
): Promise<void> {
  const wiki = await startApp(environment);
  try {
    await wiki.app.server.listen({ host: '127.0.0.1', port: 0 });
    const { port } = wiki.app.server.server.address() as AddressInfo;
    await work((path, hosts, more) => ask(port, path, hosts, more), wiki);
  } finally {
    await wiki.close();
  }
}

type Ask = (
  path: string,
  hosts: string | string[],
  more?: string,
) => Promise<{ status: number; text: string }>;

/** Sends raw bytes, as HTTP clients refuse to send such requests. */
async function ask(port: number, path: string, hosts: string | string[], more = '') {
  const socket = connect(port, '127.0.0.1');
  const lines = [hosts].flat().map((host) => `Host: ${host}\r\n`);
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}${more}Connection: close\r\n\r\n`);
  let text = '';
  socket.setEncoding('utf8').on('data', (piece) => {
    text += piece;
  });
  await once(socket, 'close');
  return { status: Number(text.split(' ', 2)[1]), text };
}

const paths = ['/v1/updates', '/v1/pages/garden', '/garden', '/v1/openapi.json', '/files/none', '/nowhere'];

/** Status of the second request for each path, whose response may be cached. */
async function statuses(ask: Ask, host: string | string[], more?: string): Promise<number[]> {
  const found: number[] = [];
  for (const path of paths) {
    await ask(path, host, more);
    found.push((await ask(path, host, more)).status);
  }
  return found;
}

const answered = [200, 200, 200, 200, 404, 404];
const refused = paths.map(() => 421);
const garden = async (wiki: TestApp) => wiki.page((await wiki.member('Ada')).token, { title: 'Garden' });

describe('with a known public address', () => {
  const environment = { COPPICE_URL: 'https://wiki.example.org', HOST: '0.0.0.0' };

  test('other hosts are refused, though the response is cached for its own host', async () => {
    await withServer(environment, async (ask, wiki) => {
      await garden(wiki);
      for (const host of ['wiki.example.org', 'WIKI.example.org:8080', 'localhost', '127.0.0.1:1', '[::1]'])
        expect([host, await statuses(ask, host)]).toEqual([host, answered]);
      for (const host of ['evil.test', 'wiki.example.org.evil.test', '203.0.113.9', 'a.wiki.example.org', ''])
        expect([host, await statuses(ask, host)]).toEqual([host, refused]);
      // Headers of a trusted proxy count.
      expect((await ask('/garden', 'evil.test', 'X-Forwarded-Host: wiki.example.org\r\n')).status).toBe(421);
      expect((await ask('http://evil.test/v1/updates', 'wiki.example.org')).status).toBe(421);
    });
  });

  test('a refusal is a problem with the address of the wiki', async () => {
    await withServer(environment, async (ask) => {
      const { text } = await ask('/v1/updates', 'evil.test');
      expect(text).toContain('application/problem+json');
      expect(text).toContain('This wiki is at https://wiki.example.org.');
      expect(text.toLowerCase()).toContain('cache-control: no-store');
      expect((await ask('/garden', 'evil.test')).text).toContain('text/html');
    });
  });

  test('monitoring reaches the server by any name', async () => {
    await withServer({ ...environment, COPPICE_METRICS: 'open' }, async (ask) => {
      for (const path of ['/healthz', '/readyz?x=1', '/metrics'])
        expect([path, (await ask(path, '10.1.2.3:8080')).status]).toEqual([path, 200]);
      expect((await ask('/metrics', 'evil.test')).status).toBe(421);
      expect((await ask('/readyz/', 'evil.test')).status).toBe(421);
    });
  });

  test('a trusted proxy says which host was requested', async () => {
    await withServer({ ...environment, COPPICE_TRUST_PROXY: 'loopback' }, async (ask, wiki) => {
      await garden(wiki);
      const forwarded = (host: string) => `X-Forwarded-Host: ${host}\r\n`;
      expect(await statuses(ask, 'upstream:8080', forwarded('wiki.example.org'))).toEqual(answered);
      expect(await statuses(ask, 'upstream:8080', forwarded('a.test, wiki.example.org'))).toEqual(answered);
      expect(await statuses(ask, 'wiki.example.org', forwarded('evil.test'))).toEqual(refused);
      expect(await statuses(ask, 'upstream:8080')).toEqual(refused);
    });
  });
});

describe('without a public address', () => {
  test('a server that listens only on this machine answers to local names and addresses', async () => {
    await withServer({ HOST: '127.0.0.1' }, async (ask, wiki) => {
      await garden(wiki);
      for (const host of ['localhost:8080', 'wiki.localhost', '127.0.0.1', '[::1]:8080', '192.0.2.1'])
        expect([host, await statuses(ask, host)]).toEqual([host, answered]);
      for (const host of ['rebound.test', 'localhost.evil.test', '127.0.0.1.evil.test', ''])
        expect([host, await statuses(ask, host)]).toEqual([host, refused]);
      const { text } = await ask('/v1/updates', 'rebound.test');
      expect(text).toContain('Set COPPICE_URL');
    });
  });

  test.each(['0.0.0.0', '::', '192.0.2.1'])(
    'a server that listens at %s answers to any name',
    async (host) => {
      await withServer({ HOST: host }, async (ask, wiki) => {
        await garden(wiki);
        for (const name of ['wiki.lan', '192.0.2.1', 'localhost'])
          expect([name, await statuses(ask, name)]).toEqual([name, answered]);
      });
    },
  );
});

test.each([
  ['an address known', { COPPICE_URL: 'https://wiki.example.org' }, 'wiki.example.org'],
  ['none', { HOST: '0.0.0.0' }, 'wiki.lan'],
])('a request with two hosts is refused, with %s, even if they are equal', async (_, environment, host) => {
  await withServer(environment as Record<string, string>, async (ask, wiki) => {
    await garden(wiki);
    for (const path of paths) {
      await ask(path, host);
      for (const hosts of [
        [host, 'evil.test'],
        ['evil.test', host],
        [host, host],
      ])
        expect([path, hosts, (await ask(path, hosts)).status]).toEqual([path, hosts, 400]);
    }
  });
});

test('every response, cached or not, denies use of camera, microphone and location', async () => {
  await withServer({ HOST: '0.0.0.0' }, async (ask, wiki) => {
    await garden(wiki);
    for (const path of [...paths, '/%zz']) {
      await ask(path, 'wiki.lan');
      expect((await ask(path, 'wiki.lan')).text.toLowerCase(), path).toMatch(
        /\r\npermissions-policy: .*camera=\(\).*geolocation=\(\).*microphone=\(\)/,
      );
    }
  });
});
