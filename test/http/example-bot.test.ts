/** The example bot as a process of its own, against a real server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startApp } from '../support/http.ts';
import { addApiToken } from '../support/tokens.ts';

const script = join(import.meta.dirname, '../../examples/bot/bot.ts');

test('the bot creates the list of wanted pages, and follows what others write', async () => {
  const wiki = await startApp();
  const { id, token } = await wiki.member('Ada');
  const { store } = wiki.app.service;
  const input = { name: 'bot', scopes: ['read', 'write'] };
  const actor = { memberId: id, name: 'Ada', isAdmin: false };
  const { secret } = await addApiToken(store, actor, input, Date.now());
  await wiki.app.server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = wiki.app.server.server.address() as AddressInfo;
  await wiki.page(token, { title: 'Garden', body: '[[Tulips]]' });

  const env = { ...process.env, WIKI: `http://127.0.0.1:${port}`, TOKEN: secret };
  const bot = spawn(process.execPath, [script], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(bot, 'exit');
  const entries = async () => {
    const { json } = await wiki.call('GET', '/v1/pages/wanted-pages', { token });
    return [...String(json.markup).matchAll(/<li>(.*?)<\/li>/g)].map(([, text]) => text);
  };
  const list = () => expect.poll(entries);
  try {
    await list().toEqual(['Tulips (1)']);
    await wiki.page(token, { title: 'Park', body: '[[Tulips]] [[Oaks]]' });
    await list().toEqual(['Tulips (2)', 'Oaks (1)']);
    await wiki.page(token, { title: 'Tulips', body: 'Red' });
    await list().toEqual(['Oaks (1)']);
    expect(bot.exitCode).toBeNull();
  } finally {
    bot.kill();
    await ended;
    await wiki.close();
  }
});
