/** Helpers for the visual editor, in a tab of somebody who has not chosen the source. */
import type { Page } from 'playwright-core';
import { browser, wiki } from './garden.ts';
import { openTab, type Tab } from './support.ts';

export async function visualTab(
  options: { width?: number; hasTouch?: boolean; name?: string } = {},
): Promise<Tab & { text(): Promise<string>; save(): Promise<void>; write(words: string): Promise<void> }> {
  const { width = 1280, hasTouch = false, name = 'Ada' } = options;
  const tab = await openTab(browser, wiki, {
    editorView: 'visual',
    viewport: { width, height: 850 },
    ...(hasTouch ? { hasTouch, isMobile: true } : {}),
  });
  await tab.signIn(name);
  const { page } = tab;
  return {
    ...tab,
    /** The source that saving would send, once the editor has it. */
    async text() {
      await page.locator('#visual-text').waitFor();
      await written(page);
      return page.evaluate(() => {
        const form = document.querySelector<HTMLFormElement>('#page-form');
        return form ? String(new FormData(form).get('body')).replace(/\r\n/g, '\n') : '';
      });
    },
    async save() {
      await page.click('button:has-text("Save page")');
      await page.waitForURL((url) => !/^\/(new$|edit\/)/.test(url.pathname));
    },
    /** Types at the caret, or at the end of the text if it is elsewhere. */
    async write(words: string) {
      const text = page.getByRole('textbox', { name: 'Text', exact: true });
      await text.waitFor();
      if (!(await text.evaluate((one) => one === document.activeElement))) {
        await text.focus();
        await page.keyboard.press('Control+End');
      }
      await page.keyboard.type(words);
    },
  };
}

/** Waits until the server has answered with the source of all that is written. */
async function written(page: Page): Promise<void> {
  await page.locator('.visual:not(.is-unsent)').first().waitFor();
}

/** The source that is saved of a page that everybody may read. */
export async function savedBody(path: string): Promise<string> {
  const answer = await fetch(`${wiki.url}/v1/history${path}?limit=1`);
  const [latest] = (await answer.json()) as { content: { body: string } }[];
  return latest?.content.body ?? '';
}
