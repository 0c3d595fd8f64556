/** Linked identities on both engines, and provider settings. */
import { describe, expect, test } from 'vitest';
import { BadSettings, readConfig } from '#config/config.ts';
import type { Identity } from '#core/ports/sign-in-provider.ts';
import { linkIdentity } from '#core/sign-in/link-identity.ts';
import { unlinkIdentity } from '#core/sign-in/unlink-identity.ts';
import { forEachEngine } from '../support/postgres.ts';
import { addMember } from '../support/write-pages.ts';

const issuer = 'https://id.example';

function identityOf(subject: string): Identity {
  return {
    provider: 'work',
    issuer,
    subject,
    account: `${subject}@mail.example`,
    email: null,
    name: null,
    signedInAt: null,
  };
}

function actorOf(memberId: number) {
  return { memberId, name: 'Somebody', isAdmin: false };
}

forEachEngine((open) => {
  test('an identity belongs to one member, even if many link it at the same time', async () => {
    await using store = await open();
    const members = [
      await addMember(store, 'Ada'),
      await addMember(store, 'Grace'),
      await addMember(store, 'Kay'),
    ];
    const told = { identity: identityOf('ada'), label: 'Work' };
    const links = await Promise.allSettled(
      members.map((memberId) =>
        linkIdentity({ store, actor: actorOf(memberId), now: 5 }, { memberId }, told),
      ),
    );
    expect(links.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const found = await store.identities.find(issuer, 'ada');
    expect(found).toMatchObject({ provider: 'work', account: 'ada@mail.example', linkedAt: 5 });
    expect(await store.identities.find(issuer, 'ADA')).toBeUndefined();
    expect(await store.identities.find(`${issuer}/`, 'ada')).toBeUndefined();
    expect(await store.identities.listOf(found?.memberId ?? 0)).toEqual([found]);
  });

  test('when the last two credentials are removed at the same time, one stays', async () => {
    await using store = await open();
    const memberId = await addMember(store, 'Ada');
    for (const subject of ['one', 'two']) {
      const told = { identity: identityOf(subject), label: 'Work' };
      await linkIdentity({ store, actor: actorOf(memberId), now: 1 }, { memberId }, told);
    }
    expect((await store.members.findById(memberId))?.passphraseHash).toBeNull();
    const gone = await Promise.allSettled(
      ['one', 'two'].map((subject) => unlinkIdentity(store, actorOf(memberId), { issuer, subject }, 2)),
    );
    expect(gone.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await store.identities.listOf(memberId)).toHaveLength(1);
  });

  test('linked identities survive backup and restore', async () => {
    await using store = await open();
    const memberId = await addMember(store, 'Ada');
    await linkIdentity(
      { store, actor: actorOf(memberId), now: 1 },
      { memberId },
      { identity: identityOf('ada'), label: 'Work' },
    );
    const rows = [];
    for await (const row of store.maintenance.dump()) rows.push(row);
    await using other = await open();
    await other.maintenance.restore(
      (async function* () {
        yield* rows;
      })(),
    );
    expect(await other.identities.find(issuer, 'ada')).toEqual(await store.identities.find(issuer, 'ada'));
    expect(await other.maintenance.violations(10)).toEqual([]);
  });
});

describe('the settings of providers', () => {
  const base = { COPPICE_URL: 'https://wiki.example' };
  const work = {
    COPPICE_OAUTH_WORK_ISSUER: 'https://id.example/realms/wiki',
    COPPICE_OAUTH_WORK_ID: 'wiki',
    COPPICE_OAUTH_WORK_SECRET: 's3cret',
  };

  function sentences(environment: Record<string, string>): string[] {
    try {
      readConfig(environment);
    } catch (error) {
      if (error instanceof BadSettings) return error.sentences;
      throw error;
    }
    return [];
  }

  test('exist for each provider, and well-known providers need fewer', () => {
    const { providers } = readConfig({
      ...base,
      ...work,
      COPPICE_OAUTH: 'work, github,google,my-school',
      COPPICE_OAUTH_GITHUB_ID: 'a',
      COPPICE_OAUTH_WORK_GROUPS_CLAIM: 'teams',
      COPPICE_OAUTH_GITHUB_SECRET: 'b',
      COPPICE_OAUTH_GOOGLE_ID: 'c',
      COPPICE_OAUTH_GOOGLE_SECRET: 'd',
      COPPICE_OAUTH_MY_SCHOOL_ISSUER: 'http://localhost:9000',
      COPPICE_OAUTH_MY_SCHOOL_ID: 'e',
      COPPICE_OAUTH_MY_SCHOOL_SECRET: 'f',
      COPPICE_OAUTH_MY_SCHOOL_LABEL: 'Our school',
    });
    expect(providers).toEqual([
      {
        name: 'work',
        label: 'Work',
        kind: 'oidc',
        issuer: 'https://id.example/realms/wiki',
        id: 'wiki',
        secret: 's3cret',
        groupsClaim: 'teams',
      },
      {
        name: 'github',
        label: 'GitHub',
        kind: 'github',
        issuer: 'https://github.com',
        id: 'a',
        secret: 'b',
        groupsClaim: '',
      },
      {
        name: 'google',
        label: 'Google',
        kind: 'oidc',
        issuer: 'https://accounts.google.com',
        id: 'c',
        secret: 'd',
        groupsClaim: '',
      },
      {
        name: 'my-school',
        label: 'Our school',
        kind: 'oidc',
        issuer: 'http://localhost:9000',
        id: 'e',
        secret: 'f',
        groupsClaim: '',
      },
    ]);
    expect(readConfig({}).providers).toEqual([]);
  });

  test('need the public address of the wiki', () => {
    expect(sentences({ ...work, COPPICE_OAUTH: 'work' })).toEqual([
      'COPPICE_URL: expected the public address of the wiki, because COPPICE_OAUTH is set.',
    ]);
  });

  test.each<[Record<string, string>, RegExp]>([
    [{ COPPICE_OAUTH: 'Work' }, /^COPPICE_OAUTH: expected different names/],
    [{ COPPICE_OAUTH: 'work,work' }, /^COPPICE_OAUTH: expected different names/],
    [{ COPPICE_OAUTH: 'work,' }, /^COPPICE_OAUTH: expected different names/],
    [{ COPPICE_OAUTH: '../x' }, /^COPPICE_OAUTH: expected different names/],
    [{ COPPICE_OAUTH_WORK_ISSUER: '' }, /^COPPICE_OAUTH_WORK_ISSUER: expected an address .*, got nothing\.$/],
    [{ COPPICE_OAUTH_WORK_ISSUER: 'http://id.example' }, /^COPPICE_OAUTH_WORK_ISSUER: .*got "http:/],
    [{ COPPICE_OAUTH_WORK_ISSUER: 'https://id.example/?x=1' }, /^COPPICE_OAUTH_WORK_ISSUER:/],
    [{ COPPICE_OAUTH_WORK_ISSUER: 'https://me:pass@id.example' }, /^COPPICE_OAUTH_WORK_ISSUER:/],
    [{ COPPICE_OAUTH_WORK_ISSUER: 'id.example' }, /^COPPICE_OAUTH_WORK_ISSUER:/],
    [{ COPPICE_OAUTH_WORK_ID: '' }, /^COPPICE_OAUTH_WORK_ID: expected the client ID .*, got nothing\.$/],
    [{ COPPICE_OAUTH_WORK_SECRET: '' }, /^COPPICE_OAUTH_WORK_SECRET: .*, got nothing\.$/],
    [
      { COPPICE_OAUTH_WORK_SECRET: 'has a \u0007 bell' },
      /^COPPICE_OAUTH_WORK_SECRET: .*, got something else\.$/,
    ],
    [{ COPPICE_OAUTH_WORK_KIND: 'saml' }, /^COPPICE_OAUTH_WORK_KIND: expected oidc or github, got "saml"\.$/],
    [{ COPPICE_OAUTH_WORK_LABEL: 'x'.repeat(41) }, /^COPPICE_OAUTH_WORK_LABEL: expected a name/],
  ])('%o is refused in one sentence', (change, expected) => {
    const found = sentences({ ...base, COPPICE_OAUTH: 'work', ...work, ...change });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(expected);
  });

  test('are all reported at once if they are invalid', () => {
    expect(sentences({ COPPICE_OAUTH: 'work' })).toHaveLength(4);
  });
});
