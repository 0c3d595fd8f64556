/** A sign-in provider, and a simple browser that keeps cookies, follows redirects and fills in forms. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface RunningProvider extends AsyncDisposable {
  issuer: string;
}

/** Starts `oidc-process.ts`; `issuer` is its address. */
export async function startProvider(port: number, redirectUri: string): Promise<RunningProvider> {
  const script = fileURLToPath(new URL('./oidc-process.ts', import.meta.url));
  const child = spawn(process.execPath, [script, String(port), redirectUri], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve());
    child.once('exit', (code) => reject(new Error(`The provider stopped with ${code}: ${output}`)));
  });
  return {
    issuer: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      child.kill();
      await once(child, 'exit');
    },
  };
}

export interface Shown {
  url: URL;
  status: number;
  text: string;
  headers: Headers;
}

export interface Going {
  /** Called before each address is opened. Returns another address to open instead, or `stop` to open nothing more. */
  on?: (url: URL) => URL | 'stop' | undefined;
}

export class Browser {
  /** Cookies by origin, because the test sites differ only in their port. */
  readonly cookies = new Map<string, Map<string, string>>();

  async open(address: string | URL, { on }: Going = {}): Promise<Shown> {
    return this.#go(new URL(address), {}, on);
  }

  /** Submits the form whose markup contains `marker`, with its own values and `fields`. */
  async submit(
    page: Shown,
    marker: string,
    fields: Record<string, string> = {},
    { on }: Going = {},
  ): Promise<Shown> {
    const form = formsOf(page.text).find((one) => one.includes(marker));
    if (!form) throw new Error(`No form with ${marker} at ${page.url}: ${page.text.slice(0, 2000)}`);
    const body = new URLSearchParams();
    for (const [input] of form.matchAll(/<input\b[^>]*>/g)) {
      const name = attribute(input, 'name');
      if (name !== undefined) body.set(name, attribute(input, 'value') ?? '');
    }
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    const action = attribute(/<form\b[^>]*>/.exec(form)?.[0] ?? '', 'action') || page.url.href;
    const headers = { origin: page.url.origin };
    return this.#go(new URL(action, page.url), { method: 'POST', body, headers }, on);
  }

  /** Signs in at the provider and accepts everything, until the browser has left the provider. */
  async passProvider(page: Shown, login: string, { on }: Going = {}): Promise<Shown> {
    let at = page;
    for (let steps = 0; /name="(prompt|xsrf)"/.test(at.text) && steps < 6; steps++) {
      const fields: Record<string, string> = at.text.includes('name="login"')
        ? { login, password: 'any' }
        : {};
      // To switch accounts, the provider first signs the person out with a form that submits itself.
      const marker = at.text.includes('name="prompt"') ? 'name="prompt"' : 'name="xsrf"';
      at = await this.submit(at, marker, fields, on ? { on } : {});
    }
    return at;
  }

  async #go(start: URL, init: RequestInit, on: Going['on']): Promise<Shown> {
    let url = start;
    let next: RequestInit = init;
    for (let hops = 0; hops < 15; hops++) {
      const instead = on?.(url);
      if (instead === 'stop') return { url, status: 0, text: '', headers: new Headers() };
      if (instead) url = instead;
      const jar = this.cookies.get(url.origin) ?? new Map<string, string>();
      this.cookies.set(url.origin, jar);
      const headers = new Headers(next.headers);
      if (jar.size > 0) headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '));
      const response = await fetch(url, { ...next, headers, redirect: 'manual' });
      for (const line of response.headers.getSetCookie()) keep(jar, line);
      const text = await response.text();
      const to = response.headers.get('location') ?? refreshOf(text);
      if (to === undefined) return { url, status: response.status, text, headers: response.headers };
      url = new URL(to, url);
      next = {};
    }
    throw new Error(`Too many redirects from ${start}.`);
  }
}

function keep(jar: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const [name = '', ...value] = pair.split('=');
  const isGone = attributes.some((one) => /^max-age=0$/i.test(one) || /^expires=.* 1970 /i.test(one));
  if (isGone) jar.delete(name);
  else jar.set(name, value.join('='));
}

function refreshOf(text: string): string | undefined {
  const content = attribute(/<meta http-equiv="refresh"[^>]*>/.exec(text)?.[0] ?? '', 'content');
  return content?.replace(/^0; url=/, '');
}

function formsOf(text: string): string[] {
  return text.match(/<form\b[\s\S]*?<\/form>/g) ?? [];
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value
    ?.replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
