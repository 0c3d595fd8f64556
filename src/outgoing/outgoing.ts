/**
 * The only code that sends requests to URLs that people entered. It resolves the name, checks every resulting address, and
 * connects to one of exactly these addresses, so a DNS answer that changes afterwards has no effect. Redirects are not
 * followed; time and size are limited.
 */
import { lookup as systemLookup } from 'node:dns/promises';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { NotDelivered, NotPermitted, type Outgoing } from '#core/ports/outgoing.ts';
import { type AllowedTarget, isReachable, readTarget, type Target } from './targets.ts';

export interface OutgoingOptions {
  allowed?: readonly AllowedTarget[];
  /** Resolves a name to addresses. Defaults to the system resolver. */
  resolve?: (hostname: string) => Promise<{ address: string; family: number }[]>;
  /** Time limit of a request, from DNS resolution to the end of the response. */
  timeoutMs?: number;
  userAgent: string;
}

/** Maximum number of response bytes read before the connection is closed. */
const maxAnswerBytes = 16 * 1024;
const connectionsPerHost = 16;
/** Statuses of servers that do not support HEAD, or treat it differently from GET. */
const refusesHead: ReadonlySet<number> = new Set([400, 403, 404, 405, 501]);

export function createOutgoing(options: OutgoingOptions): Outgoing {
  const { allowed = [], timeoutMs = 15_000, userAgent } = options;
  const resolve = options.resolve ?? ((hostname) => systemLookup(hostname, { all: true }));
  const settings = {
    keepAlive: true,
    keepAliveMsecs: 5000,
    maxSockets: connectionsPerHost,
    maxFreeSockets: 64,
  };
  const agents = { http: new HttpAgent(settings), https: new HttpsAgent(settings) };

  async function send<T>(
    url: string,
    {
      method,
      headers,
      body,
    }: { method: string; headers: Readonly<Record<string, string | number>>; body: string },
    read: (answer: IncomingMessage) => Promise<T>,
  ): Promise<T> {
    const target = readTarget(url, allowed);
    if ('textIn' in target) throw new NotPermitted(target.textIn('en'));
    const signal = AbortSignal.timeout(timeoutMs);
    const attempt = (addresses: { address: string; family: number }[]) =>
      new Promise<T>((settle, fail) => {
        const request = (target.isSecure ? httpsRequest : httpRequest)(
          url,
          {
            method,
            agent: target.isSecure ? agents.https : agents.http,
            headers: { ...headers, 'user-agent': userAgent },
            lookup: given(addresses),
            signal,
          },
          (answer) => read(answer).then(settle, fail),
        );
        request.on('error', (error: NodeJS.ErrnoException) => {
          // The other side closed a keep-alive connection just as it was reused.
          fail(Object.assign(error, { isStale: request.reusedSocket && error.code === 'ECONNRESET' }));
        });
        // RFC 9110 §7.8: no request asks for another protocol. Without a listener Node drops the connection in silence.
        request.on('upgrade', (_answer, socket) => {
          socket.destroy();
          fail(new NotDelivered('The server changed the protocol (101).'));
        });
        request.end(body);
      });
    try {
      const addresses = await within(signal, addressesOf(target));
      const answered = attempt(addresses).catch((error: Error & { isStale?: boolean }) => {
        if (error.isStale) return attempt(addresses);
        throw error;
      });
      return await within(signal, answered);
    } catch (error) {
      throw error instanceof NotDelivered ? error : new NotDelivered(sentenceOf(error, timeoutMs), error);
    }
  }

  async function addressesOf(target: Target): Promise<{ address: string; family: number }[]> {
    const bare = target.hostname.replace(/^\[(.*)\]$/, '$1');
    const family = isIP(bare);
    const addresses = family === 0 ? await resolve(bare) : [{ address: bare, family }];
    // The address itself would reveal the network of the server to members.
    if (addresses.some(({ address }) => !isReachable(address, target, allowed)))
      throw new NotPermitted(
        `The address of ${target.hostname} is not a public address. The wiki’s operator can permit it with COPPICE_OUTGOING_ALLOW.`,
      );
    if (addresses.length === 0) throw new NotDelivered(`${target.hostname} has no address.`);
    return addresses;
  }

  return {
    refusal(url) {
      const target = readTarget(url, allowed);
      return 'textIn' in target ? target : undefined;
    },
    post: (url, headers, body) =>
      send(
        url,
        { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) }, body },
        async (answer) => ({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: await readBeginning(answer),
        }),
      ),
    get: (url, maxBytes) =>
      send(url, { method: 'GET', headers: {}, body: '' }, async (answer) => {
        const { statusCode: status = 0, headers } = answer;
        return { status, headers, bytes: await readWhole(answer, maxBytes) };
      }),
    async probe(url) {
      const ask = (method: string) =>
        send(url, { method, headers: {}, body: '' }, async (answer) => {
          answer.destroy();
          return answer.statusCode ?? 0;
        });
      const status = await ask('HEAD');
      return refusesHead.has(status) ? ask('GET') : status;
    },
    [Symbol.dispose]() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** A DNS lookup that always returns the addresses that were checked, so that a changed answer cannot redirect the connection. */
function given(addresses: { address: string; family: number }[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    const [{ address, family } = { address: '', family: 0 }] = addresses;
    if (all) callback(null, addresses);
    else callback(null, address, family);
  };
}

async function readBeginning(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    // Leaving the loop closes the connection.
    if (bytes > maxAnswerBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxAnswerBytes).toString();
}

async function readWhole(answer: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    // Leaving the loop closes the connection.
    if (bytes > maxBytes) throw new NotDelivered(`It has more than ${maxBytes} bytes.`);
  }
  return Buffer.concat(chunks);
}

/** Ends the wait for a promise with the signal, whatever it waits for: DNS resolvers take no signal. */
async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function sentenceOf(thrown: unknown, timeoutMs: number): string {
  const error = thrown as NodeJS.ErrnoException;
  if (error.name === 'AbortError' || error.name === 'TimeoutError')
    return `There was no response within ${timeoutMs / 1000} seconds.`;
  switch (error.code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'Its host name does not exist.';
    case 'ECONNREFUSED':
      return 'Nothing listens there.';
    case 'ECONNRESET':
    case 'EPIPE':
      return 'The connection was closed without a response.';
    default:
      return `It could not be reached: ${error.code ?? error.message}.`;
  }
}
