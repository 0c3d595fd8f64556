/** Under pressure, a response that was true a moment ago is served to strangers, as any cache may do for a second. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { CachedBodies } from './bodies.ts';
import { representationOf } from './encodings.ts';
import { type CachedResponse, CachedResponses } from './entries.ts';
import { FastPath } from './fast-path.ts';

test('a response that was fresh within the last second is served under pressure, and only then', async () => {
  let revision = '1';
  let isHigh = false;
  const store = { revision: () => revision, isUnchanged: () => false };
  const bodies = new CachedBodies(undefined);
  const cache = new CachedResponses({ store: store as never, clock: () => 0 }, bodies);
  const identity = representationOf({ tag: '"a"', type: 'text/plain' }, 4, 'identity');
  const answer: CachedResponse = {
    revision,
    dependencies: [],
    expiresAt: 1,
    freshAt: performance.now(),
    route: '/a',
    sharedWith: 0,
    headers: [],
    ownHeaders: [],
    ownAlways: [],
    unchangedHeaders: [],
    tag: '"a"',
    type: 'text/plain',
    representations: { identity },
  };
  cache.set('/a', false, answer, Buffer.from('kept'));
  const path = new FastPath(store as never, cache, {
    keyOf: ({ url = '' }) => url,
    pressure: { isHigh: () => isHigh },
    refuseHost: () => undefined,
    idOf: () => '1',
    onHit: () => {},
  });
  const server = createServer(path.before((_request, response) => response.end('made'))).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const read = async (headers = {}) => {
    const { port } = server.address() as AddressInfo;
    return (await fetch(`http://127.0.0.1:${port}/a`, { headers })).text();
  };
  expect(await read()).toBe('kept');
  revision = '2';
  expect(await read()).toBe('made');
  isHigh = true;
  expect(await read()).toBe('kept');
  expect(await read({ authorization: 'Bearer x' })).toBe('made');
  answer.freshAt -= 1000;
  expect(await read()).toBe('made');
  server.close();
});
