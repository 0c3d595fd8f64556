/**
 * Sends requests. Renews credentials before they expire, and repeats requests when the response is lost or the wiki asks to
 * wait. Writes carry an idempotency key, so repeating them has no further effect.
 */
import { errorOf } from './problem.ts';

/** An API token or sign-in data. Undefined for anonymous requests. */
export type Credential =
  | { token: string }
  | { email: string; pass: string }
  | { provider: string; id: string };

/** Credential of the caller, and how requests are sent. */
export interface Options {
  credential?: Credential;
  /** Maximum number of attempts for each request; default 4. */
  attempts?: number;
  /** Replaces the runtime's own `fetch`. */
  fetch?: typeof fetch;
}

export interface Sent {
  method: string;
  /** Path below the wiki's address, with the query. */
  path: string;
  headers?: Record<string, string>;
  /** Called for each attempt. */
  body?: () => { body: BodyInit; type?: string };
  signal?: AbortSignal | undefined;
}

/** A session's token is valid for 15 minutes and is renewed after this time. */
const renewAfterMs = 12 * 60_000;
const maxWaitMs = 30_000;

export class Sender {
  readonly #address: string;
  readonly #options: Options;
  #session: { token: string; since: number } | undefined;
  #signingIn: Promise<string> | undefined;

  constructor(address: string, options: Options) {
    this.#address = address.replace(/\/+$/, '');
    this.#options = options;
  }

  get address(): string {
    return this.#address;
  }

  /** Returns any response except refusals, which are thrown as `CoppiceError`. */
  async send(sent: Sent): Promise<Response> {
    const { attempts = 4 } = this.#options;
    const isWrite = sent.method !== 'GET' && sent.method !== 'HEAD';
    const key: Record<string, string> = isWrite ? { 'Idempotency-Key': newKey() } : {};
    for (let attempt = 1, isRenewed = false; ; attempt++) {
      const authorization = await this.authorization();
      const outcome = await this.#once({ ...sent, headers: { ...key, ...authorization, ...sent.headers } });
      if (outcome instanceof Response && outcome.ok) return outcome;
      if (outcome instanceof Response && outcome.status === 401 && this.#session && !isRenewed) {
        // The session ended early, so it signs in once more.
        this.#session = undefined;
        isRenewed = true;
        continue;
      }
      // Without a credential the wiki ignores the key, so a write whose response was lost might be done twice.
      const isRepeatable = !isWrite || authorization.Authorization !== undefined;
      const wait = isRepeatable && attempt < attempts ? waitAfter(outcome, attempt) : undefined;
      if (wait === undefined || sent.signal?.aborted)
        throw outcome instanceof Response ? await errorOf(outcome) : outcome;
      await outcomeRead(outcome);
      await sleep(wait, sent.signal);
    }
  }

  /** Returns a header with a credential that stays valid for some minutes. */
  async authorization(): Promise<{ Authorization?: string }> {
    const { credential } = this.#options;
    if (!credential) return {};
    return {
      Authorization: `Bearer ${'token' in credential ? credential.token : await this.#sessionToken(credential)}`,
    };
  }

  async #sessionToken(credential: Credential): Promise<string> {
    if (this.#session && Date.now() - this.#session.since < renewAfterMs) return this.#session.token;
    // Concurrent requests share one sign-in.
    this.#signingIn ??= this.#signIn(credential).finally(() => {
      this.#signingIn = undefined;
    });
    return this.#signingIn;
  }

  async #signIn(credential: Credential): Promise<string> {
    const since = Date.now();
    let response: Response | unknown;
    if (this.#session) {
      const headers = { Authorization: `Bearer ${this.#session.token}` };
      response = await this.#once({ method: 'POST', path: '/v1/members/reauth', headers });
    }
    if (!(response instanceof Response && response.ok)) {
      const body = () => ({ body: JSON.stringify(credential), type: 'application/json' });
      response = await this.#once({ method: 'POST', path: '/v1/members/auth', body });
    }
    if (!(response instanceof Response)) throw response;
    if (!response.ok) throw await errorOf(response);
    this.#session = { token: (await response.text()).trim(), since };
    return this.#session.token;
  }

  async #once({ method, path, headers, body, signal }: Sent): Promise<Response | unknown> {
    const { fetch: send = fetch } = this.#options;
    const made = body?.();
    try {
      return await send(`${this.#address}${path}`, {
        method,
        headers: { ...headers, ...(made?.type ? { 'Content-Type': made.type } : {}) },
        ...(made ? { body: made.body } : {}),
        ...(signal ? { signal } : {}),
        ...(made?.body instanceof ReadableStream ? { duplex: 'half' } : {}),
      } as RequestInit);
    } catch (error) {
      if (signal?.aborted) throw error;
      return error;
    }
  }
}

/** Random key. Browsers offer `randomUUID` only to pages from `https` or localhost, so it is not used. */
function newKey(): string {
  return crypto.getRandomValues(new Uint8Array(16)).join('-');
}

/** Returns the milliseconds until the next attempt, or undefined if another attempt cannot help. */
function waitAfter(outcome: unknown, attempt: number): number | undefined {
  const backoff = 200 * 2 ** attempt * (0.5 + Math.random());
  if (!(outcome instanceof Response)) return backoff;
  const after = Number(outcome.headers.get('Retry-After') ?? Number.NaN) * 1000;
  if (after > maxWaitMs) return undefined;
  // 409 with Retry-After: the first request with this key is still being handled.
  const isTemporary =
    [408, 429, 502, 503, 504].includes(outcome.status) || (outcome.status === 409 && after >= 0);
  return isTemporary ? after || backoff : undefined;
}

/** Discards the body, so that the connection can be reused. */
async function outcomeRead(outcome: unknown): Promise<void> {
  if (outcome instanceof Response) await outcome.body?.cancel();
}

export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
}
