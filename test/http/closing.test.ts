/** Memory of servers after they were closed, in a process that goes on. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { startApp } from '../support/http.ts';

test('servers that were closed do not stay in memory', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const closed = async () => {
    const wiki = await startApp();
    await wiki.call('GET', '/v1/pages');
    await wiki.close();
    return new WeakRef(wiki.app.service);
  };
  const services = [await closed(), await closed(), await closed()];
  // A timer may hold one for a while.
  await expect
    .poll(() => {
      collect();
      return services.some((service) => service.deref() === undefined);
    })
    .toBe(true);
});
