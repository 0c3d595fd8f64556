/** SQL statements per read: as many as ARCHITECTURE.md states, whatever the wiki's size. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRenderer } from '#core/content/render.ts';
import { addMember } from '#core/members/manage-members.ts';
import { checkPath } from '#core/pages/check-path.ts';
import { createPage } from '#core/pages/create-page.ts';
import { listBacklinks } from '#core/pages/list-backlinks.ts';
import { listChildren } from '#core/pages/list-children.ts';
import { recentUpdates } from '#core/pages/recent-updates.ts';
import { viewPage } from '#core/pages/view-page.ts';
import { wantedLinks } from '#core/pages/wanted-links.ts';
import { nearPlaces } from '#core/places/near-places.ts';
import type { Passphrases } from '#core/ports/credentials.ts';
import type { Store } from '#core/ports/store.ts';
import { searchPages } from '#core/search/search-pages.ts';
import { openStore } from '#run/open-store.ts';
import { noFiles } from '../support/no-files.ts';
import { emptyDatabases, type FreshDatabase } from '../support/postgres.ts';

const ten = { limit: 10, offset: 0 };
const history = 'all' as const;

const reads: Record<string, (store: Store) => Promise<unknown>> = {
  'A page, first time': (store) =>
    viewPage({ reader: store.readAs(null), renderer: createRenderer(''), now: 0 }, '/page-1', { history }),
  'A list of 10 (search)': (store) => searchPages(store.readAs(null), { ...ten, path: '/page', history }),
  'A list of 10 (full text)': (store) => searchPages(store.readAs(null), { ...ten, text: 'heron', history }),
  Near: async (store) => {
    const { places } = await nearPlaces(store.readAs(null), { lat: 50, lon: 8, radiusMetres: 1e5, ...ten });
    const ids = places.map(({ id }) => id);
    await store.readAs(null).pages.load(ids, history);
  },
  Requested: (store) => wantedLinks(store.readAs(null), 25),
  Updates: (store) => recentUpdates(store.readAs(null), 10),
  'Check a path that is taken': (store) => checkPath(store.readAs(null), '/page-1'),
  Backlinks: (store) => listBacklinks(store.readAs(null), '/page-1', ten),
  Children: (store) => listChildren(store.readAs(null), '/page-1', ten),
};

const documented = readFileSync(join(import.meta.dirname, '../../ARCHITECTURE.md'), 'utf8');

describe('the number of statements is as documented, with few pages and with many', () => {
  describe.each(emptyDatabases)('%s', (engine, fresh) => {
    const filled: FreshDatabase[] = [];
    beforeAll(async () => {
      for (const size of [20, 80]) {
        const database = await fresh();
        filled.push(database);
        await using store = await openStore(database.config);
        await fill(store, size);
      }
    });
    afterAll(async () => {
      for (const database of filled) await database[Symbol.asyncDispose]();
    });

    test.each(Object.keys(reads))('%s', async (name) => {
      const statements: string[] = [];
      const counts: number[] = [];
      for (const { config } of filled) {
        // A new store, because the old one may have cached results of earlier reads.
        await using store = await openStore(config, { onQuery: ({ sql }) => void statements.push(sql) });
        statements.length = 0;
        await reads[name]?.(store);
        counts.push(statements.length);
      }
      expect(counts[0]).toBe(counts[1]);
      const row = documented.split('\n').find((line) => line.startsWith(`| ${name} |`));
      const column = engine === 'SQLite' ? 2 : 3;
      expect(Number(row?.split('|')[column]), `${name} on ${engine}: ${counts[0]}`).toBe(counts[0]);
    });
  });
});

/** Pages with children, places, tags, and links to existing and missing pages. */
async function fill(store: Store, to: number): Promise<void> {
  const unused = {} as Passphrases;
  const ada = { email: 'ada@example.org', name: 'Ada', isAdmin: true, passphrase: null };
  await addMember(store, unused, ada, 0);
  const actor = { memberId: 1, name: 'Ada', isAdmin: true };
  for (let n = 1; n <= to; n++) {
    const parent = n % 10 === 1 ? '' : `/page-${n - ((n - 1) % 10)}`;
    const body = `A heron. [[Page 1]] [[/page-2]] [[Nowhere ${n}]] [[kind:${n % 3}]] [[Location: 50.${n}, 8]] {{None}}`;
    await createPage(
      { store, files: noFiles, actor, now: n },
      { title: `Page ${n}`, path: `/page-${n}`, parent, body },
    );
  }
}
