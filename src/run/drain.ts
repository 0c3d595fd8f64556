/**
 * Stops accepting connections while other processes go on listening on the port, and lets every client finish: none finds its
 * connection closed after it has sent a request.
 */
import type { Server } from 'node:http';
import { Server as SocketServer } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** Connections that no request has used by then are closed. */
const patienceMs = 5000;
const lookEveryMs = 50;

export async function drain(server: Server): Promise<void> {
  // The next response on each connection says that it is the last one: RFC 9112 §9.6.
  server.maxRequestsPerSocket = 1;
  // Right after the event loop has accepted what waited, because a queue that no other process shares is reset when it closes.
  await setImmediate();
  // Not by the server's own method, which would also close idle connections, on which a request may be on its way.
  SocketServer.prototype.close.call(server);
  for (
    const deadline = performance.now() + patienceMs;
    performance.now() < deadline;
    await sleep(lookEveryMs)
  ) {
    if ((await countOf(server)) === 0) return;
  }
}

function countOf(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count ?? 0)));
}
