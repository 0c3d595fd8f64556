/** Memory of a server after it was closed, in a process that goes on. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { engines, startApp } from '../support/http.ts';

test.each(engines)('a server that was closed leaves nothing in memory, on %s', async (engine) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const closed = async () => {
    const wiki = await startApp({}, { engine });
    await wiki.call('GET', '/v1/pages');
    await wiki.close();
    return new WeakRef(wiki.app.service);
  };
  const service = await closed();
  await expect
    .poll(() => {
      collect();
      return service.deref() === undefined;
    })
    .toBe(true);
});
