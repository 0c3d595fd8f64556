/** Signing up: by invitation only, with approval, open; with and without mail; proofs of work; the waiting list. */
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { maxWaiting } from '#core/joining/sign-up.ts';
import type { MailLoop } from '#mail/mail-loop.ts';
import { tidy } from '../../src/run/housekeeping.ts';
import { runCommand } from '../support/cli.ts';
import { type Answer, engines } from '../support/http.ts';
import { patience } from '../support/patience.ts';
import { payload, proofFor } from '../support/proof.ts';
import { tokenFor } from '../support/sessions.ts';
import { byHand, linkIn, mailSettings, startMailbox, type TestMailbox } from '../support/smtp.ts';
import { startSite, type TestSite } from '../support/web.ts';

const pass = 'correct horse battery staple';
const otherPass = 'nine owls share one barn';
const minute = 60_000;
const day = 24 * 60 * minute;
const email = (name: string) => `${name.toLowerCase()}@example.org`;
const pointers = ({ json }: Answer) => json.errors?.map(({ pointer }: { pointer: string }) => pointer);

/** Response to an anonymous caller, without what differs for each request. */
const told = ({ status, headers, text }: Answer) => [status, Object.keys(headers), text];

describe.each(engines)('on %s', (engine) => {
  // Real time, as the command line has no other clock.
  let now = Date.now();
  const clock = () => now;
  const start = (settings: Record<string, string>) => startSite(settings, { engine, clock, proofCost: 1 });
  const signingUp = (wiki: TestSite) => ({
    async signUp(name: string, more: Record<string, unknown> = {}) {
      const json = { email: email(name), name, pass, proof: await proofFor(wiki), ...more };
      return wiki.call('POST', '/v1/members', { json });
    },
    signIn: async (name: string, given = pass) =>
      (await wiki.call('POST', '/v1/members/auth', { json: { email: email(name), pass: given } })).status,
  });

  describe('with approval and without mail', () => {
    let wiki: TestSite;
    let root: { id: number; token: string };
    beforeAll(async () => {
      wiki = await start({ COPPICE_SIGN_UP: 'approval' });
      root = await wiki.member('Root', { isAdmin: true });
    });
    afterAll(() => wiki.close());
    beforeEach(async () => {
      root.token = await tokenFor(wiki.app.service, root.id, { now });
    });
    const waiting = async () => (await wiki.call('GET', '/v1/sign-ups', root)).json;

    test('a request waits until an administrator approves or refuses it, once', async () => {
      const { signUp, signIn } = signingUp(wiki);
      const before = (await wiki.call('GET', '/v1/audit?before=0&limit=1', root)).json.next;
      for (const name of ['Grace', 'Heidi', 'Ivan'])
        expect((await signUp(name)).json).toEqual({ next: 'wait' });
      expect(await signIn('Grace')).toBe(401);
      // A failed sign-in is recorded after its response.
      await vi.waitFor(async () => {
        const { entries } = (await wiki.call('GET', `/v1/audit?after=${before}&kind=sign-in-failed`, root))
          .json;
        expect(entries).toHaveLength(1);
      }, patience);
      const listed = await waiting();
      expect(listed.map(({ name }: { name: string }) => name)).toEqual(['Grace', 'Heidi', 'Ivan']);
      expect(listed[0]).toEqual({
        ...{ id: listed[0].id, email: 'grace@example.org', name: 'Grace' },
        waitingSince: new Date(now).toISOString(),
        expiresAt: new Date(now + 30 * day).toISOString(),
      });
      expect(JSON.stringify(listed)).not.toContain('argon2');
      const [grace, heidi, ivan] = listed.map(({ id }: { id: number }) => id);
      const approve = (id: number, json = {}) =>
        wiki.call('POST', `/v1/sign-ups/${id}/approve`, { ...root, json });
      const both = await Promise.all([approve(grace), approve(grace)]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
      expect(both.find(({ status }) => status === 200)?.json).toMatchObject({
        name: 'Grace',
        role: 'writer',
      });
      expect((await approve(heidi, { role: 'owner' })).status).toBe(400);
      expect((await approve(heidi, { role: 'reader' })).json).toMatchObject({
        name: 'Heidi',
        role: 'reader',
      });
      expect((await wiki.call('DELETE', `/v1/sign-ups/${ivan}`, root)).status).toBe(204);
      expect((await wiki.call('DELETE', `/v1/sign-ups/${ivan}`, root)).status).toBe(404);
      expect(await Promise.all(['Grace', 'Heidi', 'Ivan'].map((name) => signIn(name)))).toEqual([
        200, 200, 401,
      ]);
      expect(await waiting()).toEqual([]);
      const { entries } = (await wiki.call('GET', `/v1/audit?after=${before}`, root)).json;
      const kinds = entries.map(({ kind }: { kind: string }) => kind);
      expect(kinds.filter((kind: string) => kind.startsWith('sign'))).toEqual([
        ...['signed-up', 'signed-up', 'signed-up', 'sign-in-failed'],
        ...['sign-up-approved', 'sign-up-approved', 'sign-up-refused', 'signed-in', 'signed-in'],
      ]);
      expect(JSON.stringify(entries)).not.toContain('@');
    });

    test('the response is the same for every address, also for a waiting one: the first request stays', async () => {
      const { signUp, signIn } = signingUp(wiki);
      const unknown = await signUp('Judy');
      const again = await signUp('Judy', { name: 'Judith', pass: otherPass });
      const known = await signUp('Root', { name: 'Another', email: ' ROOT@example.org' });
      expect([told(again), told(known)]).toEqual([told(unknown), told(unknown)]);
      const [judy, rooted, ...more] = await waiting();
      expect([judy.name, rooted.name, more]).toEqual(['Judy', 'Another', []]);
      const approved = await wiki.call('POST', `/v1/sign-ups/${rooted.id}/approve`, { ...root, json: {} });
      expect([approved.status, pointers(approved)]).toEqual([400, ['/email']]);
      expect(await waiting()).toHaveLength(2);
      await wiki.call('DELETE', `/v1/sign-ups/${rooted.id}`, root);
      await wiki.call('POST', `/v1/sign-ups/${judy.id}/approve`, { ...root, json: {} });
      expect([await signIn('Judy'), await signIn('Judy', otherPass)]).toEqual([200, 401]);
    });

    test('invalid fields use up no proof; a proof works once, for an hour', async () => {
      const { signUp } = signingUp(wiki);
      const proof = await proofFor(wiki);
      expect(pointers(await signUp('Ken', { proof, email: 'x', name: '', pass: 'short' })).sort()).toEqual([
        '/email',
        '/name',
        '/pass',
      ]);
      expect(pointers(await signUp('Ken', { proof, pass: 'passwordpassword' }))).toEqual(['/pass']);
      const two = await Promise.all([signUp('Ken', { proof }), signUp('Lena', { proof })]);
      expect(two.map(({ status }) => status).sort()).toEqual([202, 400]);
      expect(pointers(two.find(({ status }) => status === 400) as Answer)).toEqual(['/proof']);
      const { json: challenge } = await wiki.call('GET', '/v1/members/challenge');
      const solution = await solveChallenge({ challenge, deriveKey });
      const { parameters, signature } = challenge;
      const easier = { ...challenge, parameters: { ...parameters, keyPrefix: '0' } };
      const later = { ...challenge, parameters: { ...parameters, data: { expires: now + day * 365 } } };
      const bad = [
        ...['', 'x', 'bnVsbA==', Buffer.from('{"challenge":{}}').toString('base64'), 'a'.repeat(5000)],
        ...[payload(easier, solution), payload(later, solution), payload({ parameters }, solution)],
        ...[payload({ parameters: null, signature }, solution), payload(challenge, null)],
        ...[
          payload(challenge, { ...solution, counter: -1 }),
          payload(challenge, { counter: 0, derivedKey: '00' }),
        ],
        payload({ parameters: { ...parameters, expiresAt: 1 }, signature }, solution),
      ];
      for (const proof of bad)
        expect([proof, pointers(await signUp('Mia', { proof }))]).toEqual([proof, ['/proof']]);
      now += 61 * minute;
      expect(pointers(await signUp('Mia', { proof: payload(challenge, solution) }))).toEqual(['/proof']);
      // A name that looks like a member's is refused, whoever is on the waiting list.
      expect(pointers(await signUp('Mia', { name: 'Rооt' }))).toEqual(['/name']);
    });

    test('only administrators see and decide, and requests change no byte for others', async () => {
      const bob = await wiki.signedIn('Bob');
      const urls = [
        '/login',
        '/members/1',
        '/v1/members/1',
        '/v1/sign-ups',
        '/members/waiting',
        '/login/sign-up',
      ];
      const seen = async () => {
        const shown = [];
        for (const url of urls) for (const one of [wiki.visitor(), bob]) shown.push(await one.get(url));
        return shown.map(({ status, location, text }) => [
          status,
          location,
          text.replace(/data-challenge="[^"]*"/, '').replaceAll(/[0-9a-f-]{36}/g, 'ID'),
        ]);
      };
      const before = await seen();
      expect((await signingUp(wiki).signUp('Nina')).status).toBe(202);
      expect(await seen()).toEqual(before);
      const { id } = (await waiting()).at(-1);
      for (const [who, status] of [
        [{}, 401],
        [bob, 403],
      ] as const) {
        expect((await wiki.call('GET', '/v1/sign-ups', who)).status).toBe(status);
        expect((await wiki.call('DELETE', `/v1/sign-ups/${id}`, who)).status).toBe(status);
        const approved = await wiki.call('POST', `/v1/sign-ups/${id}/approve`, { ...who, json: {} });
        expect(approved.status).toBe(status);
      }
    });

    test('the site links the sign-in page, the form and the list of requests', async () => {
      const stranger = wiki.visitor();
      expect((await stranger.get('/login')).text).toContain('<a href="/login/sign-up">Sign up</a>');
      const form = (await stranger.get('/login/sign-up')).text;
      expect(form).toContain('Signing up needs JavaScript');
      expect(form).toMatch(/data-challenge="\{&quot;parameters/);
      const fields = { name: 'Olga', email: email('Olga'), pass, 'pass-again': pass };
      const without = await stranger.post('/login/sign-up', { ...fields, proof: '' });
      expect([without.status, without.text.includes('value="Olga"')]).toEqual([400, true]);
      const differing = { ...fields, 'pass-again': 'x', proof: await proofFor(wiki) };
      expect((await stranger.post('/login/sign-up', differing)).status).toBe(400);
      const sent = await stranger.post('/login/sign-up', { ...fields, proof: await proofFor(wiki) });
      expect(sent.text).toContain('Request received');
      const admin = await wiki.signedIn('Sue', { isAdmin: true });
      expect((await admin.get('/members')).text).toMatch(/Sign-up requests<\/a> <span class="count">\d/);
      const bell = /<title>Notifications.*unread notification.*sign-up requests?<\/a>/s;
      expect((await admin.get('/account/notifications')).text).toMatch(bell);
      const max = await wiki.signedIn('Max');
      expect((await max.get('/account/notifications')).text).not.toContain('sign-up request');
      const list = (await admin.get('/members/waiting')).text;
      const [, id = ''] = /Olga<\/th>.*?name="id" value="(\d+)"/s.exec(list) ?? [];
      const decide = (what: string) => admin.post('/members/waiting', { what, id });
      expect((await decide('nothing')).status).toBe(400);
      expect((await decide('approve')).location).toBe('/members/waiting');
      expect((await decide('refuse')).status).toBe(404);
      expect(await signingUp(wiki).signIn('Olga')).toBe(200);
    });

    test('the command line lists, approves and refuses', async () => {
      const { signUp, signIn } = signingUp(wiki);
      for (const name of ['Paul', 'Quinn', 'Rita']) await signUp(name);
      const env = {
        COPPICE_DATA: wiki.folder,
        COPPICE_SIGN_UP_ROLE: 'reader',
        ...(wiki.databaseUrl ? { DATABASE_URL: wiki.databaseUrl } : {}),
      };
      const coppice = (...args: string[]) => runCommand(['member', ...args], env);
      const listed = JSON.parse((await coppice('waiting', '--json')).out);
      const idOf = (name: string) => String(listed.find((one: { name: string }) => one.name === name).id);
      expect((await coppice('waiting')).out).toContain('paul@example.org');
      expect((await coppice('approve', idOf('Paul'), '--role', 'king')).code).toBe(2);
      const approved = await coppice('approve', idOf('Paul'), '--role', 'moderator');
      expect(JSON.parse(approved.out)).toEqual({
        email: 'paul@example.org',
        name: 'Paul',
        role: 'moderator',
      });
      expect(JSON.parse((await coppice('approve', idOf('Rita'))).out).role).toBe('reader');
      expect(await coppice('refuse', idOf('Quinn'))).toMatchObject({ code: 0 });
      expect(await coppice('refuse', idOf('Quinn'))).toMatchObject({ code: 1, out: '' });
      expect([await signIn('Paul'), await signIn('Quinn')]).toEqual([200, 401]);
    });

    test('the list is limited, and requests without a decision expire after 30 days', async () => {
      const { store } = wiki.app.service;
      const { signUp } = signingUp(wiki);
      await store.transact(async (store) => {
        for (let i = (await waiting()).length; i < maxWaiting; i++)
          await store.signUps.insert(
            {
              ...{ email: `many${i}@example.org`, name: `Many ${i}`, passphraseHash: 'x', createdAt: now },
              ...{ waitingSince: now, expiresAt: now + 30 * day },
            },
            now,
          );
      });
      expect((await signUp('Ruth')).status).toBe(429);
      now += 30 * day;
      root.token = await tokenFor(wiki.app.service, root.id, { now });
      expect(await waiting()).toEqual([]);
      const wikiParts = { store, files: wiki.app.service.files };
      expect(await tidy(wikiParts, { trashDays: 0, auditDays: 0, dataFolder: wiki.folder }, now)).toBe(
        maxWaiting,
      );
      expect((await signUp('Ruth')).status).toBe(202);
    });
  });

  describe('with mail', () => {
    let mailbox: TestMailbox;
    let wiki: TestSite;
    let loop: MailLoop;
    beforeAll(async () => {
      mailbox = await startMailbox();
      wiki = await start({
        ...mailSettings(mailbox),
        COPPICE_SIGN_UP_ROLE: 'reader',
      });
      await wiki.app.service.store.settings.write({ signUp: 'open' }, 1, null);
      loop = (await wiki.app.startMail(byHand)) as MailLoop;
    });
    afterAll(async () => {
      await wiki.close();
      await mailbox[Symbol.asyncDispose]();
    });
    const mails = async () => {
      mailbox.received.length = 0;
      await loop.sendDue();
      return [...mailbox.received];
    };
    const tokenIn = (mail: (typeof mailbox.received)[number] | undefined) =>
      linkIn(mail).split('/').at(-1) ?? '';
    const confirm = (token: string, given = pass) =>
      wiki.call('POST', '/v1/members/confirm', { json: { token, pass: given } });

    test('the address is confirmed by link and passphrase, once, within a day', async () => {
      const { signUp, signIn } = signingUp(wiki);
      expect((await signUp('Sam')).json).toEqual({ next: 'confirm' });
      const token = tokenIn((await mails())[0]);
      expect(await signIn('Sam')).toBe(401);
      expect(pointers(await confirm(token, otherPass))).toEqual(['/pass']);
      const both = await Promise.all([confirm(token), confirm(token)]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
      expect(both.find(({ status }) => status === 200)?.json).toMatchObject({ name: 'Sam', role: 'reader' });
      expect(await signIn('Sam')).toBe(200);
      await signUp('Tim');
      const late = tokenIn((await mails())[0]);
      now += day;
      expect(pointers(await confirm(late))).toEqual(['/token']);
    });

    test('a member’s address gets a mail about the attempt, and the stranger learns nothing', async () => {
      const { signUp } = signingUp(wiki);
      const unknown = await signUp('Una');
      const known = await signUp('Sam', { name: 'Somebody' });
      expect(told(known)).toEqual(told(unknown));
      const sent = await mails();
      expect(sent.map((mail) => [mail.subject, linkIn(mail).slice(0, 14)]).sort()).toEqual([
        ['Confirm your address at Testwood', '/login/confirm'],
        ['You have an account at Testwood', '/login'],
      ]);
    });

    test('signing up with another person’s address gains nothing by their click; a second mail is delayed', async () => {
      const { signUp, signIn } = signingUp(wiki);
      await signUp('Vera');
      const token = tokenIn((await mails())[0]);
      now += minute;
      await signUp('Vera', { name: 'Villain', pass: otherPass });
      expect(await mails()).toEqual([]);
      expect(pointers(await confirm(token))).toEqual(['/pass']);
      now += 6 * minute;
      await signUp('Vera');
      const [mail] = await mails();
      expect(pointers(await confirm(token))).toEqual(['/token']);
      expect((await confirm(tokenIn(mail))).json.name).toBe('Vera');
      expect([await signIn('Vera'), await signIn('Vera', otherPass)]).toEqual([200, 401]);
    });

    test('the site confirms the address and signs in', async () => {
      const visitor = wiki.visitor();
      const fields = {
        name: 'Will',
        email: email('Will'),
        pass,
        'pass-again': pass,
        proof: await proofFor(wiki),
      };
      expect((await visitor.post('/login/sign-up', fields)).text).toContain('Check your mail');
      const [mail] = await mails();
      // Nobody has confirmed the address yet, and the name could be an advertisement.
      expect(mail?.text).not.toContain('Will');
      const link = linkIn(mail);
      expect((await visitor.get(link)).text).toContain('will@example.org');
      expect((await visitor.post(link, { pass: otherPass })).status).toBe(400);
      expect((await visitor.post(link, { pass })).location).toBe('/');
      expect((await visitor.get('/account')).text).toContain('Will');
      expect((await visitor.get(link)).status).toBe(404);
    });

    test('with approval, the waiting person is informed of the decision', async () => {
      const root = await wiki.member('Root', { isAdmin: true });
      const json = { signUp: 'approval' };
      expect((await wiki.call('PATCH', '/v1/settings', { token: root.token, json })).status).toBe(200);
      now += day - (now % day);
      const { signUp, signIn } = signingUp(wiki);
      const ask = async (name: string) => {
        await signUp(name);
        const confirmed = await confirm(tokenIn((await mails())[0]));
        expect([confirmed.status, confirmed.json]).toEqual([202, { next: 'wait' }]);
        return (await mails()).map(({ to, subject, text }) => [
          [to].flat()[0]?.text,
          subject,
          text?.split('\n')[2],
        ]);
      };
      // Administrators are notified once a day.
      const told = (words: string) => [
        ['"Root" <root@example.org>', 'Sign-up requests at Testwood', expect.stringContaining(words)],
      ];
      expect(await ask('Xena')).toEqual(told('somebody waits'));
      expect(await ask('Yuri')).toEqual([]);
      now += day;
      expect(await ask('Zack')).toEqual(told('3 people wait'));
      const administrator = { token: await tokenFor(wiki.app.service, root.id, { now }) };
      const [xena, yuri] = (await wiki.call('GET', '/v1/sign-ups', administrator)).json;
      await wiki.call('POST', `/v1/sign-ups/${xena.id}/approve`, { ...administrator, json: {} });
      await wiki.call('DELETE', `/v1/sign-ups/${yuri.id}`, administrator);
      expect((await mails()).map(({ subject }) => subject).sort()).toEqual([
        'Your account is ready at Testwood',
        'Your request to join Testwood',
      ]);
      expect([await signIn('Xena'), await signIn('Yuri')]).toEqual([200, 401]);
    });
  });

  test('open and without mail everybody becomes a member at once; using another’s address changes nothing', async () => {
    const wiki = await start({ COPPICE_SIGN_UP: 'open' });
    const { signUp, signIn } = signingUp(wiki);
    const unknown = await signUp('Zoe');
    expect(unknown.json).toEqual({ next: 'sign-in' });
    expect(told(await signUp('Zoe', { name: 'Zora', pass: otherPass }))).toEqual(told(unknown));
    expect([await signIn('Zoe'), await signIn('Zoe', otherPass)]).toEqual([200, 401]);
    await wiki.close();
  });
});

test('by default members need an invitation', async () => {
  const wiki = await startSite();
  const json = { email: 'a@example.org', name: 'A', pass, proof: '' };
  for (const answer of [
    await wiki.call('GET', '/v1/members/challenge'),
    await wiki.call('POST', '/v1/members', { json }),
    await wiki.call('POST', '/v1/members/confirm', { json: { token: 'x', pass } }),
  ])
    expect([answer.status, answer.json.type]).toEqual([403, '/v1/docs#problem-sign-up-closed']);
  expect((await wiki.visitor().get('/login')).text).not.toContain('/login/sign-up');
  expect((await wiki.visitor().get('/login/sign-up')).status).toBe(403);
  await wiki.close();
});

test('attempts are limited by address, on the site as by the API', async () => {
  const wiki = await startSite({ COPPICE_SIGN_UP: 'open', COPPICE_RATE_LIMIT: 'on' });
  const json = { email: 'a@example.org', name: 'A', pass: 'short', proof: '' };
  for (let i = 0; i < 30; i++) expect((await wiki.call('POST', '/v1/members', { json })).status).toBe(400);
  const refused = await wiki.call('POST', '/v1/members', { json });
  expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
  const visitor = wiki.visitor();
  expect((await visitor.post('/login/sign-up', { ...json, 'pass-again': 'short' })).status).toBe(429);
  await wiki.close();
});
