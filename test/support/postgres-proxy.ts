/** Proxies before the PostgreSQL of the tests: one that comes up late, one that is silent at first, a pooler in transaction mode, and one that changes the isolation. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Proxy extends AsyncDisposable {
  /** URL of the same database through the proxy. */
  url: string;
}

/** Messages of the server, which begin with a letter and their length. https://www.postgresql.org/docs/current/protocol-message-formats.html */
const readyForQuery = 'Z'.charCodeAt(0);
const idle = 'I'.charCodeAt(0);
const terminate = 'X'.charCodeAt(0);

/** Closes the first connection without a word, answers the next two that the server is starting, and then passes all on. */
export function lateProxy(url: string): Promise<Proxy> {
  let count = 0;
  return proxy(url, (client, open) => {
    count++;
    if (count === 1) return void client.destroy();
    if (count <= 3) return void client.once('data', () => client.end(refusal('57P03')));
    const server = open();
    client.pipe(server).pipe(client);
  });
}

/** Never answers the first connection, and passes all others on. */
export function silentProxy(url: string): Promise<Proxy> {
  let count = 0;
  return proxy(url, (client, open) => {
    if (count++ > 0) {
      const server = open();
      client.pipe(server).pipe(client);
    } else client.resume();
  });
}

/** Gives each transaction the session that was free last. A client signs in to a session of its own, which then serves all. */
export function transactionPooler(url: string): Promise<Proxy> {
  const free: Pooled[] = [];
  return proxy(url, (client, open) => {
    let pooled: Pooled | undefined = pooledOver(open());
    pooled.client = client;
    client.on('data', (bytes: Buffer) => {
      if (bytes[0] === terminate && bytes.length === 5) return void client.end();
      pooled ??= free.pop();
      if (!pooled) throw new Error('Every client has brought a session.');
      pooled.client = client;
      pooled.server.write(bytes);
    });

    function pooledOver(server: Socket): Pooled {
      const one: Pooled = { server, client: undefined };
      server.on('data', (bytes: Buffer) => {
        const end = bytes.subarray(-6);
        one.client?.write(bytes);
        if (end[0] !== readyForQuery || end[5] !== idle) return;
        one.client = undefined;
        pooled = undefined;
        free.push(one);
      });
      return one;
    }
  });
}

/** Makes transactions serializable that ask for less, as engines do that have nothing else. */
export function serializableProxy(url: string): Promise<Proxy> {
  const asked = "default_transaction_isolation = 'read committed'";
  const given = "default_transaction_isolation = 'serializable'".padEnd(asked.length);
  return proxy(url, (client, open) => {
    const server = open();
    client.on('data', (bytes: Buffer) => {
      // Settings are sent together, as the first statement of a session.
      const at = bytes.indexOf(asked);
      if (at >= 0) bytes.write(given, at);
      server.write(bytes);
    });
    client.on('close', () => server.destroy());
    server.pipe(client);
  });
}

interface Pooled {
  server: Socket;
  client: Socket | undefined;
}

async function proxy(url: string, serve: (client: Socket, open: () => Socket) => void): Promise<Proxy> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const open = () => {
    const socket = connect(Number(port), hostname);
    sockets.add(socket.on('error', () => {}));
    return socket;
  };
  const server = createServer((client) => {
    sockets.add(client.on('error', () => {}));
    serve(client, open);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An ErrorResponse. */
function refusal(code: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0Mthe database system is starting up\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
