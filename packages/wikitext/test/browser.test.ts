import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { attacks } from './attacks.ts';
import { show } from './world.ts';

const executablePath = process.env.COPPICE_CHROMIUM ?? '/usr/bin/chromium';

describe.skipIf(!existsSync(executablePath))('in a browser', () => {
  it('no attack runs, loads anything or changes the page', async () => {
    const browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
    try {
      const page = await browser.newPage();
      const asked: string[] = [];
      const said: string[] = [];
      page.on('dialog', (dialog) => {
        said.push(dialog.message());
        void dialog.dismiss();
      });
      // Only the world's own files may be requested.
      await page.route('**/*', (route) => {
        const { pathname, host } = new URL(route.request().url());
        if (host !== 'wiki.test' || !(pathname === '/' || pathname.startsWith('/files/')))
          asked.push(route.request().url());
        if (pathname !== '/') return route.abort();
        return route.fulfill({
          contentType: 'text/html',
          body: '<!doctype html><meta charset="utf-8"><main></main>',
        });
      });
      await page.goto('http://wiki.test/');
      await page.evaluate(() => {
        const state = window as unknown as { hits: number; boom: () => void };
        state.hits = 0;
        state.boom = () => state.hits++;
      });
      for (const attack of attacks) {
        const { html } = show(attack);
        // Inserted as in the editor's preview, then as markup of the document, as the server sends it.
        const result = await page.evaluate((html) => {
          const main = document.createElement('main');
          main.innerHTML = html;
          document.body.replaceChildren(main);
          const fragment = document.createRange().createContextualFragment(html);
          document.body.append(fragment);
          for (const element of document.body.querySelectorAll('*')) {
            for (const type of ['click', 'mouseover', 'focus', 'error', 'load', 'toggle']) {
              if (!(element instanceof HTMLAnchorElement))
                element.dispatchEvent(new Event(type, { bubbles: true }));
            }
          }
          const handlers = [...document.body.querySelectorAll('*')].flatMap((element) =>
            element.getAttributeNames().filter((name) => name.startsWith('on')),
          );
          const scripts = document.body.querySelectorAll(
            'script, iframe, object, embed, base, style, svg, math, form, meta:not([itemprop]), link:not([itemprop]), [http-equiv], meta[name], link[rel]',
          ).length;
          return {
            hits: (window as unknown as { hits: number }).hits,
            handlers,
            scripts,
            address: location.href,
          };
        }, html);
        expect(result, attack).toEqual({ hits: 0, handlers: [], scripts: 0, address: 'http://wiki.test/' });
      }
      expect(asked).toEqual([]);
      expect(said).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
