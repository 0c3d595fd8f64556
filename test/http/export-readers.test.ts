/** Exports show a page as all of its readers see it: what only the one who exports may read stays out, also after an import. */
import { beforeAll, describe, expect, test } from 'vitest';
import { engines, startApp, type TestApp } from '../support/http.ts';
import { unpacked } from '../support/unpacked.ts';

describe.each(engines)('on %s', (engine) => {
  let app: TestApp;
  let root: string;
  let bob: string;

  beforeAll(async () => {
    app = await startApp({}, { engine });
    root = (await app.member('Ada', { isAdmin: true })).token;
    const member = await app.member('Bob');
    bob = member.token;
    const { json } = await app.call('POST', '/v1/groups', { token: root, json: { name: 'Staff' } });
    await app.call('PUT', `/v1/groups/${json.id}/members/${member.id}`, { token: root });
    await app.page(bob, { title: 'Secret', body: 'Hidden words.', permissions: 700 });
    await app.page(bob, { title: 'Shared', body: 'Seen. {{:/secret}}', permissions: 770 });
    const grants = [{ member: member.id, may: 'read', beneath: false }];
    const shared = await app.call('PUT', '/v1/access/shared', { token: bob, json: { grants } });
    expect(shared.status, shared.text).toBe(200);
    return () => app.close();
  });

  const exported = async (format: string) => {
    const { statusCode, rawPayload } = await app.app.server.inject({
      url: `/v1/export?format=${format}`,
      headers: { authorization: `Bearer ${bob}` },
    });
    expect(statusCode).toBe(200);
    return unpacked(rawPayload);
  };

  test('a page with grants embeds only what all members may read', async () => {
    const files = await exported('site');
    expect(files['secret/index.html']).toContain('Hidden words.');
    const shared = files['shared/index.html'];
    expect(shared).toContain('Seen.');
    expect(shared).not.toContain('Hidden words.');
  });

  test('in a private wiki, files of a translation for a group do not go to its original', async () => {
    const oak = await app.page(root, { title: 'Oak', language: 'en' });
    const file = { name: 'leaf.txt', data: Buffer.from('Leaf').toString('base64') };
    const json = { title: 'Eiche', language: 'de', translationOf: oak.path, files: { file } };
    const made = await app.call('POST', '/v1/pages', {
      token: bob,
      json: { ...json, body: 'Ein Baum.', permissions: 774, group: 'Staff' },
    });
    expect(made.status, made.text).toBe(200);
    expect(Object.keys(await exported('hugo'))).toContain('content/oak/leaf.txt');
    await app.call('PATCH', '/v1/settings', { token: root, json: { private: true } });
    const names = Object.keys(await exported('hugo'));
    expect(names).not.toContain('content/oak/leaf.txt');
    expect(names).toContain('content/eiche/leaf.txt');
  });
});
