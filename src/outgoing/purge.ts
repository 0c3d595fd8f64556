/** Tells a cache before the server which responses to forget, by their surrogate keys. */

export type PurgeTarget =
  | { kind: 'varnish'; url: string }
  | { kind: 'fastly' | 'cloudflare'; id: string; token: string };

/** Caches accept so many keys in one request. */
const mostKeys = { varnish: 100, fastly: 200, cloudflare: 30 } satisfies Record<PurgeTarget['kind'], number>;
const timeoutMs = 10_000;

/** `apis`: addresses of the providers, for tests. Fails if the cache does not confirm every key. */
export async function purge(
  target: PurgeTarget,
  keys: readonly string[],
  apis = { fastly: 'https://api.fastly.com', cloudflare: 'https://api.cloudflare.com/client/v4' },
): Promise<void> {
  const atOnce = mostKeys[target.kind];
  for (let first = 0; first < keys.length; first += atOnce) {
    const [url, request] = requestOf(target, keys.slice(first, first + atOnce), apis);
    const answer = await fetch(url, {
      ...request,
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`The cache answered ${answer.status} to a purge.`);
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
