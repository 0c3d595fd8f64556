/** Signing in by a provider, against a real one in its own process: every way in, and every way that must not be one. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ensureSetupInvitation, inviteMember } from '#domain/invite-member.ts';
import { addMember, changeMember, linkProvider } from '#domain/manage-members.ts';
import { signInByProvider } from '#domain/sign-in-by-provider.ts';
import { startApp, type TestApp } from './http-support.ts';
import { Browser, freePort, type RunningProvider, type Shown, startProvider } from './oauth-support.ts';

const passphrase = 'correct horse battery staple';
let site: TestApp;
let base: string;
let alpha: RunningProvider;
let beta: RunningProvider;
let offset = 0;
let made = 0;
const clock = () => Date.now() + offset;

beforeAll(async () => {
  const [wiki, first, second, nobody] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  base = `http://127.0.0.1:${wiki}`;
  alpha = await startProvider(first, `${base}/login/with/alpha/return`);
  beta = await startProvider(second, `${base}/login/with/beta/return`);
  const provider = (name: string, issuer: string) => ({
    [`COPPICE_OAUTH_${name}_ISSUER`]: issuer,
    [`COPPICE_OAUTH_${name}_ID`]: 'coppice',
    [`COPPICE_OAUTH_${name}_SECRET`]: 'a+secret%of:the~two',
  });
  site = await startApp(
    {
      COPPICE_URL: base,
      COPPICE_OAUTH: 'alpha,beta,gone',
      ...provider('ALPHA', alpha.issuer),
      ...provider('BETA', beta.issuer),
      ...provider('GONE', `http://127.0.0.1:${nobody}`),
    },
    { clock },
  );
  await site.app.server.listen({ port: wiki, host: '127.0.0.1' });
});
afterAll(async () => {
  await site?.close();
  await alpha?.[Symbol.asyncDispose]();
  await beta?.[Symbol.asyncDispose]();
});
beforeEach(() => {
  offset = 0;
});

async function newMember(withPassphrase = true): Promise<{ id: number; email: string; name: string }> {
  const name = `Member ${++made}`;
  const email = `member${made}@example.org`;
  const { store, passphrases } = site.app.service;
  const input = { email, name, passphrase: withPassphrase ? passphrase : null, isAdmin: false };
  const { id } = await addMember(store, passphrases, input, clock());
  return { id, email, name };
}

async function signIn(browser: Browser, email: string): Promise<Shown> {
  const page = await browser.open(`${base}/login?next=/account`);
  return browser.submit(page, 'action="/login"', { email, pass: passphrase });
}

async function leaveFor(browser: Browser, provider: string, next = '/account'): Promise<Shown> {
  const page = await browser.open(`${base}/login?next=${next}`);
  return browser.submit(page, `/login/with/${provider}"`);
}

async function link(browser: Browser, login: string, provider = 'alpha'): Promise<Shown> {
  const account = await browser.open(`${base}/account`);
  const there = await browser.submit(account, `/login/with/${provider}"`);
  return browser.passProvider(there, login);
}

/** A member with a linked account at the provider. */
async function linkedMember(login: string): Promise<{ id: number; email: string; name: string }> {
  const member = await newMember();
  const browser = new Browser();
  await signIn(browser, member.email);
  expect((await link(browser, login)).text).toContain('The account is linked');
  return member;
}

async function whoIs(browser: Browser): Promise<string | undefined> {
  const page = await browser.open(`${base}/account`);
  return /Signed in as <span dir="auto">([^<]*)</.exec(page.text)?.[1];
}

/** Everything up to the provider's answer, which is not opened. */
async function answerFor(browser: Browser, login: string, provider = 'alpha'): Promise<URL> {
  const there = await leaveFor(browser, provider);
  const stopped = await browser.passProvider(there, login, {
    on: (url) => (url.pathname.endsWith('/return') ? 'stop' : undefined),
  });
  expect(stopped.url.pathname).toBe(`/login/with/${provider}/return`);
  return stopped.url;
}

