/** A write invalidates only what depends on it; otherwise every cached response would be recomputed after each. */
import { expect, test } from 'vitest';
import {
  anyContent,
  childrenOf,
  descendantsOf,
  factsOf,
  leadsTo,
  linksTo,
  namesOfPages,
  newPages,
  pathsBeneath,
  placesAt,
  requestedLinks,
  tagged,
  typed,
} from '#cache/dependency.ts';
import { createRenderer } from '#core/content/render.ts';
import { createPage } from '#core/pages/create-page.ts';
import { editPage } from '#core/pages/edit-page.ts';
import { openStore } from '#run/open-store.ts';
import { noFiles } from '../support/no-files.ts';
import { freshSqlite } from '../support/postgres.ts';
import { addMember, addPage } from '../support/write-pages.ts';

// SQLite only: on PostgreSQL other work on the same server counts as well, see `store/commits.test.ts`.
test('writes do not invalidate responses about other pages and other names', async () => {
  await using database = await freshSqlite();
  await using store = await openStore(database.config);
  const memberId = await addMember(store, 'Ann', true);
  const edited = await addPage(store, { title: 'Edited', path: '/edited', at: 1 });
  const other = await addPage(store, { title: 'Other', path: '/other', at: 2 });
  const ann = { memberId, name: 'Ann', isAdmin: true };
  const dependencies = {
    edited,
    other,
    facts: factsOf(edited),
    roots: childrenOf(null),
    'leads to edited': leadsTo('edited'),
    'leads to /edited': leadsTo('/edited'),
    'leads to other': leadsTo('other'),
    'leads to brand new': leadsTo('brand new'),
    'links to a link': linksTo('a link'),
    'links to another': linksTo('another'),
    'requested links': requestedLinks,
    'places at 1': placesAt({ lat: 1.5 }),
    'places at 2': placesAt({ lat: 2 }),
    names: namesOfPages,
    'new pages': newPages,
    content: anyContent,
    'typed Mill': typed('Mill'),
    'typed Place': typed('Place'),
    'tagged new': tagged('new'),
    'tagged old': tagged('old'),
    'beneath other': descendantsOf(other),
    'paths in /': pathsBeneath(''),
    'paths in /other': pathsBeneath('/other'),
  };
  const invalidatedBy = async (write: () => Promise<unknown>) => {
    const revision = await store.revision();
    await write();
    await store.revision();
    return Object.entries(dependencies).flatMap(([name, dependency]) =>
      store.isUnchanged(revision, [dependency]) ? [] : [name],
    );
  };
  const edit = (input: object) => () =>
    editPage({ store, files: noFiles, renderer: createRenderer(''), actor: ann, now: 3 }, '/edited', input);

  expect(await invalidatedBy(edit({ body: 'Said anew.' }))).toEqual(['edited', 'facts', 'content']);
  expect(await invalidatedBy(edit({ body: '[[A link]], described.' }))).toEqual([
    'edited',
    'facts',
    'links to a link',
    'requested links',
    'content',
  ]);
  expect(await invalidatedBy(edit({ description: 'Few words.' }))).toEqual(['edited', 'facts', 'content']);
  expect(await invalidatedBy(edit({ body: '[[A link]] [[kind:new]]' }))).toEqual([
    'edited',
    'content',
    'tagged new',
  ]);
  expect(await invalidatedBy(edit({ body: '[[A link]] [[kind:old]] [[kind:new]]' }))).toEqual([
    'edited',
    'content',
    'tagged old',
  ]);
  expect(await invalidatedBy(edit({ body: '[[A link]] [[kind:new]]' }))).toEqual([
    'edited',
    'content',
    'tagged old',
  ]);
  expect(await invalidatedBy(edit({ type: 'Mill' }))).toEqual([
    'edited',
    'facts',
    'roots',
    'content',
    'typed Mill',
  ]);
  expect(await invalidatedBy(edit({ type: 'Ruin' }))).toContain('typed Mill');
  expect(await invalidatedBy(edit({ location: { lat: 1.2, lon: 3 } }))).toEqual([
    'edited',
    'facts',
    'places at 1',
    'content',
  ]);
  expect(await invalidatedBy(edit({ title: 'Called anew' }))).toEqual([
    'edited',
    'facts',
    'roots',
    'leads to edited',
    'leads to /edited',
    'links to a link',
    'requested links',
    'places at 1',
    'names',
    'content',
  ]);
  const page = { title: 'Brand new', body: '[[Another]] [[kind:old]]', location: { lat: 2.2, lon: 3 } };
  expect(await invalidatedBy(() => createPage({ store, files: noFiles, actor: ann, now: 4 }, page))).toEqual([
    'roots',
    'leads to brand new',
    'links to another',
    'requested links',
    'places at 2',
    'new pages',
    'content',
    'typed Place',
    'tagged old',
    'paths in /',
  ]);
  expect(await invalidatedBy(edit({ path: '/other/edited', parent: '/other' }))).toEqual([
    'edited',
    'facts',
    'roots',
    'leads to /edited',
    'links to a link',
    'requested links',
    'places at 1',
    'content',
    'beneath other',
    'paths in /',
    'paths in /other',
  ]);
  expect(
    await invalidatedBy(() => store.transact((store) => store.pages.addLike(other, memberId, 5))),
  ).toEqual(['other']);
  expect(await invalidatedBy(() => store.members.raiseEpoch(memberId))).toEqual([]);
  // Any page may show the member's name.
  const rename = () => store.members.update(memberId, { name: 'Anna' });
  expect(await invalidatedBy(rename)).toEqual(Object.keys(dependencies));
});
