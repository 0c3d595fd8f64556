/** Proposals on the site: from the editor to the merge, without scripts. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSite, type TestSite } from '../support/web.ts';

type Member = Awaited<ReturnType<TestSite['signedIn']>>;
let wiki: TestSite;
let root: Member;
let ada: Member;
let rea: Member;

beforeAll(async () => {
  wiki = await startSite();
  root = await wiki.signedIn('Root', { isAdmin: true });
  [ada, rea] = [await wiki.signedIn('Ada'), await wiki.signedIn('Rea')];
  await wiki.call('PATCH', `/v1/members/${rea.id}`, { token: root.token, json: { role: 'reader' } });
});
afterAll(() => wiki.close());

const page = (fields: object) => wiki.page(ada.token, fields as Record<string, unknown>);

test('a reader proposes in the editor, a writer reviews and merges, and both see the words that change', async () => {
  const { path, id, history } = await page({ title: 'Roses', body: 'Roses are white.\n' });
  const view = await rea.get(path);
  expect(view.text).toContain(
    `<a class="action-main" href="/edit${path}" accesskey="e">Propose<span class="on-wide"> a change</span></a>`,
  );
  const editor = await rea.get(`/edit${path}`);
  expect(editor.status).toBe(200);
  expect(editor.text).toContain('formaction="/proposals"');
  expect(editor.text).not.toContain('value="save"');
  const base = history.at(-1).id;
  const form = { base: String(base), 'path-was': path, path, 'parent-was': '', parent: '', title: 'Roses' };
  const files = [{ name: 'red.txt', bytes: Buffer.from('very red') }];
  const sent = await rea.post(
    '/proposals',
    { ...form, body: 'Roses are red.\n', msg: 'Colour <b>', propose: 'yes' },
    { files },
  );
  expect(sent.status, sent.text).toBe(303);
  const address = sent.location ?? '';
  const shown = await ada.get(address);
  expect(shown.text).toContain('Colour &lt;b&gt;');
  expect(shown.text).toMatch(/<del>white<\/del>/);
  // Merging is offered to those who can write the page.
  expect(shown.text).toContain('name="merge"');
  const own = (await rea.get(address)).text;
  expect(own).toContain('Somebody who can edit the pages merges it.');
  expect(own).not.toMatch(/name="(?:merge|publish)"/);
  expect(shown.text).toMatch(/<ins>red<\/ins>/);
  const [, file = ''] = /<a href="([^"]*)" dir="auto">red\.txt<\/a>/.exec(shown.text) ?? [];
  expect((await ada.get(file)).text).toBe('very red');
  expect((await ada.get('/proposals')).text).toContain(`href="${address}"`);
  expect((await ada.get(`/proposals?path=${path}`)).text).toContain(`href="${address}"`);
  expect((await rea.get('/proposals?author=me&state=draft')).text).not.toContain(`href="${address}"`);
  const remark = { on: path, quote: 'are red', text: 'Which red?', comment: 'yes' };
  expect((await ada.post(address, remark)).status).toBe(303);
  expect((await ada.get(address)).text).toContain(
    '<blockquote class="quote" dir="auto">are red</blockquote>',
  );
  expect((await ada.post(address, { ...remark, quote: 'are blue' })).status).toBe(400);
  expect((await ada.post(address, { text: 'Right', approve: 'yes' })).status).toBe(303);
  expect((await ada.get(address)).text).toContain('Approved');
  expect((await rea.post(address, { merge: 'yes' })).status).toBe(401);
  expect((await ada.post(address, { merge: 'yes' })).status).toBe(303);
  const merged = (await ada.get(path)).text;
  for (const part of ['Roses are red.', 'red.txt']) expect(merged).toContain(part);
  expect((await ada.get(address)).text).toContain('merged by <bdi>Ada</bdi>');
  expect((await wiki.visitor().get('/proposals')).status).not.toBe(200);
  expect(id).toBeGreaterThan(0);
});

test('a draft becomes a proposal, its conflict is solved on its page, and a refused one keeps its text', async () => {
  const { path, history } = await page({ title: 'Lilies', body: 'one\n\ntwo\n\nthree\n' });
  const base = String(history.at(-1).id);
  const form = { base, 'path-was': path, path, 'parent-was': '', parent: '', title: 'Lilies' };
  const draft = await ada.post('/proposals', { ...form, body: 'one\n\n2\n\nthree\n', draft: 'yes' });
  const address = draft.location ?? '';
  expect((await rea.get(address)).status).toBe(404);
  expect((await ada.get('/proposals?author=me&state=draft')).text).toContain(`href="${address}"`);
  await wiki.call('POST', `/v1/pages${path}`, {
    token: root.token,
    json: { body: 'one\n\nTWO\n\nthree\n' },
  });
  const stuck = await ada.get(address);
  expect(stuck.text).toContain('conflicts with the present page');
  expect(stuck.text).toContain('&lt;&lt;&lt;&lt;&lt;&lt;&lt; yours');
  const theirs = /name="base-0" value="(\d+)"/.exec(stuck.text)?.[1] ?? '';
  const solved = { 'base-0': theirs, 'body-0': 'one\n\n2 TWO\n\nthree\n', solve: 'yes' };
  expect((await ada.post(address, solved)).status).toBe(303);
  expect((await ada.post(address, { open: 'yes' })).status).toBe(303);
  expect((await rea.get(address)).status).toBe(200);
  expect((await ada.post(address, { merge: 'yes' })).status).toBe(303);
  expect((await ada.get(path)).text).toContain('2 TWO');
  const refused = await ada.post('/proposals', {
    ...form,
    'path-was': '/no-such-page',
    body: 'Kept words',
    propose: 'yes',
  });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('Kept words');
  expect((await ada.get('/proposals/99999')).status).toBe(404);
});

test('the site can be read as it would be with a proposal, and links keep to it', async () => {
  const { path } = await page({ title: 'Beech', body: 'Old [[/beech/leaf|leaf]].\n' });
  const changes = [
    { action: 'edit', path, body: 'New [[/beech/leaf|leaf]] and [[/oak-wanted]].\n', title: 'Beeches' },
    { action: 'create', title: 'Leaf', parent: path, body: 'Green. [[/beech#top|up]]' },
  ];
  const { json } = await wiki.call('POST', '/v1/proposals', {
    ...{ token: rea.token, json: { title: 'Leaves <i>', changes } },
  });
  const query = `?proposal=${json.id}`;
  expect((await ada.get(`/proposals/${json.id}`)).text).toContain(`href="${path}${query}"`);
  const view = await ada.get(`${path}${query}`);
  expect(view.status, view.text).toBe(200);
  expect(view.headers).toMatchObject({
    ...{ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' },
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  });
  expect(view.text).toContain('<meta name="robots" content="noindex">');
  expect(view.text).toContain(`<a href="/proposals/${json.id}" dir="auto">Leaves &lt;i&gt;</a>`);
  expect(view.text).toContain(`<a href="${path}">Show the wiki without it</a>`);
  expect(view.text).toMatch(/<h1[^>]*>Beeches/);
  expect(view.text).toMatch(new RegExp(`href="/beech/leaf\\?proposal=${json.id}"[^>]*>leaf`));
  expect(view.text).toContain(`<input type="hidden" name="proposal" value="${json.id}">`);
  expect(view.text).toContain(`href="/edit${path}"`);
  const leaf = await ada.get(`/beech/leaf${query}`);
  expect(leaf.text).toContain(`href="/beech?proposal=${json.id}#top"`);
  for (const [address, words] of [
    [`/tree${query}`, 'Beeches'],
    [`/tree${path}${query}`, 'Leaf'],
    [`/search${query}&ancestor=/beech`, `href="/beech/leaf?proposal=${json.id}"`],
    [`/wanted${query}`, 'oak-wanted'],
    [`/${query}`, 'proposal-bar'],
  ] as const) {
    const { status, text } = await ada.get(address);
    expect([address, status]).toEqual([address, 200]);
    expect(text, address).toContain(words);
    expect(text, address).toContain('as it would be with the proposal');
  }
  expect((await ada.get(`/no-such-page${query}`)).status).toBe(404);
  // Another spelling of the address leads to the page, still with the proposal.
  expect((await ada.get(`${path}/${query}`)).location).toBe(`${path}${query}`);
  expect((await wiki.visitor().get(`${path}${query}`)).location).toContain('/login');
  expect((await ada.get(`${path}?proposal=999999`)).status).toBe(404);
  expect((await ada.get(`${path}?proposal=none`)).status).toBe(400);
  // Nothing of it is left.
  expect((await ada.get(path)).text).not.toContain('Beeches');
  expect((await ada.get('/beech/leaf')).status).toBe(404);
  await wiki.call('POST', `/v1/pages${path}`, { token: ada.token, json: { title: 'Other' } });
  const stuck = await ada.get(`${path}${query}`);
  expect(stuck.status).toBe(409);
  expect(stuck.text).toContain(`href="/proposals/${json.id}"`);
});

test('an owner asks for approvals on the page of the rule, which says who can give them, and lifts it', async () => {
  const { path } = await page({ title: 'Handbook', body: 'Rules' });
  const child = await page({ title: 'Chapter', parent: path, body: 'One' });
  const address = `/proposals/rules${path}`;
  expect((await ada.get(path)).text).toContain(`href="${address}"`);
  expect((await rea.get(path)).text).not.toContain(`href="${address}"`);
  expect((await rea.get(address)).text).toContain('need no approval');
  expect((await rea.get(address)).text).not.toContain('<select id="approvals"');
  expect((await rea.post(address, { what: 'save', approvals: '1', group: '' })).status).toBe(401);
  const wrong = await ada.post(address, { what: 'save', approvals: '2', group: 'no such group' });
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain('There is no group “no such group”');
  expect(wrong.text).toContain('value="no such group"');
  expect((await ada.post(address, { what: 'save', approvals: '2', group: '' })).location).toBe(address);
  const seen = await rea.get(address);
  expect(seen.text).toContain('2 approvals by moderators and administrators');
  expect((await rea.get(path)).text).toContain(`href="${address}"`);
  const beneath = await rea.get(`/proposals/rules${child.path}`);
  expect(beneath.text).toContain(`Because of <a href="${address}"`);
  const { json } = await wiki.call('POST', '/v1/proposals', {
    ...{
      token: rea.token,
      json: { title: 'Two', changes: [{ action: 'edit', path: child.path, body: '2' }] },
    },
  });
  const proposal = await root.get(`/proposals/${json.id}`);
  expect(proposal.text).toContain('A rule asks for 2 approvals by moderators and administrators.');
  expect(proposal.text).toContain('can merge at once');
  expect((await rea.get(`/proposals/${json.id}`)).text).not.toContain('can merge at once');
  expect((await ada.post(address, { what: 'lift' })).status).toBe(303);
  expect((await ada.get(address)).text).toContain('need no approval');
  expect((await wiki.visitor().get(address)).location).toContain('/login');
  expect((await ada.get('/proposals/rules/no-such-page')).status).toBe(404);
});

test('an author invites others to a draft by name, and chooses when a proposal merges', async () => {
  const { path } = await page({ title: 'Plan', body: 'Old' });
  const changes = [{ action: 'edit', path, body: 'New' }];
  const { json } = await wiki.call('POST', '/v1/proposals', {
    ...{ token: ada.token, json: { title: 'A plan', state: 'draft', changes } },
  });
  const address = `/proposals/${json.id}`;
  expect((await rea.get(address)).status).toBe(404);
  const nobody = await ada.post(address, { invite: 'yes', name: 'Nobody <b>' });
  expect(nobody.status).toBe(400);
  expect(nobody.text).toContain('There is no member with the name “Nobody &lt;b&gt;”');
  expect((await ada.post(address, { invite: 'yes', name: 'rea' })).status).toBe(303);
  expect((await ada.get(address)).text).toContain(`href="/members/${rea.id}"`);
  expect((await rea.get(address)).status).toBe(200);
  expect((await rea.get(address)).text).not.toContain('Who else can read this draft');
  expect((await rea.post(address, { uninvite: String(rea.id) })).status).toBe(401);
  expect((await ada.post(address, { uninvite: String(rea.id) })).status).toBe(303);
  expect((await rea.get(address)).status).toBe(404);
  expect((await ada.post(address, { open: 'yes' })).status).toBe(303);
  for (const publishAt of ['', 'soon', '2020-01-01T00:00'])
    expect((await ada.post(address, { publish: 'yes', publishAt })).status, publishAt).toBe(400);
  expect((await ada.post(address, { publish: 'yes', publishAt: '2100-01-02T03:04' })).status).toBe(303);
  expect((await ada.get(address)).text).toContain('value="2100-01-02T03:04"');
  expect((await rea.get(address)).text).toContain('merges by itself');
  expect((await ada.post(address, { unpublish: 'yes' })).status).toBe(303);
  expect((await ada.get(address)).text).not.toContain('merges by itself <');
});

test('access of a proposed page is shown where it differs from what a new page has in this wiki', async () => {
  const shownWith = async (permissions: number) => {
    const changes = [{ action: 'create', title: `With ${permissions}`, body: 'x', permissions }];
    const json = { title: 'New', changes };
    const { json: proposal } = await wiki.call('POST', '/v1/proposals', { token: ada.token, json });
    return /<(?:dt|th)[^>]*>Permissions</.test((await ada.get(`/proposals/${proposal.id}`)).text);
  };
  const setPrivate = (isPrivate: boolean) =>
    wiki.call('PATCH', '/v1/settings', { token: root.token, json: { private: isPrivate } });
  expect([await shownWith(774), await shownWith(770)]).toEqual([false, true]);
  expect((await setPrivate(true)).status).toBe(200);
  expect([await shownWith(774), await shownWith(770)]).toEqual([true, false]);
  await setPrivate(false);
});
