/** Bodies that arrive over real connections, at whatever pace. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import Fastify, { type FastifyRequest } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPieces } from './pieces.ts';

const bodyLimit = 12_000_000;
const server = Fastify({ bodyLimit });
/** Of the last request: the most that was taken in one turn of the event loop. */
let mostAtOnce = 0;
/** What reading it ended with. */
let end: Promise<unknown> | undefined;
/** Nothing is read before. */
let begins: Promise<unknown> = Promise.resolve();

server.addContentTypeParser('application/octet-stream', async (asked: FastifyRequest) => {
  await begins;
  const pieces = readPieces(asked);
  end = pieces.catch((error: Error) => error);
  mostAtOnce = 0;
  let inTurn = 0;
  asked.raw.on('data', ({ length }: Buffer) => {
    if (inTurn === 0) nextTurn().then(() => (inTurn = 0));
    inTurn += length;
    mostAtOnce = Math.max(mostAtOnce, inTurn);
  });
  return pieces;
});
server.post<{ Body: Buffer[] }>('/', ({ body }) => ({
  pieces: body.map(({ length, buffer }) => ({ length, isOwn: length === buffer.byteLength })),
  hash: hashOf(body),
}));
beforeAll(() => server.listen({ host: '127.0.0.1', port: 0 }));
afterAll(() => server.close());

const hashOf = (pieces: Buffer[]) =>
  pieces.reduce((hash, piece) => hash.update(piece), createHash('sha256')).digest('hex');
const someBytes = (length: number) => Buffer.from(Uint8Array.from({ length }, (_, i) => (i * i) >> 7));

function post(headers: OutgoingHttpHeaders = {}): ClientRequest {
  const { port } = server.server.address() as AddressInfo;
  const type = { 'content-type': 'application/octet-stream' };
  return request({ host: '127.0.0.1', port, method: 'POST', headers: { ...type, ...headers } });
}

async function answerTo(sent: ClientRequest): Promise<{ status: number | undefined; json: Arrived }> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const piece of response) text += piece;
  return { status: response.statusCode, json: JSON.parse(text) };
}

interface Arrived {
  pieces: { length: number; isOwn: boolean }[];
  hash: string;
}

test.each([0, 1, 999_999, 1_000_000, 9_876_543])(
  '%i bytes arrive whole, with and without an announced length',
  async (length) => {
    const bytes = someBytes(length);
    for (const headers of [{ 'content-length': length }, { 'transfer-encoding': 'chunked' }]) {
      const sent = post(headers);
      sent.end(bytes);
      const { status, json } = await answerTo(sent);
      expect([status, json.hash]).toEqual([200, hashOf([bytes])]);
      const last = json.pieces.pop();
      expect(last?.length).toBeLessThan(1_100_000);
      for (const piece of json.pieces) {
        expect(piece.length).toBeGreaterThanOrEqual(1_000_000);
        expect(piece.isOwn).toBe(true);
      }
    }
  },
);

test('what comes in drops is one piece', async () => {
  const sent = post();
  for (let i = 0; i < 50; i++) {
    sent.write(Buffer.from([i]));
    await nextTurn();
  }
  sent.end();
  expect((await answerTo(sent)).json.pieces).toMatchObject([{ length: 50 }]);
});

test('however much lies ready, others have their turn after a quarter of a megabyte', async () => {
  const sent = post({ 'content-length': 10_000_000 });
  const { promise, resolve } = Promise.withResolvers<void>();
  begins = promise;
  sent.end(someBytes(10_000_000));
  await wait(200);
  resolve();
  expect((await answerTo(sent)).status).toBe(200);
  expect(mostAtOnce).toBeLessThan(600_000);
});

test('more than the route takes is refused, before it is sent if it says so', async () => {
  const announced = post({ 'content-length': bodyLimit + 1 });
  announced.flushHeaders();
  expect((await answerTo(announced)).status).toBe(413);
  announced.destroy();

  const sent = post({ 'transfer-encoding': 'chunked' });
  sent.on('error', () => undefined);
  sent.end(Buffer.alloc(bodyLimit + 1));
  expect((await answerTo(sent)).status).toBe(413);

  const most = post();
  most.end(Buffer.alloc(bodyLimit));
  expect((await answerTo(most)).status).toBe(200);
});

test('what breaks off is refused as malformed', async () => {
  end = undefined;
  const sent = post({ 'content-length': 5_000_000 });
  sent.on('error', () => undefined);
  sent.write(Buffer.alloc(3_000_000));
  await expect.poll(() => end !== undefined).toBe(true);
  sent.destroy();
  expect(await end).toMatchObject({ statusCode: 400 });
});
