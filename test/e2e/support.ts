/** A real server, and a real browser before it. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Cookie,
  chromium,
  type LaunchOptions,
  type Page,
} from 'playwright-core';
import { readConfig } from '#config/config.ts';
import { addMember } from '#domain/members/manage-members.ts';
import { type App, buildApp } from '#src/app.ts';

export const passphrase = 'a passphrase for tests';

export interface Wiki {
  app: App;
  url: string;
  /** Unhandled errors in the log, a JSON line each. */
  bugs: string[];
  addMember(
    name: string,
    options?: { isAdmin?: boolean },
  ): Promise<{ id: number; name: string; email: string }>;
  close(): Promise<void>;
}

export async function startWiki(environment: Record<string, string> = {}): Promise<Wiki> {
  const folder = mkdtempSync(join(tmpdir(), 'coppice-e2e-'));
  const bugs: string[] = [];
  const logger = pino({ level: 'error' }, { write: (line: string) => void bugs.push(line) });
  const config = readConfig({ COPPICE_DATA: folder, COPPICE_RATE_LIMIT: 'off', ...environment });
  const app = await buildApp(config, { logger });
  await app.server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.server.address() as AddressInfo;
  const { store, passphrases } = app.service;
  return {
    app,
    url: `http://127.0.0.1:${port}`,
    bugs,
    async addMember(name, { isAdmin = false } = {}) {
      const email = `${name.toLowerCase()}@example.org`;
      return addMember(store, passphrases, { email, name, passphrase, isAdmin }, Date.now());
    },
    async close() {
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const headless = '/usr/bin/chromium-headless-shell';
const whole = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * The system's Chromium: the headless one where there is one, which takes half the time, unless the whole browser is needed,
 * as for what is kept for Back. Without one there is nothing to test, and that is a failure.
 */
export async function startBrowser({
  isWhole = false,
  ...options
}: LaunchOptions & { isWhole?: boolean } = {}): Promise<Browser> {
  const executablePath = [process.env.CHROMIUM, ...(isWhole ? whole : [headless, ...whole])].find(
    (path) => path !== undefined && existsSync(path),
  );
  if (!executablePath) {
    throw new Error(
      'The browser tests need Chromium: install the package “chromium”, or name one in CHROMIUM.',
    );
  }
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--disable-background-networking',
  ];
  return chromium.launch({ executablePath, args, ...options });
}

export interface Tab {
  page: Page;
  context: BrowserContext;
  /** Goes to an address of the wiki. */
  go(path: string): Promise<void>;
  /** Path and query of where it is. */
  at(): string;
  /** By the form, unless the member is signed in to this wiki already. */
  signIn(name: string): Promise<void>;
  /** Errors that the browser reported so far. */
  errors: string[];
}

export async function openTab(
  browser: Browser,
  wiki: Wiki,
  options: BrowserContextOptions = {},
): Promise<Tab> {
  // Pages that fade into each other would be waited for.
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    // A page that answers 404 or 409 is reported as an error, too, and is none.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(message.text());
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (/^https?:$/.test(protocol) && origin !== wiki.url)
      errors.push(`A request left the site: ${request.url()}`);
  });
  const at = () => page.url().slice(wiki.url.length);
  const go = async (path: string) => {
    await page.goto(wiki.url + path);
  };
  return {
    page,
    context,
    go,
    at,
    async signIn(name) {
      const known = sessions.get(`${wiki.url} ${name}`);
      if (known && (await isSignedIn(wiki, known))) return context.addCookies(known);
      await go('/login');
      await page.fill('#email', `${name.toLowerCase()}@example.org`);
      await page.fill('#pass', passphrase);
      await page.click('main form .button');
      await page.waitForURL(`${wiki.url}/`);
      sessions.set(`${wiki.url} ${name}`, await context.cookies());
    },
    errors,
  };
}

/** Cookies of members who signed in before, by wiki and name: tabs of theirs need not do so again. */
const sessions = new Map<string, Cookie[]>();

async function isSignedIn({ url }: Wiki, cookies: readonly Cookie[]): Promise<boolean> {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  return (await fetch(`${url}/account`, { headers: { cookie }, redirect: 'manual' })).status === 200;
}
