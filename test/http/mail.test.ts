/** Mail by a real mail server: forgotten passphrases, invitations, new addresses, notices and failed deliveries. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setPassphrase } from '#core/members/manage-members.ts';
import { maxCausedByStrangers } from '#core/model/mail.ts';
import { failureRates } from '#http/sign-in-limits.ts';
import type { MailLoop } from '#mail/mail-loop.ts';
import { runCommand } from '../support/cli.ts';
import { engines } from '../support/http.ts';
import { claimsFor } from '../support/sessions.ts';
import { byHand, linkIn, mailSettings, startMailbox, type TestMailbox } from '../support/smtp.ts';
import { startSite, type TestSite } from '../support/web.ts';

const pass = 'correct horse battery staple';
const newPass = 'nine owls share one barn';
const minute = 60_000;
const day = 24 * 60 * minute;

describe.each(engines)('with a mail server, on %s', (engine) => {
  let mailbox: TestMailbox;
  let wiki: TestSite;
  let loop: MailLoop;
  let now = Date.UTC(2026, 0, 1);
  let root: { id: number; token: string };
  let ada: { id: number; token: string; email: string };

  beforeAll(async () => {
    mailbox = await startMailbox();
    wiki = await startSite(mailSettings(mailbox), { engine, clock: () => now });
    const started = await wiki.app.startMail(byHand);
    if (!started) throw new Error('No mail is sent.');
    loop = started;
    root = await wiki.member('Root', { isAdmin: true });
    ada = await wiki.member('Ada');
    await setPassphrase(
      { store: wiki.app.service.store, passphrases: wiki.app.service.passphrases, now },
      ada.email,
      pass,
    );
    await mails();
  });
  afterAll(async () => {
    await wiki.close();
    await mailbox[Symbol.asyncDispose]();
  });

  /** Sends all due mails and returns those received. */
  const mails = async () => {
    mailbox.received.length = 0;
    await loop.sendDue();
    return [...mailbox.received];
  };
  const recent = async (id: number) => {
    const { store, tokens } = wiki.app.service;
    return tokens.issue({ ...(await claimsFor(store, id, { now })), signedInAt: now });
  };
  const signIn = (email: string, pass: string) =>
    wiki.call('POST', '/v1/members/auth', { json: { email, pass } });
  const waiting = async () => (await wiki.call('GET', '/v1/mails', { token: await recent(root.id) })).json;

  test('a forgotten passphrase is replaced by a mailed link that works once, within an hour', async () => {
    const old = (await signIn(ada.email, pass)).text;
    const asked = await wiki.call('POST', '/v1/members/forgot', { json: { email: ' ADA@example.org ' } });
    expect([asked.status, asked.text]).toEqual([202, '']);
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail?.from?.text).toBe('"Testwood" <wiki@example.org>');
    expect(mail?.to).toMatchObject({ value: [{ address: 'ada@example.org', name: 'Ada' }] });
    expect(mail?.subject).toBe('Choose a new passphrase for Testwood');
    expect(mail?.headers.get('auto-submitted')).toBe('auto-generated');
    expect(mail?.html).toContain(`href="https://wiki.example.org${linkIn(mail)}"`);
    expect(mailbox.login).toEqual({ user: 'wiki', pass: 'p@ss' });
    const token = linkIn(mail).split('/').at(-1) ?? '';
    now += 59 * minute;
    const reset = () => wiki.call('POST', '/v1/members/reset', { json: { token, pass: newPass } });
    expect((await reset()).json).toMatchObject({ id: ada.id, name: 'Ada', isAdmin: false });
    expect((await reset()).status).toBe(400);
    expect((await wiki.call('GET', '/v1/members/me', { token: old })).status).toBe(401);
    expect((await signIn(ada.email, newPass)).status).toBe(200);
    expect((await mails()).map(({ subject }) => subject)).toEqual(['New passphrase at Testwood']);

    await wiki.call('POST', '/v1/members/forgot', { json: { email: ada.email } });
    const late =
      linkIn((await mails())[0])
        .split('/')
        .at(-1) ?? '';
    now += 61 * minute;
    expect((await wiki.call('POST', '/v1/members/reset', { json: { token: late, pass } })).status).toBe(400);
  });

  test('letters are in the language of the member, or else in that of the wiki', async () => {
    const { store } = wiki.app.service;
    now += day;
    await store.members.update(ada.id, { language: 'de' });
    await wiki.call('POST', '/v1/members/forgot', { json: { email: ada.email } });
    const [german] = await mails();
    expect(german?.subject).toBe('Neue Passphrase für Testwood wählen');
    expect(german?.html).toContain('<html lang="de" dir="ltr">');
    expect(german?.text).toContain('Hallo Ada,\n\njemand hat für Ihr Konto bei Testwood');
    now += day;
    await store.members.update(ada.id, { language: 'he' });
    await wiki.call('POST', '/v1/members/forgot', { json: { email: ada.email } });
    const inHebrew = (await mails())[0]?.html;
    for (const part of ['<html lang="he" dir="rtl">', '<div lang="he" dir="rtl" style='])
      expect(inHebrew).toContain(part);
    await store.members.update(ada.id, { language: null });
    now += day;
  });

  test('an unknown address gets the same response and no mail; asking twice sends one mail', async () => {
    now += 10 * minute;
    const answers = [];
    for (const email of ['nobody@example.org', ada.email, ada.email]) {
      const { status, headers, text } = await wiki.call('POST', '/v1/members/forgot', { json: { email } });
      answers.push([status, Object.keys(headers), text]);
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(await mails()).toHaveLength(1);
    expect(await waiting()).toEqual([]);
    // A mail that was sent counts as well, so that nobody can flood a mailbox.
    const ask = () => wiki.call('POST', '/v1/members/forgot', { json: { email: ada.email } });
    now += 4 * minute;
    await ask();
    expect(await mails()).toHaveLength(0);
    now += 2 * minute;
    await ask();
    expect(await mails()).toHaveLength(1);
    expect((await wiki.call('POST', '/v1/members/forgot', { json: { email: 'no address' } })).status).toBe(
      400,
    );
  });

  test('a mailed link ends with the epoch of its member, but not because of a newer link', async () => {
    const links: string[] = [];
    for (let at = 0; at < 2; at++) {
      now += 6 * minute;
      await wiki.call('POST', '/v1/members/forgot', { json: { email: ada.email } });
      links.push(
        linkIn((await mails())[0])
          .split('/')
          .at(-1) ?? '',
      );
    }
    const [first, second] = links;
    const reset = (token = '') => wiki.call('POST', '/v1/members/reset', { json: { token, pass: newPass } });
    expect((await reset(first)).status).toBe(200);
    expect((await reset(second)).status).toBe(400);
    await mails();
  });

  test('an invitation is mailed and not shown', async () => {
    const invite = (json: unknown) => wiki.call('POST', '/v1/invitations', { token: root.token, json });
    root.token = await recent(root.id);
    const made = await invite({ email: 'grace@example.org' });
    expect(made.json).toEqual({
      id: expect.any(Number),
      mailedTo: 'grace@example.org',
      expiresAt: expect.any(String),
    });
    expect((await invite({ email: 'nowhere' })).json.errors[0].pointer).toBe('/email');
    expect((await invite({})).json.token).toMatch(/./);
    const [mail] = await mails();
    expect(mail?.text).toContain('Root invites you to become a member of Testwood.');
    const token = linkIn(mail).split('/').at(-1);
    const json = { token, email: 'grace@example.org', name: 'Grace', pass };
    expect((await wiki.call('POST', '/v1/invitations/accept', { json })).json.name).toBe('Grace');
  });

  test('a revoked invitation is not mailed', async () => {
    const token = await recent(root.id);
    const { json } = await wiki.call('POST', '/v1/invitations', {
      token,
      json: { email: 'eve@example.org' },
    });
    await wiki.call('DELETE', `/v1/invitations/${json.id}`, { token });
    expect(await mails()).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  test('a new address applies when it is confirmed, and the old one gets a notice', async () => {
    now += 6 * minute;
    const change = (email: string, token: string) =>
      wiki.call('POST', '/v1/members/me/email', { token, json: { email } });
    const token = await recent(ada.id);
    const plain = await wiki.app.service.tokens.issue(
      await claimsFor(wiki.app.service.store, ada.id, { now }),
    );
    expect((await change('ada@example.net', plain)).status).toBe(401);
    // Nobody learns from it whose addresses are known; the link says so to whoever reads the mail.
    expect((await change('root@example.org', token)).status).toBe(202);
    const taken = {
      token: linkIn((await mails())[0])
        .split('/')
        .at(-1),
    };
    const refused = await wiki.call('POST', '/v1/members/email', { json: taken });
    expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, '/email']);
    expect((await change('ada@example.org', token)).status).toBe(400);
    await wiki.call('POST', '/v1/members/forgot', { json: { email: ada.email } });
    const reset = linkIn((await mails())[0]);
    expect((await change('ada@example.net', token)).status).toBe(202);
    const [mail] = await mails();
    // Asking again at once floods nobody, and leaves the link valid.
    expect((await change('ada@example.net', token)).status).toBe(202);
    expect(await mails()).toEqual([]);
    expect(mail?.to).toMatchObject({ value: [{ address: 'ada@example.net' }] });
    // Nobody has confirmed that the reader knows Ada, whose name could be an advertisement.
    expect(mail?.text).not.toContain('Ada');
    expect((await signIn('ada@example.net', newPass)).status).toBe(401);
    // Opening the link, as a mail scanner does, confirms nothing.
    const visitor = wiki.visitor();
    expect((await visitor.get(linkIn(mail))).text).toContain('Confirm your new address');
    expect((await signIn('ada@example.net', newPass)).status).toBe(401);
    expect(await visitor.post(linkIn(mail), {})).toMatchObject({ status: 303, location: '/login' });
    expect((await visitor.post(linkIn(mail), {})).status).toBe(400);
    expect((await visitor.get(linkIn(mail))).status).toBe(404);
    expect((await signIn('ada@example.net', newPass)).status).toBe(200);
    expect((await signIn('ada@example.org', newPass)).status).toBe(401);
    const [notice] = await mails();
    expect(notice?.to).toMatchObject({ value: [{ address: 'ada@example.org' }] });
    expect(notice?.text).toContain('is now ada@example.net');
    // Links from before do not open the account to a reader of the old mailbox.
    expect((await visitor.get(reset)).status).toBe(404);
    ada.email = 'ada@example.net';
  });

  test('if two members confirm the same address, one gets it', async () => {
    const ids = [(await wiki.member('Una')).id, (await wiki.member('Duo')).id];
    const ask = async (id: number) => {
      const json = { email: 'shared@example.org' };
      await wiki.call('POST', '/v1/members/me/email', { token: await recent(id), json });
      return (await mails()).map((mail) => linkIn(mail).split('/').at(-1));
    };
    const [first = 0, second = 0] = ids;
    const tokens = await ask(first);
    expect(await ask(second)).toEqual([]);
    now += 6 * minute;
    tokens.push(...(await ask(second)));
    expect(tokens).toHaveLength(2);
    const confirmed = await Promise.all(
      tokens.map((token) => wiki.call('POST', '/v1/members/email', { json: { token } })),
    );
    expect(confirmed.map(({ status }) => status).sort()).toEqual([200, 400]);
    await mails();
  });

  test('a new browser causes one mail', async () => {
    now += day;
    const browser = wiki.visitor();
    await browser.post('/login', { email: ada.email, pass: newPass });
    const [mail, ...more] = await mails();
    expect(mail?.text).toContain('signed in to your account from a new browser');
    expect(more).toEqual([]);
    now += day;
    await browser.post('/login', { email: ada.email, pass: newPass });
    expect(await mails()).toEqual([]);
  });

  test('mail that the server refuses is tried again with longer pauses, then listed as failed', async () => {
    now += day;
    const log = wiki.logged.length;
    mailbox.refusal = { code: 451, message: 'Come back later' };
    await wiki.call('POST', '/v1/invitations', {
      token: await recent(root.id),
      json: { email: 'far@example.org' },
    });
    expect(await mails()).toEqual([]);
    const [waits] = await waiting();
    expect(waits).toMatchObject({ kind: 'invitation', to: 'far@example.org', attempts: 1 });
    expect(waits.error).toContain('Come back later');
    expect(new Date(waits.nextAttemptAt).getTime()).toBe(now + minute);
    const rita = await wiki.signedIn('Rita', { isAdmin: true });
    // The cookie has another name over HTTPS.
    rita.cookies.set('__Host-coppice', rita.cookies.get('coppice') ?? '');
    const shown = (await rita.get('/members/mail')).text;
    expect(shown).toMatch(/tried once<\/td>.*Come back later · again <time/s);
    for (let hour = 0; hour < 60; hour++) {
      now += 60 * minute;
      await mails();
    }
    expect((await waiting())[0]).toMatchObject({ nextAttemptAt: null, attempts: 9 });
    expect(wiki.logged.slice(log).join('\n')).toContain('mail given up');
    mailbox.refusal = undefined;
    expect(await mails()).toEqual([]);
    const token = await recent(root.id);
    expect((await wiki.call('POST', `/v1/mails/${waits.id}/retry`, { token })).status).toBe(204);
    expect(await mails()).toHaveLength(1);
    expect(await waiting()).toEqual([]);
    expect((await wiki.call('POST', `/v1/mails/${waits.id}/retry`, { token })).status).toBe(404);
  });

  test('mail to a mailbox that does not exist is not tried again', async () => {
    mailbox.refusal = { code: 550, message: 'No such user' };
    await wiki.call('POST', '/v1/invitations', {
      token: await recent(root.id),
      json: { email: 'gone@example.org' },
    });
    await mails();
    mailbox.refusal = undefined;
    const [given] = await waiting();
    expect(given).toMatchObject({ to: 'gone@example.org', nextAttemptAt: null, attempts: 1 });
    const token = await recent(root.id);
    expect((await wiki.call('DELETE', `/v1/mails/${given.id}`, { token })).status).toBe(204);
    expect((await wiki.call('DELETE', `/v1/mails/${given.id}`, { token })).status).toBe(404);
  });

  test('a mail that is sent again has the same Message-ID, by which mailboxes know it', async () => {
    mailbox.isForgetful = true;
    const json = { email: 'twice@example.org' };
    await wiki.call('POST', '/v1/invitations', { token: await recent(root.id), json });
    const [first] = await mails();
    mailbox.isForgetful = false;
    now += minute;
    const again = await mails();
    expect(again.map(({ messageId }) => messageId)).toEqual([first?.messageId]);
    expect(first?.messageId).toMatch(/^<[0-9a-f]{32}@example\.org>$/);
  });

  test('several processes share the queue, and each mail is sent once', async () => {
    const { store } = wiki.app.service;
    // Due in the future, or the server would send some of them meanwhile.
    const due = now + minute;
    for (let at = 0; at < 30; at++)
      await store.mails.insert({ kind: 'test', address: `t${at}@example.org` }, due);
    const taken = await Promise.all([0, 1, 2].map(() => store.mails.take(due, due + minute, 20)));
    const ids = taken.flat().map(({ id }) => id);
    expect(ids).toHaveLength(30);
    expect(new Set(ids).size).toBe(30);
    // Taken by a process that was killed: these mails become due again later.
    expect(await mails()).toEqual([]);
    now += 3 * minute;
    await mails();
    // The server may send some of them at the same time.
    await expect.poll(() => mailbox.received).toHaveLength(30);
  });

  test('members cannot see the queue', async () => {
    const token = await recent(ada.id);
    const refused = [
      await wiki.call('GET', '/v1/mails', { token }),
      await wiki.call('POST', '/v1/mails/1/link', { token }),
      await wiki.call('POST', '/v1/mails/1/retry', { token }),
      await wiki.call('DELETE', '/v1/mails/1', { token }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect((await wiki.call('GET', '/v1/mails')).status).toBe(401);
  });

  test('name and passphrase can be changed by API as on the site', async () => {
    const token = await recent(ada.id);
    const renamed = await wiki.call('PATCH', '/v1/members/me', { token, json: { name: 'Ada L.' } });
    expect(renamed.json).toMatchObject({ id: ada.id, name: 'Ada L.', isAdmin: false });
    const change = (current: string) =>
      wiki.call('POST', '/v1/members/me/passphrase', { token, json: { current, pass } });
    expect((await change('wrong')).json.errors[0].pointer).toBe('/current');
    expect((await change(newPass)).status).toBe(204);
    expect((await wiki.call('GET', '/v1/members/me', { token })).status).toBe(401);
    expect((await signIn(ada.email, pass)).status).toBe(200);
    await mails();
  });

  test('a blocked member is informed of reason and end', async () => {
    const token = await recent(root.id);
    const json = { reason: 'Advertisements', until: '2026-03-01T12:30:00Z' };
    const url = `/v1/members/${ada.id}/block`;
    expect((await wiki.call('POST', url, { token, json: { ...json, until: 'soon' } })).status).toBe(400);
    expect(await mails()).toEqual([]);
    await wiki.call('POST', url, { token, json });
    const [mail, ...more] = await mails();
    expect([mail?.to, more]).toMatchObject([{ value: [{ address: 'ada@example.net' }] }, []]);
    expect(mail?.text).toContain('blocked until 1 March 2026 at 12:30 UTC.');
    expect(mail?.text).toContain('Reason: Advertisements');
    await wiki.call('DELETE', url, { token });
  });

  test('a lost second factor and lost passkeys are removed at once, and the member is informed', async () => {
    const { store, tokens } = wiki.app.service;
    const session = await tokens.issue(await claimsFor(store, ada.id, { now }));
    const token = await recent(root.id);
    const url = `/v1/members/${ada.id}/second-factor`;
    const passkey = { memberId: ada.id, publicKey: 'AA', counter: 0, isSynced: false, createdAt: now };
    for (const name of ['Phone', 'Key'])
      await store.passkeys.insert({ ...passkey, name, credentialId: name });
    await store.secondFactors.begin(ada.id, 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', now);
    await store.secondFactors.confirm(ada.id, now);
    expect((await wiki.call('DELETE', url, { token })).status).toBe(204);
    expect([await store.passkeys.listOf(ada.id), await store.secondFactors.find(ada.id)]).toEqual([
      [],
      undefined,
    ]);
    expect((await wiki.call('GET', '/v1/members/me', { token: session })).status).toBe(401);
    expect((await mails()).map(({ to, subject }) => [to, subject])).toMatchObject([
      [{ value: [{ address: ada.email }] }, 'Second factor reset at Testwood'],
    ]);
    const { json } = await wiki.call('GET', `/v1/audit?kind=second-factor-ended&member=${ada.id}`, { token });
    expect(json.entries.at(-1).note).toBe('by reset, passkeys removed: 2');
    const again = await wiki.call('DELETE', url, { token });
    expect([again.status, again.json.detail]).toEqual([
      404,
      expect.stringContaining('neither a second factor nor a passkey'),
    ]);
  });

  test('the command line sends a test and prints the reply of the server', async () => {
    const env = {
      COPPICE_MAIL: mailbox.url,
      COPPICE_MAIL_FROM: 'wiki@example.org',
      COPPICE_URL: 'https://wiki.example.org',
    };
    const data = { COPPICE_DATA: `${wiki.folder}/mail-command` };
    expect((await runCommand(['member', 'invite', '--admin'], { ...env, ...data })).code).toBe(0);
    const sent = await runCommand(['mail', 'test', 'ada@example.org'], { ...env, ...data });
    expect(sent).toMatchObject({ code: 0, out: 'The mail server accepted a test to ada@example.org.\n' });
    mailbox.refusal = { code: 550, message: 'No such user' };
    const refused = await runCommand(['mail', 'test', 'ada@example.org'], { ...env, ...data });
    mailbox.refusal = undefined;
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('No such user')]);
    expect((await runCommand(['mail', 'test', 'ada@example.org'], data)).err).toContain('COPPICE_MAIL');
    expect((await runCommand(['mail', 'retry', 'x'], data)).code).toBe(2);
  });
});

