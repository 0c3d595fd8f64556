/** Documents of a visual editor over the API. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/http.ts';

let wiki: TestApp;

beforeAll(async () => {
  wiki = await startApp();
});
afterAll(() => wiki.close());

type Node = { type: string; attrs?: Record<string, unknown>; content?: Node[]; text?: string };

async function documentOf(json: Record<string, unknown>): Promise<Node> {
  const { status, json: answer } = await wiki.call('POST', '/v1/document', { json });
  expect(status).toBe(200);
  return JSON.parse(answer.document);
}

const patched = (json: Record<string, unknown>, document: unknown) =>
  wiki.call('POST', '/v1/patch', { json: { ...json, document: JSON.stringify(document) } });

describe.each(['wikitext', 'markdown'])('in %s', (format) => {
  const body = 'Some  *words*\nhere.\n\n* an item\n';

  test('an unedited document leaves every byte', async () => {
    const document = await documentOf({ body, format });
    expect(document).toMatchObject({ type: 'doc', content: [{ attrs: { origin: [0, 19] } }, {}] });
    expect((await patched({ body, format }, document)).json).toEqual({ body });
  });
});

test('an edit changes what was edited, and every other byte stays', async () => {
  const body = "A  ''tree''&nbsp;stands [[/here]].\n\nAnother line.\n";
  const document = await documentOf({ body, path: '/garden' });
  const last = document.content?.at(-1)?.content?.[0] as Node;
  last.text = 'Another sentence.';
  const { status, json } = await patched({ body, path: '/garden' }, document);
  expect([status, json]).toEqual([200, { body: body.replace('line', 'sentence') }]);
});

test('a long page is read and patched on a thread', async () => {
  const body = "A line with [[links]] and ''emphasis''.\n\n".repeat(600);
  const document = await documentOf({ body });
  expect(document.content).toHaveLength(600);
  document.content?.splice(300, 1);
  expect((await patched({ body }, document)).json.body).toHaveLength(body.length - body.length / 600);
});

test('content that the language cannot express is refused with its position, and nothing is written', async () => {
  const body = 'One.\n\nTwo.';
  const document = await documentOf({ body });
  const two = document.content?.[1] as Node;
  two.content = [{ type: 'text', text: 'Two', marks: [{ type: 'link', attrs: { to: '[[x]]' } }] } as Node];
  const { status, json } = await patched({ body }, document);
  expect([status, json]).toMatchObject([
    422,
    { type: expect.stringContaining('not-expressible'), path: [1], range: [6, 10] },
  ]);
});

test.each([
  ['no JSON', '{'],
  ['no document', '[]'],
  ['an unknown node', '{"type":"doc","content":[{"type":"x"}]}'],
  ['much too deep', `${'{"type":"doc","content":['.repeat(10_000)}${']}'.repeat(10_000)}`],
])('a document that is %s is refused', async (_, document) => {
  const { status } = await wiki.call('POST', '/v1/patch', { json: { body: 'a', document } });
  expect(status).toBe(422);
});

test('fields that are missing or wrong are named', async () => {
  const missing = await wiki.call('POST', '/v1/patch', { json: { body: 'a' } });
  expect([missing.status, missing.json.errors[0].pointer]).toEqual([400, '/document']);
  const path = await wiki.call('POST', '/v1/document', { json: { body: 'a', path: '../x' } });
  expect([path.status, path.json.errors[0].pointer]).toEqual([400, '/path']);
  const format = await wiki.call('POST', '/v1/document', { json: { body: 'a', format: 'html' } });
  expect([format.status, format.json.errors[0].pointer]).toEqual([400, '/format']);
});
