/** A wiki with two sign-in providers, each in its own process, a third that is gone, and a clock that can be advanced. */
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { addMember } from '#core/members/manage-members.ts';
import { freePorts } from './free-ports.ts';
import { startApp, type TestApp } from './http.ts';
import { Browser, type Going, type RunningProvider, type Shown, startProvider } from './oauth.ts';

export const passphrase = 'correct horse battery staple';
export let site: TestApp;
export let base: string;
export let alpha: RunningProvider;
export let beta: RunningProvider;
let offset = 0;
let made = 0;
export const clock = () => Date.now() + offset;

/** Called by each file that uses the site: a worker loads this module once for all of its files. */
export function useOauthSite(): void {
  beforeAll(start);
  afterAll(async () => {
    await site?.close();
    await alpha?.[Symbol.asyncDispose]();
    await beta?.[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    offset = 0;
  });
}

async function start(): Promise<void> {
  const [wiki, first = 0, second = 0, nobody] = await freePorts(4);
  base = `http://127.0.0.1:${wiki}`;
  alpha = await startProvider(first, `${base}/login/with/alpha/return`);
  beta = await startProvider(second, `${base}/login/with/beta/return`);
  const provider = (name: string, issuer: string) => ({
    [`COPPICE_OAUTH_${name}_ISSUER`]: issuer,
    [`COPPICE_OAUTH_${name}_ID`]: 'coppice',
    [`COPPICE_OAUTH_${name}_SECRET`]: 'a+secret%of:the~two',
  });
  site = await startApp(
    {
      COPPICE_URL: base,
      COPPICE_OAUTH: 'alpha,beta,gone',
      ...provider('ALPHA', alpha.issuer),
      ...provider('BETA', beta.issuer),
      ...provider('GONE', `http://127.0.0.1:${nobody}`),
    },
    { clock },
  );
  await site.app.server.listen({ port: wiki, host: '127.0.0.1' });
}

/** Sets how far the wiki's clock is ahead of real time. */
export function setClockAhead(ms: number): void {
  offset = ms;
}

export async function newMember(withPassphrase = true): Promise<{ id: number; email: string; name: string }> {
  const name = `Member ${++made}`;
  const email = `member${made}@example.org`;
  const { store, passphrases } = site.app.service;
  const input = { email, name, passphrase: withPassphrase ? passphrase : null, isAdmin: false };
  const { id } = await addMember(store, passphrases, input, clock());
  return { id, email, name };
}

export async function signIn(browser: Browser, email: string): Promise<Shown> {
  const page = await browser.open(`${base}/login?next=/account`);
  return browser.submit(page, 'action="/login"', { email, pass: passphrase });
}

/** `on`: gets each address on the way and may replace it. */
export async function leaveFor(
  browser: Browser,
  provider: string,
  next = '/account',
  on: Going['on'] = undefined,
): Promise<Shown> {
  const page = await browser.open(`${base}/login?next=${next}`);
  return browser.submit(page, `/login/with/${provider}"`, {}, on ? { on } : {});
}

export async function link(browser: Browser, login: string, provider = 'alpha'): Promise<Shown> {
  const account = await browser.open(`${base}/account`);
  const address = await browser.submit(account, `/login/with/${provider}"`);
  return browser.passProvider(address, login);
}

/** A member with a linked account at the provider. */
export async function linkedMember(login: string): Promise<{ id: number; email: string; name: string }> {
  const member = await newMember();
  const browser = new Browser();
  await signIn(browser, member.email);
  expect((await link(browser, login)).text).toContain('Account linked');
  return member;
}

export async function whoIs(browser: Browser): Promise<string | undefined> {
  const page = await browser.open(`${base}/account`);
  return /Signed in as <span dir="auto">([^<]*)</.exec(page.text)?.[1];
}

/** Signs in at the provider and returns the redirect back to the wiki, without opening it. */
export async function answerFor(browser: Browser, login: string, provider = 'alpha'): Promise<URL> {
  const address = await leaveFor(browser, provider);
  const stopped = await browser.passProvider(address, login, {
    on: (url) => (url.pathname.endsWith('/return') ? 'stop' : undefined),
  });
  expect(stopped.url.pathname).toBe(`/login/with/${provider}/return`);
  return stopped.url;
}
