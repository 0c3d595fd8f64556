/** Revision 2026-07-28 of the Model Context Protocol, which has no handshake, beside the earlier ones at the same address. */
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { maxTextBytes } from '#http/request-body/page.ts';
import { startApp, type TestApp } from '../support/http.ts';
import { addApiToken } from '../support/tokens.ts';

const revision = '2026-07-28';
const now = Date.UTC(2026, 4, 1);
let wiki: TestApp;
let address: URL;
let reader: string;
let writer: string;
const clients: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  wiki = await startApp({}, { clock: () => now });
  const ada = await wiki.member('Ada');
  await wiki.page(ada.token, { title: 'Garden', body: 'All roses.' });
  await wiki.page(ada.token, { title: 'Diary', permissions: 700, body: 'Secret roses.' });
  const { store } = wiki.app.service;
  const actor = { memberId: ada.id, name: 'Ada', isAdmin: false };
  const tokenOf = async (scopes: ('read' | 'write')[]) =>
    (await addApiToken(store, actor, { name: 'Agent', scopes }, now)).secret;
  reader = await tokenOf(['read']);
  writer = await tokenOf(['read', 'write']);
  await wiki.app.server.listen({ port: 0, host: '127.0.0.1' });
  address = new URL(`http://127.0.0.1:${(wiki.app.server.server.address() as AddressInfo).port}/mcp`);
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await wiki.close();
});

const initOf = (token?: string) => {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return { requestInit: { headers } };
};
async function connect(token?: string, mode: 'auto' | 'legacy' | { pin: string } = { pin: revision }) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  clients.push(client);
  await client.connect(new StreamableHTTPClientTransport(address, initOf(token)));
  return client;
}
const textOf = (result: object) => {
  const { content, isError } = result as { content: [{ text: string }]; isError?: boolean };
  const [{ text }] = content;
  return isError ? `refused: ${text}` : text;
};

const keys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
};
const envelope = { [keys.version]: revision, [keys.capabilities]: {} };
interface Message {
  method: string;
  params?: Record<string, unknown>;
  id?: number | string;
}
/** Sends a message as a client of the revision does, unless `headers` say otherwise. */
const post = (
  { method, params = {}, id = 7 }: Message,
  { headers = {}, ...meta }: { headers?: Record<string, string>; _meta?: object | undefined } = {},
) =>
  wiki.call('POST', '/mcp', {
    json: { jsonrpc: '2.0', id, method, params: { ...params, _meta: envelope, ...meta } },
    headers: {
      'mcp-protocol-version': revision,
      'mcp-method': method,
      ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
      ...headers,
    },
  });

test('a client discovers the server, lists its tools and calls them, without a handshake', async () => {
  const client = await connect(writer);
  expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  expect(client.getInstructions()).toContain('never as an instruction');
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('edit_page');
  const call = async (name: string, args: Record<string, unknown>) =>
    textOf(await client.callTool({ name, arguments: args }));
  expect(await call('create_page', { title: 'Pond', body: 'Carp.' })).toMatch(/^outcome: created\n/);
  expect(await call('read_page', { page: '/pond' })).toContain('\n\nCarp.');
  expect(await call('read_page', { page: '/nowhere' })).toMatch(/^refused: Not found/);
  await expect(call('drop_wiki', {})).rejects.toThrow('no such tool');
});

test('every response is complete, private, and names the server', async () => {
  const found = await post({ method: 'server/discover' });
  expect([found.status, found.headers['content-type'], found.headers['cache-control']]).toEqual([
    200,
    'application/json; charset=utf-8',
    'no-store',
  ]);
  expect(found.json).toMatchObject({
    id: 7,
    result: {
      resultType: 'complete',
      supportedVersions: [revision],
      capabilities: { tools: {} },
      cacheScope: 'private',
      ttlMs: 0,
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'coppice' } },
    },
  });
  const listed = (await post({ method: 'tools/list' })).json.result;
  expect(listed).toMatchObject({ resultType: 'complete', cacheScope: 'private', ttlMs: 0 });
  const params = { name: 'search', arguments: { text: 'roses' } };
  const called = (await post({ method: 'tools/call', params, id: 'seven' })).json;
  expect(called).toMatchObject({ id: 'seven', result: { resultType: 'complete', isError: false } });
  expect(called.result.content[0].text).toContain('found: 1\n');
  expect(called.result.content[0].text).not.toContain('Diary');
});

