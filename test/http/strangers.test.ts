/** Comments and proposals of people without an account: proof of work, bounds, what moderators do with them, and who sees what. */
import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everything } from '#core/model/permission.ts';
import type { MailLoop } from '#mail/mail-loop.ts';
import { maxSubmissionsPerDay } from '#src/features/strangers/strangers.ts';
import { type Answer, engines, type Method } from '../support/http.ts';
import { payload, proofFor } from '../support/proof.ts';
import { tokenFor } from '../support/sessions.ts';
import { byHand, mailSettings, startMailbox, type TestMailbox } from '../support/smtp.ts';
import { formFields, startSite, type TestSite, type Visitor } from '../support/web.ts';

const codeOf = ({ json }: Answer) => json.type?.split('#problem-')[1];
interface Logged {
  kind: string;
  via: string;
  note: string;
  actor: { name: string } | null;
  subject: { name: string } | null;
}

const day = 24 * 60 * 60_000;

describe.each(engines)('on %s', (engine) => {
  let now = Date.now();
  let wiki: TestSite;
  let mailbox: TestMailbox;
  let loop: MailLoop;
  let writer: { id: number; token: string };
  let moderator: { id: number; token: string };
  let root: { id: number; token: string };
  let stranger: Visitor;
  const call = (method: Method, url: string, who?: { token: string }, json?: unknown) =>
    wiki.call(method, url, { ...(who ? { token: who.token } : {}), ...(json === undefined ? {} : { json }) });
  const person = async () => ({ name: 'Grace', email: 'grace@example.org', proof: await proofFor(wiki) });
  const comment = async (json: object) =>
    call('POST', '/v1/submissions/comments', undefined, { ...(await person()), ...json });
  const propose = async (change: object, json: object = {}) =>
    call('POST', '/v1/submissions/proposals', undefined, {
      ...(await person()),
      ...{ title: 'Better', changes: [change] },
      ...json,
    });
  const waiting = async (who = moderator) => (await call('GET', '/v1/submissions', who)).json;
  const setting = (strangers: string, more = {}) =>
    call('PATCH', '/v1/settings', root, { strangers, ...more });

  beforeAll(async () => {
    mailbox = await startMailbox();
    wiki = await startSite(mailSettings(mailbox), { engine, proofCost: 1, clock: () => now });
    loop = (await wiki.app.startMail(byHand)) as MailLoop;
    root = await wiki.member('Root', { isAdmin: true });
    stranger = wiki.visitor();
    writer = await wiki.member('Wanda');
    moderator = await wiki.member('Mona');
    await call('PATCH', `/v1/members/${moderator.id}`, root, { role: 'moderator' });
  });
  afterAll(async () => {
    expect(await wiki.app.service.store.maintenance.violations(10)).toEqual([]);
    await wiki.close();
    await mailbox[Symbol.asyncDispose]();
  });
  /** The next day, as each address may submit only a few times on one. */
  const tomorrow = async () => {
    now += day;
    for (const who of [root, writer, moderator])
      who.token = await tokenFor(wiki.app.service, who.id, { now });
  };

  test('nothing is taken while it is off, in a private or read-only wiki, or from members', async () => {
    const { path } = await wiki.page(writer.token, { title: 'Shut', body: 'Words.' });
    const json = { name: 'Grace', proof: 'x', page: path, body: 'Hello' };
    const send = (who?: { token: string }) => call('POST', '/v1/submissions/comments', who, json);
    expect(codeOf(await call('GET', '/v1/members/challenge'))).toBe('sign-up-closed');
    expect((await send()).status).toBe(401);
    await setting('comments');
    expect((await send()).json.errors?.[0]?.pointer).toBe('/proof');
    expect(codeOf(await send(writer))).toBe('not-permitted');
    expect((await propose({ action: 'edit', path, body: 'x' })).status).toBe(401);
    // Forms are offered only for what can be sent.
    const closed = await wiki.page(writer.token, { title: 'Closed', comments: 'off' });
    const formOf = async (kind: string, of: string) => (await stranger.get(`/login/${kind}${of}`)).status;
    expect(await formOf('comment', path)).toBe(200);
    expect(await formOf('propose', path)).not.toBe(200);
    expect(await formOf('comment', closed.path)).toBe(403);
    await setting('proposals', { private: true });
    expect((await send()).status).toBe(401);
    expect((await stranger.get(`/login/comment${path}`)).status).not.toBe(200);
    await setting('proposals', { private: false });
    const proof = await proofFor(wiki);
    await setting('proposals', { readOnly: true });
    expect((await call('POST', '/v1/submissions/comments', undefined, { ...json, proof })).status).toBe(503);
    await setting('proposals', { readOnly: false });
    expect(await waiting()).toEqual([]);
  });

  test('a comment waits unseen, is approved once, and shows both names', async () => {
    await tomorrow();
    const { path } = await wiki.page(writer.token, { title: 'Roses', body: 'Roses were planted in 1912.' });
    const proof = await proofFor(wiki);
    const json = { name: 'Grace', email: 'grace@example.org', proof, page: path, body: 'By @Wanda?' };
    const quote = { text: 'planted in 1912' };
    const send = (more: object) => call('POST', '/v1/submissions/comments', undefined, { ...json, ...more });
    // Mistakes cost no proof.
    for (const [more, pointer] of [
      [{ name: ' ' }, '/name'],
      [{ email: 'grace' }, '/email'],
      [{ body: ' ' }, '/body'],
      [{ quote: { text: 'tulips' } }, '/quote/text'],
      [{ proof: payload({}, {}) }, '/proof'],
    ] as const)
      expect((await send(more)).json.errors[0].pointer).toBe(pointer);
    expect((await send({ page: '/none' })).status).toBe(404);
    expect((await send({ quote })).status).toBe(204);
    expect((await send({ quote })).json.errors[0].pointer).toBe('/proof');
    // Nobody sees it but moderators.
    for (const who of [undefined, writer]) {
      expect((await call('GET', `/v1/comments?page=${path}`, who)).json).toEqual([]);
      expect((await call('GET', '/v1/submissions', who)).status).toBe(who ? 403 : 401);
    }
    const [one, ...others] = await waiting();
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      ...{ kind: 'comment', name: 'Grace', email: 'grace@example.org', text: 'By @Wanda?' },
      ...{ page: { path }, quote: 'planted in 1912', title: null, changes: [] },
    });
    expect(one.from).not.toContain('127.');
    const approve = () => call('POST', `/v1/submissions/${one.id}/approve`, moderator);
    const answers = await Promise.all([approve(), approve()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    const [shown, ...rest] = (await call('GET', `/v1/comments?page=${path}`)).json;
    expect(rest).toEqual([]);
    expect(shown).toMatchObject({
      ...{ stranger: 'Grace', author: { name: 'Mona' }, mentions: [{ name: 'Wanda' }] },
      quote: { text: 'planted in 1912', state: 'present' },
    });
    expect(await waiting()).toEqual([]);
    const page = await stranger.get(`/comments${path}`);
    expect(page.text).toContain('Grace</bdi>, not a member');
    // Its author may edit or delete it no longer; a moderator can.
    expect((await call('DELETE', `/v1/comments/${shown.id}`, moderator)).status).toBe(204);
  });

  test('pages that are closed to comments, or read by members only, take none', async () => {
    await tomorrow();
    const off = await wiki.page(writer.token, { title: 'Off', body: 'x', comments: 'off' });
    const writers = await wiki.page(writer.token, { title: 'Writers', body: 'x', comments: 'writers' });
    const hidden = await wiki.page(writer.token, { title: 'Hidden', body: 'x', permissions: 770 });
    for (const { path } of [off, writers])
      expect(codeOf(await comment({ page: path, body: 'Hello' }))).toBe('not-permitted');
    const refused = await comment({ page: hidden.path, body: 'Hello' });
    const missing = await comment({ page: '/nowhere', body: 'Hello' });
    expect(refused.json.detail.replace(hidden.path, '')).toBe(missing.json.detail.replace('/nowhere', ''));
    // One that becomes hidden while a comment waits takes the comment along, as for moderators who may not read it.
    const open = await wiki.page(writer.token, { title: 'Open', body: 'x' });
    expect((await comment({ page: open.path, body: 'Waits' })).status).toBe(204);
    await call('POST', `/v1/pages${open.path}`, writer, { permissions: 700 });
    expect(await waiting()).toEqual([]);
    const [one] = await waiting(root);
    expect((await call('POST', `/v1/submissions/${one.id}/approve`, moderator)).status).toBe(404);
    const { json } = await call('POST', '/v1/submissions/refuse', moderator, { ids: [one.id] });
    expect(json).toEqual({ refused: 0 });
    expect((await call('POST', '/v1/submissions/refuse', root, { ids: [one.id] })).json).toEqual({
      refused: 1,
    });
  });

  test('a proposal becomes one of the moderator, and merges with what happened meanwhile', async () => {
    await tomorrow();
    const secret = await wiki.page(writer.token, { title: 'Secret', body: 'hidden words', permissions: 770 });
    const { path } = await wiki.page(writer.token, { title: 'Oak', body: 'One.\n\nTwo.\n\nThree.' });
    const body = `One.\n\nTwo.\n\nThree and {{subst:${secret.path}}}.`;
    expect((await propose({ action: 'edit', path, body })).status).toBe(204);
    expect((await propose({ action: 'edit', path: secret.path, body: 'x' })).json.errors[0].pointer).toBe(
      '/changes/0/path',
    );
    expect((await propose({ action: 'edit', path, body: 'x'.repeat(200_000) })).status).toBe(413);
    expect((await call('GET', '/v1/proposals', writer)).json).toEqual([]);
    await call('POST', `/v1/pages${path}`, writer, { body: 'First.\n\nTwo.\n\nThree.' });
    const [one] = await waiting();
    expect(one).toMatchObject({ kind: 'proposal', title: 'Better', changes: [{ action: 'edit', path }] });
    const { proposal } = (await call('POST', `/v1/submissions/${one.id}/approve`, moderator)).json;
    const shown = (await call('GET', `/v1/proposals/${proposal}`, writer)).json;
    expect(shown).toMatchObject({ stranger: 'Grace', author: { name: 'Mona' }, mergeable: true });
    expect((await call('POST', `/v1/proposals/${proposal}/merge`, writer, {})).status).toBe(200);
    const merged = (await wiki.pageAt(path, writer.token)).history.at(-1)?.content.body;
    expect(merged).toMatch(/^First\.\n\nTwo\.\n\nThree and /);
    expect(merged).not.toContain('hidden words');
    expect((await stranger.get(`/proposals/${proposal}`)).text).not.toContain('grace@example.org');
    // Fields that only members can give are left out, and files are not stored.
    const files = [{ file: { name: 'a.txt', data: Buffer.from('by a stranger').toString('base64') } }];
    const given = { action: 'edit', path, body: 'Less.', permissions: 700, comments: 'off', files };
    expect((await propose(given)).status).toBe(204);
    const { submissions } = await wiki.app.service.store.submissions.list(everything, {
      limit: 1,
      offset: 0,
    });
    expect(submissions[0]?.contents).toMatchObject({ change: { files: [] } });
    expect(submissions[0]?.contents).toHaveProperty('change.fields', { body: 'Less.' });
    const stored = await wiki.app.service.files.store.find(hash('sha256', 'by a stranger'));
    expect(stored).toBeUndefined();
    await call('POST', '/v1/submissions/refuse', moderator, { ids: [submissions[0]?.id] });
  });

  test('an address may submit a few times a day, and everything from it can be refused at once', async () => {
    await tomorrow();
    const { path } = await wiki.page(writer.token, { title: 'Spam', body: 'x' });
    for (let n = 0; n < maxSubmissionsPerDay; n++)
      expect((await comment({ page: path, body: `Buy ${n}` })).status).toBe(204);
    const refused = await comment({ page: path, body: 'Buy more' });
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
    await tomorrow();
    expect((await comment({ page: path, body: 'Buy again' })).status).toBe(204);
    const all = await waiting();
    expect(new Set(all.map(({ from }: { from: string }) => from)).size).toBe(1);
    // Not only those of the page of the list.
    const [one] = (await call('GET', '/v1/submissions?limit=1', moderator)).json;
    expect(one.ofSender).toBe(maxSubmissionsPerDay + 1);
    expect((await call('POST', '/v1/submissions/refuse', moderator, {})).status).toBe(400);
    const { json } = await call('POST', '/v1/submissions/refuse', moderator, { from: all[0].from });
    expect(json).toEqual({ refused: maxSubmissionsPerDay + 1 });
    expect(await waiting()).toEqual([]);
  });

  test('moderators are told on the site and by one mail a day, and decide there', async () => {
    await tomorrow();
    await loop.sendDue();
    const { path } = await wiki.page(writer.token, { title: 'Told', body: 'Tell.' });
    const form = await stranger.get(`/login/comment${path}?quote=Tell`);
    const challenge = await proofFor(wiki);
    const fields = {
      ...formFields(form.text, 'without-account'),
      proof: challenge,
      name: 'Grace',
      body: 'From the site',
    };
    expect(fields).toMatchObject({ quote: 'Tell' });
    const sent = await stranger.post(`/login/comment${path}`, fields);
    expect([sent.status, sent.headers.location]).toEqual([303, path]);
    const proposing = await stranger.get(`/login/propose${path}`);
    const change = {
      ...formFields(proposing.text, 'without-account'),
      proof: await proofFor(wiki),
      name: 'Grace',
    };
    expect(
      (await stranger.post(`/login/propose${path}`, { ...change, title: 'Say more', body: 'Tell all.' }))
        .status,
    ).toBe(303);
    mailbox.received.length = 0;
    await loop.sendDue();
    const told = mailbox.received.filter(({ text }) => text?.includes('/members/submissions'));
    expect(told).toHaveLength(2);
    const mona = wiki.visitor();
    mona.cookies.set(
      '__Host-coppice',
      await tokenFor(wiki.app.service, moderator.id, { now, isBrowser: true }),
    );
    expect((await mona.get('/account/notifications')).text).toContain('/members/submissions');
    const list = (await mona.get('/members/submissions')).text;
    expect(list).toContain('From the site');
    expect(list).toContain('Tell<ins> all</ins>.');
    expect(list).toContain('Refuse all 2 from this address');
    const [first, second] = await waiting();
    expect((await mona.post('/members/submissions', { approve: String(first.id) })).status).toBe(303);
    expect((await mona.post('/members/submissions', { what: 'marked', id: String(second.id) })).status).toBe(
      303,
    );
    expect(await waiting()).toEqual([]);
    expect((await call('GET', `/v1/comments?page=${path}`)).json[0]).toMatchObject({ body: 'From the site' });
  });

  test('everything that a stranger wrote can be erased by name', async () => {
    await tomorrow();
    const { path } = await wiki.page(writer.token, { title: 'Removed', body: 'Words.' });
    const edit = { action: 'edit', path, body: 'Words of Hopper.' };
    const name = 'Hopper';
    for (let n = 0; n < 2; n++)
      expect((await comment({ name, page: path, body: `Hopper ${n}` })).status).toBe(204);
    for (let n = 0; n < 2; n++)
      expect((await propose(edit, { name, title: `Hopper ${n}` })).status).toBe(204);
    const approved = [];
    for (const { id } of (await waiting()).slice(0, 3))
      approved.push((await call('POST', `/v1/submissions/${id}/approve`, moderator)).json);
    const [{ comment: first }, , { proposal }] = approved;
    await call('POST', '/v1/comments', writer, { replyTo: first, body: 'Indeed.' });
    expect((await call('POST', '/v1/submissions/erase', moderator, { name })).status).toBe(403);
    const { json } = await call('POST', '/v1/submissions/erase', root, { name });
    expect(json).toEqual({ submissions: 1, comments: 2, proposals: 1 });
    expect((await call('GET', `/v1/proposals/${proposal}`, moderator)).status).toBe(404);
    const { entries } = (await call('GET', '/v1/audit?before=0&limit=100', root)).json;
    const logged = entries.map(({ kind, via, actor }: Logged) => `${kind} by ${actor?.name}, ${via}`);
    expect(logged).toEqual(
      expect.arrayContaining([
        ...['submission-approved by Mona, api', 'submission-approved by Mona, site'],
        ...['submissions-refused by Mona, api', 'submissions-refused by Mona, site'],
        'stranger-erased by Root, api',
      ]),
    );
    const texts = entries.map(({ note, subject }: Logged) => `${note} ${subject?.name}`).join();
    expect(texts).not.toMatch(/Grace|Hopper|example\.org/);
    const left = (await call('GET', `/v1/comments?page=${path}`)).json;
    expect(left.map(({ body }: { body: string }) => body)).toEqual(['Indeed.']);
    expect((await wiki.pageAt(path, writer.token)).history).toHaveLength(1);
  });
});
