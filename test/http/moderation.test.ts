/** Roles, blocks and protection: what each allows in the API and on the site, from the next request on. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockMember } from '#core/members/block-member.ts';
import { type Answer, engines } from '../support/http.ts';
import { claimsFor } from '../support/sessions.ts';
import { startSite, type TestSite } from '../support/web.ts';

const minuteMs = 60_000;

describe.each(engines)('on %s', (engine) => {
  let wiki: TestSite;
  let now = Date.UTC(2026, 0, 1);
  type Who = { id: number; token: string };
  let root: Who;
  let ada: Who;
  let mo: Who;
  let rita: Who;
  let made = 0;

  beforeAll(async () => {
    wiki = await startSite({ COPPICE_URL: 'http://wiki.test' }, { engine, clock: () => (now += 10) });
    root = await wiki.member('Root', { isAdmin: true });
    ada = await wiki.member('Ada');
    mo = await withRole('Mo', 'moderator');
    rita = await withRole('Rita', 'reader');
  });
  afterAll(async () => {
    expect(await wiki.app.service.store.maintenance.violations(10)).toEqual([]);
    await wiki.close();
  });

  const call = (who: Who | undefined, ...[method, url, json]: [Method, string, unknown?]) =>
    wiki.call(method, url, {
      ...(who ? { token: who.token } : {}),
      ...(json === undefined ? {} : { json }),
    });
  type Method = Parameters<TestSite['call']>[0];
  const ok = (answer: Answer) => {
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json;
  };
  const refused = (answer: Answer, status: number, code: string) => {
    expect([answer.status, answer.json?.type]).toEqual([status, `/v1/docs#problem-${code}`]);
    return answer.json;
  };
  const withRole = async (name: string, role: string) => {
    const member = await wiki.member(name);
    expect(ok(await call(root, 'PATCH', `/v1/members/${member.id}`, { role }))).toMatchObject({ role });
    return member;
  };
  const page = async (fields: object = {}, who = ada) =>
    (await wiki.page(who.token, { title: `Page ${++made}`, body: 'One.', ...fields })) as {
      id: number;
      path: string;
    };
  const tokenWith = async (who: Who, scopes: string[]) => {
    const { store, tokens } = wiki.app.service;
    const signedIn = await tokens.issue({ ...(await claimsFor(store, who.id, { now })), signedInAt: now });
    const { token } = ok(
      await call({ ...who, token: signedIn }, 'POST', '/v1/tokens', { name: 'Bot', scopes }),
    );
    return { id: who.id, token: token as string };
  };
  const browserOf = async ({ id }: Who) => {
    const { store, tokens } = wiki.app.service;
    const visitor = wiki.visitor();
    const claims = await claimsFor(store, id, { now, isBrowser: true });
    visitor.cookies.set('coppice', await tokens.issue({ ...claims, signedInAt: now }));
    return visitor;
  };

  test('only administrators give roles, which apply at once, and the last administrator keeps theirs', async () => {
    const max = await wiki.member('Max');
    const url = `/v1/members/${max.id}`;
    for (const who of [undefined, max, mo, rita])
      expect((await call(who, 'PATCH', url, { role: 'administrator' })).status).toBe(who ? 403 : 401);
    expect((await call(root, 'PATCH', url, { role: 'king' })).status).toBe(400);
    expect((await call(root, 'PATCH', '/v1/members/9999', { role: 'reader' })).status).toBe(404);
    for (const role of ['moderator', 'reader', 'administrator', 'writer'] as const) {
      ok(await call(root, 'PATCH', url, { role }));
      const isAdmin = role === 'administrator';
      const me = { id: max.id, name: 'Max', role, isAdmin, blocked: null };
      expect(ok(await call(max, 'GET', '/v1/members/me'))).toEqual(me);
      expect((await call(max, 'GET', '/v1/members')).status).toBe(isAdmin ? 200 : 403);
    }
    expect(
      refused(await call(root, 'PATCH', `/v1/members/${root.id}`, { role: 'moderator' }), 400, 'invalid')
        .detail,
    ).toContain('last active administrator');
    const listed = await call(root, 'GET', '/v1/members?limit=2');
    expect([listed.json.map(({ role }: { role: string }) => role), listed.headers['x-total-count']]).toEqual([
      ['administrator', 'writer'],
      '5',
    ]);
    refused(
      await call(await tokenWith(root, ['read', 'write']), 'GET', '/v1/members'),
      403,
      'insufficient-scope',
    );
  });

  test('a reader likes, watches and changes their account, but writes no page', async () => {
    const { path } = await page({ permissions: 777 });
    ok(await call(rita, 'PUT', `/v1/likes${path}`));
    ok(await call(rita, 'POST', '/v1/watches', { page: path, mail: 'off' }));
    ok(await call(rita, 'PATCH', '/v1/members/me', { name: 'Rita R' }));
    const own = ok(await call(ada, 'GET', `/v1/history${path}`))[0].id;
    for (const refusal of [
      await call(rita, 'POST', '/v1/pages', { title: 'Mine' }),
      await call(rita, 'POST', `/v1/pages${path}`, { body: 'Theirs' }),
      await call(rita, 'DELETE', `/v1/pages${path}`),
      await call(rita, 'POST', `/v1/rollback${path}`, { to: own }),
      await call(rita, 'POST', `/v1/permissions${path}`, { permissions: 700 }),
      await call(await tokenWith(rita, ['write', 'read']), 'POST', '/v1/pages', { title: 'By a bot' }),
    ])
      expect(refused(refusal, 401, 'not-permitted').detail).toBeTruthy();
    const browser = await browserOf(rita);
    const html = (await browser.get(path)).text;
    expect(html).toContain('>Propose<span class="on-wide"> a change</span></a>');
    expect(withoutProposing(html)).not.toMatch(/href="\/(?:edit|new|move|delete)/);
    // They may propose a page, and not save one.
    expect((await browser.get('/new')).text).not.toContain('name="intent" value="save"');
    expect((await browser.post('/new', { title: 'Mine', intent: 'save' })).status).toBe(403);
    expect(ok(await call(ada, 'GET', `/v1/history${path}`))).toHaveLength(1);
  });

  test('a moderator deletes, restores and undoes public pages, but not hidden or private ones', async () => {
    const eve = await wiki.member('Eve');
    const since = new Date(now).toISOString();
    const open = await page({ permissions: 744 }, eve);
    const edited = await page({ permissions: 744 }, root);
    const members = await page({ permissions: 740 }, eve);
    const secret = await page({ permissions: 700 }, eve);
    refused(await call(mo, 'POST', `/v1/pages${open.path}`, { body: 'No' }), 401, 'not-permitted');
    refused(await call(mo, 'DELETE', `/v1/pages${members.path}`), 401, 'not-permitted');
    refused(await call(mo, 'DELETE', `/v1/pages${secret.path}`), 404, 'not-found');
    refused(await call(ada, 'DELETE', `/v1/pages${open.path}`), 401, 'not-permitted');
    const { trash } = ok(await call(mo, 'DELETE', `/v1/pages${open.path}`));
    refused(await call(ada, 'POST', `/v1/trash/${trash.id}/restore`, {}), 401, 'not-permitted');
    ok(await call(mo, 'POST', `/v1/trash/${trash.id}/restore`, {}));
    refused(await call(mo, 'DELETE', `/v1/trash/${trash.id}`), 403, 'administrators-only');
    // A token without the scope has none of these powers.
    refused(
      await call(await tokenWith(mo, ['write', 'read']), 'DELETE', `/v1/pages${open.path}`),
      401,
      'not-permitted',
    );

    ok(await call(root, 'POST', `/v1/permissions${edited.path}`, { permissions: 774 }));
    ok(await call(eve, 'POST', `/v1/pages${edited.path}`, { body: 'Advertisement' }));
    ok(await call(root, 'POST', `/v1/permissions${edited.path}`, { permissions: 744 }));
    const undo = `/v1/members/${eve.id}/undo`;
    refused(await call(ada, 'POST', undo, { since }), 403, 'moderators-only');
    const { pages, more } = ok(await call(mo, 'POST', undo, { since }));
    expect(pages.map((one: { path: string }) => one.path).sort()).toEqual([edited.path, open.path].sort());
    expect(more).toBe(0);
    expect(ok(await call(root, 'GET', `/v1/pages${secret.path}`)).page.path).toBe(secret.path);
    // The moderator may read this page but not edit it, so it does not count as something to undo.
    expect(ok(await call(root, 'GET', `/v1/pages${members.path}`)).page.path).toBe(members.path);
    for (const [method, url, json] of [
      ['GET', '/v1/members'],
      ['POST', '/v1/invitations', {}],
      ['GET', '/v1/audit'],
      ['POST', '/v1/groups', { name: 'Ours' }],
    ] as const)
      refused(await call(mo, method, url, json), 403, 'administrators-only');
    refused(
      await call(mo, 'POST', `/v1/permissions${edited.path}`, { permissions: 700 }),
      401,
      'not-permitted',
    );
    const html = withoutProposing((await (await browserOf(mo)).get(edited.path)).text);
    expect([html.includes('href="/delete/'), html.includes('href="/edit/')]).toEqual([true, false]);
  });

  test('a blocked member and their tokens cannot write until the block ends; reason and end are shown', async () => {
    const bob = await wiki.member('Bob');
    const bot = await tokenWith(bob, ['read', 'write']);
    const { path } = await page({ permissions: 774 });
    const block = `/v1/members/${bob.id}/block`;
    const reason = 'Advertisements <b>everywhere</b>';
    const until = new Date(now + minuteMs).toISOString();
    for (const who of [undefined, ada, rita])
      expect((await call(who, 'POST', block, { reason })).status).toBe(who ? 403 : 401);
    for (const json of [
      {},
      { reason: ' ' },
      { reason: 'x'.repeat(501) },
      { reason, until: '2020-01-01T00:00:00Z' },
      { reason, until: 'soon' },
    ])
      expect((await call(mo, 'POST', block, json)).status).toBe(400);
    refused(await call(mo, 'POST', `/v1/members/${root.id}/block`, { reason }), 403, 'administrators-only');
    refused(await call(mo, 'POST', `/v1/members/${mo.id}/block`, { reason }), 400, 'invalid');
    refused(await call(root, 'POST', `/v1/members/${root.id}/block`, { reason }), 400, 'invalid');
    await expect(
      blockMember({ store: wiki.app.service.store, actor: 'command line', now }, root.id, {
        reason,
        until: null,
      }),
    ).rejects.toThrow('Root is the last active administrator');
    refused(await call(mo, 'POST', '/v1/members/9999/block', { reason }), 404, 'not-found');

    expect(ok(await call(mo, 'POST', block, { reason, until }))).toMatchObject({ reason, until, by: mo.id });
    expect(ok(await call(mo, 'GET', '/v1/blocks'))).toMatchObject([
      { member: { id: bob.id }, reason, until },
    ]);
    refused(await call(ada, 'GET', '/v1/blocks'), 403, 'moderators-only');
    expect(ok(await call(bob, 'GET', '/v1/members/me')).blocked).toEqual({ reason, until });
    ok(await call(bob, 'GET', `/v1/pages${path}`));
    for (const who of [bob, bot])
      for (const refusal of [
        await call(who, 'POST', '/v1/pages', { title: 'Mine' }),
        await call(who, 'POST', `/v1/pages${path}`, { body: 'Theirs' }),
        await call(who, 'DELETE', `/v1/pages${path}`),
        await call(who, 'PUT', `/v1/likes${path}`),
      ])
        expect(refused(refusal, 403, 'blocked')).toMatchObject({ reason, until });
    refused(await call(bob, 'PATCH', '/v1/members/me', { name: 'Buy at evil.test' }), 403, 'blocked');
    const { store, tokens } = wiki.app.service;
    const fresh = await tokens.issue({ ...(await claimsFor(store, bob.id, { now })), signedInAt: now });
    refused(
      await call({ ...bob, token: fresh }, 'POST', '/v1/tokens', { name: 'Bot', scopes: ['read'] }),
      403,
      'blocked',
    );
    const browser = await browserOf(bob);
    const html = (await browser.get(path)).text;
    expect(html).toContain('You are blocked until <time');
    expect(html).toContain('Advertisements &lt;b&gt;everywhere&lt;/b&gt;');
    expect(html).not.toMatch(/href="\/(?:edit|new|move|delete)/);
    expect((await browser.post('/new', { title: 'Mine', intent: 'save' })).status).toBe(403);
    const moderator = await browserOf(mo);
    expect((await moderator.get('/members/blocked')).text).toContain('href="/members/');
    const bobs = `/members/${bob.id}`;
    expect((await moderator.get(bobs)).text).toContain('Advertisements &lt;b&gt;everywhere');
    expect((await (await browserOf(ada)).get(bobs)).text).not.toContain('Advertisements');
    expect((await (await browserOf(ada)).get('/members/blocked')).status).toBe(403);

    now += minuteMs;
    ok(await call(bob, 'POST', `/v1/pages${path}`, { body: 'Again' }));
    expect(ok(await call(mo, 'GET', '/v1/blocks'))).toEqual([]);
    ok(await call(root, 'POST', block, { reason }));
    refused(await call(bob, 'PUT', `/v1/likes${path}`), 403, 'blocked');
    refused(await call(bob, 'DELETE', block), 403, 'blocked');
    ok(await call(mo, 'DELETE', block));
    ok(await call(bob, 'PUT', `/v1/likes${path}`));
    ok(await call(mo, 'DELETE', block));
  });

  test('a protected page and pages beneath can be changed only by the given level, until the protection ends', async () => {
    const top = await page({ permissions: 777 });
    const mid = await page({ permissions: 777, parent: top.path });
    const low = await page({ permissions: 777, parent: mid.path });
    const protect = (who: Who, path: string, json: object) => call(who, 'PUT', `/v1/protection${path}`, json);
    refused(await protect(ada, top.path, { level: 'moderators' }), 403, 'moderators-only');
    refused(await protect(mo, top.path, { level: 'administrators' }), 403, 'administrators-only');
    expect((await protect(mo, top.path, { level: 'kings' })).status).toBe(400);
    expect((await protect(mo, top.path, { level: 'moderators', until: '2020-01-01T00:00:00Z' })).status).toBe(
      400,
    );
    const secret = await page({ permissions: 700 }, root);
    refused(await protect(mo, secret.path, { level: 'moderators' }), 404, 'not-found');

    const anonymous = wiki.visitor();
    expect((await anonymous.get(low.path)).text).not.toContain('is protected');
    const until = new Date(now + minuteMs).toISOString();
    const reason = 'Edit <war>';
    expect(ok(await protect(mo, mid.path, { level: 'moderators', subtree: true, reason, until }))).toEqual({
      ...{ path: mid.path, level: 'moderators', subtree: true, reason, until },
    });
    for (const path of [mid.path, low.path]) {
      expect(ok(await call(undefined, 'GET', `/v1/protection${path}`))).toMatchObject({
        path: mid.path,
        until,
      });
      expect((await anonymous.get(path)).text).toContain('is protected until <time');
      const html = (await (await browserOf(ada)).get(path)).text;
      expect([withoutProposing(html).includes('href="/edit/'), html.includes('Edit &lt;war&gt;')]).toEqual([
        false,
        true,
      ]);
      const edit = await (await browserOf(ada)).get(`/edit${path}`);
      expect([edit.status, edit.text.includes('<h1>This page is protected</h1>')]).toEqual([403, true]);
      expect(edit.text).toContain(`<a href="${path}">Back to the page</a>`);
    }
    const form = await browserOf(mo);
    const hours =
      /<option value="(@\d+)">until /.exec((await form.get(`/protect${mid.path}`)).text)?.[1] ?? '';
    const kept = { level: 'moderators', subtree: 'yes', reason, hours };
    expect((await form.post(`/protect${mid.path}`, kept)).status).toBe(303);
    expect(ok(await call(undefined, 'GET', `/v1/protection${mid.path}`))).toMatchObject({ until });
    expect(ok(await call(undefined, 'GET', `/v1/protection${top.path}`)).level).toBe(null);
    const first = ok(await call(ada, 'GET', `/v1/history${mid.path}`))[0].id;
    for (const refusal of [
      await call(ada, 'POST', `/v1/pages${mid.path}`, { body: 'Two.' }),
      await call(ada, 'POST', `/v1/pages${low.path}`, { body: 'Two.' }),
      await call(ada, 'POST', `/v1/pages${low.path}`, { parent: '' }),
      await call(ada, 'POST', `/v1/pages${top.path}`, { slug: `moved-${top.id}`, parent: '' }),
      await call(ada, 'POST', '/v1/pages', { title: 'Beneath', parent: low.path }),
      await call(ada, 'DELETE', `/v1/pages${low.path}`),
      await call(ada, 'DELETE', `/v1/pages${top.path}?subtree=true`),
      await call(ada, 'POST', `/v1/permissions${low.path}`, { permissions: 700 }),
      await call(ada, 'POST', `/v1/permissions${top.path}`, { permissions: 700 }),
      await call(ada, 'POST', `/v1/rollback${mid.path}`, { to: first }),
      await call(await tokenWith(mo, ['read', 'write']), 'POST', `/v1/pages${mid.path}`, { body: 'Two.' }),
    ])
      expect(refused(refusal, 403, 'protected')).toMatchObject({ level: 'moderators', until });
    const outside = await page({ permissions: 777 });
    refused(await call(ada, 'POST', `/v1/pages${outside.path}`, { parent: low.path }), 403, 'protected');
    const { trash } = ok(await call(mo, 'DELETE', `/v1/pages${low.path}`));
    refused(await call(ada, 'POST', `/v1/trash/${trash.id}/restore`, {}), 403, 'protected');
    ok(await call(mo, 'POST', `/v1/trash/${trash.id}/restore`, {}));
    ok(await call(mo, 'POST', `/v1/pages${mid.path}`, { body: 'By a moderator.' }));
    ok(await call(ada, 'POST', `/v1/pages${top.path}`, { body: 'Above.' }));

    ok(await protect(root, mid.path, { level: 'administrators', subtree: true, until }));
    refused(await call(mo, 'POST', `/v1/pages${low.path}`, { body: 'Three.' }), 403, 'protected');
    refused(await protect(mo, mid.path, { level: null }), 403, 'administrators-only');
    ok(await call(root, 'POST', `/v1/pages${low.path}`, { body: 'By an administrator.' }));
    now += minuteMs;
    ok(await call(ada, 'POST', `/v1/pages${low.path}`, { body: 'Four.' }));
    expect((await anonymous.get(mid.path)).text).not.toContain('is protected');
    ok(await protect(root, low.path, { level: 'moderators' }));
    const { trash: again } = ok(await call(root, 'DELETE', `/v1/pages${low.path}`));
    ok(await call(root, 'POST', `/v1/trash/${again.id}/restore`, {}));
    refused(await call(ada, 'POST', `/v1/pages${low.path}`, { body: 'Five.' }), 403, 'protected');
    ok(await protect(mo, low.path, { level: null }));
    ok(await call(ada, 'POST', `/v1/pages${low.path}`, { body: 'Five.' }));
  });

  test('blocked moderators and administrators have no powers', async () => {
    const ann = await withRole('Ann', 'administrator');
    ok(await call(root, 'POST', `/v1/members/${ann.id}/block`, { reason: 'Left the keys out' }));
    for (const [method, url, json] of [
      ['POST', '/v1/invitations', {}],
      ['POST', `/v1/members/${ada.id}/block`, { reason: 'Why not' }],
      ['DELETE', `/v1/members/${ann.id}/block`],
      ['POST', `/v1/members/${ada.id}/undo`, { since: '2026-01-01T00:00:00Z' }],
      ['DELETE', '/v1/trash/1'],
    ] as const)
      refused(await call(ann, method, url, json), 403, 'blocked');
  });

  test('edits that race with a protection or a block succeed or are refused as a whole', async () => {
    const racer = await wiki.member('Racer');
    for (const [method, url, input, code] of [
      ['PUT', '/v1/protection', { level: 'moderators' }, 'protected'],
      ['POST', `/v1/members/${racer.id}/block`, { reason: 'Tests' }, 'blocked'],
    ] as const) {
      const { path } = await page({}, racer);
      const edits = (name: string) =>
        Array.from({ length: 6 }, (_, i) =>
          call(racer, 'POST', `/v1/pages${path}`, { body: `${name} ${i}.` }),
        );
      const target = method === 'PUT' ? `${url}${path}` : url;
      const [moderated, ...raced] = await Promise.all([call(mo, method, target, input), ...edits('Early')]);
      ok(moderated);
      const saved = raced.filter(({ status }) => status === 200);
      for (const answer of raced) if (answer.status !== 200) refused(answer, 403, code);
      for (const answer of await Promise.all(edits('Late'))) refused(answer, 403, code);
      expect(ok(await call(mo, 'GET', `/v1/history${path}`))).toHaveLength(1 + saved.length);
    }
  });
});

/** The page without the link by which those who may not edit it propose a change. */
function withoutProposing(html: string): string {
  return html.replace(/<a [^>]*>Propose<span.*?<\/a>/, '');
}