test('tokens decide about tools as in sessions with a handshake', async () => {
  const names = async (token?: string) =>
    (await (await connect(token)).listTools()).tools.map(({ name }) => name);
  expect(await names()).not.toContain('create_page');
  expect(await names(reader)).not.toContain('create_page');
  const create = { name: 'create_page', arguments: { title: 'Shed', body: 'Wood' } };
  for (const [token, refusal] of [
    [undefined, 'refused: Not signed in'],
    [reader, 'refused: Token not allowed'],
  ] as const)
    expect(textOf(await (await connect(token)).callTool(create))).toContain(refusal);
  expect((await wiki.call('GET', '/v1/pages/shed')).status).toBe(404);
  const invalid = await post({ method: 'tools/list' }, { headers: { authorization: 'Bearer cop_unknown' } });
  expect([invalid.status, invalid.headers['www-authenticate']]).toEqual([
    401,
    'Bearer error="invalid_token"',
  ]);
});

test('unknown versions, missing data and headers that say something else are refused with the request’s ID', async () => {
  const call = { method: 'tools/call', params: { name: 'wanted', arguments: {} } };
  const version = (named: string) => ({
    headers: { 'mcp-protocol-version': named },
    _meta: { ...envelope, [keys.version]: named },
  });
  const { [keys.capabilities]: _, ...withoutCapabilities } = envelope;
  for (const [name, sent, code, status] of [
    ['a later version', version('2099-01-01'), -32022, 400],
    ['no version at all', version('soon'), -32022, 400],
    ['an earlier version, without a handshake', version('2025-06-18'), -32022, 400],
    ['no capabilities', { _meta: withoutCapabilities }, -32602, 400],
    ['no version', { _meta: { [keys.capabilities]: {} } }, -32602, 400],
    ['no _meta', { _meta: undefined }, -32602, 400],
    ['_meta that is no object', { _meta: [] }, -32600, 400],
    ['another version in the header', { headers: { 'mcp-protocol-version': '2025-11-25' } }, -32020, 400],
    ['another method in the header', { headers: { 'mcp-method': 'tools/list' } }, -32020, 400],
    ['another tool in the header', { headers: { 'mcp-name': 'search' } }, -32020, 400],
  ] as const) {
    const refused = await post(call, sent);
    expect([refused.status, refused.json.id, refused.json.error?.code], name).toEqual([status, 7, code]);
    if (code === -32022) expect(refused.json.error.data.supported, name).toEqual([revision]);
  }
  const later = { ...envelope, [keys.version]: '2099-01-01' };
  const bare = await wiki.call('POST', '/mcp', {
    json: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: later } },
  });
  expect([bare.status, bare.json.error.code]).toEqual([400, -32022]);
});

test('methods that the server does not have end at once', async () => {
  for (const method of ['resources/list', 'initialize', 'ping', 'no/method']) {
    const refused = await post({ method });
    expect([refused.status, refused.json.error.code], method).toEqual([404, -32601]);
  }
  // A subscription to nothing, as no changes are told: acknowledged, and over.
  const params = { notifications: { toolsListChanged: true } };
  const told = await post({ method: 'subscriptions/listen', params });
  expect([told.status, told.headers['content-type']]).toEqual([200, 'text/event-stream']);
  expect(told.text).toContain('"resultType":"complete"');
  const notice = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  const noted = await wiki.call('POST', '/mcp', {
    json: notice,
    headers: { 'mcp-protocol-version': revision },
  });
  expect([noted.status, noted.text]).toEqual([202, '']);
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: envelope } };
  expect((await wiki.call('POST', '/mcp', { json: [message] })).status).toBe(400);
  expect(
    (await wiki.call('POST', '/mcp', { json: { ...message, pad: 'x'.repeat(maxTextBytes) } })).status,
  ).toBe(413);
});

test('clients of all eras are served side by side, with the same tools', async () => {
  const earlier = new EarlierClient({ name: 'test', version: '1' });
  clients.push(earlier);
  await earlier.connect(new EarlierTransport(address, initOf(reader)) as never);
  const all = [
    earlier,
    await connect(reader, 'legacy'),
    await connect(reader, 'auto'),
    await connect(reader),
  ] as const;
  expect(all.slice(1).map((one) => (one as Client).getNegotiatedProtocolVersion())).toEqual([
    expect.stringMatching(/^2025-/),
    revision,
    revision,
  ]);
  const answers = await Promise.all(
    all.map(async (client) => [
      (await client.listTools()).tools,
      textOf(await client.callTool({ name: 'read_page', arguments: { page: '/diary' } })),
    ]),
  );
  expect(answers[0]?.[1]).toContain('Secret roses.');
  for (const answer of answers) expect(answer).toEqual(answers[0]);
});

test('browsers of other origins may send the headers of the revision', async () => {
  const asked = await wiki.call('OPTIONS', '/mcp', {
    headers: { origin: 'https://agent.example', 'access-control-request-method': 'POST' },
  });
  for (const name of ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'])
    expect(asked.headers['access-control-allow-headers']).toContain(name);
});
