/** Proposals: making, reading, reviewing and merging them, who sees which part of them, and rules that ask for them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishDue } from '#src/features/proposals/loop.ts';
import { notifyWatchers } from '#src/features/watches/notify.ts';
import { engines, type Method, startApp, type TestApp } from '../support/http.ts';
import { addApiToken } from '../support/tokens.ts';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  type Who = { id: number; token: string };
  let root: Who;
  let ada: Who;
  let bob: Who;
  let rea: Who;
  let mod: Who;
  let made = 0;

  beforeAll(async () => {
    wiki = await startApp({}, { engine });
    root = await wiki.member('Root', { isAdmin: true });
    [ada, bob, rea, mod] = [
      await wiki.member('Ada'),
      await wiki.member('Bob'),
      await wiki.member('Rea'),
      await wiki.member('Mod'),
    ];
    await call('PATCH', `/v1/members/${rea.id}`, root, { role: 'reader' });
    await call('PATCH', `/v1/members/${mod.id}`, root, { role: 'moderator' });
  });
  afterAll(async () => {
    expect(await wiki.app.service.store.maintenance.violations(10)).toEqual([]);
    await wiki.close();
  });

  const call = (method: Method, url: string, who?: { token: string }, json?: unknown) =>
    wiki.call(method, url, { ...(who ? { token: who.token } : {}), ...(json === undefined ? {} : { json }) });
  const page = (fields: object = {}, who: Who = ada) =>
    wiki.page(who.token, { title: `Page ${++made}`, body: 'one\n\ntwo\n\nthree\n', ...fields });
  const propose = async (who: Who, changes: object[], fields: object = {}) => {
    const answer = await call('POST', '/v1/proposals', who, { title: 'Better', changes, ...fields });
    expect(answer.status, answer.text).toBe(200);
    return answer.json;
  };
  const read = async (path: string, who: Who = ada) =>
    (await call('GET', `/v1/pages${path}?history=all`, who)).json.page;
  const merge = (id: number, who: Who = ada) => call('POST', `/v1/proposals/${id}/merge`, who, {});
  const review = (id: number, who: Who, verdict: string, text = 'Words') =>
    call('POST', `/v1/proposals/${id}/reviews`, who, { verdict, text });

  test('a reader proposes creations, edits, moves and deletions; a writer merges all of them at once', async () => {
    const [edited, moved, deleted] = [await page(), await page(), await page()];
    const proposal = await propose(rea, [
      { action: 'edit', path: edited.path, body: 'one\n\ntwo\n\n3\n', msg: 'Digits' },
      { action: 'move', path: moved.path, to: `${moved.path}-new` },
      { action: 'delete', path: deleted.path },
      { action: 'create', path: `/made-${made}`, title: 'Made', body: 'New' },
      { action: 'create', title: 'Child', parent: `/made-${made}`, body: 'Beneath' },
    ]);
    expect(proposal).toMatchObject({
      ...{ title: 'Better', text: '', state: 'open', author: { id: rea.id }, reviews: [], mergeable: true },
      changes: [
        { action: 'edit', path: edited.path, base: edited.history.at(-1).id, conflict: false, msg: 'Digits' },
        { action: 'move', path: moved.path, conflict: false, to: `${moved.path}-new` },
        { action: 'delete', path: deleted.path, conflict: false },
        { action: 'create', path: `/made-${made}`, base: null, page: null },
        { action: 'create', path: `/made-${made}/child`, base: null },
      ],
    });
    // Edited meanwhile, at another place.
    await call('POST', `/v1/pages${edited.path}`, ada, { body: '1\n\ntwo\n\nthree\n' });
    expect((await call('GET', `/v1/proposals/${proposal.id}`, bob)).json.mergeable).toBe(true);
    expect((await merge(proposal.id, rea)).status).toBe(401);
    expect((await review(proposal.id, bob, 'approve')).json.approvals).toBe(1);
    const merged = await merge(proposal.id);
    expect(merged.status, merged.text).toBe(200);
    expect(merged.json.pages.map(({ path }: { path: string }) => path)).toEqual([
      ...[edited.path, `${moved.path}-new`, deleted.path, `/made-${made}`, `/made-${made}/child`],
    ]);
    const after = await read(edited.path);
    expect(after.history.at(-1).content.body).toBe('1\n\ntwo\n\n3\n');
    expect(after.history.at(-1).editor.name).toBe('Rea');
    expect(after.history.at(-1).content.msg).toContain(
      `Digits (proposal ${proposal.id} by Rea, approved by Bob, merged by Ada)`,
    );
    expect(merged.json.pages[0]).toEqual({
      id: edited.id,
      path: edited.path,
      change: after.history.at(-1).id,
    });
    expect((await call('GET', `/v1/pages${deleted.path}`, ada)).status).toBe(410);
    expect((await read(`/made-${made}/child`)).owner.name).toBe('Rea');
    const closed = await call('GET', `/v1/proposals/${proposal.id}`, rea);
    expect(closed.json).toMatchObject({ state: 'merged', mergeable: false, mergedBy: { id: ada.id } });
    expect((await merge(proposal.id)).status).toBe(409);
    expect((await review(proposal.id, bob, 'reject')).status).toBe(409);
    const events = (await call('GET', '/v1/changes?after=0&limit=1000', ada)).json;
    const kinds = events.changes.filter(({ page }: { page: { id: number } }) => page.id === edited.id);
    expect(kinds.map(({ kind }: { kind: string }) => kind)).toEqual([
      'created',
      'proposed',
      'edited',
      'reviewed',
      'edited',
      'merged',
    ]);
    const audit = await call('GET', '/v1/audit?kind=proposal-merged', root);
    expect(audit.json.entries.at(-1)).toMatchObject({
      subject: { kind: 'proposal', id: proposal.id },
      note: '1 approval',
    });
  });

  test('a proposal with a conflict is refused by page, and changes nothing', async () => {
    const [touched, free] = [await page(), await page()];
    const { id } = await propose(bob, [
      { action: 'edit', path: free.path, body: 'Better' },
      { action: 'edit', path: touched.path, body: 'one\n\n2\n\nthree\n' },
      { action: 'create', path: `/taken-${made}`, title: 'Taken' },
    ]);
    await call('POST', `/v1/pages${touched.path}`, ada, { body: 'one\n\nTWO\n\nthree\n' });
    await page({ path: `/taken-${made}` });
    const seen = (await call('GET', `/v1/proposals/${id}`, bob)).json;
    expect(seen.changes.map(({ conflict }: { conflict: boolean }) => conflict)).toEqual([false, true, true]);
    expect(seen.mergeable).toBe(false);
    const listed = await call('GET', `/v1/proposals?path=${touched.path}`, bob);
    expect(listed.json).toMatchObject([
      { id, mergeable: false, changes: [{}, { conflict: true }, { conflict: true }] },
    ]);
    const refused = await merge(id);
    expect(refused.status).toBe(409);
    expect(refused.json.type).toContain('proposal-conflict');
    expect(refused.json.conflicts).toMatchObject([
      {
        path: touched.path,
        base: { change: touched.history[0].id, content: { body: 'one\n\ntwo\n\nthree\n' } },
        yours: { content: { body: 'one\n\n2\n\nthree\n' } },
        theirs: { content: { body: 'one\n\nTWO\n\nthree\n' } },
      },
      { path: seen.changes[2].path, base: null, theirs: null },
    ]);
    expect((await read(free.path)).history).toHaveLength(1);
    // Its author solves the conflicts on the present version.
    const { change } = refused.json.conflicts[0].theirs;
    const solved = await call('PATCH', `/v1/proposals/${id}`, bob, {
      changes: [
        { action: 'edit', path: free.path, body: 'Better' },
        { action: 'edit', path: touched.path, body: 'one\n\n2 TWO\n\nthree\n', base: change },
      ],
    });
    expect(solved.json).toMatchObject({
      mergeable: true,
      changes: [{ base: free.history[0].id }, { base: change }],
    });
    expect((await merge(id)).status).toBe(200);
  });

  test('one of two merges at the same time takes place', async () => {
    const { path } = await page();
    const { id } = await propose(rea, [{ action: 'edit', path, body: 'Once' }]);
    const answers = await Promise.all([merge(id, ada), merge(id, bob), merge(id, root)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await read(path)).history).toHaveLength(2);
  });

  test('a merge is refused as a whole where the member may not write a page, or a deletion lost its base', async () => {
    const [open, closed] = [await page(), await page({ permissions: 744 })];
    const { id } = await propose(rea, [
      { action: 'edit', path: open.path, body: 'Changed' },
      { action: 'edit', path: closed.path, body: 'Changed' },
    ]);
    expect((await merge(id, bob)).status).toBe(401);
    expect((await read(open.path)).history).toHaveLength(1);
    expect((await merge(id, ada)).status).toBe(200);
    const deletion = await propose(rea, [{ action: 'delete', path: open.path }]);
    await call('POST', `/v1/pages${open.path}`, ada, { body: 'Somebody worked here' });
    expect((await merge(deletion.id)).status).toBe(409);
  });

  test('members see only the changes of pages that they may read; drafts are for their author and the invited', async () => {
    const [open, secret] = [await page(), await page({ title: 'Treasure', body: 'gold', permissions: 700 })];
    const changes = [
      { action: 'edit', path: open.path, body: 'Open' },
      { action: 'edit', path: secret.path, body: 'silver' },
      { action: 'create', title: 'Chest', parent: secret.path, body: 'diamonds' },
    ];
    const mixed = await propose(ada, changes);
    const hidden = await propose(ada, changes.slice(1));
    const seen = await call('GET', `/v1/proposals/${mixed.id}`, bob);
    expect(seen.json.changes).toHaveLength(1);
    for (const word of ['silver', 'diamonds', 'reasure', 'Chest']) expect(seen.text).not.toContain(word);
    const missing = await call('GET', '/v1/proposals/99999', bob);
    const unseen = await call('GET', `/v1/proposals/${hidden.id}`, bob);
    expect(unseen.text.replaceAll(String(hidden.id), '99999')).toBe(missing.text);
    for (const [method, url, json] of [
      ['POST', 'reviews', { verdict: 'approve' }],
      ['POST', 'merge', {}],
    ] as const)
      expect((await call(method, `/v1/proposals/${hidden.id}/${url}`, bob, json)).status).toBe(404);
    expect((await merge(mixed.id, bob)).status).toBe(401);
    const list = async (who: Who, query = '') => {
      const { json, headers } = await call('GET', `/v1/proposals?limit=100${query}`, who);
      expect(headers['x-total-count']).toBe(String(json.length));
      return json.map(({ id }: { id: number }) => id);
    };
    expect(await list(bob)).not.toContain(hidden.id);
    expect(await list(bob, `&ancestor=${open.path}`)).toEqual([mixed.id]);
    expect((await call('GET', `/v1/proposals?ancestor=${secret.path}`, bob)).status).toBe(404);
    expect(await list(bob, `&path=${secret.path}`)).toEqual([]);
    expect(await list(ada, `&ancestor=${secret.path}&state=open&author=me`)).toEqual([hidden.id, mixed.id]);
    expect((await call('GET', `/v1/proposals/${mixed.id}`)).status).toBe(401);
    // A page that is hidden later takes its change along; the author keeps seeing their own text.
    const draft = await propose(bob, [{ action: 'edit', path: open.path, body: 'Draft' }], {
      ...{ state: 'draft', invited: [ada.id] },
    });
    expect(draft).toMatchObject({ state: 'draft', invited: [ada.id] });
    expect((await call('GET', `/v1/proposals/${draft.id}`, rea)).status).toBe(404);
    const invited = await call('GET', `/v1/proposals/${draft.id}`, ada);
    expect(invited.status).toBe(200);
    expect(invited.json.invited).toBeUndefined();
    expect(await list(rea, '&state=draft')).toEqual([]);
    expect(await list(ada, `&state=draft&author=${bob.id}`)).toEqual([draft.id]);
    await call('POST', `/v1/pages${open.path}`, ada, { permissions: 700 });
    const own = (await call('GET', `/v1/proposals/${draft.id}`, bob)).json;
    expect(own).toMatchObject({ mergeable: false, changes: [{ body: 'Draft', conflict: true, page: null }] });
    expect((await call('GET', `/v1/proposals/${mixed.id}`, bob)).status).toBe(404);
    const { store } = wiki.app.service;
    const actor = { memberId: ada.id, name: 'Ada', isAdmin: false };
    const limits = { name: 'Part', scopes: ['read', 'write'], ancestor: open.path };
    const { secret: limited } = await addApiToken(store, actor, limits, Date.now());
    const ofToken = await call('GET', `/v1/proposals/${mixed.id}`, { token: limited });
    expect(ofToken.json.changes.map(({ path }: { path: string }) => path)).toEqual([open.path]);
    const outside = { title: 'Outside', changes: [{ action: 'create', title: 'Root page' }] };
    expect((await call('POST', '/v1/proposals', { token: limited }, outside)).status).toBe(403);
    const top = await page({ permissions: 774 });
    const { path } = await page({ parent: top.path, permissions: 774 });
    const { secret: token } = await addApiToken(store, actor, { ...limits, ancestor: top.path }, Date.now());
    const move = async (change: object) => {
      const json = { title: 'Move', changes: [{ action: 'move', path, ...change }] };
      return (await call('POST', '/v1/proposals', { token }, json)).status;
    };
    expect(await move({ to: '/outside' })).toBe(403);
    expect(await move({ parent: null })).toBe(403);
    expect(await move({ action: 'edit', path: top.path, slug: 'outside' })).toBe(403);
    expect(await move({ slug: 'inside' })).toBe(200);
  });

  test('any read with the ID of a proposal answers as if it were merged, and leaves nothing behind', async () => {
    const top = await page({ body: 'Top [[/made-later]]' });
    const child = await page({ title: 'Old child', parent: top.path, permissions: 744 });
    const { id } = await propose(rea, [
      { action: 'edit', path: top.path, body: 'Changed [[/made-later]]', title: 'New top' },
      { action: 'edit', path: child.path, title: 'New child', permissions: 700 },
      { action: 'create', path: '/made-later', title: 'Later', parent: top.path, body: 'Not yet' },
    ]);
    const at = (url: string, who?: { token: string }) => call('GET', url, who);
    const before = await at(`/v1/pages${top.path}?history=all`);
    for (const who of [rea, bob, ada]) {
      const seen = await at(`/v1/pages${top.path}?history=all&proposal=${id}`, who);
      expect(seen.status, seen.text).toBe(200);
      expect(seen.headers['cache-control']).toBe('no-store');
      expect(seen.json.page).toMatchObject({ title: 'New top' });
      expect(seen.json.markup).toContain('Changed <a href="/made-later"');
      expect((await at(`/v1/pages/made-later?proposal=${id}`, who)).json.page.title).toBe('Later');
      const children = await at(`/v1/children${top.path}?proposal=${id}`, who);
      expect(children.json.map(({ title }: { title: string }) => title)).toEqual(['Later', 'New child']);
      const found = await at(`/v1/pages?ancestor=${top.path}&proposal=${id}`, who);
      expect(found.json.map(({ title }: { title: string }) => title).sort()).toEqual(['Later', 'New child']);
      expect((await at(`/v1/backlinks/made-later?proposal=${id}`, who)).json).toHaveLength(1);
    }
    expect((await at('/v1/pages?title=New top', bob)).json).toEqual([]);
    expect((await at('/v1/pages/made-later', bob)).status).toBe(404);
    expect((await at(`/v1/pages${top.path}?history=all`)).text).toBe(before.text);
    expect((await at(`/v1/pages${top.path}?proposal=${id}`)).status).toBe(401);
    expect((await at(`/v1/pages${top.path}?proposal=99999`, bob)).status).toBe(404);
    expect((await at(`/v1/pages${top.path}?proposal=x`, bob)).status).toBe(400);
    // A conflict is told, and a draft is nobody else’s to see.
    await call('POST', `/v1/pages${top.path}`, ada, { title: 'Another title' });
    expect((await at(`/v1/pages${top.path}?proposal=${id}`, bob)).status).toBe(409);
    const draft = await propose(bob, [{ action: 'edit', path: top.path, body: 'Draft' }], { state: 'draft' });
    expect((await at(`/v1/pages${top.path}?proposal=${draft.id}`, rea)).status).toBe(404);
    expect((await at(`/v1/pages${top.path}?proposal=${draft.id}`, bob)).json.markup).toContain('Draft');
  });

  test('a proposal lists those of its links that would lead nowhere, and links that it breaks', async () => {
    const [kept, gone, linking, hidden] = [
      await page({ body: 'Here' }),
      await page({ title: 'Doomed', body: 'Here' }),
      await page({ body: '[[/doomed]] [[Doomed]]' }),
      await page({ body: '[[/doomed]]', permissions: 700 }),
    ];
    const edited = await page({ body: '[[/was-missing-before]] [[/doomed]]' });
    const { id } = await propose(bob, [
      {
        ...{ action: 'edit', path: edited.path },
        body: `[[/was-missing-before]] [[${kept.path}]] [[/doomed]] [[No such page]] [[Made here]] [[/made-path]]`,
      },
      { action: 'create', path: '/made-path', title: 'Made here', body: '[[Later]] [[no such page]]' },
      { action: 'delete', path: gone.path },
    ]);
    const links = (await call('GET', `/v1/proposals/${id}/links`, bob)).json;
    expect(links.wanted).toEqual([
      { target: 'No such page', page: edited.path },
      { target: 'Later', page: '/made-path' },
      { target: 'no such page', page: '/made-path' },
    ]);
    const breaks = (given: typeof links) =>
      given.dead.map(({ page }: { page: { path: string } }) => page.path);
    expect(breaks(links)).toEqual([linking.path]);
    expect(breaks((await call('GET', `/v1/proposals/${id}/links`, ada)).json).sort()).toEqual(
      [hidden.path, linking.path].sort(),
    );
    expect((await call('GET', `/v1/proposals/${id}/links`)).status).toBe(401);
    expect((await call('GET', '/v1/proposals/99999/links', bob)).status).toBe(404);
  });

  test('authors and reviewers get one notification of each review and merge, and can turn their mail off', async () => {
    const [one, two] = [await page(), await page()];
    const { id } = await propose(rea, [
      { action: 'edit', path: one.path, body: 'Told one' },
      { action: 'edit', path: two.path, body: 'Told two' },
    ]);
    const { store } = wiki.app.service;
    const told = async (who: Who) => {
      while (await notifyWatchers(store, Date.now));
      const all = (await call('GET', '/v1/notifications', who)).json as { kind: string; msg: string }[];
      return all.filter(({ msg }) => msg === `Proposal ${id}`).map(({ kind }) => kind);
    };
    await told(rea);
    await review(id, mod, 'comment', 'Why?');
    expect([await told(rea), await told(mod)]).toEqual([['reviewed'], []]);
    await review(id, bob, 'approve');
    expect([await told(rea), await told(mod)]).toEqual([['reviewed', 'reviewed'], ['reviewed']]);
    const watches = (await call('GET', '/v1/watches', rea)).json as {
      id: number;
      kind: string;
      mail: string;
    }[];
    const own = watches.find(({ kind }) => kind === 'proposals');
    expect(own?.mail).toBe('now');
    expect((await call('POST', '/v1/watches', rea, { proposals: 'mine', mail: 'off' })).json.id).toBe(
      own?.id,
    );
    expect((await call('POST', '/v1/watches', rea, { proposals: 'all' })).status).toBe(400);
    // The merge has an event for each page, and one notification.
    expect((await merge(id, ada)).status).toBe(200);
    expect(await told(rea)).toEqual(['merged', 'reviewed', 'reviewed']);
    expect(await told(bob)).toEqual(['merged']);
    // A draft is nobody else's business: its review is no event of its pages.
    const draft = await propose(rea, [{ action: 'edit', path: one.path, body: 'x' }], {
      ...{ state: 'draft', invited: [bob.id] },
    });
    await review(draft.id, bob, 'comment', 'Hm');
    const { changes } = (await call('GET', '/v1/changes?kind=reviewed&limit=1000', ada)).json;
    expect(changes.map(({ msg }: { msg: string }) => msg)).not.toContain(`Proposal ${draft.id}`);
    const data = (await call('GET', '/v1/members/me/export', rea)).json;
    const mine = data.proposals.map(({ id }: { id: number }) => id);
    expect(mine).toEqual(expect.arrayContaining([id, draft.id]));
    expect(data.proposals.find((it: { id: number }) => it.id === id).changes[0].fields.body).toBe('Told one');
  });

  test('a preview token reads with the ID of a proposal only, as its member without powers', async () => {
    const { store } = wiki.app.service;
    const secret = { permissions: 700, body: 'Only for Ada' };
    const [open, hidden] = [await page(), await page(secret)];
    const { id } = await propose(rea, [{ action: 'edit', path: open.path, body: 'Previewed' }]);
    const draft = await propose(bob, [{ action: 'edit', path: open.path, body: 'Draft' }], {
      state: 'draft',
    });
    const tokenOf = async (who: Who, name: string, isAdmin = false) => {
      const actor = { memberId: who.id, name, isAdmin };
      const expiresAt = Date.now() + 3_600_000;
      const limits = { name: 'Preview', scopes: ['preview'], expiresAt };
      return { token: (await addApiToken(store, actor, limits, Date.now())).secret };
    };
    const [byBob, byRoot] = [await tokenOf(bob, 'Bob'), await tokenOf(root, 'Root', true)];
    const seen = await call('GET', `/v1/pages${open.path}?proposal=${id}`, byBob);
    expect([seen.status, seen.json?.markup], seen.text).toEqual([200, expect.stringContaining('Previewed')]);
    expect((await call('GET', `/v1/children${open.path}?proposal=${id}`, byBob)).status).toBe(200);
    expect((await call('GET', `/v1/comments?page=${open.path}&proposal=${id}`, byBob)).status).toBe(200);
    expect((await call('GET', `/v1/pages${open.path}?proposal=${draft.id}`, byBob)).status).toBe(200);
    // Drafts of others and pages that the member cannot read stay hidden, also from administrators.
    expect((await call('GET', `/v1/pages${open.path}?proposal=${draft.id}`, byRoot)).status).toBe(404);
    expect((await call('GET', `/v1/pages${hidden.path}?proposal=${id}`, byRoot)).status).toBe(404);
    expect((await call('GET', `/v1/pages${hidden.path}?proposal=${id}`, byBob)).status).toBe(404);
    for (const [method, url, json] of [
      ['GET', `/v1/pages${open.path}`],
      ['GET', `/v1/proposals/${id}`],
      ['GET', '/v1/members/me'],
      ['GET', `/v1/tokens?proposal=${id}`],
      ['GET', `/v1/drafts?proposal=${id}`],
      // Reads that belong to its member alone.
      ['GET', `/v1/watches?proposal=${id}`],
      ['GET', `/v1/notifications?proposal=${id}`],
      ['GET', `/v1/favourites?proposal=${id}`],
      ['GET', `/v1/links?proposal=${id}`],
      ['POST', `/v1/pages${open.path}?proposal=${id}`, { body: 'Written' }],
      ['POST', `/v1/proposals/${id}/merge?proposal=${id}`, {}],
      ['POST', '/v1/proposals', { title: 'x', changes: [] }],
    ] as const)
      expect((await call(method, url, byBob, json)).status, `${method} ${url}`).toBe(403);
    const batch = { operations: [{ method: 'GET', path: `/v1/pages${open.path}` }] };
    expect((await call('POST', '/v1/batch', byBob, batch)).json?.results?.[0]?.status).not.toBe(200);
    const atomic = {
      atomic: true,
      operations: [{ method: 'GET', path: `/v1/pages${open.path}?proposal=${id}` }],
    };
    expect((await call('POST', '/v1/batch', bob, atomic)).text).toContain('within an atomic batch');
  });

  test('a proposal merges by itself at its time, or tells its author why not', async () => {
    const { path } = await page();
    const hour = 3_600_000;
    const publishAt = new Date(Date.now() + hour).toISOString();
    const { id } = await propose(bob, [{ action: 'edit', path, body: 'On time' }], { publishAt });
    const mine = await propose(rea, [{ action: 'edit', path, body: 'By a reader' }], { publishAt });
    const later = await propose(bob, [{ action: 'edit', path, body: 'Later' }], { publishAt });
    const put = await call('PATCH', `/v1/proposals/${later.id}`, bob, { publishAt: null });
    expect(put.json.publishAt).toBe(null);
    const { store, services } = wiki.app.service;
    const files = await services.files();
    const publish = (now: number) => publishDue({ store, files, rule: 'none' }, now);
    expect(await publish(Date.now())).toBe(0);
    const found = await Promise.all([publish(Date.now() + 2 * hour), publish(Date.now() + 2 * hour)]);
    expect(Math.max(...found)).toBe(2);
    expect(
      (await read(path)).history.map(({ content }: { content: { body: string } }) => content.body),
    ).toEqual(['one\n\ntwo\n\nthree\n', 'On time']);
    expect((await call('GET', `/v1/proposals/${id}`, bob)).json).toMatchObject({
      state: 'merged',
      publishProblem: null,
    });
    const refused = (await call('GET', `/v1/proposals/${mine.id}`, rea)).json;
    expect(refused).toMatchObject({ state: 'open', publishAt: null });
    expect(refused.publishProblem).toMatch(/conflicts|permission|reader/);
    expect((await call('GET', `/v1/proposals/${mine.id}`, ada)).json.publishProblem).toBe(null);
    expect((await call('GET', `/v1/proposals/${later.id}`, bob)).json.state).toBe('open');
  });

  test('bad input is refused with its place', async () => {
    const { path } = await page();
    const hidden = await page({ permissions: 700 });
    for (const [changes, pointer] of [
      [[], '/changes'],
      [Array(201).fill({ action: 'delete', path }), '/changes'],
      [[{ action: 'edit', path: '/no-page', body: 'x' }], '/changes/0/path'],
      [
        [
          { action: 'delete', path },
          { action: 'edit', path: hidden.path, body: 'x' },
        ],
        '/changes/1/path',
      ],
      [
        [
          { action: 'delete', path },
          { action: 'edit', path, body: 'x' },
        ],
        '/changes/1/path',
      ],
      [[{ action: 'edit', path }], '/changes/0/body'],
      [[{ action: 'move', path }], '/changes/0/to'],
      [[{ action: 'move', path, to: '/a?b' }], '/changes/0/path'],
      [[{ action: 'create', path: '/x' }], '/changes/0/title'],
      [[{ action: 'create', title: 'X', parent: '/no-page' }], '/changes/0/parent'],
      [[{ action: 'create', title: 'X', parent: 99999 }], '/changes/0/parent'],
      [[{ action: 'create', title: 'X', parent: `${' '.repeat(300_000)}x` }], '/changes/0/parent'],
      [
        [
          { action: 'create', title: 'X' },
          { action: 'create', title: 'X' },
        ],
        '/changes/1/path',
      ],
      [[{ action: 'edit', path, permissions: 999 }], '/changes/0/permissions'],
    ] as const) {
      const refused = await call('POST', '/v1/proposals', bob, { title: 'Bad', changes });
      expect(
        [refused.status, refused.json.errors?.[0].pointer],
        JSON.stringify(changes).slice(0, 200),
      ).toEqual([400, pointer]);
    }
    const fine = [{ action: 'edit', path, body: 'x' }];
    for (const given of [
      { title: ' ', changes: fine },
      { title: 'a'.repeat(256), changes: fine },
      { changes: fine },
      { title: 'x' },
    ])
      expect((await call('POST', '/v1/proposals', bob, given)).status).toBe(400);
    expect(
      (
        await call('POST', '/v1/proposals', bob, {
          title: 'x',
          changes: fine,
          publishAt: '2001-01-01T00:00:00Z',
        })
      ).status,
    ).toBe(400);
    expect((await call('POST', '/v1/proposals', undefined, { title: 'x', changes: fine })).status).toBe(401);
    const { id } = await propose(bob, fine);
    expect((await call('PATCH', `/v1/proposals/${id}`, ada, { title: 'Mine' })).status).toBe(401);
    expect((await review(id, ada, 'comment', '')).status).toBe(400);
    expect((await review(id, ada, 'maybe')).status).toBe(400);
    expect((await call('PATCH', `/v1/proposals/${id}`, mod, { state: 'withdrawn' })).json.state).toBe(
      'withdrawn',
    );
    expect((await merge(id)).status).toBe(409);
    expect((await call('PATCH', `/v1/proposals/${id}`, bob, { state: 'open' })).json.state).toBe('open');
    await call('POST', `/v1/members/${bob.id}/block`, mod, { reason: 'Noise' });
    expect((await call('POST', '/v1/proposals', bob, { title: 'x', changes: fine })).status).toBe(403);
    await call('DELETE', `/v1/members/${bob.id}/block`, mod);
  });

  test('templates are substituted with the rights of the author, not of the member who merges', async () => {
    await page({ title: 'Vault', path: `/vault-${made}`, body: 'gold', type: 'Template', permissions: 700 });
    const { path } = await page();
    const { id } = await propose(bob, [{ action: 'edit', path, body: `{{subst:/vault-${made - 1}}} ~~~` }]);
    expect((await merge(id)).status).toBe(200);
    const { body } = (await read(path)).history.at(-1).content;
    expect(body).not.toContain('gold');
    expect(body).toContain('Bob');
  });

  test('beneath a page with a rule, writes of others are refused in every way, and merged once approved', async () => {
    const top = await page();
    const child = await page({ parent: top.path });
    const other = await page();
    const rule = (json: object, who: Who = ada) => call('PUT', `/v1/rules${top.path}`, who, json);
    expect((await rule({ approvals: 1 }, bob)).status).toBe(401);
    for (const bad of [{ approvals: -1 }, { approvals: 99 }, {}, { approvals: 1, group: 'no group' }])
      expect((await rule(bad)).status).toBe(400);
    expect((await rule({ approvals: 1 })).json).toMatchObject({
      ...{ approvals: 1, group: null, approvers: 'moderators and administrators', needsApproval: true },
    });
    const inherited = (await call('GET', `/v1/rules${child.path}`, bob)).json;
    expect(inherited).toMatchObject({
      approvals: 0,
      inherited: [{ from: top.path, approvals: 1 }],
      needsApproval: true,
    });
    const firstChange = child.history[0].id;
    const writes: [Method, string, object?][] = [
      ['POST', `/v1/pages${child.path}`, { body: 'x' }],
      ['POST', `/v1/pages${top.path}`, { body: 'x' }],
      ['POST', '/v1/pages', { title: 'New', parent: top.path }],
      ['POST', '/v1/pages', { title: 'By address', path: `${top.path}/by-address` }],
      ['POST', `/v1/pages${other.path}`, { parent: top.path }],
      ['POST', `/v1/pages${child.path}`, { parent: null }],
      ['POST', `/v1/pages${other.path}`, { path: `${top.path}/elsewhere` }],
      ['POST', `/v1/copies${other.path}`, { to: `${top.path}/copy` }],
      ['POST', `/v1/rollback${child.path}`, { to: firstChange }],
      ['POST', `/v1/permissions${child.path}`, { permissions: 700 }],
      ['PUT', `/v1/order${top.path}`, { children: [child.path] }],
      ['DELETE', `/v1/pages${child.path}`],
      ['DELETE', `/v1/pages${top.path}?subtree=true`],
    ];
    for (const who of [ada, bob])
      for (const [method, url, json] of writes) {
        const refused = await call(method, url, who, json);
        const isForeign = url.startsWith('/v1/permissions') && who === bob;
        expect([refused.status, refused.json?.type], `${method} ${url}`).toEqual(
          isForeign ? [401, '/v1/docs#problem-not-permitted'] : [403, '/v1/docs#problem-needs-approval'],
        );
        if (!isForeign)
          expect(refused.json.detail).toMatch(
            /Propose the change .* moderators and administrators can approve/,
          );
      }
    const batch = await call('POST', '/v1/batch', bob, {
      atomic: true,
      operations: [{ method: 'POST', path: `/v1/pages${child.path}`, body: { body: 'x' } }],
    });
    expect(batch.json.results[0].status).toBe(403);
    // Approvers write directly.
    expect((await call('POST', `/v1/pages${child.path}`, mod, { body: 'Moderated' })).status).toBe(200);

    const { id } = await propose(bob, [{ action: 'edit', path: child.path, body: 'Proposed' }]);
    expect((await merge(id, bob)).json.type).toContain('needs-approval');
    await review(id, bob, 'approve');
    await review(id, ada, 'approve');
    expect((await merge(id, bob)).status).toBe(403);
    await review(id, mod, 'approve');
    await call('PATCH', `/v1/proposals/${id}`, bob, {
      changes: [{ action: 'edit', path: child.path, body: 'Other' }],
    });
    expect((await merge(id, bob)).status).toBe(403);
    expect((await review(id, mod, 'approve')).json.approvals).toBe(1);
    await review(id, mod, 'reject');
    expect((await merge(id, bob)).status).toBe(403);
    await review(id, mod, 'approve');
    expect((await merge(id, bob)).status).toBe(200);
    expect((await read(child.path)).history.at(-1).content.body).toBe('Other');
    // A moderator merges at once, which the audit log says.
    const quick = await propose(bob, [{ action: 'edit', path: child.path, body: 'Quick' }]);
    expect((await merge(quick.id, mod)).status).toBe(200);
    const audit = (await call('GET', '/v1/audit?kind=proposal-merged', root)).json.entries.at(-1);
    expect(audit).toMatchObject({
      actor: { id: mod.id },
      subject: { id: quick.id },
      note: 'without approvals',
    });

    // A group, whose members are the owners of the rule.
    const { id: groupId } = (await call('POST', '/v1/groups', root, { name: 'Editors' })).json;
    await call('PUT', `/v1/groups/${groupId}/members/${bob.id}`, root);
    expect((await rule({ approvals: 2, group: 'editors' }, root)).json).toMatchObject({
      approvals: 2,
      group: 'Editors',
    });
    expect((await call('POST', `/v1/pages${child.path}`, bob, { body: 'Of the group' })).status).toBe(200);
    const named = await call('POST', `/v1/pages${child.path}`, mod, { body: 'x' });
    expect(named.json.detail).toContain('members of the group “Editors” and administrators can approve');
    // A deletion keeps the rule; lifting it lets everybody write again.
    await call('DELETE', `/v1/pages${top.path}?subtree=true`, root);
    const [{ id: trashed }] = (await call('GET', '/v1/trash', root)).json;
    expect((await call('POST', `/v1/trash/${trashed}/restore`, ada, {})).status).toBe(403);
    expect((await call('POST', `/v1/trash/${trashed}/restore`, root, {})).status).toBe(200);
    expect((await call('POST', `/v1/pages${child.path}`, ada, { body: 'x' })).status).toBe(403);
    expect((await rule({ approvals: 0 })).json).toMatchObject({ approvals: 0, needsApproval: false });
    expect((await call('POST', `/v1/pages${child.path}`, ada, { body: 'Free' })).status).toBe(200);
  });
});
