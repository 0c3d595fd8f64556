/**
 * Requests to a configured provider and to the endpoints that it names. HTTPS, unless the provider runs on this machine; no
 * redirects; limited in time and size.
 */

/** Key sets and profiles are a few kilobytes. */
const maxAnswerBytes = 512 * 1024;
/** Timeout of a request, including its body. */
const requestTimeoutMs = 8000;

/** Thrown if the provider gave no usable answer; retrying later may help. */
export class Unreachable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'Unreachable';
  }
}

type Options = { method?: string; headers?: HeadersInit; body?: unknown; signal?: AbortSignal | undefined };
type BoundedFetch = (url: string, options: Options) => Promise<Response>;

/** `origins`: permitted origins, evaluated for each request, because endpoints are discovered at run time. */
export function boundedFetch(
  origins: () => ReadonlySet<string>,
  { timeoutMs = requestTimeoutMs, maxBytes = maxAnswerBytes } = {},
): BoundedFetch {
  return async (text, { method, headers, body, signal: given }) => {
    const url = new URL(text);
    if (!origins().has(url.origin)) throw new Unreachable(`${url.origin} is not one of the provider's own.`);
    if (!isSafe(url)) throw new Unreachable(`${url.origin} is neither HTTPS nor this machine.`);
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(url, {
        method: method ?? 'GET',
        headers: headers ?? {},
        redirect: 'manual' as const,
        ...(body === undefined || body === null ? {} : { body: body as BodyInit }),
        signal: given ? AbortSignal.any([given, limit]) : limit,
      });
      return await readWhole(response, maxBytes);
    } catch (error) {
      throw error instanceof Unreachable ? error : new Unreachable(`${url.origin} does not respond.`, error);
    }
  };
}

/** Plain HTTP never leaves this machine, because requests contain codes, secrets and tokens. */
export function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

async function readWhole(response: Response, maxBytes: number): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the download.
    if (bytes > maxBytes) throw new Unreachable('The response is too long.');
    chunks.push(chunk);
  }
  const headers = new Headers(response.headers);
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  const { status, statusText } = response;
  return new Response(bytes > 0 ? Buffer.concat(chunks) : null, { status, statusText, headers });
}