describe('a member', () => {
  test('links a provider after a recent sign-in, and from then on signs in by it', async () => {
    const member = await newMember();
    const browser = new Browser();
    await signIn(browser, member.email);
    const account = await link(browser, 'ada');
    expect(account.url.href).toBe(`${base}/account#providers`);
    expect(account.text).toContain('ada@mail.example');

    const other = new Browser();
    const there = await leaveFor(other, 'alpha', '/account');
    expect(there.url.origin).toBe(alpha.issuer);
    const back = await other.passProvider(there, 'ada');
    expect(back.url.href).toBe(`${base}/account`);
    expect(back.text).toContain('You are signed in.');
    expect(await whoIs(other)).toBe(member.name);
    // Nothing of the journey is left behind.
    expect([...(other.cookies.get(base)?.keys() ?? [])]).not.toContain('coppice-journey');
  });

  test('who signed in more than five minutes ago is asked again before linking, by passphrase', async () => {
    const member = await newMember();
    const browser = new Browser();
    await signIn(browser, member.email);
    offset = 4 * 60_000;
    // Being active renews the session, which is no sign-in.
    await browser.open(`${base}/account`);
    offset = 6 * 60_000;
    await browser.open(`${base}/account`);
    const account = await browser.open(`${base}/account`);
    const asked = await browser.submit(account, '/login/with/alpha"');
    expect(asked.url.pathname).toBe('/login/again');
    expect(asked.text).toContain('Is it you?');

    const wrong = await browser.submit(asked, 'name="pass"', { pass: 'not it at all, sorry' });
    expect(wrong.status).toBe(401);
    expect(wrong.text).toContain('This is not your passphrase.');
    const right = await browser.submit(wrong, 'name="pass"', { pass: passphrase });
    expect(right.url.pathname).toBe('/account');
    expect((await link(browser, 'late')).text).toContain('The account is linked');
  });

  test('is asked again by the provider itself, which has to see them sign in anew', async () => {
    const member = await linkedMember('grace');
    const browser = new Browser();
    await browser.passProvider(await leaveFor(browser, 'alpha'), 'grace');
    offset = 10 * 60_000;
    const asked = await browser.submit(await browser.open(`${base}/account`), '/login/with/beta"');
    expect(asked.url.pathname).toBe('/login/again');
    const there = await browser.submit(asked, '/login/with/alpha"');
    expect(there.url.origin).toBe(alpha.issuer);
    expect(there.text).toContain('name="login"');
    offset = 0;
    const back = await browser.passProvider(there, 'grace');
    expect(back.url.pathname).toBe('/account');
    expect(await whoIs(browser)).toBe(member.name);
  });

  test('who shows another account than their own when asked again stays who they were', async () => {
    const member = await linkedMember('henry');
    await linkedMember('other-henry');
    const browser = new Browser();
    await browser.passProvider(await leaveFor(browser, 'alpha'), 'henry');
    const asked = await browser.open(`${base}/login/again?next=/account`);
    const there = await browser.submit(asked, '/login/with/alpha"');
    const back = await browser.passProvider(there, 'other-henry');
    expect(back.status).toBe(401);
    expect(back.text).toContain('linked to another account');
    expect(await whoIs(browser)).toBe(member.name);
  });

  test('cannot link what is linked to another member, and linking twice changes nothing', async () => {
    await linkedMember('taken');
    const member = await newMember();
    const browser = new Browser();
    await signIn(browser, member.email);
    const refused = await link(browser, 'taken');
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('linked to another account here');
    const again = new Browser();
    await signIn(again, member.email);
    await link(again, 'twice');
    await link(again, 'twice');
    expect(await site.app.service.store.identities.listOf(member.id)).toHaveLength(1);
  });

  test('who signs out or becomes somebody else on the way links nothing', async () => {
    const [member, other] = [await newMember(), await newMember()];
    const browser = new Browser();
    await signIn(browser, member.email);
    const there = await browser.submit(await browser.open(`${base}/account`), '/login/with/alpha"');
    const sneaked = new Browser();
    await signIn(sneaked, other.email);
    const session = sneaked.cookies.get(base)?.get('coppice') ?? '';
    browser.cookies.get(base)?.set('coppice', session);
    const back = await browser.passProvider(there, 'sneaked');
    expect(back.status).toBe(401);
    expect(await site.app.service.store.identities.find(alpha.issuer, 'sneaked')).toBeUndefined();
  });

  test('unlinks an account, but not the last way in', async () => {
    const member = await linkedMember('ivy');
    const browser = new Browser();
    await signIn(browser, member.email);
    const account = await browser.open(`${base}/account`);
    expect((await browser.submit(account, '/account/unlink')).text).toContain('not linked any more');
    const later = new Browser();
    const refused = await later.passProvider(await leaveFor(later, 'alpha'), 'ivy');
    expect(refused.status).toBe(401);

    const { store } = site.app.service;
    const alone = await linkedMember('jo');
    await store.transact((store) => store.members.update(alone.id, { passphraseHash: null }));
    const onlyWay = new Browser();
    await onlyWay.passProvider(await leaveFor(onlyWay, 'alpha'), 'jo');
    const kept = await onlyWay.submit(await onlyWay.open(`${base}/account`), '/account/unlink');
    expect(kept.status).toBe(400);
    expect(kept.text).toContain('choose a passphrase first');
    expect(await store.identities.listOf(alone.id)).toHaveLength(1);
  });

  test('cannot unlink what is another member’s', async () => {
    await linkedMember('kim');
    const member = await linkedMember('not-kim');
    const browser = new Browser();
    await signIn(browser, member.email);
    const account = await browser.open(`${base}/account`);
    const answer = await browser.submit(account, '/account/unlink', { subject: 'kim' });
    expect(answer.status).toBe(404);
    expect(await site.app.service.store.identities.find(alpha.issuer, 'kim')).toBeDefined();
  });

  test('without a passphrase chooses one only after a recent sign-in', async () => {
    const member = await linkedMember('lou');
    const { store } = site.app.service;
    await store.transact((store) => store.members.update(member.id, { passphraseHash: null }));
    const browser = new Browser();
    await browser.passProvider(await leaveFor(browser, 'alpha'), 'lou');
    offset = 6 * 60_000;
    const account = await browser.open(`${base}/account`);
    const fields = { pass: 'a brand new passphrase', 'pass-again': 'a brand new passphrase' };
    expect((await browser.submit(account, 'name="pass-again"', fields)).url.pathname).toBe('/login/again');
    offset = 0;
    await browser.passProvider(await leaveFor(browser, 'alpha'), 'lou');
    expect((await store.members.findById(member.id))?.passphraseHash).toBeNull();
  });
});

