/** Waits between concurrent PostgreSQL transactions that keep the counts of wanted links right. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Store } from '#core/ports/store.ts';
import { openStore } from '#run/open-store.ts';
import { openPostgres } from '#store/postgres/engine.ts';
import { freshPostgres } from '../support/postgres.ts';
import { addPage, addPages, all, anyone, editPage, withMembers } from '../support/write-pages.ts';

test('pages that link to an existing page do not wait for each other', async () => {
  await using wiki = await wikiWithLinking();
  const { store, linking } = wiki;
  await addPage(store, { title: 'Inn' });
  const other = await addPage(store, { title: 'Other' });
  await store.transact(async (held) => {
    await editPage(held, linking, { links: ['Inn', '/inn', 'Barn'] });
    await editPage(store, other, { links: ['Inn', '/inn', 'Byre'] });
  });
  expect(await wantedBy(store)).toEqual(['Barn', 'Byre']);
  expect(await store.maintenance.violations(9)).toEqual([]);
});

test('a link to a page that is being created or deleted waits for it', async () => {
  await using wiki = await wikiWithLinking();
  const { url, store, linking } = wiki;
  const link = () => editPage(store, linking, { links: ['Inn', 'Barn'] });
  const comes = (store: Store) => addPage(store, { title: 'Inn' });
  const inn = await inTurn(url, store, comes, link);
  expect(await wantedBy(store)).toEqual(['Barn']);
  await editPage(store, linking, { links: [] });
  await inTurn(url, store, (store) => editPage(store, inn, { title: 'Tavern' }), link);
  expect(await wantedBy(store)).toEqual(['Barn', 'Inn']);
  expect(await store.maintenance.violations(9)).toEqual([]);
});

test('creating or deleting a page waits for concurrent links to it', async () => {
  await using wiki = await wikiWithLinking();
  const { url, store, linking } = wiki;
  const link = (store: Store) => editPage(store, linking, { links: ['Inn', 'Barn'] });
  let inn = 0;
  await inTurn(url, store, link, async () => {
    inn = await addPage(store, { title: 'Inn' });
  });
  expect(await wantedBy(store)).toEqual(['Barn']);
  await editPage(store, linking, { links: [] });
  await inTurn(url, store, link, () => editPage(store, inn, { title: 'Tavern' }));
  expect(await wantedBy(store)).toEqual(['Barn', 'Inn']);
  expect(await store.maintenance.violations(9)).toEqual([]);
});

test('a link to one of very many pages created together waits for them, and they for it', async () => {
  await using wiki = await wikiWithLinking();
  const { url, store, linking } = wiki;
  const come = (store: Store, name: string) =>
    addPages(
      store,
      Array.from({ length: 60 }, (_, i) => ({
        parent: null,
        drafts: [{ title: `${name} ${i}`, path: `/${name}-${i}` }],
      })),
    );
  const link = (store: Store) => editPage(store, linking, { links: ['Inn 1', 'Barn 1', 'Byre'] });
  await inTurn(
    url,
    store,
    (store) => come(store, 'Inn'),
    () => link(store),
  );
  expect(await wantedBy(store)).toEqual(['Barn 1', 'Byre']);
  await editPage(store, linking, { links: [] });
  await inTurn(url, store, link, () => come(store, 'Barn'));
  expect(await wantedBy(store)).toEqual(['Byre']);
  expect(await store.maintenance.violations(9)).toEqual([]);
});

/** A wiki with a page whose links are edited. */
async function wikiWithLinking(): Promise<{ url: string; store: Store; linking: number } & AsyncDisposable> {
  const stack = new AsyncDisposableStack();
  const database = stack.use(await freshPostgres());
  const store = stack.use(await openStore(database.config));
  await withMembers(store);
  const linking = await addPage(store, { title: 'Linking' });
  return { url: database.url, store, linking, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

async function wantedBy(store: Store): Promise<string[]> {
  const wanted = await store.readAs(anyone).links.wanted(all.limit, 0);
  return wanted.map(({ title }) => title).sort();
}

/** Commits `first` only once `second` waits for a lock. */
async function inTurn<T>(
  url: string,
  store: Store,
  first: (store: Store) => Promise<T>,
  second: () => Promise<unknown>,
): Promise<T> {
  await using engine = await openPostgres([url], {});
  const waiting = sql`select 1 from pg_locks where not granted`.compile(engine.reader);
  let late: Promise<unknown> | undefined;
  const result = await store.transact(async (store) => {
    const result = await first(store);
    late = second();
    while ((await engine.run(engine.reader, [waiting]))[0]?.length === 0);
    return result;
  });
  await late;
  return result;
}
