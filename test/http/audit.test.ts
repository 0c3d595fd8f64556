/** The audit log: every route that declares entries writes them, who may read it, and how its size stays bounded. */
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { inviteMember } from '#core/joining/invite-member.ts';
import { addMember } from '#core/members/manage-members.ts';
import { auditKinds } from '#core/model/audit-kinds.ts';
import { makeResetLink } from '#core/sign-in/reset-passphrase.ts';
import { forgetOldEntries } from '#src/features/audit/audit.ts';
import { createAuthenticator } from '../support/authenticator.ts';
import { engines as cliEngines, startWiki } from '../support/cli.ts';
import { effort } from '../support/effort.ts';
import { type Answer, engines } from '../support/http.ts';
import { patience } from '../support/patience.ts';
import { proofFor } from '../support/proof.ts';
import { claimsFor } from '../support/sessions.ts';
import { passphrase as pass, type Shown, startSite, type TestSite, type Visitor } from '../support/web.ts';

const newPass = 'nine owls share one barn';
/** Passkeys need a host name that browsers trust without HTTPS. */
const origin = 'http://wiki.localhost';
const passkeys = '/v1/members/me/passkeys';
const day = 24 * 60 * 60_000;

/** Routes tested in `test/auth/audit.test.ts`, where there are providers, `test/auth/passkeys.test.ts`, and `strangers.test.ts`. */
const elsewhere = [
  ...['GET /login/with/:provider/return', 'POST /login/join', 'POST /account/unlink'],
  ...['POST /v1/members/auth/passkey', 'POST /login/passkey'],
  ...['POST /members/submissions', 'POST /v1/submissions/:id/approve'],
  ...['POST /v1/submissions/erase', 'POST /v1/submissions/refuse'],
];

/** Kinds that an operation declares and that only its other fields or faces write. */
const notHere: Record<string, string[]> = {
  'POST /files': ['permissions-changed'],
  'POST /move/*': ['permissions-changed'],
  'POST /v1/members/signout': ['sessions-ended'],
  'POST /invite/:token': ['sign-in-failed'],
  'POST /setup/:token': ['sign-in-failed'],
  'POST /login/confirm/:token': ['signed-in', 'sign-in-failed'],
  'POST /erase/*': ['member-erased'],
  'POST /members/:id/erase': ['content-erased'],
};

describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  let wiki: TestSite;
  let now = Date.UTC(2026, 4, 1);
  let made = 0;
  let root: Visitor & { token: string; id: number };

  beforeAll(async () => {
    wiki = await startSite(
      { COPPICE_URL: origin, COPPICE_SIGN_UP: 'approval' },
      { engine, clock: () => now, proofCost: 1 },
    );
    const { id } = await wiki.member('Root', { isAdmin: true });
    root = { ...(await browserOf(id)), id, token: await recentToken(id) };
  });
  afterAll(() => wiki.close());

  const recentToken = async (id: number, isBrowser = false) => {
    const { store, tokens } = wiki.app.service;
    return tokens.issue({ ...(await claimsFor(store, id, { now, isBrowser })), signedInAt: now });
  };
  const browserOf = async (id: number) => {
    const visitor = wiki.visitor();
    visitor.cookies.set('coppice', await recentToken(id, true));
    return visitor;
  };
  /** Member with a passphrase and a recent sign-in. */
  const somebody = async () => {
    const name = `Member ${++made}`;
    const email = `member${made}@example.org`;
    const { store, passphrases } = wiki.app.service;
    const input = { email, name, passphrase: pass, isAdmin: false };
    const { id } = await addMember(store, passphrases, input, now);
    return { id, name, email, token: await recentToken(id), browser: await browserOf(id) };
  };
  const ok = (answer: Answer | Shown) => {
    expect(answer.status, answer.text).toBeLessThan(400);
    return answer as Answer & Shown;
  };
  const entries = async (query: string) => ok(await wiki.call('GET', `/v1/audit?${query}`, root)).json;
  const lastPosition = async () => (await entries('before=0&limit=1')).next;
  const invitation = async () => {
    const { store, secrets } = wiki.app.service;
    return inviteMember({ store, secrets, actor: { memberId: root.id, name: '', isAdmin: true }, now }, {});
  };
  const joining = (token = '') => ({
    token,
    email: `joiner${++made}@example.org`,
    name: `Joiner ${made}`,
    pass,
  });
  const resetLink = async (id: number) =>
    (
      await makeResetLink(
        { store: wiki.app.service.store, secrets: wiki.app.service.secrets, by: 'command line', now },
        id,
      )
    ).token;
  /** Queues a mail with a link, as there is no mail server. */
  const mailFor = async (email: string) => {
    ok(await wiki.call('POST', '/v1/members/forgot', { json: { email } }));
    return ok(await wiki.call('GET', '/v1/mails', root)).json[0].id as number;
  };
  const addressToken = async (id: number, token: string) => {
    const email = `new${++made}@example.org`;
    ok(await wiki.call('POST', '/v1/members/me/email', { token, json: { email } }));
    const [mail] = ok(await wiki.call('GET', '/v1/mails', root)).json;
    const { url } = ok(await wiki.call('POST', `/v1/mails/${mail.id}/link`, root)).json;
    expect(id).toBeGreaterThan(0);
    return new URL(url).pathname.split('/').at(-1) ?? '';
  };
  /** Turns on a second factor by the API or the site. */
  const withFactor = async (member: Awaited<ReturnType<typeof somebody>>, form?: string) => {
    const url = '/v1/members/me/second-factor';
    const { secret } = ok(await wiki.call('POST', url, { token: member.token })).json;
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now });
    if (form) ok(await member.browser.post(form, { what: 'confirm', code }));
    else ok(await wiki.call('POST', `${url}/confirm`, { token: member.token, json: { code } }));
    return member;
  };
  /** Member with a passkey, added by the API or the site. */
  const withPasskey = async (form?: string) => {
    const member = await somebody();
    const { browser, token } = member;
    const device = createAuthenticator(origin);
    const { options } = ok(await wiki.call('POST', `${passkeys}/options`, { token })).json;
    const credential = device.create(options);
    if (form) ok(await browser.post(form, { what: 'add', credential: JSON.stringify(credential) }));
    else ok(await post(passkeys, { credential }, token));
    const [{ id: passkeyId }] = ok(await wiki.call('GET', passkeys, { token })).json;
    return { ...member, passkeyId };
  };
  /** Sign-up that awaits approval or address confirmation. */
  const signedUp = async (token?: string) => {
    const { store, passphrases, secrets } = wiki.app.service;
    const address = `stranger${++made}@example.org`;
    const asked = { email: address, name: `Stranger ${made}`, passphraseHash: await passphrases.hash(pass) };
    const waitingSince = token === undefined ? now : null;
    const request = { ...asked, createdAt: now, waitingSince, expiresAt: now + day };
    const { id } = (await store.signUps.insert(request, now)) ?? {};
    if (token !== undefined) await store.signUps.setToken(address, secrets.hash(token), now);
    return String(id);
  };
  const signingUp = async () => {
    const name = `Stranger ${++made}`;
    return { email: `stranger${made}@example.org`, name, pass, proof: await proofFor(wiki) };
  };
  const page = () => wiki.page(root.token, { title: `Page ${++made}`, permissions: 774 });
  const changeOf = async (path: string) =>
    ok(await wiki.call('GET', `/v1/history${path}`, root)).json[0].id as number;
  const trashed = async () =>
    ok(await wiki.call('DELETE', `/v1/pages${(await page()).path}`, root)).json.trash.id as number;
  const group = async () =>
    ok(await post('/v1/groups', { name: `Group ${++made}` }, root.token)).json.id as number;
  const joinedGroup = async () => {
    const url = `/v1/groups/${await group()}/members/${(await somebody()).id}`;
    ok(await wiki.call('PUT', url, root));
    return url;
  };
  const linked = async () =>
    ok(await post('/v1/links', { page: (await page()).path }, root.token)).json as { id: number };
  const blocked = async () => {
    const url = `/v1/members/${(await somebody()).id}/block`;
    ok(await post(url, { reason: 'Tests' }, root.token));
    return url;
  };
  const hookUrl = 'https://site.example.org/hook';
  const hook = async () => ok(await post('/v1/webhooks', { url: hookUrl }, root.token)).json.id as number;
  const post = (url: string, json: unknown, token?: string) =>
    wiki.call('POST', url, { json, ...(token === undefined ? {} : { token }) });
  const wrong = async (answer: Promise<Answer | Shown>) => expect((await answer).status).toBe(401);

  /** Requests that write an entry of each audit kind, by the route that declares the kinds. */
  const scenarios: Record<string, () => Promise<unknown>> = {
    async 'DELETE /v1/sessions/:id'() {
      const { id, token } = await somebody();
      const { sessionId } = await claimsFor(wiki.app.service.store, id, { now });
      ok(await wiki.call('DELETE', `/v1/sessions/${sessionId}`, { token }));
    },
    'POST /v1/members/signout': async () =>
      ok(await wiki.call('POST', '/v1/members/signout', { token: (await somebody()).token })),
    'POST /v1/tokens': async () =>
      ok(await post('/v1/tokens', { name: 'Bot', scopes: ['read'] }, (await somebody()).token)),
    async 'DELETE /v1/tokens/:id'() {
      const { token } = await somebody();
      const { id } = ok(await post('/v1/tokens', { name: 'Bot', scopes: ['read'] }, token)).json;
      ok(await wiki.call('DELETE', `/v1/tokens/${id}`, { token }));
    },
    'POST /v1/webhooks': hook,
    'PATCH /v1/webhooks/:id': async () =>
      ok(await wiki.call('PATCH', `/v1/webhooks/${await hook()}`, { ...root, json: { enabled: false } })),
    'DELETE /v1/webhooks/:id': async () =>
      ok(await wiki.call('DELETE', `/v1/webhooks/${await hook()}`, root)),
    'POST /members/webhooks': async () =>
      ok(await root.post('/members/webhooks', { url: hookUrl, 'kind-created': 'yes' })),
    async 'POST /members/webhooks/:id'() {
      const id = await hook();
      for (const what of ['disable', 'delete']) ok(await root.post(`/members/webhooks/${id}`, { what }));
    },
    async 'POST /v1/members/auth'() {
      const { email } = await somebody();
      ok(await post('/v1/members/auth', { email, pass }));
      await wrong(post('/v1/members/auth', { email, pass: 'not it at all' }));
    },
    'PATCH /v1/members/me': async () =>
      ok(
        await wiki.call('PATCH', '/v1/members/me', {
          token: (await somebody()).token,
          json: { name: `Renamed ${++made}` },
        }),
      ),
    async 'POST /v1/members/me/passphrase'() {
      const { token } = await somebody();
      const change = (current: string) =>
        post('/v1/members/me/passphrase', { current, pass: newPass }, token);
      expect((await change('not it at all')).status).toBe(400);
      ok(await change(pass));
    },
    async 'POST /v1/members/email'() {
      const { id, token } = await somebody();
      ok(await post('/v1/members/email', { token: await addressToken(id, token) }));
    },
    'POST /v1/pages/*': async () =>
      ok(await post(`/v1/pages${(await page()).path}`, { permissions: 700 }, root.token)),
    'POST /v1/mails/:id/link': async () =>
      ok(await post(`/v1/mails/${await mailFor((await somebody()).email)}/link`, {}, root.token)),
    'POST /v1/invitations': async () => ok(await post('/v1/invitations', {}, root.token)),
    'DELETE /v1/invitations/:id': async () =>
      ok(await wiki.call('DELETE', `/v1/invitations/${(await invitation()).id}`, root)),
    'POST /v1/invitations/accept': async () =>
      ok(await post('/v1/invitations/accept', joining((await invitation()).token))),
    'DELETE /v1/pages/*': trashed,
    'POST /v1/trash/:id/restore': async () =>
      ok(await post(`/v1/trash/${await trashed()}/restore`, {}, root.token)),
    'DELETE /v1/trash/:id': async () => ok(await wiki.call('DELETE', `/v1/trash/${await trashed()}`, root)),
    'POST /v1/members/:id/reset-link': async () =>
      ok(await post(`/v1/members/${(await somebody()).id}/reset-link`, {}, root.token)),
    async 'DELETE /v1/members/:id/reset-link'() {
      const { id } = await somebody();
      await resetLink(id);
      ok(await wiki.call('DELETE', `/v1/members/${id}/reset-link`, root));
    },
    'POST /v1/members/reset': async () =>
      ok(await post('/v1/members/reset', { token: await resetLink((await somebody()).id), pass: newPass })),

    async 'POST /login'() {
      const { email } = await somebody();
      await wrong(wiki.visitor().post('/login', { email, pass: 'not it at all' }));
      ok(await wiki.visitor().post('/login', { email, pass }));
    },
    async 'POST /logout'() {
      ok(await (await somebody()).browser.post('/logout', {}));
      ok(await (await somebody()).browser.post('/logout', { where: 'everywhere' }));
    },
    async 'POST /login/again'() {
      const { browser } = await somebody();
      await wrong(browser.post('/login/again', { pass: 'not it at all' }));
      ok(await browser.post('/login/again', { pass }));
    },
    async 'POST /invite/:token'() {
      const { token, ...fields } = joining((await invitation()).token);
      ok(await wiki.visitor().post(`/invite/${token}`, { ...fields, 'pass-again': pass }));
    },
    async 'POST /setup/:token'() {
      // Uses an invitation: the handler is the same, and set-up links need a wiki without members.
      const { token, ...fields } = joining((await invitation()).token);
      ok(await wiki.visitor().post(`/setup/${token}`, { ...fields, 'pass-again': pass }));
    },
    'POST /login/reset/:token': async () =>
      ok(
        await wiki.visitor().post(`/login/reset/${await resetLink((await somebody()).id)}`, {
          pass: newPass,
          'pass-again': newPass,
        }),
      ),
    async 'POST /account/email/:token'() {
      const { id, token } = await somebody();
      ok(await wiki.visitor().post(`/account/email/${await addressToken(id, token)}`, {}));
    },
    async 'POST /account/sessions'() {
      const { id, browser } = await somebody();
      const { sessionId } = await claimsFor(wiki.app.service.store, id, { now });
      ok(await browser.post('/account/sessions', { end: sessionId }));
      ok(await browser.post('/account/sessions', { end: 'others' }));
    },
    async 'POST /account'() {
      const { browser } = await somebody();
      ok(await browser.post('/account', { what: 'name', name: `Renamed ${++made}` }));
      const change = (current: string) =>
        browser.post('/account', { what: 'pass', current, pass: newPass, 'pass-again': newPass });
      expect((await change('not it at all')).status).toBe(400);
      ok(await change(pass));
    },
    async 'POST /account/tokens'() {
      const { browser, token } = await somebody();
      ok(await browser.post('/account/tokens', { name: 'Bot', 'scope-read': 'on' }));
      const [{ id }] = ok(await wiki.call('GET', '/v1/tokens', { token })).json;
      ok(await browser.post('/account/tokens', { revoke: String(id) }));
    },
    'POST /v1/permissions/*': async () =>
      ok(await post(`/v1/permissions${(await page()).path}`, { permissions: 700 }, root.token)),
    async 'POST /access/*'() {
      const { path } = await page();
      ok(await root.post(`/access${path}`, { what: 'save', permissions: '700' }));
    },
    'PUT /v1/protection/*': async () =>
      ok(
        await wiki.call('PUT', `/v1/protection${(await page()).path}`, {
          ...root,
          json: { level: 'administrators' },
        }),
      ),
    'PUT /v1/rules/*': async () =>
      ok(await wiki.call('PUT', `/v1/rules${(await page()).path}`, { ...root, json: { approvals: 1 } })),
    async 'POST /v1/proposals/:id/merge'() {
      const [{ path: edited }, { path: deleted }] = [await page(), await page()];
      const changes = [
        { action: 'edit', path: edited, permissions: 700 },
        { action: 'delete', path: deleted },
      ];
      const { id } = ok(await post('/v1/proposals', { title: 'Tidy', changes }, root.token)).json;
      ok(await post(`/v1/proposals/${id}/merge`, {}, root.token));
    },
    async 'POST /proposals/:id'() {
      const [{ path: edited }, { path: deleted }] = [await page(), await page()];
      const changes = [
        { action: 'edit', path: edited, permissions: 700 },
        { action: 'delete', path: deleted },
      ];
      const { id } = ok(await post('/v1/proposals', { title: 'Tidy', changes }, root.token)).json;
      ok(await root.post(`/proposals/${id}`, { merge: 'yes' }));
    },
    'POST /proposals/rules/*': async () =>
      ok(await root.post(`/proposals/rules${(await page()).path}`, { what: 'save', approvals: '1' })),
    'POST /protect/*': async () =>
      ok(await root.post(`/protect${(await page()).path}`, { level: 'moderators', hours: '24' })),
    async 'PATCH /v1/members/:id(^\\d+$)'() {
      const url = `/v1/members/${(await somebody()).id}`;
      for (const json of [{ role: 'reader' }, { isActive: false }, { isActive: true }])
        ok(await wiki.call('PATCH', url, { ...root, json }));
    },
    'POST /v1/members': async () => ok(await post('/v1/members', await signingUp())),
    async 'POST /v1/members/confirm'() {
      await signedUp('link one');
      ok(await post('/v1/members/confirm', { token: 'link one', pass }));
    },
    'POST /v1/sign-ups/:id/approve': async () =>
      ok(await post(`/v1/sign-ups/${await signedUp()}/approve`, {}, root.token)),
    'DELETE /v1/sign-ups/:id': async () =>
      ok(await wiki.call('DELETE', `/v1/sign-ups/${await signedUp()}`, root)),
    'POST /login/sign-up': async () =>
      ok(await wiki.visitor().post('/login/sign-up', { ...(await signingUp()), 'pass-again': pass })),
    async 'POST /login/confirm/:token'() {
      await signedUp('link-two');
      ok(await wiki.visitor().post('/login/confirm/link-two', { pass }));
    },
    async 'POST /members/waiting'() {
      for (const what of ['approve', 'refuse'])
        ok(await root.post('/members/waiting', { what, id: await signedUp() }));
    },
    'POST /v1/members/:id/block': blocked,
    'DELETE /v1/members/:id/block': async () => ok(await wiki.call('DELETE', await blocked(), root)),
    async 'POST /members/:id/block'() {
      const url = `/members/${(await somebody()).id}/block`;
      ok(await root.post(url, { what: 'block', reason: 'Tests', hours: '24' }));
      ok(await root.post(url, { what: 'unblock' }));
    },
    async 'PATCH /v1/settings'() {
      for (const json of [{ private: true }, { private: false }])
        ok(await wiki.call('PATCH', '/v1/settings', { token: root.token, json }));
    },
    async 'POST /settings'() {
      ok(await root.post('/settings', { what: 'close' }));
      ok(await wiki.call('PATCH', '/v1/settings', { token: root.token, json: { private: false } }));
    },
    'POST /v1/links': linked,
    async 'DELETE /v1/links/:id'() {
      const { id } = await linked();
      ok(await wiki.call('DELETE', `/v1/links/${id}`, { token: root.token }));
    },
    async 'POST /secret-links/*'() {
      const { path } = await page();
      ok(await root.post(`/secret-links${path}`, { make: 'yes' }));
      const [{ id }] = ok(await wiki.call('GET', `/v1/links?page=${path}`, { token: root.token })).json;
      ok(await root.post(`/secret-links${path}`, { revoke: String(id) }));
    },
    async 'PUT /v1/access/*'() {
      const grants = [{ member: root.id, may: 'read' }];
      ok(await wiki.call('PUT', `/v1/access${(await page()).path}`, { token: root.token, json: { grants } }));
    },
    'POST /v1/groups': async () => ok(await post('/v1/groups', { name: `Group ${++made}` }, root.token)),
    'POST /v1/groups/:id': async () =>
      ok(await post(`/v1/groups/${await group()}`, { name: `Group ${++made}` }, root.token)),
    'DELETE /v1/groups/:id': async () => ok(await wiki.call('DELETE', `/v1/groups/${await group()}`, root)),
    'PUT /v1/groups/:id/members/:memberId': joinedGroup,
    async 'DELETE /v1/groups/:id/members/:memberId'() {
      ok(await wiki.call('DELETE', await joinedGroup(), root));
    },
    async 'POST /members/groups'() {
      const { id: member, email } = await somebody();
      ok(await root.post('/members/groups', { what: 'make', name: `Group ${++made}` }));
      const id = String(await group());
      const send = (what: string, fields = {}) => root.post('/members/groups', { what, id, ...fields });
      ok(await send('rename', { name: `Group ${++made}` }));
      ok(await send('join', { email }));
      ok(await send('leave', { member: String(member) }));
      ok(await send('delete'));
    },
    async 'POST /v1/members/me/second-factor/confirm'() {
      await withFactor(await somebody());
    },
    async 'POST /v1/members/me/second-factor/recovery-codes'() {
      const { token } = await withFactor(await somebody());
      ok(await post('/v1/members/me/second-factor/recovery-codes', {}, token));
    },
    async 'DELETE /v1/members/me/second-factor'() {
      const { token } = await withFactor(await somebody());
      ok(await wiki.call('DELETE', '/v1/members/me/second-factor', { token }));
    },
    async 'DELETE /v1/members/:id/second-factor'() {
      const { id } = await withFactor(await somebody());
      ok(await wiki.call('DELETE', `/v1/members/${id}/second-factor`, root));
    },
    async 'POST /account/second-factor'() {
      const { browser } = await withFactor(await somebody(), '/account/second-factor');
      ok(await browser.post('/account/second-factor', { what: 'codes' }));
      ok(await browser.post('/account/second-factor', { what: 'end' }));
    },
    [`POST ${passkeys}`]: () => withPasskey(),
    async [`DELETE ${passkeys}/:id`]() {
      const { token, passkeyId } = await withPasskey();
      ok(await wiki.call('DELETE', `${passkeys}/${passkeyId}`, { token }));
    },
    async 'POST /account/passkeys'() {
      const { browser, passkeyId } = await withPasskey('/account/passkeys');
      ok(await browser.post('/account/passkeys', { what: 'remove', id: String(passkeyId) }));
    },
    'POST /v1/members/me/leave': async () =>
      ok(await post('/v1/members/me/leave', { name: 'keep' }, (await somebody()).token)),
    async 'DELETE /v1/members/me/identities'() {
      const { id, token } = await somebody();
      const [issuer, subject] = ['https://github.com', `${made}`];
      const account = { provider: 'github', account: 'ada', linkedAt: now };
      await wiki.app.service.store.identities.insert({ ...account, issuer, subject, memberId: id });
      const url = '/v1/members/me/identities';
      const listed = ok(await wiki.call('GET', url, { token })).json;
      expect(listed).toEqual([{ ...account, issuer, subject, linkedAt: new Date(now).toISOString() }]);
      const one = `${url}?issuer=${encodeURIComponent(issuer)}&subject=${subject}`;
      expect((await wiki.call('DELETE', one, root)).status).toBe(404);
      ok(await wiki.call('DELETE', one, { token }));
      expect(ok(await wiki.call('GET', url, { token })).json).toEqual([]);
    },
    'GET /v1/members/me/export': async () =>
      ok(await wiki.call('GET', '/v1/members/me/export', { token: (await somebody()).token })),
    'GET /account/data': async () => ok(await (await somebody()).browser.get('/account/data')),
    'POST /account/leave': async () =>
      ok(await (await somebody()).browser.post('/account/leave', { name: 'remove' })),
    'POST /v1/notifications/feed': async () =>
      ok(await wiki.call('POST', '/v1/notifications/feed', { token: (await somebody()).token })),
    'DELETE /v1/notifications/feed': async () =>
      ok(await wiki.call('DELETE', '/v1/notifications/feed', { token: (await somebody()).token })),
    async 'POST /account/watches'() {
      const { browser } = await somebody();
      ok(await browser.post('/account/watches', { what: 'feed' }));
      ok(await browser.post('/account/watches', { what: 'no-feed' }));
    },
    async 'POST /members'() {
      const { id } = await somebody();
      for (const role of ['moderator', 'writer'])
        ok(await root.post('/members', { what: 'role', role, id: String(id) }));
      for (const what of ['deactivate', 'activate', 'reset', 'revoke-reset'])
        ok(await root.post('/members', { what, id: String(id) }));
      await withFactor(await somebody()).then(({ id }) =>
        root.post('/members', { what: 'reset-factor', id: String(id) }),
      );
      ok(await root.post('/members', { what: 'invite' }));
      const invitationId = String((await invitation()).id);
      ok(await root.post('/members', { what: 'revoke-invitation', id: invitationId }));
    },
    'POST /members/mail': async () =>
      ok(
        await root.post('/members/mail', {
          what: 'link',
          id: String(await mailFor((await somebody()).email)),
        }),
      ),
    async 'POST /delete/*'() {
      const { path } = await page();
      ok(await root.post(`/delete${path}`, { seen: String(await changeOf(path)) }));
    },
    'POST /v1/members/:id/undo': async () =>
      ok(
        await post(
          `/v1/members/${(await somebody()).id}/undo`,
          { since: '2020-01-01T00:00:00Z' },
          root.token,
        ),
      ),
    async 'POST /v1/erase'() {
      const { path } = await page();
      const changes = [await changeOf(path)];
      ok(await post(`/v1/pages${path}`, { body: 'Else.' }, root.token));
      ok(await post('/v1/erase', { path, changes, reason: 'x' }, root.token));
      ok(await post('/v1/erase', { member: (await somebody()).id, reason: 'x' }, root.token));
    },
    async 'POST /erase/*'() {
      const { path } = await page();
      const change = String(await changeOf(path));
      ok(await post(`/v1/pages${path}`, { body: 'Else.' }, root.token));
      ok(await root.post(`/erase${path}`, { change, reason: 'x', sure: 'yes' }));
    },
    'POST /members/:id/undo': async () =>
      ok(await root.post(`/members/${(await somebody()).id}/undo`, { since: '0' })),
    'POST /members/:id/erase': async () =>
      ok(await root.post(`/members/${(await somebody()).id}/erase`, { reason: 'x', sure: 'yes' })),
    async 'POST /trash'() {
      ok(await root.post('/trash', { what: 'restore', id: String(await trashed()) }));
      ok(await root.post('/trash', { what: 'purge', id: String(await trashed()) }));
    },
    async 'POST /new'() {
      await signsInWhileWriting('/new', { title: `Page ${++made}` });
    },
    async 'POST /edit/*'() {
      const { path } = await page();
      await signsInWhileWriting(`/edit${path}`, { title: 'Page', body: 'Text.' });
      ok(
        await root.post(`/edit${path}`, { intent: 'save', title: 'Page', body: 'Text.', permissions: '700' }),
      );
    },
  };

  /** Signs in by an edit form that was opened in an earlier session. */
  const signsInWhileWriting = async (url: string, fields: Record<string, string>) => {
    const { email } = await somebody();
    const sent = { intent: 'save', body: '', ...fields, 'session-email': email };
    const visitor = wiki.visitor();
    expect((await visitor.post(url, { ...sent, 'session-pass': 'not it at all' })).status).toBe(401);
    ok(await visitor.post(url, { ...sent, 'session-pass': pass }));
  };

  const routesOf = () =>
    wiki.app.routes.routes.flatMap(({ method, url, config }) =>
      [method]
        .flat()
        // HEAD has the same handler as GET.
        .filter((one) => one !== 'HEAD')
        .map((one) => {
          const name = `${one} ${url}`;
          return {
            name,
            method: one,
            kinds: config?.audit?.filter((kind) => !notHere[name]?.includes(kind)),
          };
        }),
    );

  test('every route that changes something declares its log entries, and each such route is tried here', () => {
    const changing = routesOf().filter(({ method }) => !/^(GET|OPTIONS)$/.test(method));
    const silent = changing.filter(({ kinds }) => kinds === undefined).map(({ name }) => name);
    expect(silent, 'config.audit is missing: kinds, or [] where the log tells nothing of it').toEqual([]);
    const declaring = routesOf().filter(({ kinds }) => kinds && kinds.length > 0);
    const names = declaring.map(({ name }) => name);
    expect(names.filter((name) => !elsewhere.includes(name)).sort()).toEqual(Object.keys(scenarios).sort());
    const known = new Set(declaring.flatMap(({ kinds = [] }) => kinds));
    // Only the command line and the wiki itself write these kinds.
    known.add('member-added').add('erasure-finished');
    expect(auditKinds.filter((kind) => !known.has(kind as never))).toEqual([]);
  });

  test.each(Object.keys(scenarios))('%s writes its entries, with actor and origin', async (name) => {
    const kinds = routesOf().find((route) => route.name === name)?.kinds ?? [];
    const before = await lastPosition();
    await scenarios[name]?.();
    const via = name.includes(' /v1/') ? 'api' : 'site';
    const found = await vi.waitFor(async () => {
      const { entries: found } = await entries(`after=${before}&limit=1000`);
      const ours = found.filter((one: { via: string }) => one.via === via);
      // Failed sign-ins are logged when the response is sent.
      expect(ours.map(({ kind }: { kind: string }) => kind)).toEqual(expect.arrayContaining([...kinds]));
      return ours;
    }, patience);
    for (const kind of kinds) {
      const entry = found.find((one: { kind: string }) => one.kind === kind);
      expect(entry.from).toBe('127.0.0.1');
      expect(Date.parse(entry.at)).toBe(now);
      const isByStranger = kind === 'sign-in-failed' || kind === 'signed-up' || /reset\b(?!-)/.test(name);
      if (!isByStranger) expect(entry.actor?.id).toBeGreaterThan(0);
      expect(entry.subject).not.toBeNull();
    }
  });

  test('only administrators read the log, from either end, by kind and member; its pages together are complete', async () => {
    const { id, token, browser } = await somebody();
    ok(await wiki.call('PATCH', '/v1/members/me', { token, json: { name: `Renamed ${++made}` } }));
    expect((await wiki.call('GET', '/v1/audit')).status).toBe(401);
    const refused = await wiki.call('GET', '/v1/audit', { token });
    expect([refused.status, refused.json.type]).toEqual([403, '/v1/docs#problem-administrators-only']);
    expect((await browser.get('/members/audit')).status).toBe(403);

    const all = await entries('limit=1000');
    expect(all.entries.length).toBeGreaterThan(60);
    const pieces = [];
    for (let next = 0; ; ) {
      const piece = await entries(`after=${next}&limit=7`);
      if (piece.entries.length === 0) {
        expect(piece.next).toBe(next);
        break;
      }
      pieces.push(...piece.entries);
      next = piece.next;
    }
    expect(pieces).toEqual(all.entries);
    const backwards = [];
    for (let next = 0; ; ) {
      const piece = await entries(`before=${next}&limit=9`);
      if (piece.entries.length === 0) break;
      backwards.push(...piece.entries);
      next = piece.next;
    }
    expect(backwards).toEqual(all.entries.toReversed());

    const own = (await entries(`member=${id}`)).entries;
    expect(own.map(({ kind }: { kind: string }) => kind)).toEqual([
      'member-added',
      'signed-in',
      'signed-in',
      'member-renamed',
    ]);
    expect(own[3]).toMatchObject({
      actor: { id, name: `Renamed ${made}` },
      subject: { kind: 'member', id, name: `Renamed ${made}` },
      via: 'api',
      token: null,
      times: 1,
    });
    const two = await entries('kind=page-deleted,page-purged');
    expect(new Set(two.entries.map(({ kind }: { kind: string }) => kind))).toEqual(
      new Set(['page-deleted', 'page-purged']),
    );
    for (const query of ['kind=nonsense', 'after=-1', 'limit=0', 'member=x', 'before=1.5'])
      expect((await wiki.call('GET', `/v1/audit?${query}`, root)).status, query).toBe(400);
  });

  test('requests can neither change nor remove entries', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const)
      for (const url of ['/v1/audit', '/v1/audit/1'])
        expect([404, 405]).toContain((await wiki.call(method, url, root)).status);
  });

  test('entries name the API token that was used, and refused requests are not recorded', async () => {
    const made = ok(await post('/v1/tokens', { name: 'Other', scopes: ['write', 'read'] }, root.token)).json;
    const { path } = await page();
    const before = await lastPosition();
    ok(await post(`/v1/pages${path}`, { permissions: 740 }, made.token));
    expect((await post(`/v1/pages${path}`, { permissions: 888 }, made.token)).status).toBe(400);
    expect((await post(`/v1/pages${path}`, { permissions: 770, path: '/search' }, made.token)).status).toBe(
      400,
    );
    expect((await entries(`after=${before}`)).entries).toMatchObject([
      {
        kind: 'permissions-changed',
        token: made.id,
        note: '774 → 740',
        subject: { kind: 'page', name: path },
      },
    ]);
  });

  test('an entry exists if and only if its action was committed', async () => {
    const { store } = wiki.app.service;
    const before = await lastPosition();
    const failing = store.transact(async (store) => {
      await store.audit.record({ kind: 'page-deleted' });
      throw new Error('after the entry');
    });
    await expect(failing).rejects.toThrow('after the entry');
    const all = Array.from({ length: 20 }, () =>
      store.transact((store) => store.audit.record({ kind: 'page-deleted', note: 'together' })),
    );
    await Promise.all(all);
    const { entries: found } = await entries(`after=${before}&limit=1000`);
    expect(
      found.map(({ note, via, actor, from }: Record<string, unknown>) => [note, via, actor, from]),
    ).toEqual(Array.from({ length: 20 }, () => ['together', 'wiki', null, null]));
  });

  test('failed sign-ins share one entry for each account, address and hour, with a limit of a few hundred', async () => {
    now += 2 * 60 * 60_000;
    root = { ...root, token: await recentToken(root.id) };
    const { id, email } = await somebody();
    const before = await lastPosition();
    for (let i = 0; i < 5; i++)
      await wrong(post('/v1/members/auth', { email, pass: `wrong ${i} wrong wrong` }));
    await wrong(post('/v1/members/auth', { email: 'a secret typed here', pass: 'wrong wrong wrong' }));
    await wrong(post('/v1/members/auth', { provider: 'alpha', id: 'nonsense' }));
    const failures = async () => (await entries(`after=${before}&kind=sign-in-failed&limit=1000`)).entries;
    await vi.waitFor(
      async () => expect(await failures()).toMatchObject([{ times: 5 }, { times: 2 }]),
      patience,
    );
    expect(await failures()).toMatchObject([
      { subject: { kind: 'member', id }, actor: null, from: '127.0.0.1', via: 'api' },
      { subject: null, actor: null, from: '127.0.0.1' },
    ]);
    expect(JSON.stringify(await failures())).not.toContain('secret');

    const { countFailedSignIn } = await import('#core/sign-in/count-failed-sign-in.ts');
    for (let i = 0; i < 230; i++) {
      const from = `198.51.100.${i}`;
      await countFailedSignIn(wiki.app.service.store, { email, from, via: 'site', at: now });
    }
    const many = await failures();
    expect(many).toHaveLength(201);
    expect(many.at(-1)).toMatchObject({ subject: null, from: null, times: 32, note: 'from many addresses' });
    now += 60 * 60_000;
    root = { ...root, token: await recentToken(root.id) };
    await wrong(post('/v1/members/auth', { email, pass: 'wrong wrong wrong' }));
    await vi.waitFor(async () => expect(await failures()).toHaveLength(202), patience);
  });

  test('old entries are deleted, failed sign-ins sooner, and cursors of readers stay valid', async () => {
    const { store } = wiki.app.service;
    const start = await lastPosition();
    now += 91 * day;
    root = { ...root, token: await recentToken(root.id) };
    expect(await forgetOldEntries(store, 0, now)).toBeGreaterThan(200);
    expect((await entries('kind=sign-in-failed')).entries).toEqual([]);
    expect((await entries('kind=page-deleted')).entries.length).toBeGreaterThan(20);
    now += 700 * day;
    expect(await forgetOldEntries(store, 730, now)).toBeGreaterThan(20);
    root = { ...root, token: await recentToken(root.id) };
    const left = (await entries('limit=1000')).entries;
    expect(left.every(({ at }: { at: string }) => Date.parse(at) > now - 730 * day)).toBe(true);
    const { entries: later } = await entries(`after=${start}`);
    expect(later).toEqual(left);
    now += 800 * day;
    await forgetOldEntries(store, 1, now);
    root = { ...root, token: await recentToken(root.id) };
    // An entry is left, or positions would start over.
    expect((await entries(`after=${start}`)).entries.length).toBeGreaterThan(0);
  });

  test('the site shows the log to administrators, by kind and member, with everything escaped', async () => {
    const { token, id } = await somebody();
    const name = '<script>alert(1)</script>';
    ok(await wiki.call('PATCH', '/v1/members/me', { token, json: { name } }));
    root = { ...(await browserOf(root.id)), id: root.id, token: root.token };
    const { text } = ok(await root.get('/members/audit'));
    expect(text).toContain('Changed a name');
    expect(text).toContain('&lt;script&gt;alert(1)');
    expect(text).not.toContain('<script>alert(1)');
    const own = ok(await root.get(`/members/audit?member=${id}&kind=member-renamed`)).text;
    expect(own).toContain('Changed a name');
    expect(own).not.toContain('<td>Signed in');
    expect(ok(await root.get('/members')).text).toContain('href="/members/audit"');
  });
});