describe('a recent sign-in', () => {
  test('is what the provider says it is: whoever signed in there long ago has not just done so', async () => {
    const member = await linkedMember('long-ago');
    const { store, tokens } = site.app.service;
    const profile = {
      provider: 'alpha',
      issuer: alpha.issuer,
      subject: 'long-ago',
      account: null,
      email: null,
    };
    const old = { ...profile, name: null, signedInAt: clock() - 3_600_000 };
    const token = await signInByProvider(store, tokens, { identity: old, label: 'Alpha' }, clock());
    expect((await tokens.read(token))?.signedInAt).toBe(old.signedInAt);
    const browser = new Browser();
    browser.cookies.set(base, new Map([['coppice', token]]));
    expect(await whoIs(browser)).toBe(member.name);
    const asked = await browser.submit(await browser.open(`${base}/account`), '/login/with/beta"');
    expect(asked.url.pathname).toBe('/login/again');
  });

  test('is none by a stored handle, however often its token is renewed', async () => {
    const member = await newMember();
    const { store, tokens, secrets } = site.app.service;
    const { id } = await linkProvider(store, secrets, member.email, 'script', clock());
    const answer = await site.call('POST', '/v1/members/auth', { json: { provider: 'script', id } });
    expect(answer.status).toBe(200);
    const renewed = await site.call('POST', '/v1/members/reauth', { token: answer.text });
    for (const token of [answer.text, renewed.text]) {
      expect((await tokens.read(token))?.signedInAt).toBeUndefined();
      const browser = new Browser();
      browser.cookies.set(base, new Map([['coppice', token]]));
      const asked = await browser.submit(await browser.open(`${base}/account`), '/login/with/beta"');
      expect(asked.url.pathname).toBe('/login/again');
    }
  });
});

