/** A receiver of webhooks: a local server that records requests and responds as the test wants. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

interface Received {
  id: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  json: { kind: string; page: { id: number } };
}

export interface Receiver extends AsyncDisposable {
  url: string;
  port: number;
  received: Received[];
  /** Status of the next responses and further headers; 0 closes the connection without a response. */
  answer(
    status: number | ((request: Received) => number | Promise<number>),
    headers?: Record<string, string>,
  ): void;
  /** Throws unless the library of Standard Webhooks accepts the signature. */
  verify(secret: string, request: Received): void;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let statusOf: (request: Received) => number | Promise<number> = () => 204;
  let further: Record<string, string> = {};
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const one = {
      id: String(request.headers['webhook-id']),
      url: String(request.url),
      headers: request.headers,
      body,
      json: JSON.parse(body),
    };
    received.push(one);
    const status = await statusOf(one);
    if (status === 0) return void request.socket.destroy();
    response
      .writeHead(status, { location: 'http://127.0.0.1:1/', ...further })
      .end(status === 204 ? undefined : `as ${status}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    answer: (status, headers = {}) => {
      further = headers;
      statusOf = typeof status === 'number' ? () => status : status;
    },
    verify: (secret, { id, body, headers }) => {
      const at = new Date(Number(headers['webhook-timestamp']) * 1000);
      const library = new Webhook(secret);
      // The library rejects old timestamps, but some tests have a clock of their own.
      if (Math.abs(at.getTime() - Date.now()) < 100_000)
        library.verify(body, headers as Record<string, string>);
      else if (library.sign(id, at, body) !== headers['webhook-signature'])
        throw new Error('Wrong signature.');
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