describe.each(engines)('without a mail server, on %s', (engine) => {
  let wiki: TestSite;
  beforeAll(async () => {
    wiki = await startSite({}, { engine });
  });
  afterAll(() => wiki.close());

  test('administrators pass on the link that would have been mailed', async () => {
    expect(await wiki.app.startMail(byHand)).toBeUndefined();
    const { store, passphrases, tokens } = wiki.app.service;
    const { id, email } = await wiki.member('Ada');
    await setPassphrase({ store, passphrases, now: Date.now() }, email, pass);
    const admin = await wiki.signedIn('Root', { isAdmin: true });
    const asked = await wiki.visitor().post('/login/forgot', { email });
    expect(asked.text).toContain('Request received');
    expect((await wiki.visitor().post('/login/forgot', { email: 'x' })).status).toBe(400);
    const [mail, ...more] = (await wiki.call('GET', '/v1/mails', { token: admin.token })).json;
    // Notices are not queued without a mail server.
    expect(more).toEqual([]);
    expect((await admin.get('/members/mail')).text).toContain('Show the link');
    const link = { what: 'link', id: String(mail.id) };
    // This administrator's session has no recorded recent sign-in.
    expect((await admin.post('/members/mail', link)).location).toBe('/login/again?next=%2Fmembers%2Fmail');
    const token = await tokens.issue({ ...(await claimsFor(store, admin.id)), signedInAt: Date.now() });
    const handed = await wiki.call('POST', `/v1/mails/${mail.id}/link`, { token });
    expect(handed.json).toMatchObject({ to: email, subject: expect.stringContaining('new passphrase') });
    const secret = handed.json.url.split('/').at(-1);
    const reset = await wiki.call('POST', '/v1/members/reset', { json: { token: secret, pass: newPass } });
    expect(reset.json.id).toBe(id);
    expect((await wiki.call('POST', `/v1/mails/${mail.id}/link`, { token })).status).toBe(404);
  });

  test('strangers cannot fill the queue', async () => {
    const { store } = wiki.app.service;
    const ask = (at: number) =>
      store.mails.insert({ kind: 'passphrase-forgotten', address: `s${at}@example.org` }, at);
    await store.transact(async (store) => {
      for (let at = 0; at < maxCausedByStrangers; at++)
        await store.mails.insert({ kind: 'passphrase-forgotten', address: `s${at}@example.org` }, at);
    });
    await ask(maxCausedByStrangers);
    expect(await store.mails.counts()).toEqual({ waiting: maxCausedByStrangers, failed: 0 });
    await store.mails.insert({ kind: 'test', address: 'a@example.org' }, 1);
    expect((await store.mails.counts()).waiting).toBe(maxCausedByStrangers + 1);
    await store.mails.removeOlderThan(maxCausedByStrangers);
    expect(await store.mails.counts()).toEqual({ waiting: 0, failed: 0 });
  });
});

test('too many wrong passphrases are reported to the member by mail, once a day', async () => {
  await using mailbox = await startMailbox();
  const settings = {
    COPPICE_MAIL: mailbox.url,
    COPPICE_MAIL_FROM: 'wiki@example.org',
    COPPICE_URL: 'https://wiki.example.org',
    COPPICE_RATE_LIMIT: 'on',
  };
  const wiki = await startSite(settings);
  const loop = await wiki.app.startMail(byHand);
  const { email } = await wiki.member('Ada');
  const tries = failureRates.perAccountAndAddress.max + 3;
  for (let at = 0; at < tries; at++) await wiki.visitor().post('/login', { email, pass: 'wrong' });
  await loop?.sendDue();
  expect(mailbox.received.map(({ subject }) => subject)).toEqual(['Wrong passphrases at Coppice']);
  await wiki.close();
});
