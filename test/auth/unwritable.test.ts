/** Signing in where nothing can be written: only administrators, by every way that cannot be used twice for that. */
import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { setPassphrase } from '#core/members/manage-members.ts';
import { createAuthenticator } from '../support/authenticator.ts';
import { freshPostgres } from '../support/postgres.ts';
import { meddle } from '../support/rows.ts';
import { claimsFor } from '../support/sessions.ts';
import { startSite } from '../support/web.ts';

const pass = 'correct horse battery staple';

test('administrators sign in by code and passkey, while recovery codes have to wait', async () => {
  await using postgres = await freshPostgres();
  let now = Date.now();
  const settings = { DATABASE_URL: postgres.url, COPPICE_URL: 'http://localhost' };
  const wiki = await startSite(settings, { clock: () => now });
  const name = new URL(postgres.url).pathname.slice(1);
  const setReadOnly = (word: string) =>
    meddle(
      postgres.config,
      `set transaction read write; alter database ${name} set default_transaction_read_only = ${word};
      select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`,
    );
  try {
    const { store, passphrases, tokens } = wiki.app.service;
    const withFactors = async (title: string, isAdmin: boolean) => {
      const { id, email } = await wiki.member(title, { isAdmin });
      await setPassphrase({ store, passphrases, now }, email, pass);
      const token = await tokens.issue({ ...(await claimsFor(store, id, { now })), signedInAt: now });
      const call = async (path: string, json?: object) => {
        const answer = await wiki.call('POST', `/v1/members/me/${path}`, {
          token,
          ...(json ? { json } : {}),
        });
        expect(answer.status, answer.text).toBe(200);
        return answer.json;
      };
      const { secret } = await call('second-factor');
      const totp = new TOTP({ secret: Secret.fromBase32(secret) });
      const code = (at = now) => totp.generate({ timestamp: at });
      const { recoveryCodes } = await call('second-factor/confirm', { code: code() });
      const device = createAuthenticator('http://localhost');
      await call('passkeys', { credential: device.create((await call('passkeys/options')).options) });
      return { email, code, recoveryCodes: recoveryCodes as string[], device };
    };
    const root = await withFactors('Root', true);
    const ada = await withFactors('Ada', false);
    now += 30_000;
    const [signIn, byPasskey] = [
      async (email: string, code: string) => {
        const { status, text } = await wiki.call('POST', '/v1/members/auth', { json: { email, pass, code } });
        return { status, text };
      },
      async (credential: object) =>
        (await wiki.call('POST', '/v1/members/auth/passkey', { json: { credential } })).status,
    ];
    const answerOf = async (device: typeof root.device) => {
      const begun = await wiki.call('POST', '/v1/members/auth/passkey/options');
      return device.get(begun.json.options);
    };
    await setReadOnly('on');
    await wiki.call('POST', '/v1/pages', { token: 'none', json: { title: 'X' } });
    // The first attempt finds out that nothing can be written.
    const used = root.code();
    const { status, text } = await signIn(root.email, used);
    expect(status).toBe(200);
    expect((await wiki.call('GET', '/v1/audit', { token: text })).status).toBe(200);
    expect((await signIn(root.email, used)).status).toBe(401);
    // Its statements are sent with the commit, and the refusal is as certain.
    const named = await wiki.call('PATCH', '/v1/settings', { token: text, json: { name: 'Other' } });
    expect([named.status, named.json.detail]).toEqual([503, expect.stringContaining('cannot be written')]);
    expect((await signIn(ada.email, ada.code())).status).toBe(503);

    const recovery = await signIn(root.email, root.recoveryCodes[0] ?? '');
    expect([recovery.status, recovery.text]).toEqual([503, expect.stringContaining('Each works only once')]);

    const answer = await answerOf(root.device);
    expect([await byPasskey(answer), await byPasskey(answer)]).toEqual([200, 401]);
    expect(await byPasskey(await answerOf(ada.device))).toBe(503);

    const visitor = wiki.visitor();
    now += 30_000;
    const asked = await visitor.post('/login', { email: root.email, pass });
    const ticket = /name="ticket" value="([^"]*)"/.exec(asked.text)?.[1] ?? '';
    const refused = await visitor.post('/login', { ticket, code: root.recoveryCodes[0] ?? '' });
    expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('Each works only once')]);
    const siteCode = root.code();
    expect((await visitor.post('/login', { ticket, code: siteCode })).status).toBe(303);
    expect((await visitor.get('/members')).status).toBe(200);

    now += 30_000;
    for (let wrong = 0; wrong < 5; wrong++) expect((await signIn(root.email, '000000')).status).toBe(401);
    expect((await signIn(root.email, root.code())).status).toBe(429);

    await setReadOnly('off');
    await expect.poll(async () => (await wiki.call('GET', '/readyz')).status, { interval: 200 }).toBe(200);
    // Codes and challenges that were used while nothing could be written stay used.
    expect((await signIn(root.email, siteCode)).status).toBe(401);
    expect(await byPasskey(answer)).toBe(401);
    expect((await signIn(root.email, root.recoveryCodes[0] ?? '')).status).toBe(200);
    expect((await signIn(root.email, root.recoveryCodes[0] ?? '')).status).toBe(401);
  } finally {
    await wiki.close();
  }
});
