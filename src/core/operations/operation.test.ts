/** Declarations that do not compile, and what `carryOut` enforces for every face. */
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { openStore } from '#run/open-store.ts';
import { carryOver } from '#test/support/operations.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import type { Actor } from '../model/permission.ts';
import type { Scope } from '../ports/credentials.ts';
import { nothing, operation } from './operation.ts';

const described = {
  name: 'countGroups',
  summary: 'Count groups',
  description: 'Number of these pages.',
  input: Type.Object({}),
  output: Type.Integer(),
} as const;
const reading = { ...described, access: 'member', scope: 'read', subtree: 'refused' } as const;
const writing = {
  ...described,
  access: 'administrator',
  scope: 'members',
  output: nothing('Done.'),
} as const;

test('a declaration without access, scope or, if a subtree is possible, the relation to it does not compile', () => {
  const run = async () => 1;
  // @ts-expect-error access is missing
  operation({ ...described, scope: 'members', ports: [], run });
  // @ts-expect-error scope is missing
  operation({ ...described, access: 'member', ports: [], run });
  // @ts-expect-error subtree is missing
  operation({ ...described, access: 'member', scope: 'read', ports: [], run });
  // @ts-expect-error no token limited to a subtree has this scope
  operation({ ...described, access: 'member', scope: 'members', subtree: 'within', ports: [], run });
  // @ts-expect-error a write says what it records
  operation({ ...described, access: 'member', scope: 'members', writes: true, ports: [], run });
  // @ts-expect-error the answer is not of the output's type
  operation({ ...reading, ports: [], run: async () => 'one' });
  expect(operation({ ...reading, ports: [], run })).toMatchObject({ access: 'member', scope: 'read' });
});

test('run gets only the declared ports, and can record only declared kinds', async () => {
  operation({
    ...reading,
    ports: ['groups'],
    // @ts-expect-error the port is not named
    run: async ({ members }) => members.count(),
  });
  operation({
    ...writing,
    writes: true,
    audit: ['group-made'],
    ports: [],
    // @ts-expect-error the kind is not declared
    run: async (_, { record }) => record({ kind: 'group-deleted' }),
  });
  await using wiki = await open();
  const seen = operation({
    ...reading,
    output: Type.Array(Type.String()),
    ports: ['groups'],
    run: async (ports) => Object.keys(ports),
  });
  expect(await wiki.as('command line')(seen, {})).toEqual(['groups']);
});

test('run gets declared fields only, at any depth', async () => {
  await using wiki = await open();
  const Named = Type.Object({ name: Type.String() });
  const echo = operation({
    ...reading,
    input: Type.Object({
      change: Type.Union([Named, Type.Object({ id: Type.Integer() }), Type.Null()]),
      many: Type.Array(Type.Union([Type.String(), Named])),
      tags: Type.Record(Type.String(), Type.String()),
      free: Type.Unknown(),
    }),
    output: Type.Unknown(),
    ports: [],
    run: async (_, { input }) => input,
  });
  const more = { role: 'administrator', constructor: 'x' };
  const given = {
    change: { name: 'Ada', id: 7, ...more },
    many: ['Bob', { name: 'Cy', ...more }],
    tags: { season: 'summer' },
    free: { any: { thing: 1 } },
  };
  expect(await wiki.as('command line')(echo, { ...given, ...more } as typeof given)).toEqual({
    change: { name: 'Ada', id: 7 },
    many: ['Bob', { name: 'Cy' }],
    tags: { season: 'summer' },
    free: { any: { thing: 1 } },
  });
});

test('limits of tokens, access, blocks and the second factor are enforced before anything runs', async () => {
  await using wiki = await open();
  let runs = 0;
  const run = async () => void runs++;
  const administrative = operation({ ...writing, writes: true, audit: [], ports: [], run });
  const moderating = operation({ ...writing, access: 'moderator', ports: [], run });
  const personal = operation({
    ...reading,
    scope: 'none',
    subtree: undefined,
    output: nothing('Done.'),
    ports: [],
    run,
  });
  const within = operation({ ...reading, subtree: 'within', output: nothing('Done.'), ports: [], run });
  const refused = operation({ ...reading, output: nothing('Done.'), ports: [], run });
  const root = { memberId: wiki.root, name: 'Root', isAdmin: true };
  const ada = { memberId: wiki.ada, name: 'Ada', isAdmin: false };
  const token = (scopes: Scope[], ancestorId: number | null = null) => ({ scopes, ancestorId });
  const tried = async (actor: Actor, one: typeof refused, apiToken?: ReturnType<typeof token>) => {
    const before = runs;
    const answer = await wiki
      .as({ actor, apiToken })(one, {})
      .then(
        () => 'done',
        ({ code }: { code: string }) => code,
      );
    return answer !== 'done' && runs > before ? 'ran and refused' : answer;
  };
  expect(await tried(root, administrative)).toBe('done');
  expect(await tried(ada, administrative)).toBe('administrators-only');
  expect(await tried(ada, moderating)).toBe('moderators-only');
  expect(await tried(root, moderating)).toBe('done');
  for (const one of [administrative, moderating, personal, within, refused])
    expect(await tried(null, one)).toBe('unauthenticated');
  expect(await tried({ ...root, block: { reason: 'x', until: null } }, administrative)).toBe('blocked');
  expect(await tried({ ...root, isAdmin: false, needsSecondFactor: true }, administrative)).toBe(
    'administrators-only',
  );
  for (const [one, scopes, ancestorId, outcome] of [
    [administrative, ['members'], null, 'done'],
    [administrative, ['read', 'admin'], null, 'insufficient-scope'],
    [administrative, ['members'], 1, 'insufficient-scope'],
    [personal, ['read', 'write', 'files', 'members', 'admin'], null, 'insufficient-scope'],
    [within, ['read'], 1, 'done'],
    [refused, ['read'], null, 'done'],
    [refused, ['read'], 1, 'insufficient-scope'],
  ] as const)
    expect([one.summary, scopes, ancestorId, await tried(root, one, token([...scopes], ancestorId))]).toEqual(
      [one.summary, scopes, ancestorId, outcome],
    );
});

test('a write that fails leaves neither rows nor entries in the audit log', async () => {
  await using wiki = await open();
  const failing = operation({
    ...writing,
    writes: true,
    audit: ['group-made'],
    ports: ['groups'],
    async run({ groups }, { record, now }) {
      await groups.insert('Half', now);
      await record({ kind: 'group-made' });
      throw new Error('on purpose');
    },
  });
  await expect(wiki.as('command line')(failing, {})).rejects.toThrow('on purpose');
  expect(await wiki.store.groups.count()).toBe(0);
  expect(await wiki.store.audit.listAfter(0, 10, {})).toEqual([]);
});

async function open() {
  const store = await openStore({ kind: 'sqlite', file: `${await temporaryFolder()}/wiki.db` });
  const add = async (name: string, isAdmin: boolean) => {
    const email = `${name}@example.org`;
    return (
      await store.members.insert({
        email,
        name,
        isAdmin,
        isBot: false,
        passphraseHash: null,
        createdAt: 1,
        role: undefined,
      })
    ).id;
  };
  return {
    store,
    root: await add('Root', true),
    ada: await add('Ada', false),
    as: (caller: Parameters<typeof carryOver>[2]) => carryOver(store, 1, caller),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
