/** Examples of calls: their content, and that no value can break out of its quotes. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type CalledOperation, callExamples } from './call-examples.ts';

const hostile = `it's "$HOME" \`id\` \\ \n é </pre> ${'${x}'}`;

const edit: CalledOperation = {
  security: [{ token: ['write'] }],
  parameters: [
    { name: 'path', in: 'path', required: true, example: 'garden/a b' },
    { name: 'history', in: 'query', required: false, example: 'none' },
    { name: 'to', in: 'query', required: true, example: 'a&b' },
  ],
  requestBody: {
    content: {
      'application/json': {
        schema: {},
        example: { body: hostile, ids: [1], 'a-b': null, is: true, type: 'Place' },
      },
    },
  },
  responses: { '200': { content: { 'application/json': {} } } },
};

/** Runs the JavaScript with a client that only records the call. */
async function called(javascript: string): Promise<unknown[]> {
  const notes: unknown[] = [];
  class Coppice {
    constructor(...given: unknown[]) {
      notes.push(...given);
    }
    request(...given: unknown[]) {
      notes.push(...given);
    }
  }
  const text = javascript.replace(/^import .*$/m, '').replace('await ', '');
  new Function('Coppice', 'process', 'console', text)(Coppice, { env: { TOKEN: 't' } }, { log() {} });
  return notes;
}

/** The words that a shell passes to curl. */
function wordsOf(curl: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${curl}`;
  return execFileSync('sh', ['-c', script], { env: { TOKEN: 't' }, encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
}

const needed = ['ids', 'a-b', 'is'];

test('each language sends the method, path, query, token and body of the examples, and no optional parts', async () => {
  const { curl, javascript, python } = callExamples(
    { address: 'http://wiki.test', method: 'POST', path: '/v1/pages/{path}' },
    edit,
    needed,
  );
  const body = { body: hostile, ids: [1], 'a-b': null, is: true };
  expect(wordsOf(curl)).toEqual([
    'http://wiki.test/v1/pages/garden/a%20b?to=a%26b',
    '-H',
    'Authorization: Bearer t',
    '-H',
    'Content-Type: application/json',
    '-d',
    JSON.stringify(body),
  ]);
  expect(await called(javascript)).toEqual([
    'http://wiki.test',
    { credential: { token: 't' } },
    'POST /v1/pages/{path}',
    { path: { path: 'garden/a b' }, query: { to: 'a&b' }, body },
  ]);
  expect(python).toBe(`import os

import requests

answer = requests.post(
    "http://wiki.test/v1/pages/garden/a%20b",
    headers={"Authorization": "Bearer " + os.environ["TOKEN"]},
    params={
        "to": "a&b",
    },
    json={
        "body": ${JSON.stringify(hostile)},
        "ids": [
            1,
        ],
        "a-b": None,
        "is": True,
    },
    timeout=30,
)
answer.raise_for_status()
print(answer.json())`);
});

test('a call without token or body is short', () => {
  const bare = { security: [], responses: { '204': {} } };
  const { curl, javascript, python } = callExamples(
    { address: 'http://wiki.test', method: 'DELETE', path: '/v1/x' },
    bare,
  );
  expect(curl).toBe("curl -X DELETE 'http://wiki.test/v1/x'");
  expect(javascript).toContain(
    "new Coppice('http://wiki.test');\nconst answer = await wiki.request('DELETE /v1/x');",
  );
  expect(python).toContain('requests.delete(\n    "http://wiki.test/v1/x",\n    timeout=30,\n)');
  expect(python).toMatch(/print\(answer\.status_code\)$/);
});

test('every operation of the reference has examples that are complete and can be read', async () => {
  const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
    paths: Record<string, Record<string, CalledOperation>>;
  };
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`;
      const { curl, javascript, python } = callExamples(
        { address: 'http://wiki.test', method: method.toUpperCase(), path },
        operation,
      );
      expect(`${curl}${python}`, name).not.toMatch(/\{(path|id|name|num)\}|undefined/);
      expect(
        (await called(javascript)).find((one) => one === name),
        name,
      ).toBe(name);
    }
  }
});
