/** Operations by face: every way into the wiki carries out declared operations, and every declared operation is reached. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '#core/operations/operation.ts';
import { mcp as ofComments } from '#src/features/comments/mcp.ts';
import { mcp as ofPages } from '#src/features/pages/mcp.ts';
import { facesOfOperations } from './support/faces.ts';
import { startApp, type TestApp } from './support/http.ts';
import { undeclared } from './support/undeclared-routes.ts';

const mcp = [...ofPages, ...ofComments];

const root = join(import.meta.dirname, '..');
let wiki: TestApp;

beforeAll(async () => {
  wiki = await startApp();
});
afterAll(() => wiki.close());

const routes = () =>
  wiki.app.routes.routes.flatMap(({ method, url, config }) =>
    [method]
      .flat()
      // HEAD has the same handler as GET.
      .filter((one) => one !== 'HEAD')
      .map((one) => ({ name: `${one} ${url}`, operations: config?.operations ?? [] })),
  );

/** Operations that commands import. Those of features have no other way to the wiki (`architecture.test.ts`). */
function operationsOfCommands(): { name: string; operations: string[] }[] {
  return globSync(['src/features/*/cli.ts', 'src/cli/*.ts', 'src/cli/members/*.ts'], { cwd: root }).map(
    (file) => {
      const code = readFileSync(join(root, file), 'utf8');
      const imports = [...code.matchAll(/import \{([^}]*)\} from '(?:\.|#core\/[\w-]+)\/[\w-]+\.ts'/g)];
      const name = /\bcommand(?:Of)?\('([a-z-]+)'/.exec(code)?.[1] ?? 'member';
      return {
        name: `coppice ${name}`,
        operations: imports
          .flatMap(([, names = '']) => names.split(',').map((one) => one.trim()))
          .filter(Boolean),
      };
    },
  );
}

/** Every operation that a feature or the core declares, by the name of its constant. */
async function declared(): Promise<Map<string, Operation>> {
  const files = globSync(['src/features/*/operations.ts', 'src/core/**/*.ts'], {
    cwd: root,
    exclude: ['**/*.test.ts'],
  }).filter((file) => readFileSync(join(root, file), 'utf8').includes(' = operation({'));
  const found = new Map<string, Operation>();
  for (const file of files)
    for (const [name, value] of Object.entries((await import(join(root, file))) as Record<string, unknown>))
      if (typeof value === 'object' && value !== null && 'run' in value) found.set(name, value as Operation);
  return found;
}

test('every route carries out declared operations, except those listed with a reason', () => {
  const without = routes().filter(({ operations }) => operations.length === 0);
  expect(without.map(({ name }) => name).sort()).toEqual(Object.keys(undeclared).sort());
});

test('every fixed link and form of the site leads to a route', () => {
  const known = new Set(routes().map(({ name }) => name));
  const files = globSync(['src/web/**/*.ts', 'src/features/*/web*.ts'], {
    cwd: root,
    exclude: ['**/*.test.ts'],
  });
  const wrong = files.flatMap((file) => {
    const code = readFileSync(join(root, file), 'utf8').replace(/^ *(\/?\*|\/\/).*$/gm, '');
    return [...code.matchAll(/\b(href|action)="(\/[^"$?#]*)["?#]/g)]
      .map(([, attribute, path]) => `${attribute === 'href' ? 'GET' : 'POST'} ${path}`)
      .filter((name) => !known.has(name) && !known.has(name.replace('POST', 'GET')))
      .map((name) => `${file}: ${name}`);
  });
  expect(wrong).toEqual([]);
});

test('every operation can be reached by the listed faces', async () => {
  const faces: Record<string, string[]> = {};
  const operations = await declared();
  for (const [name, operation] of operations) {
    const byRoute = routes().filter((route) => route.operations.includes(operation));
    const byCommand = operationsOfCommands().filter((command) => command.operations.includes(name));
    faces[name] = [...byRoute, ...byCommand].map((face) => face.name).sort();
  }
  expect(faces).toEqual(facesOfOperations);
});

test('names of operations are unique', async () => {
  const names = [...(await declared()).values()].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test('every tool of agents carries out declared operations, which work within the subtree of a token', async () => {
  const known = new Set((await declared()).values());
  const shown = mcp.map(({ name, operations }) => [name, ...operations.map((operation) => operation.name)]);
  expect(shown).toEqual([
    ['search', 'searchForPages'],
    ['read_page', 'readPageText'],
    ['list_children', 'listPagesBeneath'],
    ['backlinks', 'listLinksTo'],
    ['near', 'listPlacesNear'],
    ['wanted', 'listWantedTitles'],
    ['history', 'listChanges'],
    ['diff', 'compareChanges'],
    ['create_page', 'findPlaceBeneath', 'createPage'],
    ['edit_page', 'readForEdit', 'editPage'],
    ['comments', 'listComments'],
    ['comment', 'comment'],
  ]);
  const all = mcp.flatMap(({ operations }) => operations);
  expect(all.filter((operation) => !known.has(operation) || operation.subtree !== 'within')).toEqual([]);
});

describe('every face carries out an operation alike', () => {
  let root: { id: number; token: string };
  const groups = async () => (await wiki.call('GET', '/v1/groups', { token: root.token })).json;

  beforeAll(async () => {
    root = await wiki.member('Root', { isAdmin: true });
  });

  test('a field of the body does not replace a path parameter', async () => {
    const made = [];
    for (const name of ['One', 'Two'])
      made.push((await wiki.call('POST', '/v1/groups', { token: root.token, json: { name } })).json);
    const [one, two] = made;
    const json = { id: two.id, memberId: 7, name: 'Three' };
    expect((await wiki.call('POST', `/v1/groups/${one.id}`, { token: root.token, json })).json.id).toBe(
      one.id,
    );
    expect((await groups()).map(({ name }: { name: string }) => name)).toEqual(['Three', 'Two']);
  });

  test('an operation with an idempotency key runs once, and a batch counts each operation', async () => {
    const before = (await groups()).length;
    const send = () =>
      wiki.call('POST', '/v1/groups', {
        token: root.token,
        json: { name: 'Keyed' },
        headers: { 'idempotency-key': 'a-key-of-ours' },
      });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status, second.headers['idempotency-replayed']]).toEqual([200, 200, 'true']);
    expect(second.json).toEqual(first.json);
    const operations = ['Batched', 'Batched', ''].map((name) => ({
      method: 'POST',
      path: '/v1/groups',
      body: { name },
    }));
    const { json } = await wiki.call('POST', '/v1/batch', { token: root.token, json: { operations } });
    expect(json.results.map(({ status }: { status: number }) => status)).toEqual([200, 400, 400]);
    expect((await groups()).length).toBe(before + 2);
  });

  test('refusals name the action', async () => {
    const ada = await wiki.member('Ada');
    const refused = await wiki.call('POST', '/v1/groups', { token: ada.token, json: { name: 'Mine' } });
    expect([refused.status, refused.json.detail]).toEqual([403, 'Only administrators may make a group.']);
  });
});
