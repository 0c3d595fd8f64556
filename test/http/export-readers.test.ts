/** Exports show a page as all of its readers see it: what only the one who exports may read stays out, also after an import. */
import { beforeAll, describe, expect, test } from 'vitest';
import { effort } from '../support/effort.ts';
import { engines, startApp, type TestApp } from '../support/http.ts';
import { unpacked } from '../support/unpacked.ts';

describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
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

  const archive = async (format: string, token: string, ancestor?: string) => {
    const { statusCode, rawPayload } = await app.app.server.inject({
      url: '/v1/export',
      query: { format, ...(ancestor === undefined ? {} : { ancestor }) },
      headers: { authorization: `Bearer ${token}` },
    });
    expect(statusCode).toBe(200);
    return rawPayload;
  };
  const exported = async (format: string) => unpacked(await archive(format, bob));

  const imported = async (body: Buffer, parent: string) => {
    const headers = { 'content-type': 'application/octet-stream' };
    const begun = await app.call('POST', `/v1/imports?parent=${parent}`, { token: root, body, headers });
    expect(begun.status, begun.text).toBe(202);
    await expect
      .poll(async () => (await app.call('GET', `/v1/imports/${begun.json.id}`, { token: root })).json.state, {
        timeout: 30_000,
      })
      .toBe('done');
    return (await app.call('GET', `/v1/imports/${begun.json.id}`, { token: root })).json.certificate;
  };

  test('a page with grants embeds only what all members may read', async () => {
    const files = await exported('site');
    expect(files['secret/index.html']).toContain('Hidden words.');
    const shared = files['shared/index.html'];
    expect(shared).toContain('Seen.');
    expect(shared).not.toContain('Hidden words.');
  });

  test('an owner who is not in the group of a page is shown no other pages of the group', async () => {
    const carol = await app.member('Carol');
    const [staff] = (await app.call('GET', '/v1/groups', { token: root })).json;
    const membership = `/v1/groups/${staff.id}/members/${carol.id}`;
    await app.call('PUT', membership, { token: root });
    const ofStaff = { permissions: 770, group: 'Staff' };
    const hall = await app.page(carol.token, { ...ofStaff, title: 'Hall', body: '{{Children}}' });
    await app.page(bob, { ...ofStaff, title: 'Rota', parent: hall.path });
    const shown = async () => (await unpacked(await archive('markdown', root, hall.path)))['hall.md'];
    expect(await shown()).toContain('Rota');
    await app.call('DELETE', membership, { token: root });
    expect((await app.call('GET', `/v1/pages${hall.path}/rota`, { token: carol.token })).status).toBe(404);
    expect(await shown()).not.toContain('Rota');
  });

  test('a translation does not name an original that not all of its readers may read', async () => {
    const top = await app.page(bob, { title: 'Sounds' });
    const original = await app.page(bob, { title: 'Hush', parent: top.path, permissions: 700 });
    const more = { body: 'Still.', format: 'markdown', language: 'de', parent: top.path };
    await app.page(bob, { ...more, title: 'Leise', translationOf: original.path });
    await app.page(bob, { ...more, title: 'Stumm', translationOf: original.path, permissions: 700 });
    const made = await archive('markdown', bob, top.path);
    const files = await unpacked(made);
    expect(files['sounds/leise.md']).not.toMatch(/hush|translationOf/i);
    expect(files['sounds/stumm.md']).toContain('translationOf: /sounds/hush.md');
    // Programs look for translations beside the original, whose name would be told there.
    const names = Object.keys(await unpacked(await archive('mkdocs', bob, top.path)));
    expect(names).toContain('docs/sounds/leise.md');
    expect(names).toContain('docs/sounds/hush.de.md');
    await imported(made, '/back');
    const leise = await app.call('GET', '/v1/pages/back/sounds/leise?history=all&raw=true');
    expect(leise.text).toContain('Still.');
    expect(leise.text).not.toMatch(/hush/i);
    for (const name of ['leise', 'stumm']) {
      const url = `/v1/pages/back/sounds/${name}?fields=translationOf`;
      const { json } = await app.call('GET', url, { token: root });
      expect(json.page.translationOf).toBe('/back/sounds/hush');
    }
  });

  test('a dump for MediaWiki tells no readers of a page the titles of others that they may not read', async () => {
    const top = await app.page(bob, { title: 'Plans' });
    const more = { parent: top.path, permissions: 700 };
    const secret = await app.page(bob, { ...more, title: 'Layoffs', path: `${top.path}/memo` });
    const plain = await app.page(bob, { ...more, title: 'Budget' });
    const body = `[[${secret.path}]] [[${plain.path}]]`;
    await app.page(bob, {
      parent: top.path,
      title: 'Offen',
      body,
      language: 'de',
      translationOf: secret.path,
    });
    await app.page(bob, { ...more, title: 'Notiz', body, language: 'de', translationOf: plain.path });
    const dump = (await archive('mediawiki-xml', bob, top.path)).toString();
    const textOf = (title: string) => dump.split(`<title>${title}</title>`)[1]?.split('</page>')[0] ?? '';
    expect(textOf('Offen')).toContain(`[[${secret.path}]] [[:Budget|`);
    expect(textOf('Notiz')).toContain('[[:Layoffs|');
    expect(dump).not.toContain('<title>Layoffs/de');
    expect(textOf('Budget/de')).toContain('#REDIRECT [[:Notiz]]');
  });

  test('a book that shows no page is restricted like the template that it is named like', async () => {
    const page = await app.page(bob, { title: 'Hush note', type: 'Template', permissions: 700 });
    const book = (await archive('html', bob, page.path)).toString();
    expect(book).toContain('<h1>Hush note</h1>');
    expect(book).toContain('<meta name="coppice-access"');
  });

  test('links tell readers no more of pages that they may not read than the links say', async () => {
    const { path: parent } = await app.page(bob, { title: 'Links' });
    const more = { parent, permissions: 700, format: 'markdown' };
    const file = { name: 'zv.txt', data: Buffer.from('Bytes').toString('base64') };
    const body = '# Zv words {#part}';
    const named = await app.page(bob, {
      ...more,
      title: 'Layoffs',
      path: `${parent}/zv`,
      body,
      files: { file },
    });
    const moved = await app.page(bob, { ...more, title: 'Zv moved', path: `${parent}/before` });
    const json = { path: `${parent}/zv-moved` };
    expect((await app.call('POST', `/v1/pages${moved.path}`, { token: bob, json })).status).toBe(200);
    const { path: translationOf } = await app.page(bob, { ...more, title: 'Zv first' });
    const translation = { title: 'Leise', language: 'de', translationOf };
    const { path } = await app.page(bob, { ...more, ...translation });
    const page = await app.call('GET', `/v1/pages${named.path}?fields=files`, { token: bob });
    const served = `[a](/files/${page.json.page.files[0].name})`;
    const links = `[[Layoffs]] [[Layoffs#part|b]] [[${moved.path}]] [c](${moved.path}) [[${path}|d]]`;
    await app.page(bob, { parent, title: 'Open', body: links });
    await app.page(bob, { parent, title: 'Marked', format: 'markdown', body: `${links} ${served}` });
    await app.page(bob, { ...more, title: 'Own', body: links });
    const files = await unpacked(await archive('markdown', bob, parent));
    expect(files['links/open.md']).toContain('leise.md)');
    expect(files['links/marked.md']).toContain(served);
    expect(files['links/own.md']).toContain('zv-moved.md');
    const texts = [files['links/open.md'], files['links/marked.md']];
    const book = await unpacked(await archive('mkdocs', bob, parent));
    texts.push(book['docs/links/open.md'], book['docs/links/marked.md']);
    const dump = (await archive('mediawiki-xml', bob, parent)).toString();
    for (const title of ['Open', 'Marked'])
      texts.push(dump.split(`<title>${title}</title>`)[1]?.split('</page>')[0]);
    for (const text of texts) expect(text?.replaceAll(/[\w-]+zv\.txt/g, '')).not.toMatch(/zv/i);
  });

  test('in a dump for MediaWiki, only the owner may read files of hidden changes', async () => {
    const fileOf = (name: string, text: string) => ({ name, data: Buffer.from(text).toString('base64') });
    const before = fileOf('kept.txt', 'Before');
    const { path } = await app.page(bob, { title: 'Held', files: { file: before } });
    const edit = async (json: object) => {
      const { status, text } = await app.call('POST', `/v1/pages${path}`, { token: bob, json });
      expect(status, text).toBe(200);
    };
    await edit({ files: { file: fileOf('gone.txt', 'Gone') } });
    await edit({ removeFiles: ['gone.txt', 'kept.txt'] });
    await edit({ files: { file: fileOf('kept.txt', 'Now') }, history: 'from now' });
    const dump = (await archive('mediawiki-xml', bob, path)).toString();
    const of = (name: string) => dump.split(`<title>File:${name}</title>`)[1]?.split('</page>')[0];
    expect(of('Gone.txt')).toContain('&quot;permissions&quot;:700');
    expect(of('Kept.txt')).toContain('&quot;permissions&quot;:774');
    expect(of('Kept.txt')).not.toContain(before.data);
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

  test.each(['mkdocs', 'docusaurus', 'hugo'])(
    'pages from %s lie beneath the page that protects them',
    async (format) => {
      const hall = await app.page(root, { title: `Hall ${format}`, body: 'Wide.' });
      const made = await app.page(root, {
        title: 'Sign',
        body: 'Way',
        type: 'Template',
        parent: hall.path,
      });
      const json = { level: 'administrators', subtree: true };
      const held = await app.call('PUT', `/v1/protection${hall.path}`, { token: root, json });
      expect(held.status, held.text).toBe(200);
      await imported(await archive(format, root, hall.path), `/of-${format}`);
      const edit = { token: bob, json: { body: 'Out' } };
      for (const path of [made.path, `/of-${format}${made.path}`])
        expect((await app.call('POST', `/v1/pages${path}`, edit)).json, path).toMatchObject({
          status: 403,
        });
    },
  );

  test('a page below one that needs approvals needs as much power elsewhere', async () => {
    const rules = await app.page(root, { title: 'Rules', body: 'Agreed.' });
    const { path } = await app.page(root, { title: 'First', body: 'Kept.', parent: rules.path });
    const rule = await app.call('PUT', `/v1/rules${rules.path}`, { token: root, json: { approvals: 1 } });
    expect(rule.status, rule.text).toBe(200);
    const lines = (await archive('jsonl', root, path)).toString().split('\n');
    const page = JSON.parse(lines.find((line) => line.startsWith('{"kind":"page"')) ?? '{}');
    expect(page.protection).toMatchObject({ level: 'moderators', subtree: true });
    const places = { markdown: '/a/first', wikitext: '/b/rules/first', 'mediawiki-xml': '/c/first' };
    for (const [format, place] of Object.entries(places)) {
      const certificate = await imported(await archive(format, root, path), place.slice(0, 2));
      expect(certificate.approximated.byConstruct).toMatchObject({ 'rule of approval, now protection': 1 });
      const edit = { token: bob, json: { body: 'Out' } };
      expect((await app.call('POST', `/v1/pages${place}`, edit)).json).toMatchObject({ status: 403 });
    }
  });
});
