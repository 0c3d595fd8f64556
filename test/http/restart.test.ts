/** Replacing the workers of a running server: no request is refused meanwhile, whether connections are kept or not. */
import { Agent, get } from 'node:http';
import { expect, test } from 'vitest';
import { startWiki } from '../support/cli.ts';
import { startServer } from '../support/serve.ts';

/** Status of a request, or the code of the error that the client got instead. */
function ask(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    get(url, { agent }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(String(answer.statusCode)));
    }).on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

test('restarts under constant requests refuse none, and the new workers have the writes of the old', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const environment = { ...wiki.env, COPPICE_WORKERS: '2', LOG_LEVEL: 'info' };
  await using server = await startServer(environment);
  const before = server.workers();
  const statuses = new Map<string, number>();
  const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: false })];
  let isOver = false;
  const asking = agents.flatMap((agent) =>
    Array.from({ length: 3 }, async () => {
      while (!isOver) {
        const status = await ask(`${server.address}/v1/updates`, agent);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }),
  );
  for (let round = 0; round < 2; round++)
    expect(await wiki.coppice(['restart'])).toMatchObject({
      code: 0,
      out: 'All workers have been replaced.\n',
    });
  isOver = true;
  await Promise.all(asking);
  for (const agent of agents) agent.destroy();
  expect([...statuses.keys()]).toEqual(['200']);
  expect(statuses.get('200')).toBeGreaterThan(50);
  const after = server.workers();
  expect(after).toHaveLength(2);
  expect(after.filter((worker) => before.includes(worker))).toEqual([]);
  expect(server.said()).not.toContain('a worker ended and is started again');
  expect(await server.stop()).toBe(0);
  expect(await wiki.coppice(['restart'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('COPPICE_WORKERS'),
  });
}, 180_000);

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
