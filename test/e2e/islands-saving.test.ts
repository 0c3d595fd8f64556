/** The sentences beside Save, and on the page for access, say who will read the page while somebody chooses. */
import { expect, test } from 'vitest';
import { createPage } from '#core/pages/create-page.ts';
import { openTab, sharedBrowser, startWiki } from './support.ts';

test('giving a page of a group to all members removes the name of the group', async () => {
  const [wiki, browser] = await Promise.all([startWiki(), sharedBrowser()]);
  const ada = await wiki.addMember('Ada', { isAdmin: true });
  const { store, files } = wiki.app.service;
  await store.groups.insert('Board', Date.now());
  const actor = { memberId: ada.id, name: 'Ada', isAdmin: true };
  const minutes = { title: 'Minutes', permissions: 770, group: 'Board', body: 'x' };
  await createPage({ store, files, actor, now: Date.now() }, minutes);
  const tab = await openTab(browser, wiki);
  try {
    await tab.signIn('Ada');
    await tab.go('/edit/minutes');
    await tab.page.locator('.cm-content').waitFor();
    const told = () => tab.page.textContent('#save-means');
    const labels = () => tab.page.textContent('#permissions-choice');
    expect(await told()).toBe('Only the owner and the group “Board” can read and edit.');
    await tab.page.click('summary:has-text("Who may read and edit")');
    await tab.page.selectOption('#permissions-choice', '740');
    expect(await told()).toBe(
      'New access: only the owner and the group “Board” can read, only the owner can edit.',
    );
    await tab.page.selectOption('#permissions-choice', '770');
    await tab.page.fill('#group', 'members');
    expect(await told()).toBe('New access: members can read and edit.');
    expect(await labels()).not.toContain('Board');
    expect(await tab.page.textContent('#permissions-brief')).toBe('Members can read and edit');
    await tab.page.fill('#group', 'Board');
    expect(await labels()).toContain('the group “Board”');
    await tab.go('/new?parent=/minutes');
    await tab.page.locator('.cm-content').waitFor();
    expect(await told()).toBe('Publishes the page: anyone can read, members can edit.');
    // Other pages above may give access that this form does not know.
    await tab.go('/edit/minutes');
    await tab.page.locator('.cm-content').waitFor();
    await tab.page.click('summary:has-text("Location in the tree")');
    await tab.page.fill('#parent', '/elsewhere');
    expect(await told()).toContain('The pages above this place also decide who can read and edit the page.');
    await tab.go('/access/minutes');
    const means = () => tab.page.textContent('#access-means');
    expect(await means()).toBe('After the change: only the owner and the group “Board” can read and edit.');
    await tab.page.fill('#group', 'members');
    expect(await means()).toBe('After the change: members can read and edit.');
    expect(await labels()).not.toContain('Board');
    await tab.page.selectOption('#permissions-choice', '744');
    expect(await means()).toBe('After the change: anyone can read, only the owner can edit.');
    // Names of groups and people are completed while somebody types.
    await tab.page.fill('#grantee', 'boa');
    await tab.page.locator('[role=option]', { hasText: 'Board' }).waitFor();
    await tab.page.keyboard.press('ArrowDown');
    await tab.page.keyboard.press('Enter');
    await tab.page.locator('#found button', { hasText: 'Share' }).click();
    await tab.page.locator('#shared .access-row', { hasText: 'Board' }).waitFor();
    expect(await tab.page.textContent('#access-sentence')).toContain('the group “Board”');
    expect(tab.errors).toEqual([]);
  } finally {
    await tab.close();
    await wiki.close();
  }
});