test.each(cliEngines)('the command line records its actions and prints the log, on %s', async (engine) => {
  await using wiki = await startWiki(engine);
  const { email } = await wiki.administrator();
  await wiki.coppice(['member', 'add', 'eve@example.org', '--name', 'Eve', '--no-passphrase']);
  await wiki.coppice(['member', 'promote', 'eve@example.org']);
  const { out, code } = await wiki.coppice(['audit']);
  expect(code).toBe(0);
  const lines = out.trimEnd().split('\n');
  expect(lines.at(-1)).toMatch(/\trole-changed\tcommand line\tmember \d+ Eve\twriter → administrator$/);
  expect(lines[0]).toContain('member-added');
  const json = await wiki.coppice(['audit', '--json', '--kind', 'role-changed', '--after', '0']);
  expect(JSON.parse(json.out)).toMatchObject({ kind: 'role-changed', via: 'command line', from: null });
  const own = await wiki.coppice(['audit', '--member', email, '--limit', '1']);
  expect(own.out.trimEnd().split('\n')).toHaveLength(1);
  expect(await wiki.coppice(['audit', '--limit', 'x'])).toMatchObject({ code: 2 });
  expect(await wiki.coppice(['audit', '--kind', 'nonsense'])).toMatchObject({ code: 1 });
  expect((await wiki.coppice(['audit', '--member', 'nobody@example.org'])).err).toContain('No member');
});
