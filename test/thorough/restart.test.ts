/** Replacing the workers of a running server: no request is refused meanwhile, whether connections are kept or not. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWiki } from '../support/cli.ts';
import { effort } from '../support/effort.ts';
import { startServer } from '../support/serve.ts';

/** Status of a request, or the code of the error that the client got instead. With `json`, a POST by a bad token. */
function ask(url: string, agent: Agent, json?: string): Promise<string> {
  const headers = { authorization: 'Bearer bad', 'content-type': 'application/json' };
  const how = json === undefined ? { agent } : { agent, method: 'POST', headers };
  return new Promise((resolve) => {
    const asked = request(url, how, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(String(answer.statusCode)));
    }).on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    asked.end(json);
  });
}

/** Inodes of the sockets that listen on the port: each has a queue of connections that nobody has accepted yet. */
function listeningOn(port: string): string[] {
  const suffix = `:${Number(port).toString(16).toUpperCase().padStart(4, '0')}`;
  return ['tcp', 'tcp6']
    .flatMap((table) => readFileSync(`/proc/net/${table}`, 'utf8').trim().split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([, local = '', , state, , , , , , inode = '']) =>
      local.endsWith(suffix) && state === '0A' ? [inode] : [],
    )
    .sort();
}

test('restarts under constant requests refuse none, and the new workers have the writes of the old', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const environment = { ...wiki.env, COPPICE_WORKERS: '2', LOG_LEVEL: 'info' };
  await using server = await startServer(environment);
  const before = server.workers();
  const { port } = new URL(server.address);
  const queues = listeningOn(port);
  expect(queues).toHaveLength(2);
  const statuses = new Map<string, number>();
  const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: false })];
  let isOver = false;
  const asking = agents.flatMap((agent) =>
    Array.from({ length: 3 }, async () => {
      while (!isOver) {
        for (const status of [
          await ask(`${server.address}/v1/updates`, agent),
          await ask(`${server.address}/v1/pages`, agent, '{"title":"Oak"}'),
        ])
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }),
  );
  for (let round = 0; round < effort(1, 10); round++)
    expect(await wiki.coppice(['restart'])).toMatchObject({
      code: 0,
      out: 'All workers have been replaced.\n',
    });
  isOver = true;
  await Promise.all(asking);
  for (const agent of agents) agent.destroy();
  expect([...statuses.keys()].sort()).toEqual(['200', '401']);
  expect(statuses.get('200')).toBeGreaterThan(50);
  // The same queues, so that no connection that waited in one was reset.
  expect(listeningOn(port)).toEqual(queues);
  const after = server.workers();
  expect(after).toHaveLength(2);
  expect(after.filter((worker) => before.includes(worker))).toEqual([]);
  expect(server.said()).not.toContain('a worker ended and is started again');
  expect(await server.stop()).toBe(0);
  expect(await wiki.coppice(['restart'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('COPPICE_WORKERS'),
  });
}, 600_000);

test('a restart distinguishes a server that ends while it replaces its workers from one that does not run', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const ending = createServer((socket) => socket.on('data', () => socket.end()));
  await once(ending.listen(join(wiki.env.COPPICE_DATA ?? '', 'control.sock')), 'listening');
  const ended = await wiki.coppice(['restart']);
  expect([ended.code, ended.err]).toEqual([1, expect.stringMatching(/^The server ended before/)]);
  ending.close();
  await once(ending, 'close');
  const { code, err } = await wiki.coppice(['restart']);
  expect([code, err]).toEqual([1, expect.stringMatching(/^No server with several workers/)]);
});

test('a server that was asked to stop says so at /readyz, and serves on for the delay', async () => {
  await using wiki = await startWiki();
  await using server = await startServer({ ...wiki.env, COPPICE_STOP_DELAY: '2' });
  const agent = new Agent();
  expect(await ask(`${server.address}/readyz`, agent)).toBe('200');
  const stopped = server.stop();
  await expect.poll(() => ask(`${server.address}/readyz`, agent)).toBe('503');
  expect(await ask(`${server.address}/v1/updates`, agent)).toBe('200');
  expect(await stopped).toBe(0);
});
