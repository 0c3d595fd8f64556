/** Workers that are killed in the middle of `coppice restart`: their number stays, the server serves on, and the log says why. */
import { expect, test } from 'vitest';
import { startWiki } from '../support/cli.ts';
import { isThorough } from '../support/effort.ts';
import { startServer } from '../support/serve.ts';

test.runIf(isThorough).each([
  ['an old worker', 0, 0],
  ['a new worker', -1, 1],
  ['every worker', undefined, 1],
])(
  '%s that is killed while workers are replaced leaves as many as before',
  async (_, place, code) => {
    await using wiki = await startWiki();
    await wiki.administrator();
    await using server = await startServer({ ...wiki.env, COPPICE_WORKERS: '2', LOG_LEVEL: 'info' });
    const before = server.workers();
    const restarted = wiki.coppice(['restart']);
    await expect
      .poll(() => server.workers().filter((worker) => !before.includes(worker)), { timeout: 60_000 })
      .toHaveLength(1);
    const newest = server.workers().find((worker) => !before.includes(worker)) as number;
    const killed = place === 0 ? [before[0]] : place === -1 ? [newest] : [...before, newest];
    for (const worker of killed) process.kill(worker as number, 'SIGKILL');
    expect((await restarted).code).toBe(code);
    await expect
      .poll(server.said, { timeout: 60_000 })
      .toMatch(/a worker ended (while it was replaced|and is started again)/);
    await expect.poll(() => server.workers(), { timeout: 60_000 }).toHaveLength(2);
    // A connection that waited for a killed worker is reset.
    const isReady = () => fetch(`${server.address}/readyz`).then(({ status }) => status, String);
    await expect.poll(isReady, { timeout: 60_000 }).toBe(200);
    expect(await server.stop()).toBe(0);
  },
  300_000,
);
