import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CompactEncrypt, EncryptJWT } from 'jose';
import { expect, test } from 'vitest';
import { tokenLifetimeMs } from '#core/ports/credentials.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { loadKeys, rotateKeyFile } from './keys.ts';
import { createPassphrases } from './passphrase.ts';
import { createSecrets } from './secret.ts';
import { createTokens } from './token.ts';

const cookieLifetimeMs = 30 * 24 * 60 * 60 * 1000;
const keyA = new Uint8Array(32).fill(1);
const keyB = new Uint8Array(32).fill(2);
const claims = { memberId: 7, epoch: 3, sessionId: 's', issuedAt: 1_700_000_000_000 };

test('a passphrase verifies only against its own hash', async () => {
  const passphrases = createPassphrases();
  const hash = await passphrases.hash('correct horse battery');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await passphrases.verify(hash, 'correct horse battery')).toBe(true);
  expect(await passphrases.verify(hash, 'correct horse batterz')).toBe(false);
  expect(await passphrases.verify(null, 'correct horse battery')).toBe(false);
  expect(await passphrases.verify(null, 'nobody has this passphrase')).toBe(false);
});

test('composed and decomposed letters are the same passphrase', async () => {
  const passphrases = createPassphrases();
  const hash = await passphrases.hash('café au lait fort');
  expect(await passphrases.verify(hash, 'cafe\u0301 au lait fort')).toBe(true);
  expect(await passphrases.verify(hash, '\ud800')).toBe(false);
});

test('concurrent hashes queue up, and a full queue refuses with advice to retry', async () => {
  const passphrases = createPassphrases({ maxParallel: 1, maxWaiting: 2 });
  const results = await Promise.allSettled(
    Array.from({ length: 6 }, () => passphrases.hash('a long passphrase')),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  const refused = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
  expect(refused.reason).toMatchObject({ code: 'unavailable' });
  expect(await passphrases.hash('a long passphrase')).toMatch(/^\$argon2id/);
});

test('a token can be read for fifteen minutes', async () => {
  let now = claims.issuedAt;
  const tokens = createTokens([keyA], () => now, cookieLifetimeMs);
  const token = await tokens.issue(claims);
  expect(token).not.toContain('.7.');
  expect(await tokens.read(token)).toEqual(claims);
  now += tokenLifetimeMs - 1000;
  expect(await tokens.read(token)).toEqual(claims);
  now += 1000;
  expect(await tokens.read(token)).toBeUndefined();
});

test('after a key rotation old tokens are read and new ones are sealed with the new key', async () => {
  const clock = () => claims.issuedAt;
  const old = await createTokens([keyA], clock, cookieLifetimeMs).issue(claims);
  const rotated = createTokens([keyB, keyA], clock, cookieLifetimeMs);
  expect(await rotated.read(old)).toEqual(claims);
  const fresh = await rotated.issue(claims);
  expect(await createTokens([keyA], clock, cookieLifetimeMs).read(fresh)).toBeUndefined();
  expect(await createTokens([keyB], clock, cookieLifetimeMs).read(fresh)).toEqual(claims);
});

test('other texts are not tokens', async () => {
  const clock = () => claims.issuedAt;
  const tokens = createTokens([keyA], clock, cookieLifetimeMs);
  const token = await tokens.issue(claims);
  const kid = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
  const forge = (alter: (jwt: EncryptJWT) => EncryptJWT) =>
    alter(new EncryptJWT({ sub: '7', epoch: 3, sid: 's', at: 1 }).setExpirationTime('1h'))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid })
      .encrypt(keyA);
  const forged = [
    '',
    'x',
    'a.b.c.d.e',
    token.slice(0, -2),
    `${token.slice(0, -8)}${token.at(-8) === 'A' ? 'B' : 'A'}${token.slice(-7)}`,
    token.repeat(50),
    await forge((jwt) => jwt),
    await forge((jwt) => jwt.setIssuer('coppice').setAudience('other')),
    await new CompactEncrypt(new TextEncoder().encode('not json'))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid })
      .encrypt(keyA),
    // The right key with a different algorithm.
    await new EncryptJWT({ sub: '7', epoch: 3, sid: 's', at: 1 })
      .setIssuer('coppice')
      .setAudience('coppice')
      .setExpirationTime('1h')
      .setProtectedHeader({ alg: 'dir', enc: 'A128CBC-HS256', kid })
      .encrypt(keyA),
    `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`,
  ];
  for (const one of forged) expect(await tokens.read(one), one.slice(0, 60)).toBeUndefined();
});

test('the first processes to start agree on one key, which nobody else can read', async () => {
  const file = join(await temporaryFolder(), 'key');
  const loaded = await Promise.all(Array.from({ length: 8 }, () => loadKeys({ env: undefined, file })));
  for (const keys of loaded) expect(keys).toEqual(loaded[0]);
  expect(loaded[0]?.[0]).toHaveLength(32);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('rotation puts a new key first and drops those retired longer than a token lives', async () => {
  const file = join(await temporaryFolder(), 'key');
  const [first] = await loadKeys({ env: undefined, file });
  await rotateKeyFile(file, 1_000_000);
  const second = await loadKeys({ env: undefined, file });
  expect(second).toHaveLength(2);
  expect(second[1]).toEqual(first);
  await rotateKeyFile(file, 1_000_000 + tokenLifetimeMs + 1);
  const third = await loadKeys({ env: undefined, file });
  expect(third.slice(1)).toEqual([second[0]]);
  expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(2);
});

test('keys from the environment come newest first; malformed ones are refused without being shown', async () => {
  const hex = 'ab'.repeat(32);
  const base64url = Buffer.from(keyB).toString('base64url');
  expect(await loadKeys({ env: `${hex}, ${base64url}`, file: '/nowhere' })).toEqual([
    Buffer.from(hex, 'hex'),
    Buffer.from(keyB),
  ]);
  for (const encoding of ['hex', 'base64', 'base64url'] as const) {
    const [key] = await loadKeys({ file: '/nowhere', env: Buffer.from(keyB).toString(encoding) });
    expect(key, encoding).toEqual(Buffer.from(keyB));
  }
  await expect(loadKeys({ env: 'secret-secret', file: '/nowhere' })).rejects.toThrow(
    /^COPPICE_KEY: expected 32 bytes/,
  );
  const file = join(await temporaryFolder(), 'key');
  await writeFile(file, '\n');
  await expect(loadKeys({ env: undefined, file })).rejects.toThrow(/empty/);
});

test('secrets have 256 bits and are found by their hash', () => {
  const secrets = createSecrets();
  const { secret, hash } = secrets.make();
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  expect(secrets.hash(secret)).toBe(hash);
  expect(secrets.make().secret).not.toBe(secret);
});
