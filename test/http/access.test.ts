/**
 * Roles × endpoints, generated from the OpenAPI document, so that new operations are covered. No role learns that a page exists
 * which it may not read, and only those who may write change anything.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { effort } from '../support/effort.ts';
import { documentOf, engines, type Method, type Operation, startApp, type TestApp } from '../support/http.ts';

type Role = 'nobody' | 'forged' | 'stranger' | 'owner' | 'administrator';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  const tokens = {} as Record<Role, string | undefined>;
  let owned = 0;
  let administered = 0;

  beforeAll(async () => {
    wiki = await startApp({}, { engine });
    tokens.forged = 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA';
    tokens.stranger = (await wiki.member('Stranger')).token;
    tokens.owner = (await wiki.member('Owner')).token;
    tokens.administrator = (await wiki.member('Root', { isAdmin: true })).token;
  });
  afterAll(() => wiki.close());

  interface Call {
    method: Method;
    template: string;
    operation: Operation;
  }

  const calls = (): Call[] =>
    Object.entries(documentOf(wiki.app).paths).flatMap(([template, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase() as Method,
        template,
        operation,
      })),
    );

  /** Operations on one page. */
  const onPages = () =>
    calls().filter(
      ({ template, operation }) => template.endsWith('{path}') && operation.operationId !== 'checkPath',
    );
  const writing = new Set([
    'deletePage',
    'editPage',
    'rollback',
    'previewMove',
    'order',
    'orderPages',
    'verifyPage',
    'markTranslated',
    'noteEditing',
  ]);

  async function ask({ method, template, operation }: Call, role: Role, path: string) {
    const url =
      template.replace('/{path}', path) +
      (operation.operationId === 'previewMove' ? '?to=/somewhere-else' : '');
    const json =
      {
        rollback: { to: 1 },
        changePermissions: { permissions: 774, dryRun: true },
        protectPage: { level: null },
        changeAccess: { grants: [] },
        changeRule: { approvals: 1 },
        orderPages: { children: [] },
        copyPage: { to: '/somewhere-else', dryRun: true },
      }[operation.operationId] ?? {};
    return wiki.call(method, url, {
      ...(tokens[role] ? { token: tokens[role] } : {}),
      ...(method === 'POST' || method === 'PUT' ? { json } : {}),
    });
  }

  /** Creates a page with everything private that could leak. */
  async function freshPage(permissions: number, by: 'owner' | 'administrator' = 'owner'): Promise<string> {
    const path = by === 'owner' ? `/owned-${++owned}` : `/administered-${++administered}`;
    await wiki.page(tokens[by] ?? '', {
      title: `Treasure ${path.slice(1)}`,
      path,
      body: 'the treasure is here',
      permissions,
    });
    return path;
  }

  test('the matrix covers every operation on a page', () => {
    expect(onPages().length).toBeGreaterThanOrEqual(10);
  });

  const kinds: [string, number, Record<Role, 'none' | 'read' | 'write'>][] = [
    [
      'public',
      774,
      { nobody: 'read', forged: 'read', stranger: 'write', owner: 'write', administrator: 'write' },
    ],
    [
      'for members',
      770,
      { nobody: 'none', forged: 'none', stranger: 'write', owner: 'write', administrator: 'write' },
    ],
    [
      'for members to read',
      740,
      { nobody: 'none', forged: 'none', stranger: 'read', owner: 'write', administrator: 'write' },
    ],
    [
      'hidden',
      700,
      { nobody: 'none', forged: 'none', stranger: 'none', owner: 'write', administrator: 'write' },
    ],
    [
      'locked',
      444,
      { nobody: 'read', forged: 'read', stranger: 'read', owner: 'read', administrator: 'write' },
    ],
    [
      'for administrators alone',
      0,
      { nobody: 'none', forged: 'none', stranger: 'none', owner: 'none', administrator: 'write' },
    ],
    [
      'writable by the world',
      777,
      { nobody: 'read', forged: 'read', stranger: 'write', owner: 'write', administrator: 'write' },
    ],
  ];
  /** On PostgreSQL every third in the usual run: access is decided alike on both. */
  const tried = kinds.filter((_, at) => effort(engine === 'SQLite' || at % 3 === 0, true));

  describe.each(tried)('a page that is %s (%i)', (_kind, permissions, may) => {
    test.each(Object.entries(may) as [Role, 'none' | 'read' | 'write'][])(
      '%s may %s',
      async (role, allowed) => {
        for (const call of onPages()) {
          const path = await freshPage(permissions);
          const { operationId, security } = call.operation;
          const answer = await ask(call, role, path);
          const where = `${operationId} as ${role}`;
          const isMember = role !== 'nobody' && role !== 'forged';
          if (security.length === 1 && !isMember) {
            expect(answer.status, where).toBe(401);
          } else if (
            ['changePermissions', 'readAccess', 'changeAccess', 'changeRule'].includes(operationId)
          ) {
            const mayChange = role === 'owner' || role === 'administrator';
            expect(answer.status, where).toBe(allowed === 'none' ? 404 : mayChange ? 200 : 401);
          } else if (operationId === 'protectPage') {
            expect(answer.status, where).toBe(role === 'administrator' ? 200 : 403);
          } else if (writing.has(operationId)) {
            if (allowed === 'write') expect([200, 400], where).toContain(answer.status);
            else expect([401, 404], where).toContain(answer.status);
          } else {
            expect(answer.status, where).toBe(allowed === 'none' ? 404 : 200);
          }
          if (allowed === 'none') expect(answer.text, where).not.toMatch(/treasure is here|Treasure/);
          if (allowed !== 'write') {
            const after = await wiki.call('GET', `/v1/pages${path}`, { token: tokens.administrator ?? '' });
            expect(after.json.page.history, where).toHaveLength(1);
          }
        }
      },
    );
  });

  test('a hidden page gets the same bytes as a missing one if the interface leaves the choice', async () => {
    for (const role of ['nobody', 'forged', 'stranger'] as const) {
      for (const call of onPages().filter(({ operation }) => operation.operationId !== 'editPage')) {
        const path = await freshPage(700);
        const hidden = await ask(call, role, path);
        const missing = await ask(call, role, `${path}x`);
        expect([hidden.status, hidden.text], `${call.operation.operationId} as ${role}`).toEqual([
          missing.status,
          missing.text.replaceAll(`${path}x`, path),
        ]);
      }
    }
  });

  test('private pages change no byte of any list that others get', async () => {
    const lists = [
      '/v1/pages?path=/&limit=1000',
      '/v1/pages?title=a',
      '/v1/pages?tag=colour:red',
      '/v1/pages?type=Place',
      '/v1/pages?text=treasure',
      '/v1/near/0/0/20000000',
      '/v1/requested/1000',
      '/v1/updates/1000',
      '/v1/children',
      '/v1/children/base',
      '/v1/backlinks/base',
      '/v1/pages/base',
      '/v1/history/base',
      '/v1/diff/base',
    ];
    await wiki.page(tokens.stranger ?? '', {
      title: 'Base',
      body: '[[Location:0,0]] [[Colour:red]] [[Wanted thing]] [[Secret title]]',
    });
    const look = async (token?: string) => {
      const answers = await Promise.all(lists.map((url) => wiki.call('GET', url, token ? { token } : {})));
      return answers.map(({ status, text, headers }, index) => [
        lists[index],
        status,
        text,
        headers['x-total-count'],
        headers.link,
        headers.etag,
      ]);
    };
    const before = [await look(), await look(tokens.stranger)];
    for (const [permissions, by] of [
      [700, 'owner'],
      [0, 'administrator'],
    ] as const) {
      const token = tokens[by] ?? '';
      const parent = await wiki.page(token, {
        title: 'Secret title',
        path: `/secret-${permissions}`,
        permissions,
        location: { lat: 0, lon: 0 },
        body: '[[Colour:red]] [[Type:Place]] [[Base]] [[Wanted thing]] [[Only wanted here]] treasure',
      });
      await wiki.page(token, {
        title: 'Secret child',
        parent: parent.id,
        permissions,
        body: '[[/base]]',
        files: { file: { name: 'a', data: 'aGk=' } },
      });
      await wiki.page(token, {
        title: 'Beneath base',
        parent: '/base',
        path: `/base/hidden-${permissions}`,
        permissions,
      });
    }
    expect([await look(), await look(tokens.stranger)]).toEqual(before);
  });

  test('no input of a member gives them more rights', async () => {
    const token = tokens.stranger ?? '';
    const privileged = {
      isAdmin: true,
      owner: { id: 1 },
      ownerId: 1,
      memberId: 1,
      admin: true,
      role: 'admin',
      permissions: undefined,
    };
    await wiki.page(token, { title: 'Climber', ...privileged });
    await wiki.call('POST', '/v1/pages/climber', { token, json: privileged });
    expect((await wiki.call('GET', '/v1/members/me', { token })).json.isAdmin).toBe(false);
    const { json } = await wiki.call('GET', '/v1/pages/climber', { token });
    expect(json.page.owner.name).toBe('Stranger');
  });
});
