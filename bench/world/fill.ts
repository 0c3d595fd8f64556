/**
 * Writes a generated wiki into an empty database, through the core and the store of a checkout, many pages per transaction.
 * Runs as a separate process, so that a checkout with another schema fills its own database:
 *
 *     node bench/world/fill.ts CHECKOUT ENGINE TARGET PAGES SEED
 *
 * ENGINE is sqlite (TARGET: file) or postgres (TARGET: URL). Prints the amount of text as JSON. A thread generates the pages
 * and derives their rows while the main thread writes.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { defaultDialect } from '#core/content/dialect.ts';
import type { Content } from '#core/model/page.ts';
import type { NewPage } from '#core/ports/store.ts';
import { createWorld, memberCount, type WorldPage } from './world.ts';

/** Passphrase of every member that signs in. */
export const passphrase = 'correct horse battery staple';
/** The first member is the administrator. */
export const emailOf = (member: number) => `member${member}@example.org`;
export const signingMembers = 9;

const pagesPerTransaction = 1000;
/** Number of batches that the thread may be ahead. */
const batchesAhead = 2;

interface Work {
  checkout: string;
  pages: number;
  seed: number;
}

/** A page without its ID and its ancestors' IDs, which only the store knows. */
type Made = Omit<NewPage, 'id'> & { number: number; parent: number; textBytes: number };

if (!isMainThread) await makeUp(workerData as Work);
else if (import.meta.main) {
  const [checkout = '.', engine = 'sqlite', target = '', pages = '', seed = '1'] = process.argv.slice(2);
  const work = { checkout: resolve(checkout), pages: Number(pages), seed: Number(seed) };
  console.log(JSON.stringify(await fill(engine, target, work)));
}

/** Runs in the thread: posts one batch for each message that asks for one. */
async function makeUp({ checkout, pages, seed }: Work): Promise<void> {
  const { stateOf } = await partOf<typeof import('#core/pages/page-state.ts')>(
    checkout,
    'core/pages/page-state.ts',
  );
  const { derive } = await partOf<typeof import('#core/content/derive.ts')>(
    checkout,
    'core/content/derive.ts',
  );
  const world = createWorld({ pages, seed });
  let first = 0;
  parentPort?.on('message', () => {
    const last = Math.min(first + pagesPerTransaction, pages);
    const batch: Made[] = [];
    for (let number = first; number < last; number++) {
      const page = world.page(number);
      const parentPath = page.parent < 0 ? null : world.path(page.parent);
      const contents = page.changes.map((_, version) => contentOf(page, parentPath, version));
      // Rows are derived from the last version.
      const last = contents.at(-1) as Content;
      const { state, derived } = stateOf(
        last,
        { parent: null, ownerId: page.owner },
        derive(last, defaultDialect),
        {
          isPrivate: false,
        },
      );
      batch.push({
        number,
        parent: page.parent,
        derived,
        state: { ...state, depth: page.depth },
        changes: page.changes.map(({ at, editor }, version) => ({
          at,
          editorId: editor,
          content: contents[version] as Content,
        })),
        textBytes: contents.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0),
      });
    }
    first = last;
    parentPort?.postMessage(batch);
  });
}

async function fill(engine: string, target: string, work: Work) {
  const { checkout, pages } = work;
  const { openStore } = await partOf<typeof import('#run/open-store.ts')>(checkout, 'run/open-store.ts');
  const { createPassphrases } = await partOf<typeof import('#auth/passphrase.ts')>(
    checkout,
    'auth/passphrase.ts',
  );
  await using store = await openStore(
    engine === 'sqlite' ? { kind: 'sqlite', file: target } : { kind: 'postgres', url: target },
  );
  const startedAt = Date.now();
  const passphraseHash = await createPassphrases().hash(passphrase);
  for (let member = 1; member <= memberCount; member++) {
    await store.members.insert({
      email: emailOf(member),
      name: `Member ${member}`,
      isAdmin: member === 1,
      createdAt: 0,
      passphraseHash: member <= signingMembers ? passphraseHash : null,
    });
  }

  // Earlier checkouts do not have this method.
  if ('beginBulkLoad' in store.maintenance) await store.maintenance.beginBulkLoad();
  const maker = new Worker(new URL(import.meta.url), { workerData: work });
  const batches: Made[][] = [];
  let arrived = Promise.withResolvers<void>();
  maker.on('message', (batch: Made[]) => {
    batches.push(batch);
    arrived.resolve();
  });
  maker.on('error', (error) => arrived.reject(error));
  for (let i = 0; i < batchesAhead; i++) maker.postMessage('next');

  // Data of pages that their children need, by number.
  const ids = new Int32Array(pages);
  const parents = new Int32Array(pages);
  const trailOf = (number: number): number[] =>
    number < 0 ? [] : [...trailOf(parents[number] as number), ids[number] as number];
  let textBytes = 0;
  for (let done = 0; done < pages; ) {
    while (batches.length === 0) {
      await arrived.promise;
      arrived = Promise.withResolvers<void>();
    }
    const batch = batches.shift() as Made[];
    maker.postMessage('next');
    await store.transact(async (store) => {
      const given = await store.pages.reserveIds(batch.length);
      const written = batch.map(({ number, parent, state, changes, derived }, i): NewPage => {
        const id = given[i] as number;
        ids[number] = id;
        parents[number] = parent;
        const trail = trailOf(parent);
        return { id, changes, derived, state: { ...state, parentId: trail.at(-1) ?? null, trail } };
      });
      await store.pages.insertMany(written);
    });
    for (const page of batch) textBytes += page.textBytes;
    done += batch.length;
    if (done % 10_000 === 0) {
      const rate = Math.round(done / ((Date.now() - startedAt) / 1000));
      process.stderr.write(`  ${done} of ${pages} pages, ${rate} a second\n`);
    }
  }
  await maker.terminate();
  if ('endBulkLoad' in store.maintenance) await store.maintenance.endBulkLoad();
  return { textBytes, seconds: (Date.now() - startedAt) / 1000 };
}

function partOf<M>(checkout: string, file: string): Promise<M> {
  // Earlier checkouts open the store beside `src/run`, or without features, and have the core as `domain`.
  const paths = [file, file.replace('run/', ''), file.replace('run/open-store', 'store/store')];
  const candidates = [...paths, file.replace(/^core/, 'domain')].map((path) => join(checkout, 'src', path));
  const found = candidates.find((path) => existsSync(path)) ?? join(checkout, 'src', file);
  return import(pathToFileURL(found).href);
}

function contentOf(page: WorldPage, parentPath: string | null, version: number): Content {
  const change = page.changes[version];
  return {
    title: page.title,
    slug: page.slug,
    path: page.path,
    parent: parentPath,
    description: null,
    type: null,
    permissions: page.permissions,
    location: null,
    body: change?.body ?? '',
    format: 'wikitext' as const,
    data: {},
    image: null,
    msg: change?.msg ?? '',
  };
}
