/** Refused sign-ins by a provider, against a real one in its own process. */
import { describe, expect, test } from 'vitest';
import { addMember, changeMember } from '#core/members/manage-members.ts';
import { Browser, type Shown } from '../support/oauth.ts';
import {
  alpha,
  answerFor,
  base,
  beta,
  clock,
  leaveFor,
  linkedMember,
  passphrase,
  setClockAhead,
  signIn,
  site,
  useOauthSite,
  whoIs,
} from '../support/oauth-site.ts';

useOauthSite();

describe('nobody is signed in', () => {
  test('with an account that is not linked, whatever its e-mail address is', async () => {
    const { store, passphrases } = site.app.service;
    const input = { email: 'mallory@mail.example', name: 'Victim', passphrase, isAdmin: true };
    await addMember(store, passphrases, input, clock());
    const browser = new Browser();
    const back = await browser.passProvider(await leaveFor(browser, 'alpha'), 'mallory');
    expect(back.status).toBe(401);
    expect(back.text).toContain('Sign in with your passphrase and link it');
    expect(await whoIs(browser)).toBeUndefined();
  });

  test('a deactivated member gets the same response as a stranger', async () => {
    const member = await linkedMember('nora');
    await changeMember(site.app.service.store, member.email, { isActive: false });
    const [browser, stranger] = [new Browser(), new Browser()];
    const refused = await browser.passProvider(await leaveFor(browser, 'alpha'), 'nora');
    const unknown = await stranger.passProvider(await leaveFor(stranger, 'alpha'), 'nobody');
    expect(refused.status).toBe(401);
    const sentence = (page: Shown) => /role="alert"[\s\S]*?<\/div>/.exec(page.text)?.[0];
    expect(sentence(refused)).toBe(sentence(unknown));
    expect(sentence(refused)).toContain('No account of this wiki');
    expect(await whoIs(browser)).toBeUndefined();
  });

  test('with the same subject of another issuer', async () => {
    await linkedMember('olga');
    const browser = new Browser();
    const back = await browser.passProvider(await leaveFor(browser, 'beta'), 'olga');
    expect(back.status).toBe(401);
    expect(await whoIs(browser)).toBeUndefined();
  });

  test('with a wrong or missing state, or in a browser that did not start the sign-in', async () => {
    await linkedMember('pat');
    for (const change of [
      (url: URL) => url.searchParams.set('state', 'another'),
      (url: URL) => url.searchParams.delete('state'),
      (url: URL) => url.searchParams.append('state', 'another'),
    ]) {
      const browser = new Browser();
      const url = await answerFor(browser, 'pat');
      change(url);
      expect([400, 401]).toContain((await browser.open(url)).status);
      expect(await whoIs(browser)).toBeUndefined();
    }
    const url = await answerFor(new Browser(), 'pat');
    const victim = new Browser();
    await leaveFor(victim, 'alpha');
    const back = await victim.open(url);
    expect(back.status).toBe(400);
    expect(back.text).toContain('does not belong to a sign-in that this browser started');
    expect(await whoIs(victim)).toBeUndefined();
  });

  test('twice with the same code', async () => {
    await linkedMember('quinn');
    const browser = new Browser();
    const there = await leaveFor(browser, 'alpha');
    const stateCookie = browser.cookies.get(base)?.get('coppice-journey') ?? '';
    let answer: URL | undefined;
    await browser.passProvider(there, 'quinn', {
      on: (url) => {
        if (url.pathname.endsWith('/return')) answer = url;
        return undefined;
      },
    });
    expect(await whoIs(browser)).toBeDefined();
    const thief = new Browser();
    // The thief has even the state cookie of the first browser.
    thief.cookies.set(base, new Map([['coppice-journey', stateCookie]]));
    const back = await thief.open(answer ?? base);
    expect(back.status).toBe(401);
    expect(back.text).toContain('already used');
    expect(await whoIs(thief)).toBeUndefined();
  });

  test('with an ID token for another nonce', async () => {
    await linkedMember('rita');
    const browser = new Browser();
    const there = await leaveFor(browser, 'alpha', '/account', (url) => {
      if (!url.searchParams.has('nonce')) return undefined;
      url.searchParams.set('nonce', 'of-somebody-else');
      return url;
    });
    const back = await browser.passProvider(there, 'rita');
    expect(back.status).toBe(401);
    expect(back.text).toContain('is invalid');
    expect(await whoIs(browser)).toBeUndefined();
  });

  test('with a code for another PKCE challenge', async () => {
    await linkedMember('rob');
    const browser = new Browser();
    const there = await leaveFor(browser, 'alpha', '/account', (url) => {
      if (!url.searchParams.has('code_challenge')) return undefined;
      expect(url.searchParams.get('code_challenge_method')).toBe('S256');
      url.searchParams.set('code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
      return url;
    });
    const back = await browser.passProvider(there, 'rob');
    expect(back.status).toBe(401);
    expect(await whoIs(browser)).toBeUndefined();
  });

  test('with a response of one provider at the address of another, or in its name', async () => {
    await linkedMember('sam');
    const browser = new Browser();
    const url = await answerFor(browser, 'sam');
    const elsewhere = new URL(url);
    elsewhere.pathname = '/login/with/beta/return';
    expect((await browser.open(elsewhere)).status).toBe(400);

    const mixed = new Browser();
    const answer = await answerFor(mixed, 'sam');
    answer.searchParams.set('iss', beta.issuer);
    const back = await mixed.open(answer);
    expect(back.status).toBe(401);
    expect(back.text).toContain('is invalid');

    const silent = new Browser();
    const unnamed = await answerFor(silent, 'sam');
    unnamed.searchParams.delete('iss');
    expect((await silent.open(unnamed)).status).toBe(401);
    for (const one of [browser, mixed, silent]) expect(await whoIs(one)).toBeUndefined();
  });

  test('after ten minutes at the provider', async () => {
    await linkedMember('tess');
    const browser = new Browser();
    const url = await answerFor(browser, 'tess');
    setClockAhead(10 * 60_000 + 1000);
    const back = await browser.open(url);
    expect(back.status).toBe(400);
    setClockAhead(0);
    expect(await whoIs(browser)).toBeUndefined();
  });

  test('after cancelling at the provider, with a plain message', async () => {
    const browser = new Browser();
    const there = await leaveFor(browser, 'alpha');
    const abort = /href="([^"]*abort[^"]*)"/.exec(there.text)?.[1] ?? '';
    const back = await browser.open(new URL(abort, there.url));
    expect(back.status).toBe(401);
    expect(back.text).toContain('Alpha was not allowed to sign you in here');
  });

  test('with a session or stored arrival in place of a state cookie, or the other way round', async () => {
    const member = await linkedMember('uma');
    const browser = new Browser();
    await signIn(browser, member.email);
    const session = browser.cookies.get(base)?.get('coppice') ?? '';
    const url = await answerFor(new Browser(), 'uma');
    const forger = new Browser();
    forger.cookies.set(base, new Map([['coppice-journey', session]]));
    expect((await forger.open(url)).status).toBe(400);

    const journey = new Browser();
    await leaveFor(journey, 'alpha');
    const stateCookie = journey.cookies.get(base)?.get('coppice-journey') ?? '';
    const swapped = new Browser();
    swapped.cookies.set(
      base,
      new Map([
        ['coppice', stateCookie],
        ['coppice-arrival', stateCookie],
      ]),
    );
    expect(await whoIs(swapped)).toBeUndefined();
    expect((await swapped.open(`${base}/login/join`)).url.pathname).toBe('/login');
  });
});

describe('a sign-in by a provider', () => {
  test('cannot be started by another site', async () => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: base },
      {},
    ] as Record<string, string>[]) {
      for (const path of ['/login/with/alpha', '/account/unlink', '/login/join', '/login/again']) {
        const answer = await site.call('POST', path, { form: { intent: 'link' }, headers });
        expect(answer.status, path).toBe(403);
        expect(answer.headers['set-cookie']).toBeUndefined();
      }
    }
    const read = await site.call('GET', '/login/with/alpha');
    expect(read.status).toBe(303);
    expect(read.headers.location).toBe('/login');
  });

  test('ends on this site, whatever the form contains', async () => {
    await linkedMember('vera');
    for (const next of [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example',
      'javascript:alert(1)',
    ]) {
      const browser = new Browser();
      const page = await browser.open(`${base}/login`);
      const there = await browser.submit(page, '/login/with/alpha"', { next });
      const back = await browser.passProvider(there, 'vera');
      expect(back.url.href).toBe(`${base}/`);
    }
  });

  test('leaves one cookie, which scripts cannot read and forms of other sites do not send', async () => {
    const headers = { origin: base, host: new URL(base).host };
    const answer = await site.call('POST', '/login/with/alpha', { form: { intent: 'sign-in' }, headers });
    const cookies = [answer.headers['set-cookie'] ?? []].flat();
    expect(cookies).toHaveLength(1);
    expect(cookies[0]).toMatch(/^coppice-journey=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(cookies[0]?.length).toBeLessThan(4096);
    const long = await site.call('POST', '/login/with/alpha', {
      form: { intent: 'sign-in', next: `/${'é'.repeat(600)}` },
      headers,
    });
    expect(String(long.headers['set-cookie']).length).toBeLessThan(4096);
  });

  test('is refused in plain words if the provider does not respond, while the rest keeps working', async () => {
    const browser = new Browser();
    const page = await leaveFor(browser, 'gone');
    expect(page.status).toBe(503);
    expect(page.text).toContain('Gone cannot be reached at the moment');
    expect((await leaveFor(browser, 'alpha')).url.origin).toBe(alpha.issuer);
    const headers = { origin: base, host: new URL(base).host };
    expect((await site.call('POST', '/login/with/none', { form: {}, headers })).status).toBe(404);
  });

  test('requests only the necessary data from the provider', async () => {
    const scopes: (string | null)[] = [];
    const on = (url: URL) => {
      if (url.searchParams.has('scope')) scopes.push(url.searchParams.get('scope'));
      return undefined;
    };
    const browser = new Browser();
    const page = await browser.open(`${base}/login`);
    await browser.submit(page, '/login/with/alpha"', {}, { on });
    expect(scopes).toEqual(['openid']);
  });
});
