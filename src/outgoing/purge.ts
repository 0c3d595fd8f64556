/** Tells a cache before the server which responses to forget, by their surrogate keys. */

export type PurgeTarget =
  | { kind: 'varnish'; url: string }
  | { kind: 'fastly' | 'cloudflare'; id: string; token: string };

/** Caches accept so many keys in one request. */
const mostKeys = { varnish: 100, fastly: 200, cloudflare: 30 } satisfies Record<PurgeTarget['kind'], number>;
const timeoutMs = 10_000;
/** However long a cache asks to be left alone. */
const longestPauseSeconds = 300;

/** The cache did not confirm these keys. */
export class NotPurged extends Error {
  readonly left: readonly string[];
  /** How long the cache asks to be left alone. */
  readonly pauseMs: number;

  constructor(message: string, left: readonly string[], pauseMs: number, cause?: unknown) {
    super(message, { cause });
    this.name = 'NotPurged';
    this.left = left;
    this.pauseMs = pauseMs;
  }
}

/** `apis`: addresses of the providers, for tests. Fails with `NotPurged` if the cache does not confirm every key. */
export async function purge(
  target: PurgeTarget,
  keys: readonly string[],
  apis = { fastly: 'https://api.fastly.com', cloudflare: 'https://api.cloudflare.com/client/v4' },
): Promise<void> {
  const atOnce = mostKeys[target.kind];
  for (let first = 0; first < keys.length; first += atOnce) {
    const [url, request] = requestOf(target, keys.slice(first, first + atOnce), apis);
    const notPurged = (reason: string, pauseMs = 0, cause?: unknown) =>
      new NotPurged(reason, keys.slice(first), pauseMs, cause);
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await fetch(url, { ...request, signal, redirect: 'error' }).catch((error: unknown) => {
      throw notPurged('The cache did not answer a purge.', 0, error);
    });
    await answer.body?.cancel();
    if (answer.ok) continue;
    // RFC 9110 §10.2.3: seconds or a date, of which only the former is sent by caches that limit purges.
    const pauseMs = Math.min(Number(answer.headers.get('retry-after')) || 0, longestPauseSeconds) * 1000;
    throw notPurged(`The cache answered ${answer.status} to a purge.`, pauseMs);
  }
}

function requestOf(
  target: PurgeTarget,
  keys: readonly string[],
  apis: { fastly: string; cloudflare: string },
): [string, RequestInit] {
  switch (target.kind) {
    case 'varnish':
      // The second header is the alternatives of a regular expression, for `ban`.
      return [
        target.url,
        { method: 'PURGE', headers: { 'Surrogate-Key': keys.join(' '), 'X-Purge': keys.join('|') } },
      ];
    case 'fastly':
      return [
        `${apis.fastly}/service/${target.id}/purge`,
        { method: 'POST', headers: { 'Fastly-Key': target.token, 'Surrogate-Key': keys.join(' ') } },
      ];
    case 'cloudflare':
      return [
        `${apis.cloudflare}/zones/${target.id}/purge_cache`,
        {
          method: 'POST',
          headers: { Authorization: `Bearer ${target.token}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ tags: keys }),
        },
      ];
  }
}
