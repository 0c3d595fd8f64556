/** Accounts by plain forms: setup, invitations, signing in, one's own account, managing members. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setPassphrase } from '#core/members/manage-members.ts';
import { failureRates } from '#http/sign-in-limits.ts';
import { attribute, elementWhere, startSite, type TestSite } from '../support/web.ts';

const pass = 'a passphrase for tests';

describe('the first administrator', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ COPPICE_NAME: 'Testwood' });
  });
  afterAll(() => site.close());

  test('is set up by a link that works once, and can invite others', async () => {
    const token = await site.app.ensureSetupInvitation();
    const first = site.visitor();
    expect((await first.get(`/setup/${token}`)).text).toContain('Set up Testwood');
    const fields = { name: 'Ada', email: 'ada@example.org', pass, 'pass-again': pass };
    const mistyped = await first.post(`/setup/${token}`, { ...fields, 'pass-again': 'other' });
    expect(mistyped.status).toBe(400);
    expect(mistyped.text).toContain('id="pass-again-mistake"');
    const weak = await first.post(`/setup/${token}`, {
      ...fields,
      email: 'no address',
      pass: 'short',
      'pass-again': 'short',
    });
    expect(weak.text).toContain('id="email-mistake"');
    expect(weak.text).toContain('id="pass-mistake"');
    expect(weak.text).not.toContain('value="short"');
    expect(await first.post(`/setup/${token}`, fields)).toMatchObject({ status: 303, location: '/' });
    expect((await first.get('/')).text).toMatch(/Signed in as Ada.*Welcome! Your account is ready\./s);
    expect((await site.visitor().get(`/setup/${token}`)).status).toBe(404);

    const made = await first.post('/members', { what: 'invite' });
    const link =
      attribute(
        elementWhere(made.text, (one) => attribute(one, 'id') === 'invite-link'),
        'value',
      ) ?? '';
    // A link that is shown once has a button that copies it.
    const field = elementWhere(made.text, (one) => attribute(one, 'id') === 'invite-link');
    expect(attribute(field, 'data-copy')).toBe('');
    expect(link).toMatch(/^http:\/\/wiki\.test\/invite\/[\w-]{43}$/);
    const second = site.visitor();
    const path = new URL(link).pathname;
    expect((await second.get(path)).text).toContain('You are invited');
    const taken = await second.post(path, { ...fields, name: 'Bob' });
    expect(taken.status).toBe(400);
    expect(await second.post(path, { ...fields, name: 'Bob', email: 'bob@example.org' })).toMatchObject({
      status: 303,
    });
    expect((await second.get(path)).status).toBe(404);
    expect((await second.get('/members')).status).toBe(403);
  });

  test('sees open invitations and revokes them', async () => {
    const ada = site.visitor();
    await ada.post('/login', { email: 'ada@example.org', pass });
    const made = await ada.post('/members', { what: 'invite', role: 'administrator' });
    const path = /http:\/\/wiki\.test(\/invite\/[\w-]{43})"/.exec(made.text)?.[1] ?? '';
    const listed = (await ada.get('/members')).text;
    expect(listed).not.toContain(path);
    expect(listed).toMatch(/Open invitations.*<td dir="auto">Ada<\/td><td>Administrator<\/td>/s);
    const id = /name="id" value="(\d+)"><button type="submit" name="what" value="revoke-/.exec(listed)?.[1];
    const revoke = { what: 'revoke-invitation', id: id ?? '' };
    expect((await ada.post('/members', { ...revoke, id: 'x' })).status).toBe(400);
    expect(await ada.post('/members', revoke)).toMatchObject({ status: 303, location: '/members' });
    const after = (await ada.get('/members')).text;
    expect(after).toContain('Invitation revoked');
    expect(after).not.toContain('Open invitations');
    expect((await site.visitor().get(path)).status).toBe(404);
    expect((await ada.post('/members', revoke)).status).toBe(404);
  });

  test('signs in by the form, which does not say what was wrong', async () => {
    const visitor = site.visitor();
    const unknown = await visitor.post('/login', { email: 'nobody@example.org', pass, next: '/' });
    const wrong = await visitor.post('/login', { email: 'ada@example.org', pass: 'not this one', next: '/' });
    expect(unknown.status).toBe(401);
    expect(wrong.text.replaceAll('ada@', 'nobody@')).toBe(unknown.text);
    expect(
      await visitor.post('/login', { email: 'ADA@example.org', pass, next: '/updates?below=/x' }),
    ).toMatchObject({ status: 303, location: '/updates?below=/x' });
    expect(await visitor.get('/login?next=/account')).toMatchObject({ status: 303, location: '/account' });
  });

  test('sees at the next sign-in the number of failed attempts, and a reset by an administrator’s link', async () => {
    const [ada, thief] = [site.visitor(), site.visitor()];
    const guess = () => thief.post('/login', { email: 'ada@example.org', pass: 'not this one' });
    const signIn = async (given = pass) => {
      await ada.post('/login', { email: 'ada@example.org', pass: given });
      return (await ada.get('/')).text;
    };
    await signIn();
    for (let i = 0; i < 3; i++) expect((await guess()).status).toBe(401);
    expect(await signIn()).toMatch(/You are signed in\. Since .* UTC there were 3 attempts to sign in/);
    expect(await signIn()).not.toContain('attempt');
    ada.cookies.set('notice', 'warnings.<b>.1.1.1');
    expect((await ada.get('/')).text).not.toContain('attempt');

    const bob = /value="(\d+)">(?:(?!<tr).)*aria-label="Make a reset link: Bob"/s.exec(
      (await ada.get('/members')).text,
    )?.[1];
    const made = await ada.post('/members', { what: 'reset', id: bob ?? '' });
    const path = /value="http:\/\/wiki\.test(\/login\/reset\/[\w-]{43})"/.exec(made.text)?.[1] ?? '';
    expect(made.text).toMatch(/<strong dir="auto">Bob<\/strong>, who can choose a new passphrase/);
    expect((await ada.get('/members')).text.match(/Revoke reset link: \w+/g)).toEqual([
      'Revoke reset link: Bob',
    ]);
    const next = 'a brand new passphrase';
    expect((await thief.get(path)).text).toContain('For the account of <span dir="auto">Bob</span>');
    expect((await thief.post(path, { pass: next, 'pass-again': 'other' })).text).toContain(
      'id="pass-again-mistake"',
    );
    expect((await thief.post(path, { pass: 'qwertyuiop12', 'pass-again': 'qwertyuiop12' })).text).toContain(
      'id="pass-mistake"',
    );
    expect(await thief.post(path, { pass: next, 'pass-again': next })).toMatchObject({
      status: 303,
      location: '/login',
    });
    expect((await thief.get(path)).status).toBe(404);
    for (let i = 0; i < 2; i++) {
      const visitor = site.visitor();
      await visitor.post('/login', { email: 'bob@example.org', pass: next });
      expect((await visitor.get('/')).text).toContain('reset link was used to change your passphrase once');
    }
  });

  test('changes name and passphrase, which ends every other session', async () => {
    const [here, there] = [site.visitor(), site.visitor()];
    for (const one of [here, there]) await one.post('/login', { email: 'ada@example.org', pass });
    expect(await here.post('/account', { what: 'name', name: 'Ada L.' })).toMatchObject({ status: 303 });
    expect((await here.get('/account')).text).toContain('Ada L.');
    const wrong = await here.post('/account', {
      what: 'passphrase',
      current: 'wrong',
      pass: 'another passphrase',
      'pass-again': 'another passphrase',
    });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('id="current-mistake"');
    expect(
      await here.post('/account', {
        what: 'passphrase',
        current: pass,
        pass: 'another passphrase',
        'pass-again': 'another passphrase',
      }),
    ).toMatchObject({ status: 303, location: '/account#sign-in' });
    expect((await here.get('/account')).status).toBe(200);
    expect((await there.get('/account')).status).toBe(303);
  });

  test('signs out here, or everywhere', async () => {
    const [here, there] = [site.visitor(), site.visitor()];
    for (const one of [here, there])
      await one.post('/login', { email: 'ada@example.org', pass: 'another passphrase' });
    await here.post('/logout', {});
    expect((await here.get('/account')).status).toBe(303);
    expect((await there.get('/account')).status).toBe(200);
    await here.post('/login', { email: 'ada@example.org', pass: 'another passphrase' });
    await here.post('/logout', { where: 'everywhere' });
    expect((await there.get('/account')).status).toBe(303);
  });

  test('lists the pages that a member created and changed last, and nothing that they may not read', async () => {
    const [cay, dot] = [await site.signedIn('Cay'), await site.signedIn('Dot')];
    expect((await cay.get('/account')).text).toContain('You have not written anything yet');
    for (let n = 1; n <= 9; n++) await site.page(cay.token, { title: `Leaf ${n}` });
    await site.page(dot.token, { title: 'Of Dot' });
    await cay.post('/edit/of-dot', { intent: 'save', title: 'Of Dot', body: 'Helped.', base: '' });
    const own = (await cay.get('/account')).text;
    expect(own).toContain('My pages <span class="count">9</span>');
    expect(own).toContain('href="/of-dot"');
    expect(own.indexOf('href="/leaf-9"')).toBeLessThan(own.indexOf('href="/leaf-8"'));
    expect(own).toContain('href="/account/pages"');
    const all = (await cay.get('/account/pages')).text;
    expect(all.match(/href="\/leaf-\d"/g)).toHaveLength(9);
    expect(all).not.toContain('Of Dot');
    await dot.post('/edit/of-dot', {
      intent: 'save',
      title: 'Of Dot',
      body: '',
      base: '',
      permissions: '700',
    });
    expect((await cay.get('/account')).text).not.toContain('of-dot');
    expect((await dot.get('/account')).text).toContain('href="/of-dot"');
    expect(await site.visitor().get('/account/pages')).toMatchObject({ status: 303 });
  });

  test('promotes and deactivates, but never the last administrator', async () => {
    const ada = site.visitor();
    await ada.post('/login', { email: 'ada@example.org', pass: 'another passphrase' });
    const ids = [...(await ada.get('/members')).text.matchAll(/name="id" value="(\d+)"/g)].map(
      ([, id]) => id ?? '',
    );
    const last = await ada.post('/members', { what: 'role', role: 'writer', id: ids[0] ?? '' });
    expect(last.status).toBe(400);
    expect(last.text).toContain('last active administrator');
    expect(
      await ada.post('/members', { what: 'role', role: 'administrator', id: ids[1] ?? '' }),
    ).toMatchObject({ status: 303 });
    expect((await ada.get('/members')).text.match(/<td>Administrator<\/td>/g)).toHaveLength(2);
    expect((await ada.post('/members', { what: 'constructor', id: ids[1] ?? '' })).status).toBe(400);
    expect((await ada.post('/members', { what: 'role', role: 'writer', id: '999' })).status).toBe(404);
    expect(
      (await site.visitor().post('/members', { what: 'role', role: 'administrator', id: ids[1] ?? '' }))
        .status,
    ).toBe(401);
  });
});

test('a browser that signed in before has its own allowance of attempts, without being signed in', async () => {
  const site = await startSite({ COPPICE_RATE_LIMIT: 'on' });
  try {
    const { store, passphrases } = site.app.service;
    const { email } = await site.member('Ada');
    await setPassphrase({ store, passphrases, now: Date.now() }, email, pass);
    const [known, stranger, other] = [site.visitor(), site.visitor(), site.visitor()];
    const signIn = async (visitor: typeof known, given: string) =>
      (await visitor.post('/login', { email, pass: given })).status;
    const first = await known.post('/login', { email, pass });
    expect(String(first.headers['set-cookie'])).toMatch(/coppice-device=[^;]+;[^,]*HttpOnly/);
    const device = known.cookies.get('coppice-device') ?? '';
    expect(Buffer.from(device, 'base64url').toString('latin1')).not.toContain('example.org');
    await known.post('/logout', {});
    for (let i = 0; i < failureRates.perAccountAndAddress.max; i++)
      expect(await signIn(stranger, `guess ${i}`)).toBe(401);
    expect(await signIn(stranger, pass)).toBe(429);
    for (const forged of [`${device}x`, 'x', '']) {
      stranger.cookies.set('coppice-device', forged);
      expect(await signIn(stranger, pass)).toBe(429);
    }
    // The device cookie alone signs nobody in, and is bound to one account.
    other.cookies.set('coppice', device);
    expect((await other.get('/account')).status).toBe(303);
    expect(await signIn(known, pass)).toBe(303);
    const guesses = Array.from({ length: failureRates.perDevice.max }, (_, i) => signIn(known, `slip ${i}`));
    expect(new Set(await Promise.all(guesses))).toEqual(new Set([401]));
    expect(await signIn(known, pass)).toBe(429);
    const eve = await site.member('Eve');
    await setPassphrase({ store, passphrases, now: Date.now() }, eve.email, 'another passphrase');
    const guessing = site.visitor();
    await guessing.post('/login', { email: eve.email, pass: 'another passphrase' });
    expect(await signIn(guessing, pass)).toBe(429);
  } finally {
    await site.close();
  }
});

test('guesses of passphrases by the form and by the API count together', async () => {
  const site = await startSite({ COPPICE_RATE_LIMIT: 'on' });
  try {
    const visitor = site.visitor();
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++)
      statuses.push((await visitor.post('/login', { email: 'ada@example.org', pass: `guess ${i}` })).status);
    for (let i = 0; i < 6; i++) {
      const { status } = await site.call('POST', '/v1/members/auth', {
        json: { email: 'ada@example.org', pass: `guess ${i}` },
      });
      statuses.push(status);
    }
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
    expect(statuses.slice(10)).toEqual([429, 429]);
    const limited = await visitor.post('/login', { email: 'ada@example.org', pass: 'again' });
    expect(limited.status).toBe(429);
    expect(limited.text).toContain('Try again in');
  } finally {
    await site.close();
  }
});