describe('nobody is signed in', () => {
  test('by an account that is not linked, whatever its e-mail address says', async () => {
    const { store, passphrases } = site.app.service;
    const input = { email: 'mallory@mail.example', name: 'Victim', passphrase, isAdmin: true };
    await addMember(store, passphrases, input, clock());
    const browser = new Browser();
    const back = await browser.passProvider(await leaveFor(browser, 'alpha'), 'mallory');
    expect(back.status).toBe(401);
    expect(back.text).toContain('Sign in with your passphrase and link it');
    expect(await whoIs(browser)).toBeUndefined();
  });

  test('who is deactivated, and is told the same as a stranger', async () => {
    const member = await linkedMember('nora');
    await changeMember(site.app.service.store, member.email, { isActive: false });
    const [browser, stranger] = [new Browser(), new Browser()];
    const refused = await browser.passProvider(await leaveFor(browser, 'alpha'), 'nora');
    const unknown = await stranger.passProvider(await leaveFor(stranger, 'alpha'), 'nobody');
    expect(refused.status).toBe(401);
    const sentence = (page: Shown) => /role="alert"[\s\S]*?<\/div>/.exec(page.text)?.[0];
    expect(sentence(refused)).toBe(sentence(unknown));
    expect(sentence(refused)).toContain('No account here');
    expect(await whoIs(browser)).toBeUndefined();
  });

  test('by the same subject of another issuer', async () => {
    await linkedMember('olga');
    const browser = new Browser();
    const back = await browser.passProvider(await leaveFor(browser, 'beta'), 'olga');
    expect(back.status).toBe(401);
    expect(await whoIs(browser)).toBeUndefined();
  });

  test('with a wrong or missing state, or in a browser that did not begin', async () => {
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
    expect(back.text).toContain('does not belong to a sign-in that this browser began');
    expect(await whoIs(victim)).toBeUndefined();
  });

  test('twice by one code', async () => {
    await linkedMember('quinn');
    const browser = new Browser();
    const there = await leaveFor(browser, 'alpha');
    const ticket = browser.cookies.get(base)?.get('coppice-journey') ?? '';
    let answer: URL | undefined;
    await browser.passProvider(there, 'quinn', {
      on: (url) => {
        if (url.pathname.endsWith('/return')) answer = url;
        return undefined;
      },
    });
    expect(await whoIs(browser)).toBeDefined();
    const thief = new Browser();
    // Even with the ticket, which only the first browser had.
    thief.cookies.set(base, new Map([['coppice-journey', ticket]]));
    const back = await thief.open(answer ?? base);
    expect(back.status).toBe(401);
    expect(back.text).toContain('used already');
    expect(await whoIs(thief)).toBeUndefined();
  });

  test('by an ID token made for another nonce', async () => {
    await linkedMember('rita');
    const browser = new Browser();
    const page = await browser.open(`${base}/login`);
    const there = await browser.submit(
      page,
      '/login/with/alpha"',
      {},
      {
        on: (url) => {
          if (!url.searchParams.has('nonce')) return undefined;
          url.searchParams.set('nonce', 'of-somebody-else');
          return url;
        },
      },
    );
    const back = await browser.passProvider(there, 'rita');
    expect(back.status).toBe(401);
    expect(back.text).toContain('does not hold');
    expect(await whoIs(browser)).toBeUndefined();
  });

  test('by a code that was asked for with another PKCE challenge', async () => {
    await linkedMember('rob');
    const browser = new Browser();
    const page = await browser.open(`${base}/login`);
    const there = await browser.submit(
      page,
      '/login/with/alpha"',
      {},
      {
        on: (url) => {
          if (!url.searchParams.has('code_challenge')) return undefined;
          expect(url.searchParams.get('code_challenge_method')).toBe('S256');
          url.searchParams.set('code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
          return url;
        },
      },
    );
    const back = await browser.passProvider(there, 'rob');
    expect(back.status).toBe(401);
    expect(await whoIs(browser)).toBeUndefined();
  });

  test('by an answer of one provider at the address of another, or in its name', async () => {
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
    expect(back.text).toContain('does not hold');

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
    offset = 10 * 60_000 + 1000;
    const back = await browser.open(url);
    expect(back.status).toBe(400);
    offset = 0;
    expect(await whoIs(browser)).toBeUndefined();
  });

  test('who says no at the provider, in plain words', async () => {
    const browser = new Browser();
    const there = await leaveFor(browser, 'alpha');
    const abort = /href="([^"]*abort[^"]*)"/.exec(there.text)?.[1] ?? '';
    const back = await browser.open(new URL(abort, there.url));
    expect(back.status).toBe(401);
    expect(back.text).toContain('Alpha was not allowed to sign you in here');
  });

  test('by a session or kept arrival put in the place of a ticket, or the other way round', async () => {
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
    const ticket = journey.cookies.get(base)?.get('coppice-journey') ?? '';
    const swapped = new Browser();
    swapped.cookies.set(
      base,
      new Map([
        ['coppice', ticket],
        ['coppice-arrival', ticket],
      ]),
    );
    expect(await whoIs(swapped)).toBeUndefined();
    expect((await swapped.open(`${base}/login/join`)).url.pathname).toBe('/login');
  });
});

describe('a journey', () => {
  test('cannot be begun by another site', async () => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: base },
      {},
    ] as Record<string, string>[]) {
      for (const path of ['/login/with/alpha', '/account/unlink', '/login/join', '/login/again']) {
        const answer = await site.call('POST', path, { form: { errand: 'link' }, headers });
        expect(answer.status, path).toBe(403);
        expect(answer.headers['set-cookie']).toBeUndefined();
      }
    }
    const read = await site.call('GET', '/login/with/alpha');
    expect(read.status).toBe(303);
    expect(read.headers.location).toBe('/login');
  });

  test('ends on this site, whatever the form asks for', async () => {
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

  test('leaves one cookie that scripts cannot read and that other sites’ forms do not send', async () => {
    const headers = { origin: base, host: new URL(base).host };
    const answer = await site.call('POST', '/login/with/alpha', { form: { errand: 'sign-in' }, headers });
    const cookies = [answer.headers['set-cookie'] ?? []].flat();
    expect(cookies).toHaveLength(1);
    expect(cookies[0]).toMatch(/^coppice-journey=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(cookies[0]?.length).toBeLessThan(4096);
    const long = await site.call('POST', '/login/with/alpha', {
      form: { errand: 'sign-in', next: `/${'é'.repeat(600)}` },
      headers,
    });
    expect(String(long.headers['set-cookie']).length).toBeLessThan(4096);
  });

  test('to a provider that does not answer is refused in plain words, and the rest works on', async () => {
    const browser = new Browser();
    const page = await leaveFor(browser, 'gone');
    expect(page.status).toBe(503);
    expect(page.text).toContain('Gone cannot be reached at the moment');
    expect((await leaveFor(browser, 'alpha')).url.origin).toBe(alpha.issuer);
    const headers = { origin: base, host: new URL(base).host };
    expect((await site.call('POST', '/login/with/none', { form: {}, headers })).status).toBe(404);
  });

  test('asks the provider for no more than it needs', async () => {
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

describe('an invitation', () => {
  async function invite(isAdmin = false): Promise<string> {
    const { store, secrets } = site.app.service;
    const admin = { memberId: (await newMember()).id, name: 'Admin', isAdmin: true };
    return (await inviteMember(store, secrets, admin, { isAdmin }, clock())).token;
  }

  async function join(browser: Browser, token: string, login: string): Promise<Shown> {
    const page = await browser.open(`${base}/invite/${token}`);
    return browser.passProvider(await browser.submit(page, '/login/with/alpha"'), login);
  }

  test('makes a member without a passphrase, who then signs in by the provider', async () => {
    const token = await invite(true);
    const browser = new Browser();
    const form = await join(browser, token, 'wanda');
    expect(form.url.href).toBe(`${base}/login/join`);
    expect(form.text).toContain('value="wanda@mail.example"');
    const welcome = await browser.submit(form, '/login/join', { name: 'Wanda' });
    expect(welcome.text).toContain('Your account is ready');
    expect(await whoIs(browser)).toBe('Wanda');
    const member = await site.app.service.store.members.findByEmail('wanda@mail.example');
    expect(member).toMatchObject({ name: 'Wanda', isAdmin: true, passphraseHash: null });
    const later = new Browser();
    await later.passProvider(await leaveFor(later, 'alpha'), 'wanda');
    expect(await whoIs(later)).toBe('Wanda');

    // It is spent: for the provider, and for a passphrase.
    const second = new Browser();
    expect((await second.open(`${base}/invite/${token}`)).status).toBe(404);
    const answer = await site.call('POST', '/login/with/alpha', {
      form: { errand: 'join', token },
      headers: { origin: base, host: new URL(base).host },
    });
    expect(answer.status).toBe(404);
  });

  test('offers no address that the provider has not verified, and takes the one that is typed', async () => {
    const browser = new Browser();
    const form = await join(browser, await invite(), 'unverified-xena');
    expect(form.text).not.toContain('value="unverified-xena@mail.example"');
    const wrong = await browser.submit(form, '/login/join', { name: ' ', email: 'nothing' });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('This is not an e-mail address.');
    const taken = await newMember();
    const refused = await browser.submit(wrong, '/login/join', { name: 'Xena', email: taken.email });
    expect(refused.status).toBe(400);
    await browser.submit(refused, '/login/join', { name: 'Xena', email: 'xena@example.org' });
    expect(await whoIs(browser)).toBe('Xena');
  });

  test('is not spent by somebody who is a member already, and joins nobody twice', async () => {
    await linkedMember('yves');
    const token = await invite();
    const refused = await join(new Browser(), token, 'yves');
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('linked to another account here');

    // Two tabs of one person, and two persons with one invitation.
    const [one, two] = [new Browser(), new Browser()];
    const [first, second] = [await join(one, token, 'zoe'), await join(two, token, 'zack')];
    const answers = await Promise.all([
      one.submit(first, '/login/join', { name: 'Zoe' }),
      two.submit(second, '/login/join', { name: 'Zack' }),
      one.submit(first, '/login/join', { name: 'Zoe' }),
    ]);
    expect(answers.filter(({ text }) => text.includes('Your account is ready'))).toHaveLength(1);
    const { store } = site.app.service;
    const linked = [
      await store.identities.find(alpha.issuer, 'zoe'),
      await store.identities.find(alpha.issuer, 'zack'),
    ];
    expect(linked.filter(Boolean)).toHaveLength(1);
  });

  test('form waits ten minutes, not longer', async () => {
    const browser = new Browser();
    const form = await join(browser, await invite(), 'slow');
    offset = 10 * 60_000 + 1000;
    const late = await browser.submit(form, '/login/join', { name: 'Slow' });
    expect(late.status).toBe(400);
    expect(late.text).toContain('longer than ten minutes');
  });
});

test('the set-up link makes the first administrator by a provider', async () => {
  const port = await freePort();
  const providerPort = await freePort();
  const address = `http://127.0.0.1:${port}`;
  await using provider = await startProvider(providerPort, `${address}/login/with/work/return`);
  const fresh = await startApp({
    COPPICE_URL: address,
    COPPICE_OAUTH: 'work',
    COPPICE_OAUTH_WORK_ISSUER: provider.issuer,
    COPPICE_OAUTH_WORK_ID: 'coppice',
    COPPICE_OAUTH_WORK_SECRET: 'a+secret%of:the~two',
    COPPICE_OAUTH_WORK_LABEL: 'Our work accounts',
  });
  try {
    await fresh.app.server.listen({ port, host: '127.0.0.1' });
    const { store, secrets } = fresh.app.service;
    const token = await ensureSetupInvitation(store, secrets, Date.now());
    const browser = new Browser();
    const page = await browser.open(`${address}/setup/${token}`);
    expect(page.text).toContain('Continue with Our work accounts');
    const form = await browser.passProvider(await browser.submit(page, '/login/with/work"'), 'boss');
    const done = await browser.submit(form, '/login/join', { name: 'The Boss' });
    expect(done.text).toContain('Your account is ready');
    expect(await store.members.countActiveAdmins()).toBe(1);
  } finally {
    await fresh.close();
  }
});
