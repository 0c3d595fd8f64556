/** Proposals from the command line. */
import { expect, test } from 'vitest';
import { createPage } from '#core/pages/create-page.ts';
import { engines, startWiki } from '../support/cli.ts';

const ada = { memberId: 1, name: 'Ada Lovelace', isAdmin: true };

test.each(engines)('proposals are listed, shown, merged and refused: %s', async (engine) => {
  await using wiki = await startWiki(engine);
  await wiki.administrator();
  const ids: number[] = [];
  {
    await using open = await wiki.open();
    const page = await createPage(
      { store: open.store, files: open.files, actor: ada, now: 5 },
      { title: 'Oak', body: 'Old' },
    );
    const propose = (title: string, body: string) => {
      const place = { path: page.path, pageId: page.id, shownWith: page.id, base: page.changeId };
      const change = { action: 'edit', ...place, fields: { body }, files: [] } as const;
      const fields = { title, text: '', state: 'open', publishAt: null, authorId: 1 } as const;
      return open.store.proposals.insert({ ...fields, invited: [] }, [change], 6);
    };
    for (const [title, body] of [
      ['Better', 'New'],
      ['Other', 'Newer'],
      ['Worse', 'Bad'],
    ] as const)
      ids.push(await propose(title, body));
  }
  const [better, other, worse] = ids.map(String) as [string, string, string];
  const proposal = (...given: string[]) => wiki.coppice(['proposal', ...given]);
  expect((await proposal('list')).out).toMatch(/^\d+ .*open, 1 change +Ada Lovelace +Worse\n/);
  expect(JSON.parse((await proposal('list', '--json')).out)).toHaveLength(3);
  expect(JSON.parse((await proposal('show', better)).out)).toMatchObject({
    ...{ title: 'Better', mergeable: true },
    changes: [{ path: '/oak', body: 'New' }],
  });
  expect(await proposal('merge', better)).toEqual({ code: 0, out: '/oak\n', err: '' });
  expect(await proposal('merge', better)).toMatchObject({ code: 1 });
  expect((await proposal('merge', other)).err).toContain('conflicts');
  expect((await proposal('list')).out).toContain('conflict');
  expect((await proposal('refuse', worse, '--reason', 'Too old')).out).toBe(`Withdrawn: ${worse}.\n`);
  expect(JSON.parse((await proposal('show', worse)).out)).toMatchObject({
    ...{ state: 'withdrawn', reviews: [{ verdict: 'comment', text: 'Too old' }] },
  });
  expect((await proposal('list', '--state', 'withdrawn')).out).toContain('Worse');
  for (const [given, code] of [
    [['show', '99'], 1],
    [['show', 'x'], 2],
    [['list', '--state', 'odd'], 2],
    [['merge', other, '--as', 'nobody@example.org'], 1],
  ] as const)
    expect((await proposal(...given)).code, given.join(' ')).toBe(code);
  await using open = await wiki.open();
  const page = await open.store.readAsSystem().pages.loadByPath('/oak', 'none');
  expect(page?.content.body).toBe('New');
});
