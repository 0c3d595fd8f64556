/** A real server and a real browser for tests. */
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
  type Request,
} from 'playwright-core';
import { readConfig } from '#config/config.ts';
import { addMember } from '#core/members/manage-members.ts';
import { type App, buildApp } from '#run/app.ts';
import { beginSqlite } from '../support/postgres.ts';

export const passphrase = 'a passphrase for tests';

export interface Wiki {
  app: App;
  url: string;
  /** Unhandled errors in the log, one JSON line each. */
  bugs: string[];
  addMember(
    name: string,
    options?: { isAdmin?: boolean },
  ): Promise<{ id: number; name: string; email: string }>;
  close(): Promise<void>;
}

export async function startWiki(environment: Record<string, string> = {}): Promise<Wiki> {
  const folder = mkdtempSync(join(tmpdir(), 'coppice-e2e-'));
  await beginSqlite(folder);
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
 * Starts the system's Chromium. The headless-only one is preferred, as it takes half the time, unless the whole browser is
 * needed, e.g. for its back/forward cache. Throws an error if there is none.
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

let shared: Browser | undefined;

/** One browser for all test files of a worker, closed with the worker. */
export async function sharedBrowser(): Promise<Browser> {
  if (!shared?.isConnected()) shared = await startBrowser();
  return shared;
}

export interface Tab {
  page: Page;
  context: BrowserContext;
  /** Goes to an address of the wiki. */
  go(path: string): Promise<void>;
  /** Waits until loading is done: fonts, and requests that maps and page forms send a moment later. */
  settled(): Promise<void>;
  /** Current path and query. */
  at(): string;
  /** Signs in with the form, unless the member is signed in to this wiki already. */
  signIn(name: string): Promise<void>;
  /** Errors that the browser reported so far. */
  errors: string[];
  /** Empties the page for reuse by the next tab of its kind. Close `context` instead if the page can no longer be emptied. */
  close(): Promise<void>;
}

/** Emptied pages by browser and kind. A new page takes four times as long as loading the wiki in it. */
const emptied = new WeakMap<Browser, Map<string, Page[]>>();

export async function openTab(
  browser: Browser,
  wiki: Wiki,
  {
    viewport = { width: 1280, height: 720 },
    colorScheme = 'light',
    editorView = 'source',
    ...options
  }: BrowserContextOptions & { editorView?: 'source' | 'visual' } = {},
): Promise<Tab> {
  const idle = idleTabs(browser, JSON.stringify({ ...options, editorView }));
  const page = idle.pop() ?? (await newPage(browser, options, editorView));
  const context = page.context();
  if (viewport) await page.setViewportSize(viewport);
  await page.emulateMedia({ media: null, colorScheme, reducedMotion: options.reducedMotion ?? 'reduce' });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    // Expected 404 and 409 responses are reported as errors, too.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(message.text());
  });
  const loading = new Set<Request>();
  page.on('requestfinished', (request) => void loading.delete(request));
  page.on('requestfailed', (request) => void loading.delete(request));
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) loading.clear();
    loading.add(request);
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
    async settled() {
      const asksLater = (await page.locator('[data-map], #page-form').count()) > 0;
      for (let quiet = 0; quiet < (asksLater ? 5 : 1); quiet = loading.size === 0 ? quiet + 1 : 0)
        await page.evaluate(async () => {
          await document.fonts.ready;
          await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)));
        });
    },
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
    async close() {
      if (page.isClosed()) return;
      if (context.pages().length > 1) return context.close();
      await empty(page, wiki);
      idle.push(page);
    },
  };
}

function idleTabs(browser: Browser, kind: string): Page[] {
  const kinds = emptied.get(browser) ?? new Map<string, Page[]>();
  emptied.set(browser, kinds);
  const idle = kinds.get(kind) ?? [];
  kinds.set(kind, idle);
  return idle;
}

/** `editorView`: what the person chose in the editor before; the visual editor is what newcomers get. */
async function newPage(
  browser: Browser,
  options: BrowserContextOptions,
  editorView: 'source' | 'visual',
): Promise<Page> {
  // Playwright would wait for fades between pages.
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(60_000);
  if (editorView === 'source')
    await context.addInitScript(() => {
      try {
        localStorage['coppice:editor-view'] ??= 'source';
      } catch {
        // Documents without an origin have no storage.
      }
    });
  return context.newPage();
}

/** Removes all traces of a test from the page, except the browser's cache. */
async function empty(page: Page, { url }: Wiki): Promise<void> {
  const context = page.context();
  for (const event of ['dialog', 'pageerror', 'console', 'request', 'requestfinished', 'requestfailed'])
    page.removeAllListeners(event as 'request');
  context.removeAllListeners('request');
  await Promise.all([page.unrouteAll({ behavior: 'ignoreErrors' }), context.unrouteAll()]);
  await Promise.all([context.setOffline(false), context.clearPermissions()]);
  // A page without scripts in the same process. Prompts about leaving are accepted.
  await page.goto(`${url}/robots.txt`);
  await page.evaluate('sessionStorage.clear()');
  await context.clearCookies();
  const protocol = await context.newCDPSession(page);
  await protocol.send('Storage.clearDataForOrigin', { origin: url, storageTypes: 'all' });
  await protocol.detach();
}

/** Session cookies by wiki and member name, so that later tabs need not sign in again. */
const sessions = new Map<string, Cookie[]>();

async function isSignedIn({ url }: Wiki, cookies: readonly Cookie[]): Promise<boolean> {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  return (await fetch(`${url}/account`, { headers: { cookie }, redirect: 'manual' })).status === 200;
}
