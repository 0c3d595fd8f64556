/**
 * How soon the visual editor is ready, and how long the browser is busy after each key, in a large page of real wikitext.
 *
 *   node bench/editing/editor.ts <file.mediawiki> [checkout …]
 *
 * Each checkout, this one without an argument, serves a wiki of its own with that page. Rounds alternate between the checkouts.
 * `ready`: milliseconds from the request of the editor until its text can be written in. `key`: milliseconds from the key until
 * the next frame is painted, median and 95th percentile. With `BENCH_PROFILE=file`, a CPU profile of the keys is written.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { startServer } from '../processes/process.ts';

const [file = '', ...given] = process.argv.slice(2);
const folders = given.length > 0 ? given : ['.'];
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const keys = 60;
const passphrase = 'a passphrase for benches';
const body = readFileSync(file, 'utf8');

const kinds = ['TaskDuration', 'ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'];
/** Milliseconds of each kind. */
type Times = number[];

interface Round {
  ready: number;
  keys: Times[];
  pause: Times;
}

await using stack = new AsyncDisposableStack();
const browser: Browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});
stack.defer(() => browser.close());
const subjects: { folder: string; page: Page; url: string; rounds: Round[] }[] = [];
for (const folder of folders) {
  const dataFolder = mkdtempSync(join(tmpdir(), 'coppice-bench-editor-'));
  stack.defer(() => rmSync(dataFolder, { recursive: true, force: true }));
  const checkout = { folder: resolve(folder), name: folder } as never;
  execFileSync(
    process.execPath,
    ['src/main.ts', 'member', 'add', 'ada@example.org', '--name', 'Ada', '--admin', '--passphrase-stdin'],
    { cwd: resolve(folder), env: { ...process.env, COPPICE_DATA: dataFolder }, input: `${passphrase}\n` },
  );
  const server = stack.use(await startServer({ checkout, dataFolder, logLevel: 'error' }));
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${server.url}/login`);
  await page.fill('#email', 'ada@example.org');
  await page.fill('#pass', passphrase);
  await page.click('main form .button');
  await page.waitForURL(`${server.url}/`);
  await page.evaluate(() => localStorage.setItem('coppice:editor-view', 'source'));
  await page.goto(`${server.url}/new?title=Large`);
  await page.locator('.cm-content').waitFor();
  await page.evaluate((body) => {
    const form = document.querySelector<HTMLFormElement>('#page-form');
    form?.addEventListener('formdata', ({ formData }) => formData.set('body', body));
  }, body);
  await page.click('button:has-text("Save page")');
  await page.waitForURL((url) => url.pathname === '/large', { timeout: 120_000 });
  await page.evaluate(() => localStorage.setItem('coppice:editor-view', 'visual'));
  subjects.push({ folder, page, url: server.url, rounds: [] });
}
for (let round = 0; round <= rounds; round++)
  for (const subject of subjects) {
    const found = await measure(subject.page, subject.url);
    // The first round fills caches.
    if (round > 0) subject.rounds.push(found);
  }
const sorted = (list: number[]) => list.toSorted((one, other) => one - other);
const at = (list: number[], share: number) =>
  Number((sorted(list)[Math.floor(list.length * share)] ?? 0).toFixed(1));
console.table(
  Object.fromEntries(
    subjects.map(({ folder, rounds }) => {
      const all = rounds.flatMap((one) => one.keys);
      return [
        folder,
        {
          ready: at(
            rounds.map((one) => one.ready),
            0.5,
          ),
          key: at(
            all.map(([task = 0]) => task),
            0.5,
          ),
          'key 95 %': at(
            all.map(([task = 0]) => task),
            0.95,
          ),
          ...Object.fromEntries(
            kinds.slice(1).map((kind, index) => [
              kind,
              at(
                all.map((one) => one[index + 1] ?? 0),
                0.5,
              ),
            ]),
          ),
          pause: at(
            rounds.map(({ pause: [task = 0] }) => task),
            0.5,
          ),
        },
      ];
    }),
  ),
);

async function measure(page: Page, url: string): Promise<Round> {
  const protocol = await page.context().newCDPSession(page);
  await page.goto('about:blank');
  const start = performance.now();
  await page.goto(`${url}/edit/large`, { waitUntil: 'commit' });
  await page.waitForFunction(
    () => (document.querySelector('#visual-text')?.childElementCount ?? 0) > 5,
    null,
    {
      polling: 'raf',
      timeout: 120_000,
    },
  );
  const ready = performance.now() - start;
  await page.waitForTimeout(2000);
  const profile = process.env.BENCH_PROFILE;
  const spot = page.locator('#visual-text > p').nth(20);
  await spot.click();
  await page.keyboard.press('End');
  if (profile) {
    await protocol.send('Profiler.enable');
    await protocol.send('Profiler.start');
  }
  await protocol.send('Performance.enable');
  const times: Times[] = [];
  let before = await metricsOf(protocol);
  for (let count = 0; count < keys; count++) {
    await page.keyboard.press('abcdefgh '[count % 9] ?? 'x');
    await page.waitForTimeout(50);
    const now = await metricsOf(protocol);
    times.push(now.map((value, index) => value - (before[index] ?? 0)));
    before = now;
  }
  await page.waitForTimeout(6000);
  const pause = (await metricsOf(protocol)).map((value, index) => value - (before[index] ?? 0));
  if (profile) {
    const { profile: found } = await protocol.send('Profiler.stop');
    writeFileSync(profile, JSON.stringify(found));
  }
  await page.evaluate(() => {
    for (const kind of ['beforeunload', 'pagehide'])
      addEventListener(kind, (event) => event.stopImmediatePropagation(), true);
  });
  page.once('dialog', (dialog) => void dialog.accept());
  await page.goto('about:blank');
  await protocol.detach();
  return { ready, keys: times, pause };
}

/** Milliseconds that the page's thread has been busy so far. */
async function metricsOf(protocol: CDPSession): Promise<Times> {
  const { metrics } = await protocol.send('Performance.getMetrics');
  return kinds.map((kind) => 1000 * (metrics.find(({ name }) => name === kind)?.value ?? 0));
}
