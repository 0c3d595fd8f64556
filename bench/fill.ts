/**
 * Writes a generated wiki into an empty database, through the domain and the store of a checkout, many pages to a
 * transaction. A process of its own, so that a checkout with another schema fills its own database:
 *
 *     node bench/fill.ts CHECKOUT ENGINE TARGET PAGES SEED
 *
 * ENGINE is sqlite (TARGET: file) or postgres (TARGET: URL). Prints how much text went in, as JSON.
 */
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Content } from '#domain/page.ts';
import { createWorld, memberCount, type WorldPage } from './world.ts';

/** Of every member that signs in. */
export const passphrase = 'correct horse battery staple';
/** The first is the administrator. */
export const emailOf = (member: number) => `member${member}@example.org`;
export const signingMembers = 9;

const pagesPerTransaction = 500;

if (import.meta.main) {
  const [checkout = '.', engine = 'sqlite', target = '', pages = '', seed = '1'] = process.argv.slice(2);
  console.log(JSON.stringify(await fill(resolve(checkout), engine, target, Number(pages), Number(seed))));
}

async function fill(checkout: string, engine: string, target: string, pages: number, seed: number) {
  const part = (file: string) => import(pathToFileURL(join(checkout, 'src', file)).href);
  const { openStore } = (await part('store/store.ts')) as typeof import('#store/store.ts');
  const { stateOf } = (await part('domain/page-state.ts')) as typeof import('#domain/page-state.ts');
  const { createPassphrases } = (await part('auth/passphrase.ts')) as typeof import('#auth/passphrase.ts');
  await using store = await openStore(
    engine === 'sqlite' ? { kind: 'sqlite', file: target } : { kind: 'postgres', url: target },
  );
  const startedAt = Date.now();
  const world = createWorld({ pages, seed });

  const passphraseHash = await createPassphrases().hash(passphrase);
  for (let member = 1; member <= memberCount; member++) {
    await store.members.insert({
      ...{ email: emailOf(member), name: `Member ${member}`, isAdmin: member === 1, createdAt: 0 },
      passphraseHash: member <= signingMembers ? passphraseHash : null,
    });
  }

  // By number: what children need to know of their parent.
  const ids = new Int32Array(pages);
  const trailOf = (number: number): number[] => {
    const parent = world.parent(number);
    return parent < 0 ? [] : [...trailOf(parent), ids[parent] as number];
  };
  let textBytes = 0;
  for (let first = 0; first < pages; first += pagesPerTransaction) {
    const last = Math.min(first + pagesPerTransaction, pages);
    await store.transact(async (store) => {
      for (let number = first; number < last; number++) {
        const page = world.page(number);
        const parentPath = page.parent < 0 ? null : world.path(page.parent);
        const above =
          page.parent < 0
            ? null
            : {
                ...{ id: ids[page.parent] as number, path: parentPath as string },
                ...{ depth: page.depth - 1, trail: trailOf(page.parent) },
              };
        let id = 0;
        // The columns follow the last version; what earlier ones would have set is overwritten anyway.
        const contents = page.changes.map((_, version) => contentOf(page, parentPath, version));
        const { state, derived } = stateOf(contents.at(-1) as Content, above, page.owner);
        for (const [version, content] of contents.entries()) {
          const { at = 0, editor: editorId = 1 } = page.changes[version] ?? {};
          textBytes += Buffer.byteLength(content.body);
          if (version === 0) id = (await store.pages.insert(state, { at, editorId, content })).id;
          else await store.pages.update(id, state, { at, editorId, content });
        }
        await store.links.saveDerived(id, derived, { titles: [], paths: [] });
        ids[number] = id;
      }
    });
    if (last % 10_000 === 0) {
      const rate = Math.round(last / ((Date.now() - startedAt) / 1000));
      process.stderr.write(`  ${last} of ${pages} pages, ${rate} a second\n`);
    }
  }
  // Pages came after links to them: who is wanted is counted once all are there.
  const recountedFrom = Date.now();
  await store.upkeep.recount();
  return {
    textBytes,
    seconds: (Date.now() - startedAt) / 1000,
    recountSeconds: (Date.now() - recountedFrom) / 1000,
  };
}

function contentOf(page: WorldPage, parentPath: string | null, version: number): Content {
  const change = page.changes[version];
  return {
    ...{ title: page.title, slug: page.slug, path: page.path, parent: parentPath },
    ...{ description: null, type: null, permissions: page.permissions, location: null },
    ...{ body: change?.body ?? '', format: 'wikitext' as const, data: {}, image: null },
    msg: change?.msg ?? '',
  };
}
