/** Regenerates the README's pictures from the demonstration world: `npm run pictures`. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp, { type Sharp } from 'sharp';
import { openTab, startBrowser, startWiki } from './support.ts';

interface Picture {
  name: string;
  path: string;
  theme?: 'dark' | 'light';
  width?: number;
  height?: number;
  /** Steps before the picture is taken. */
  act?(page: Page): Promise<void>;
}

const wending = '/alder-valley/middle-vale/wending';
const pictures: Picture[] = [
  { name: 'page-light', path: wending },
  { name: 'page-dark', path: wending, theme: 'dark' },
  {
    name: 'editor',
    path: '/edit/alder-valley/middle-vale/three-wheels',
    async act(page) {
      await page.click('.cm-content');
      await page.keyboard.press('Control+End');
      await page.keyboard.type('\nSee [[mill');
      await page.waitForSelector('.cm-tooltip-autocomplete');
    },
  },
  { name: 'changes', path: '/history/alder-valley' },
  { name: 'search', path: '/search?text=mill', theme: 'dark' },
  { name: 'phone', path: '/alder-valley/middle-vale/great-coppice', width: 390, height: 800 },
  { name: 'phone-dark', path: '/', width: 390, height: 800, theme: 'dark' },
  {
    name: 'phone-pages',
    path: '/alder-valley/upper-dale/hollin',
    width: 390,
    height: 800,
    act: (page) => page.locator('.thumbs summary').first().click(),
  },
];

const taken = new Map<string, Buffer>();
const data = mkdtempSync(join(tmpdir(), 'coppice-pictures-'));
execFileSync(process.execPath, ['src/main.ts', 'demo'], { env: { ...process.env, COPPICE_DATA: data } });
const wiki = await startWiki({ COPPICE_DATA: data, COPPICE_NAME: 'Alder Valley' });
const browser = await startBrowser();
try {
  await wiki.addMember('Ada');
  for (const { name, path, theme = 'light', width = 1200, height = 780, act } of pictures) {
    const options = { viewport: { width, height }, colorScheme: theme, deviceScaleFactor: 1.5 } as const;
    const tab = await openTab(browser, wiki, options);
    await tab.signIn('Ada');
    await tab.go(path);
    await tab.page.waitForLoadState('networkidle');
    await act?.(tab.page);
    await tab.page.waitForTimeout(600);
    taken.set(name, await tab.page.screenshot());
    await tab.context.close();
  }
  for (const { name, width } of pictures) {
    const picture = taken.get(name);
    if (picture && !width) await write(name, sharp(picture));
  }
  const phones = pictures.flatMap(({ name, width }) => (width ? [taken.get(name) ?? ''] : []));
  await write('phones', sharp(phones, { join: { across: phones.length, shim: 48, background: '#8a928c' } }));
} finally {
  await browser.close();
  await wiki.close();
  rmSync(data, { recursive: true, force: true });
}

async function write(name: string, picture: Sharp): Promise<void> {
  await picture.webp({ quality: 72, effort: 6 }).toFile(`docs/images/${name}.webp`);
}
