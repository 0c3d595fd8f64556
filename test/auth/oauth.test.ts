/** Successful sign-ins by a provider, against a real one in its own process. */
import { describe, expect, test } from 'vitest';
import { ensureSetupInvitation, inviteMember } from '#core/joining/invite-member.ts';
import { linkProvider } from '#core/members/manage-members.ts';
import { signInByProvider } from '#core/sign-in/sign-in-by-provider.ts';
import { freePorts } from '../support/free-ports.ts';
import { startApp } from '../support/http.ts';
import { Browser, type Shown, startProvider } from '../support/oauth.ts';
import {
  alpha,
  base,
  beta,
  clock,
  leaveFor,
  link,
  linkedMember,
  newMember,
  passphrase,
  setClockAhead,
  signIn,
  site,
  useOauthSite,
  whoIs,
} from '../support/oauth-site.ts';

useOauthSite();

describe('a member', () => {
  test('links a provider after a recent sign-in, and can then sign in with it', async () => {
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
    // The state cookie is deleted.
    expect([...(other.cookies.get(base)?.keys() ?? [])]).not.toContain('coppice-journey');
  });

  test('must enter the passphrase before linking if the sign-in is older than five minutes', async () => {
    const member = await newMember();
    const browser = new Browser();
    await signIn(browser, member.email);
    setClockAhead(4 * 60_000);
    // Activity renews the session but is no sign-in.
    await browser.open(`${base}/account`);
    setClockAhead(6 * 60_000);
    await browser.open(`${base}/account`);
    const account = await browser.open(`${base}/account`);
    const asked = await browser.submit(account, '/login/with/alpha"');
    expect(asked.url.pathname).toBe('/login/again');
    expect(asked.text).toContain('Confirm that it is you');

    const wrong = await browser.submit(asked, 'name="pass"', { pass: 'not it at all, sorry' });
    expect(wrong.status).toBe(401);
    expect(wrong.text).toContain('The passphrase is wrong.');
    const right = await browser.submit(wrong, 'name="pass"', { pass: passphrase });
    expect(right.url.pathname).toBe('/account');
    expect((await link(browser, 'late')).text).toContain('Account linked');
  });

  test('is asked by the provider itself, which must require a new sign-in', async () => {
    const member = await linkedMember('grace');
    const browser = new Browser();
    await browser.passProvider(await leaveFor(browser, 'alpha'), 'grace');
    setClockAhead(10 * 60_000);
    const asked = await browser.submit(await browser.open(`${base}/account`), '/login/with/beta"');
    expect(asked.url.pathname).toBe('/login/again');
    // The provider uses the real clock.
    setClockAhead(0);
    const there = await browser.submit(asked, '/login/with/alpha"');
    expect(there.url.origin).toBe(alpha.issuer);
    expect(there.text).toContain('name="login"');
    const back = await browser.passProvider(there, 'grace');
    expect(back.url.pathname).toBe('/account');
    expect(await whoIs(browser)).toBe(member.name);
    // The sign-in is recent now, so linking continues.
    const onward = await browser.submit(await browser.open(`${base}/account`), '/login/with/beta"');
    expect(onward.url.origin).toBe(beta.issuer);
  });

  test('must confirm the identity before linking if the provider does not say when they signed in', async () => {
    await linkedMember('silent');
    const browser = new Browser();
    await browser.passProvider(await leaveFor(browser, 'alpha'), 'silent');
    const asked = await browser.submit(await browser.open(`${base}/account`), '/login/with/beta"');
    expect(asked.url.pathname).toBe('/login/again');
  });

  test('stays signed in as before after confirming with a different account', async () => {
    const member = await linkedMember('henry');
    await linkedMember('other-henry');
    const browser = new Browser();
    await browser.passProvider(await leaveFor(browser, 'alpha'), 'henry');
    const asked = await browser.open(`${base}/login/again?next=/account`);
    const there = await browser.submit(asked, '/login/with/alpha"');
    const back = await browser.passProvider(there, 'other-henry');
    expect(back.status).toBe(401);
    expect(back.text).toContain('linked to a different account');
    expect(await whoIs(browser)).toBe(member.name);
  });

  test('cannot link an account of another member, and linking twice changes nothing', async () => {
    await linkedMember('taken');
    const member = await newMember();
    const browser = new Browser();
    await signIn(browser, member.email);
    const refused = await link(browser, 'taken');
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('linked to another member');
    const again = new Browser();
    await signIn(again, member.email);
    await link(again, 'twice');
    await link(again, 'twice');
    expect(await site.app.service.store.identities.listOf(member.id)).toHaveLength(1);
  });

  test('links nothing after signing out or as somebody else meanwhile', async () => {
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

  test('unlinks an account, but not the last credential', async () => {
    const member = await linkedMember('ivy');
    const browser = new Browser();
    await signIn(browser, member.email);
    const account = await browser.open(`${base}/account`);
    expect((await browser.submit(account, '/account/unlink')).text).toContain('Account unlinked');
    const setClockAhead = new Browser();
    const refused = await setClockAhead.passProvider(await leaveFor(setClockAhead, 'alpha'), 'ivy');
    expect(refused.status).toBe(401);

    const { store } = site.app.service;
    const alone = await linkedMember('jo');
    await store.transact((store) => store.members.update(alone.id, { passphraseHash: null }));
    const onlyWay = new Browser();
    await onlyWay.passProvider(await leaveFor(onlyWay, 'alpha'), 'jo');
    const kept = await onlyWay.submit(await onlyWay.open(`${base}/account`), '/account/unlink');
    expect(kept.status).toBe(400);
    expect(kept.text).toContain('Choose a passphrase first');
    expect(await store.identities.listOf(alone.id)).toHaveLength(1);
  });

  test('cannot unlink an account of another member', async () => {
    await linkedMember('kim');
    const member = await linkedMember('not-kim');
    const browser = new Browser();
    await signIn(browser, member.email);
    const account = await browser.open(`${base}/account`);
    const answer = await browser.submit(account, '/account/unlink', { subject: 'kim' });
    expect(answer.status).toBe(404);
    expect(await site.app.service.store.identities.find(alpha.issuer, 'kim')).toBeDefined();
  });

  test('without a passphrase can choose one only after a recent sign-in', async () => {
    const member = await linkedMember('lou');
    const { store } = site.app.service;
    await store.transact((store) => store.members.update(member.id, { passphraseHash: null }));
    const browser = new Browser();
    await browser.passProvider(await leaveFor(browser, 'alpha'), 'lou');
    setClockAhead(6 * 60_000);
    const account = await browser.open(`${base}/account`);
    const fields = { pass: 'a brand new passphrase', 'pass-again': 'a brand new passphrase' };
    expect((await browser.submit(account, 'name="pass-again"', fields)).url.pathname).toBe('/login/again');
    setClockAhead(0);
    await browser.passProvider(await leaveFor(browser, 'alpha'), 'lou');
    expect((await store.members.findById(member.id))?.passphraseHash).toBeNull();
  });
});

describe('a recent sign-in', () => {
  test('is dated by the provider: a sign-in long ago there is not recent here', async () => {
    const member = await linkedMember('long-ago');
    const { store, tokens, sessions } = site.app.service;
    const profile = {
      provider: 'alpha',
      issuer: alpha.issuer,
      subject: 'long-ago',
      account: null,
      email: null,
    };
    const old = { ...profile, name: null, signedInAt: clock() - 3_600_000 };
    const device = { userAgent: 'test', isBrowser: true };
    const told = { identity: old, label: 'Alpha' };
    const claims = await signInByProvider({ store, sessions, now: clock() }, told, device);
    expect(claims.signedInAt).toBe(old.signedInAt);
    const token = await tokens.issue(claims);
    const browser = new Browser();
    browser.cookies.set(base, new Map([['coppice', token]]));
    expect(await whoIs(browser)).toBe(member.name);
    const asked = await browser.submit(await browser.open(`${base}/account`), '/login/with/beta"');
    expect(asked.url.pathname).toBe('/login/again');
  });

  test('does not result from a stored handle, however often its token is renewed', async () => {
    const member = await newMember();
    const { store, tokens, secrets } = site.app.service;
    const { id } = await linkProvider({ store, secrets, now: clock() }, member.email, 'script');
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

describe('an invitation', () => {
  async function invite(isAdmin = false): Promise<string> {
    const { store, secrets } = site.app.service;
    const { id } = await newMember();
    await store.members.update(id, { role: 'administrator' });
    const admin = { memberId: id, name: 'Admin', isAdmin: true };
    return (
      (
        await inviteMember(
          { store, secrets, actor: admin, now: clock() },
          { role: isAdmin ? 'administrator' : 'writer' },
        )
      ).token ?? ''
    );
  }

  async function join(browser: Browser, token: string, login: string): Promise<Shown> {
    const page = await browser.open(`${base}/invite/${token}`);
    return browser.passProvider(await browser.submit(page, '/login/with/alpha"'), login);
  }

  test('makes a member without a passphrase, who then signs in with the provider', async () => {
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
    const setClockAhead = new Browser();
    await setClockAhead.passProvider(await leaveFor(setClockAhead, 'alpha'), 'wanda');
    expect(await whoIs(setClockAhead)).toBe('Wanda');

    // The invitation is used up, for providers and passphrases.
    const second = new Browser();
    expect((await second.open(`${base}/invite/${token}`)).status).toBe(404);
    const answer = await site.call('POST', '/login/with/alpha', {
      form: { intent: 'join', token },
      headers: { origin: base, host: new URL(base).host },
    });
    expect(answer.status).toBe(404);
  });

  test('offers no address that the provider has not verified, and accepts the one that is typed', async () => {
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

  test('is not used up by an existing member, and adds nobody twice', async () => {
    await linkedMember('yves');
    const token = await invite();
    const refused = await join(new Browser(), token, 'yves');
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('linked to another member');

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

  test('form is valid for ten minutes', async () => {
    const browser = new Browser();
    const form = await join(browser, await invite(), 'slow');
    setClockAhead(10 * 60_000 + 1000);
    const late = await browser.submit(form, '/login/join', { name: 'Slow' });
    expect(late.status).toBe(400);
    expect(late.text).toContain('longer than ten minutes');
  });
});

test('the set-up link makes the first administrator by a provider', async () => {
  const [port, providerPort = 0] = await freePorts(2);
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
    const answers = { name: 'The Boss', 'wiki-name': 'Our work', 'wiki-language': 'en-GB', private: 'yes' };
    const wrong = await browser.submit(form, '/login/join', { ...answers, 'wiki-language': 'nonsense!' });
    expect(wrong.text).toContain('id="wiki-language-mistake"');
    const done = await browser.submit(wrong, '/login/join', answers);
    expect(done.text).toContain('Your account is ready');
    expect(store.settings.current()).toMatchObject({ name: 'Our work', language: 'en-GB', private: true });
    expect(await store.members.countActiveAdmins()).toBe(1);
  } finally {
    await fresh.close();
  }
});
