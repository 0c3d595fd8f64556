/** Changing pages by plain forms: input is never lost. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attribute, elementsOf, formFields, startSite, type TestSite } from '../support/web.ts';

let site: TestSite;
let ada: Awaited<ReturnType<TestSite['signedIn']>>;
let bob: Awaited<ReturnType<TestSite['signedIn']>>;

beforeAll(async () => {
  site = await startSite();
  ada = await site.signedIn('Ada', { isAdmin: true });
  bob = await site.signedIn('Bob');
  await site.page(ada.token, { title: 'Garden', body: 'Green.' });
});
afterAll(() => site.close());

const formOf = async (who: typeof ada, url: string) => formFields((await who.get(url)).text, 'page-form');

const pageOf = (path: string) => site.pageAt(path, ada.token);

describe('editing', () => {
  test('a form sent back unchanged changes nothing, and the page says so', async () => {
    await site.page(ada.token, {
      title: 'Steady',
      parent: '/garden',
      body: 'Text [[Type:Plot]]\n',
      data: { a: [1] },
      permissions: 444,
      location: false,
    });
    const before = await pageOf('/garden/steady');
    const form = await formOf(ada, '/edit/garden/steady');
    expect(form).toMatchObject({
      base: String(before.history.at(-1).id),
      description: '',
      type: '',
      place: 'none',
    });
    expect(await ada.post('/edit/garden/steady', { ...form, intent: 'save' })).toMatchObject({
      status: 303,
      location: '/garden/steady',
    });
    expect((await pageOf('/garden/steady')).history).toEqual(before.history);
    expect((await ada.get('/garden/steady')).text).toContain('No changes. The page already has this text.');
  });

  test('two edits that do not overlap are both kept, and the page says so', async () => {
    await site.page(ada.token, { title: 'Merge', body: 'one\n\ntwo\n\nthree\n\nfour\n' });
    const [form, other] = [await formOf(ada, '/edit/merge'), await formOf(bob, '/edit/merge')];
    await ada.post('/edit/merge', { ...form, body: String(form.body).replace('one', 'ONE'), intent: 'save' });
    const shown = await bob.post('/edit/merge', {
      ...other,
      body: String(other.body).replace('four', 'FOUR'),
      description: 'Mine',
      intent: 'save',
    });
    expect(shown.status).toBe(303);
    expect((await bob.get('/merge')).text).toContain('merged with what somebody else changed meanwhile');
    expect(await pageOf('/merge')).toMatchObject({
      description: 'Mine',
      history: [{}, {}, { content: { body: 'ONE\n\ntwo\n\nthree\n\nFOUR\n' } }],
    });
  });

  test('two edits of the same text are merged on one page without loss', async () => {
    await site.page(ada.token, { title: 'Clash', body: 'one\n\ntwo\n', description: 'Old' });
    const [form, other] = [await formOf(ada, '/edit/clash'), await formOf(bob, '/edit/clash')];
    await ada.post('/edit/clash', { ...form, body: 'ADA\n\ntwo\n', type: 'Theirs', intent: 'save' });
    const shown = await bob.post('/edit/clash', {
      ...other,
      body: 'BOB\n\ntwo\n\nthree\n',
      description: 'New',
      msg: 'Why',
      intent: 'save',
    });
    expect(shown.status).toBe(409);
    expect(shown.text).toContain('Merge both versions');
    const merged = formFields(shown.text, 'page-form');
    expect(merged.body).toContain('<<<<<<< yours\nBOB\n=======\nADA\n>>>>>>> theirs\n\ntwo\n\nthree\n');
    expect(merged).toMatchObject({ description: 'New', type: 'Theirs', msg: 'Why' });
    expect(
      await bob.post('/edit/clash', { ...merged, body: 'ADA and BOB\n\ntwo\n\nthree\n', intent: 'save' }),
    ).toMatchObject({ status: 303 });
    expect(await pageOf('/clash')).toMatchObject({
      type: 'Theirs',
      description: 'New',
      history: [{}, {}, { msg: 'Why', content: { body: 'ADA and BOB\n\ntwo\n\nthree\n' } }],
    });
  });

  test('versions are compared on a separate thread, and shown whole if that takes too long', async () => {
    // A limit of 0 ms makes every comparison too slow.
    const hurried = await startSite({}, { cpuLimits: { memberMs: 0 } });
    for (const [one, isCompared] of [
      [site, true],
      [hurried, false],
    ] as const) {
      const cleo = await one.signedIn('Cleo');
      const lines = (word: string) => `${word} `.repeat(20).concat('\n\n').repeat(100);
      await one.page(cleo.token, { title: 'Long clash', body: lines('old') });
      const form = formFields((await cleo.get('/edit/long-clash')).text, 'page-form');
      await cleo.post('/edit/long-clash', { ...form, body: lines('theirs'), intent: 'save' });
      const shown = await cleo.post('/edit/long-clash', { ...form, body: lines('mine'), intent: 'save' });
      expect(shown.status).toBe(409);
      expect(shown.text.includes('merge-diff')).toBe(isCompared);
      // Sides to choose from are rendered, or sources as well where that takes too long.
      const compared = shown.text.replace(/<section class="conflict-choices"[\s\S]*?<\/section>/, '');
      const sources = elementsOf(compared).filter(
        (element) => element.tagName === 'pre' && attribute(element, 'class') === 'source',
      );
      expect(sources).toHaveLength(isCompared ? 1 : 3);
      const { body } = formFields(shown.text, 'page-form');
      for (const word of ['mine', 'theirs']) expect(body?.split(`${word} `)).toHaveLength(2001);
    }
    await hurried.close();
  });

  test('a single section is edited while others edit around it', async () => {
    await site.page(ada.token, {
      title: 'Parts',
      body: 'Lead.\n\n== A ==\na\n\n=== A1 ===\na1\n\n== B ==\nb\n',
    });
    const form = await formOf(ada, '/edit/parts?section=A');
    expect(form).toMatchObject({ body: '== A ==\na\n\n=== A1 ===\na1\n\n', section: 'A' });
    const other = await formOf(bob, '/edit/parts');
    await bob.post('/edit/parts', {
      ...other,
      body: String(other.body).replace('Lead.', 'A much longer lead.'),
      intent: 'save',
    });
    expect(await ada.post('/edit/parts', { ...form, body: '== A ==\nnew', intent: 'save' })).toMatchObject({
      status: 303,
      location: '/parts#A',
    });
    expect((await pageOf('/parts')).history.at(-1).content.body).toBe(
      'A much longer lead.\n\n== A ==\nnew\n== B ==\nb\n',
    );
    expect((await ada.get('/edit/parts?section=Nope')).status).toBe(404);
  });

  test('a session that ended loses no input: the form asks to sign in and continues', async () => {
    const { passphrases, store } = site.app.service;
    const eve = await site.member('Eve');
    await store.members.update(eve.id, { passphraseHash: await passphrases.hash('a passphrase for tests') });
    await site.page(ada.token, { title: 'Kept', body: 'Old' });
    const form = await formOf(ada, '/edit/kept');
    const visitor = site.visitor();
    visitor.cookies.set('coppice', 'no-token-any-more');
    const asked = await visitor.post(
      '/edit/kept',
      { ...form, body: 'Typed for an hour\n"quoted" & <b>', msg: 'Much', intent: 'save' },
      { files: [{ name: 'rose.png', bytes: Buffer.from('x') }] },
    );
    expect(asked.status).toBe(401);
    expect(asked.text).toContain('rose.png');
    const fields: Record<string, string> = {};
    for (const element of elementsOf(asked.text)) {
      if (element.tagName === 'input' && attribute(element, 'type') === 'hidden')
        fields[attribute(element, 'name') ?? ''] = attribute(element, 'value') ?? '';
    }
    expect(fields).toMatchObject({ base: form.base, msg: 'Much', title: 'Kept' });
    const body = 'Typed for an hour\n"quoted" & <b>';
    const wrong = await visitor.post('/edit/kept', {
      ...fields,
      body,
      'session-email': eve.email,
      'session-pass': 'wrong',
      intent: 'again',
    });
    expect(wrong.status).toBe(401);
    expect(wrong.text).toContain('Typed for an hour\n&quot;quoted&quot; &amp; &lt;b&gt;');
    const back = await visitor.post('/edit/kept', {
      ...fields,
      body,
      'session-email': eve.email,
      'session-pass': 'a passphrase for tests',
      intent: 'again',
    });
    expect(back.status).toBe(200);
    const again = formFields(back.text, 'page-form');
    expect(again).toMatchObject({ body, msg: 'Much', base: form.base });
    expect(await visitor.post('/edit/kept', { ...again, intent: 'save' })).toMatchObject({
      status: 303,
      location: '/kept',
    });
    expect(await pageOf('/kept')).toMatchObject({
      history: [{}, { msg: 'Much', editor: { name: 'Eve' }, content: { body } }],
    });
  });

  test('people who may not edit can propose, and keep the text when saving is refused', async () => {
    await site.page(ada.token, { title: 'Locked', body: 'Fixed', permissions: 444 });
    const editor = (await bob.get('/edit/locked')).text;
    expect(editor).toContain('name="propose"');
    expect(editor).not.toContain('value="save"');
    expect((await bob.get('/locked')).text).toMatch(/href="\/edit\/locked"[^>]*>Propose<span/);
    const shown = await bob.post('/edit/locked', { title: 'Locked', body: 'Changed', intent: 'save' });
    expect(shown.status).toBe(403);
    expect(formFields(shown.text, 'page-form').body).toBe('Changed');
    expect((await site.visitor().get('/edit/locked')).location).toBe('/login?next=%2Fedit%2Flocked');
  });

  test('only the owner and administrators are asked about permissions, and nobody else can change them', async () => {
    await site.page(ada.token, { title: 'Owned', body: 'x' });
    expect(await formOf(bob, '/edit/owned')).not.toHaveProperty('permissions');
    const form = await formOf(bob, '/edit/owned');
    const shown = await bob.post('/edit/owned', { ...form, permissions: '700', body: 'y', intent: 'save' });
    expect(shown.status).toBe(403);
    expect((await pageOf('/owned')).permissions).toBe(774);
    expect(
      await ada.post('/edit/owned', {
        ...(await formOf(ada, '/edit/owned')),
        permissions: '700',
        intent: 'save',
      }),
    ).toMatchObject({ status: 303 });
    expect((await bob.get('/owned')).status).toBe(404);
    const lost = await bob.post('/edit/owned', { ...form, body: 'Still here', intent: 'save' });
    expect(lost.status).toBe(404);
    expect(formFields(lost.text, 'page-form').body).toBe('Still here');
    // Editing the page again warns about the history, which may stay private.
    expect((await ada.get('/edit/owned')).text).toContain('may also read its history,</strong>');
    const open = { permissions: '774', history: 'from now', body: 'Open', intent: 'save' };
    expect((await ada.post('/edit/owned', { ...(await formOf(ada, '/edit/owned')), ...open })).status).toBe(
      303,
    );
    const { history } = (await site.call('GET', '/v1/pages/owned')).json.page;
    expect(history.map(({ content }: { content: { body: string } }) => content.body)).toEqual(['Open']);
  });

  test('a page that was moved meanwhile is followed', async () => {
    await site.page(ada.token, { title: 'Wanderer', body: 'x' });
    const form = await formOf(bob, '/edit/wanderer');
    await site.call('POST', '/v1/pages/wanderer', {
      token: ada.token,
      json: { path: '/garden/wanderer', parent: '/garden' },
    });
    expect(await bob.post('/edit/wanderer', { ...form, body: 'y', intent: 'save' })).toMatchObject({
      status: 303,
      location: '/garden/wanderer',
    });
    expect(await pageOf('/garden/wanderer')).toMatchObject({ lineage: [{ path: '/garden' }] });
  });
});

describe('moving, restoring, liking', () => {
  test('a move shows the affected pages and conflicts before anything happens', async () => {
    await site.page(ada.token, { title: 'Stem', body: 'x' });
    await site.page(ada.token, { title: 'Twig', parent: '/stem', body: 'x' });
    await site.page(ada.token, { title: 'Diary', parent: '/stem', body: 'x', permissions: 700 });
    const asked = await bob.post('/move/stem', { parent: '/garden', slug: 'stem', intent: 'preview' });
    expect(asked.status).toBe(200);
    expect(asked.text).toMatch(/\/stem\/twig<\/code> → <code dir="auto">\/garden\/stem\/twig/);
    expect(asked.text).not.toContain('diary');
    expect((await bob.get('/stem')).status).toBe(200);
    const taken = await bob.post('/move/stem', { parent: '', slug: 'garden', intent: 'move' });
    expect(taken.text).toContain('another page has this address');
    for (const fields of [
      { parent: '/nowhere', slug: 'x' },
      { parent: '/stem/twig', slug: 'stem' },
      { parent: '', slug: 'search' },
      { parent: '', slug: 'a/b' },
      { parent: '', slug: 'stem' },
    ]) {
      for (const intent of ['preview', 'move']) {
        const refused = await bob.post('/move/stem', { ...fields, intent });
        expect(refused.status, JSON.stringify({ ...fields, intent })).toBe(400);
      }
    }
    const fields = { parent: '/garden', slug: 'stem', intent: 'move' };
    // The preview is shown again, as it was outdated.
    expect((await bob.post('/move/stem', { ...fields, seen: '/garden/other' })).text).toContain(
      '2 pages move to',
    );
    expect((await bob.get('/stem')).status).toBe(200);
    expect(await bob.post('/move/stem', { ...fields, seen: '/garden/stem' })).toMatchObject({
      status: 303,
      location: '/garden/stem',
    });
    expect(await bob.get('/stem/twig')).toMatchObject({ status: 308, location: '/garden/stem/twig' });
    expect(await pageOf('/garden/stem')).toMatchObject({
      depth: 1,
      history: [{}, { msg: 'Moved from /stem' }],
    });
  });

  test('a page below one that its mover may not read gets a new last part of its address', async () => {
    await site.page(ada.token, { title: 'Vault', body: 'x', permissions: 700 });
    await site.page(ada.token, { title: 'Window', parent: '/vault', body: 'x' });
    const fields = { parent: '/vault', slug: 'pane' };
    const asked = await bob.post('/move/vault/window', { ...fields, intent: 'preview' });
    expect(asked.text).toContain('→ <code dir="auto">/vault/pane</code>');
    expect(
      await bob.post('/move/vault/window', { ...fields, seen: '/vault/pane', intent: 'move' }),
    ).toMatchObject({
      status: 303,
      location: '/vault/pane',
    });
  });

  test('an address changed in the form is confirmed before the page moves', async () => {
    const form = await formOf(ada, '/edit/garden/stem');
    const asked = await ada.post('/edit/garden/stem', {
      ...form,
      path: '/trunk',
      parent: '',
      body: 'new',
      intent: 'save',
    });
    expect(asked.status).toBe(200);
    expect(asked.text).toContain('Saving moves 3 pages');
    const confirmed = formFields(asked.text, 'page-form');
    expect(confirmed).toMatchObject({
      path: '/trunk',
      'path-was': '/garden/stem',
      body: 'new',
      'move-seen': '/trunk',
    });
    expect(await ada.post('/edit/garden/stem', { ...confirmed, intent: 'save' })).toMatchObject({
      status: 303,
      location: '/trunk',
    });
    expect(await pageOf('/trunk/twig')).toMatchObject({ lineage: [{ path: '/trunk' }] });
  });

  test('an older version is restored as a new change', async () => {
    await site.page(ada.token, { title: 'Again', body: 'first' });
    await site.call('POST', '/v1/pages/again', { token: ada.token, json: { body: 'second' } });
    const [first] = (await pageOf('/again')).history;
    expect((await site.visitor().post('/history/again', { to: String(first.id) })).status).toBe(401);
    expect(await bob.post('/history/again', { to: String(first.id) })).toMatchObject({
      status: 303,
      location: '/again',
    });
    expect(
      (await pageOf('/again')).history.map((change: { content: { body: string } }) => change.content.body),
    ).toEqual(['first', 'second', 'first']);
    expect((await bob.post('/history/again', { to: '999999' })).status).toBe(400);
    expect((await bob.post('/history/again', { to: 'x' })).status).toBe(400);
  });

  test('a page is liked once, and unliked', async () => {
    expect(await bob.post('/like/garden', { like: 'yes' })).toMatchObject({
      status: 303,
      location: '/garden',
    });
    await bob.post('/like/garden', { like: 'yes' });
    expect((await bob.get('/garden')).text).toMatch(/aria-pressed="true">Liked <span class="count">1</);
    await bob.post('/like/garden', { like: 'no' });
    expect((await pageOf('/garden')).likes).toEqual([]);
    expect((await site.visitor().post('/like/garden', { like: 'yes' })).status).toBe(401);
  });
});
