/** Memory of servers after they were closed, in a process that goes on. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { engines, startApp } from '../support/http.ts';

test.each(engines)('servers that were closed do not stay in memory, on %s', async (engine) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const closed = async () => {
    const wiki = await startApp({}, { engine });
    const { token } = await wiki.member('ada');
    await wiki.page(token, { title: 'Oak', body: '[[Elm]]' });
    await wiki.call('GET', '/v1/pages/oak');
    await wiki.close();
    return new WeakRef(wiki.app.service);
  };
  const services = [await closed(), await closed(), await closed()];
  // Something of the process that began with a request of one of them, such as a thread, may remember that request.
  await expect
    .poll(() => {
      collect();
      return services.filter((service) => service.deref() !== undefined).length;
    })
    .toBeLessThan(2);
});
