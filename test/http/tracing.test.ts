/** Traces reach a collector that speaks OTLP over HTTP, on both engines, and say nothing that the log would not. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { BadSettings, readConfig } from '#config/config.ts';
import { engines, startApp } from '../support/http.ts';

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  status: { code?: number };
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

/** A collector that keeps what it gets. */
async function startCollector() {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    expect([request.method, request.url]).toEqual(['POST', '/v1/traces']);
    bodies.push(await text(request));
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    spans: (): Span[] =>
      bodies
        .flatMap((body) => JSON.parse(body).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans),
    [Symbol.asyncDispose]: () => new Promise<void>((done) => server.close(() => done())),
  };
}

const said = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));

describe.each(engines)('on %s', (engine) => {
  test('requests and their statements are sent to the collector, each in its own trace, without values', async () => {
    await using collector = await startCollector();
    const wiki = await startApp({ COPPICE_TRACES: collector.url, COPPICE_PURGE: '' }, { engine });
    const { app } = wiki;
    const ann = await wiki.member('Ann', { isAdmin: true });
    const address = await app.server.listen({ port: 0, host: '127.0.0.1' });
    const traceId = (n: number) => `${n}`.padStart(32, 'a');
    const send = (path: string, n: number, init: RequestInit = {}) =>
      fetch(address + path, {
        ...init,
        headers: {
          authorization: `Bearer ${ann.token}`,
          'content-type': 'application/json',
          traceparent: `00-${traceId(n)}-00000000000000aa-01`,
        },
      });
    // Together, because writes that wait for each other must not get into each other's traces.
    const saved = await Promise.all(
      [1, 2, 3].map((n) =>
        send('/v1/pages', n, {
          method: 'POST',
          body: JSON.stringify({ title: `Secret${n}`, body: 'Words' }),
        }),
      ),
    );
    expect(saved.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await send('/v1/pages/secret1', 4)).status).toBe(200);
    expect((await send('/v1/pages/missing', 5)).status).toBe(404);
    expect(await fetch(`${address}/v1/pages/secret2`).then(({ status }) => status)).toBe(200);
    expect(await fetch(`${address}/v1/pages/secret2`).then(({ status }) => status)).toBe(200);
    await wiki.close();

    const spans = collector.spans();
    const requests = spans.filter(({ kind }) => kind === 2);
    const of = (n: number) => spans.filter((span) => span.traceId === traceId(n));
    const [created] = requests.filter((span) => span.traceId === traceId(1));
    expect(created).toMatchObject({ name: 'POST /v1/pages', parentSpanId: '00000000000000aa' });
    expect(said(created as Span)).toEqual({
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'http.route': '/v1/pages',
    });
    for (const n of [1, 2, 3]) {
      const written = of(n).filter((span) =>
        /insert into "?changes/.test(String(said(span)['db.query.text'])),
      );
      expect(written).toHaveLength(1);
      expect(said(written[0] as Span)).toMatchObject({
        'db.system.name': engine === 'SQLite' ? 'sqlite' : 'postgresql',
        'db.operation.name': 'INSERT',
      });
      expect(of(n).map(({ parentSpanId }) => parentSpanId)).toContain(
        requests.find((span) => span.traceId === traceId(n))?.spanId,
      );
    }
    expect(of(4).map(({ name }) => name)).toContain('GET /v1/pages/*');
    expect(requests.map((span) => said(span)['http.response.status_code'])).toContain(404);
    // The last one came from the cache of responses.
    expect(requests.filter(({ name }) => name === 'GET /v1/pages/*')).toHaveLength(4);
    const sent = collector.bodies.join('');
    for (const secret of ['Secret1', 'secret1', 'Words', ann.token, '127.0.0.1'])
      expect(sent).not.toContain(secret);
  });
});

test('a collector that is away delays neither requests nor the end of the server', async () => {
  const wiki = await startApp({ COPPICE_TRACES: 'http://127.0.0.1:1' });
  const address = await wiki.app.server.listen({ port: 0, host: '127.0.0.1' });
  expect((await fetch(`${address}/v1/updates`)).status).toBe(200);
  await wiki.close();
});

test('an address without a collector is refused at the start', () => {
  expect(() => readConfig({ COPPICE_TRACES: 'collector' })).toThrow(BadSettings);
});
