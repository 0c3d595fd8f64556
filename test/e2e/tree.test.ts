/** The page of the tree in a real browser: dragging within a level and between branches, and the filter. */
import { describe, expect, test } from 'vitest';
import { make, page, plantGarden, tab } from './garden.ts';

plantGarden();

describe('the tree', () => {
  test('rows are ordered by dragging, moved to another branch after a look at what moves, and filtered while typing', async () => {
    for (const title of ['Ash', 'Birch', 'Cedar']) await make({ title, parent: '/garden' });
    await tab.signIn('Ada');
    await tab.go('/tree/garden');
    const row = (name: string) => page.locator(`.tree-page li[data-path="/garden/${name}"] > a`);
    const names = () => page.locator('.tree-page > ul > li > a').allTextContents();
    expect((await names()).slice(0, 3)).toEqual(['Ash', 'Birch', 'Cedar']);
    const saved = page.waitForResponse((answer) => answer.url().endsWith('/v1/order/garden'));
    await row('cedar').dragTo(row('ash'), { targetPosition: { x: 30, y: 2 } });
    expect((await saved).status()).toBe(200);
    expect((await names()).slice(0, 3)).toEqual(['Cedar', 'Ash', 'Birch']);

    await row('birch').dragTo(row('ash'));
    await page.waitForURL('**/move/garden/birch?parent=*');
    expect(await page.textContent('.banner')).toContain('/garden/ash/birch');
    await page.getByRole('button', { name: 'Move 1 page' }).click();
    await page.waitForURL('**/garden/ash/birch*');

    await tab.go('/tree');
    expect(await page.textContent('.tree-page li:has(> a[href="/garden"]) .tree-count')).toBe('5');
    await page.fill('#tree-title', 'birc');
    await page.locator('.tree-page', { hasText: '/garden/ash/birch' }).waitFor();
    expect(await names()).toEqual(['Birch']);
    await page.fill('#tree-title', '');
    await page.locator('.tree-page > ul > li > a', { hasText: 'Garden' }).waitFor();
    await page.locator('.tree-filter summary').click();
    await page.getByLabel('Template', { exact: true }).check();
    await expect.poll(names).not.toContain('Notice');
  });
});
