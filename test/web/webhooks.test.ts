/** Webhooks on the site, for administrators: a form to create them, log, tests and resending. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventKinds } from '#core/model/event.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startSite, type TestSite } from '../support/web.ts';

let site: TestSite;
let receiver: Receiver;
beforeAll(async () => {
  site = await startSite({ COPPICE_OUTGOING_ALLOW: '127.0.0.1' });
  receiver = await startReceiver();
});
afterAll(async () => {
  await site.close();
  await receiver[Symbol.asyncDispose]();
});

const all = Object.fromEntries(eventKinds.map((kind) => [`kind-${kind}`, 'yes']));

test('a webhook is made, tested, disabled, enabled and deleted', async () => {
  const root = await site.signedIn('Root', { isAdmin: true });
  expect((await root.get('/members')).text).toContain('href="/members/webhooks"');
  expect((await root.get('/members/webhooks')).text).toContain('There are no webhooks.');
  const wrong = await root.post('/members/webhooks', {
    url: 'http://10.0.0.1/"><b>',
    ancestor: '/nowhere',
    ...all,
  });
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain('id="url-mistake"');
  expect(wrong.text).not.toContain('"><b>');
  const made = await root.post('/members/webhooks', { url: receiver.url, ...all });
  const secret = /value="(whsec_[^"]+)"/.exec(made.text)?.[1] ?? '';
  const page = await root.get('/members/webhooks');
  expect(page.text).not.toContain('whsec_');
  expect(page.text).toContain('Everything');
  const path = /href="(\/members\/webhooks\/\d+)"/.exec(page.text)?.[1] ?? '';
  expect((await root.get(path)).text).toContain('Nothing has been sent yet.');

  expect((await root.post(path, { what: 'test' })).text).toContain('Delivered: <code>204</code>');
  for (const one of receiver.received) receiver.verify(secret, one);
  receiver.answer(500);
  await site.page(root.token, { title: 'Roses & <b>thorns</b>' });
  await site.app.startWebhooks(2 ** 31 - 1).deliverDue();
  const { text } = await root.get(path);
  expect(text).toContain('<a href="/roses-b-thorns-b" dir="auto">/roses-b-thorns-b</a>');
  expect(text).toContain('Waiting');
  const delivery = /name="delivery" value="(\d+)"/.exec(text)?.[1] ?? '';
  receiver.answer(204);
  expect((await root.post(path, { what: 'replay', delivery })).text).toContain('Delivered: ');

  expect((await root.post(path, { what: 'disable' })).location).toBe(path);
  expect((await root.get(path)).text).toContain('Root disabled it.');
  await root.post(path, { what: 'enable' });
  expect((await root.get(path)).text).toContain('Enabled');
  expect((await root.post(path, { what: 'what' })).status).toBe(400);
  expect((await root.post(path, { what: 'replay', delivery: '99999' })).status).toBe(404);
  expect((await root.post(path, { what: 'delete' })).location).toBe('/members/webhooks');
  expect((await root.get(path)).status).toBe(404);
});

test('others have no access, and a foreign form does nothing', async () => {
  const olga = await site.signedIn('Olga');
  expect((await olga.get('/members/webhooks')).status).toBe(403);
  expect((await olga.post('/members/webhooks', { url: receiver.url, ...all })).status).toBe(403);
  expect((await site.visitor().get('/members/webhooks')).status).not.toBe(200);
  const vera = await site.signedIn('Vera', { isAdmin: true });
  const foreign = { headers: { 'sec-fetch-site': 'cross-site' } };
  expect((await vera.post('/members/webhooks', { url: receiver.url, ...all }, foreign)).status).toBe(403);
  expect((await vera.get('/members/webhooks')).text).toContain('There are no webhooks.');
});
