/** The same journey in a real browser, whose rules (cookies across sites, CSP, refresh) simulated requests do not apply. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addMember } from '#core/members/manage-members.ts';
import { sharedBrowser } from '../e2e/support.ts';
import { freePorts } from '../support/free-ports.ts';
import { startApp, type TestApp } from '../support/http.ts';
import { type RunningProvider, startProvider } from '../support/oauth.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const passphrase = 'correct horse battery staple';

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } };
    return (await axe.run()).violations.map(({ id }) => id);
  });
}

describe('in Chromium', () => {
  let site: TestApp;
  let base: string;
  let provider: RunningProvider;
  let browser: Browser;

  beforeAll(async () => {
    const [port, providerPort = 0] = await freePorts(2);
    // Two hosts, so that the return is cross-site.
    base = `http://localhost:${port}`;
    provider = await startProvider(providerPort, `${base}/login/with/work/return`);
    site = await startApp({
      COPPICE_URL: base,
      COPPICE_OAUTH: 'work',
      COPPICE_OAUTH_WORK_ISSUER: provider.issuer,
      COPPICE_OAUTH_WORK_ID: 'coppice',
      COPPICE_OAUTH_WORK_SECRET: 'a+secret%of:the~two',
    });
    await site.app.server.listen({ port, host: 'localhost' });
    browser = await sharedBrowser();
  });
  afterAll(async () => {
    await site?.close();
    await provider?.[Symbol.asyncDispose]();
  });

  test.each([true, false])(
    'linking and signing in by a provider work (JavaScript: %s)',
    async (javaScriptEnabled) => {
      const name = `Ada ${javaScriptEnabled}`;
      const login = `ada-${javaScriptEnabled}`;
      const { store, passphrases } = site.app.service;
      const email = `${login}@example.org`;
      await addMember(store, passphrases, { email, name, passphrase, isAdmin: false }, Date.now());

      await using context = await browser.newContext({ javaScriptEnabled });
      // The provider's development pages load a font from another site.
      await context.route(/googleapis/, (route) => route.abort());
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' && page.url().startsWith(base)) complaints.push(message.text());
      });
      const passProvider = async () => {
        await page.waitForURL((url) => url.origin === provider.issuer);
        if (await page.getByPlaceholder('Enter any login').isVisible()) {
          await page.getByPlaceholder('Enter any login').fill(login);
          await page.getByPlaceholder('and password').fill('any');
          await page.getByRole('button', { name: 'Sign-in' }).click();
          await page.getByRole('button', { name: 'Continue' }).click();
        } else await page.getByRole('button', { name: 'Continue' }).click();
        await page.waitForURL((url) => url.origin === base);
      };

      await page.goto(`${base}/login?next=/account`);
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Passphrase').fill(passphrase);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('link', { name: 'Signing in' }).click();
      await page.getByRole('button', { name: 'Link a Work account' }).click();
      await passProvider();
      expect(page.url()).toBe(`${base}/account#providers`);
      await page.getByText(`${login}@mail.example`).waitFor();
      if (javaScriptEnabled) {
        for (const path of ['/account#sign-in', '/login/again?next=/account']) {
          await page.goto(base + path);
          expect(await violations(page)).toEqual([]);
        }
        await page.goto(`${base}/account`);
      }

      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await page.goto(`${base}/login?next=/account`);
      if (javaScriptEnabled) expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Continue with Work' }).click();
      await page.waitForURL(`${base}/account`);
      await page.getByText(`Signed in as ${name}`).waitFor();

      // Back does not return to the sign-in flow.
      await page.goBack();
      expect(page.url()).not.toContain('/login/with/');
      expect(complaints).toEqual([]);
    },
  );
});
