/** Passkeys in a real browser, with a virtual authenticator of its developer tools. */
import { expect, onTestFinished, test } from 'vitest';
import { openTab, sharedBrowser, startWiki } from './support.ts';

test('a member adds a passkey, signs in with it, and confirms their identity with it', async () => {
  const [started, browser] = await Promise.all([startWiki(), sharedBrowser()]);
  // Passkeys need a host name.
  const wiki = { ...started, url: started.url.replace('127.0.0.1', 'localhost') };
  await wiki.addMember('Ada');
  const tab = await openTab(browser, wiki);
  onTestFinished(async () => {
    await tab.context.close();
    await started.close();
  });
  const { page, context } = tab;
  const devTools = await context.newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  await tab.signIn('Ada');
  await tab.go('/account/passkeys');
  await page.fill('#name', 'Laptop');
  await page.click('text=Add a passkey >> nth=-1');
  await page.waitForSelector('.sessions >> text=Laptop');
  // Adds the same device again.
  await page.click('text=Add a passkey >> nth=-1');
  expect(await page.textContent('[role=alert]')).toContain('already has one of your passkeys');

  await tab.go('/account');
  await page.click('text=Sign out >> nth=0');
  await tab.go('/login?next=/account');
  await page.click('text=Sign in with a passkey');
  await page.waitForURL(`${wiki.url}/account`);
  expect(await page.textContent('#sessions')).toContain('signed in with a passkey');

  await tab.go('/login/again?next=/account/passkeys');
  await page.click('text=Sign in with a passkey');
  await page.waitForURL(`${wiki.url}/account/passkeys`);
  await page.click('text=Remove');
  await page.waitForURL(/\/login/);
  await page.click('text=Sign in with a passkey');
  await page.locator('main', { hasText: 'did not work' }).waitFor();
  expect(tab.errors).toEqual([]);
});
